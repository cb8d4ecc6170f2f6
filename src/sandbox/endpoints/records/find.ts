// Finding what a path names, within the organization of the key.
import type { EventRow } from "../../data/records.ts";
import type { Table } from "../../data/store.ts";
import type { Call, SandboxContext } from "../call.ts";
import { isUuid } from "../fields/field.ts";
import { notFound, Refusal, refused } from "../refusal.ts";

export function param(call: Call, at: number): string {
  return call.params[at] ?? "";
}

export function findEvent(call: Call): EventRow {
  const id = param(call, 0);
  const event = isUuid(id) ? call.desk.store.events.get(id.toLowerCase()) : undefined;
  if (event !== undefined && event.organizationId === call.key.organizationId) return event;
  throw gone(call.desk, call.key.organizationId, id);
}

/** The event, unless it is archived and archived events stay as they are. */
export function findEditableEvent(call: Call): EventRow {
  const event = findEvent(call);
  const { archivedPatch, refusalStatus } = call.desk.profile();
  if (event.status === "ARCHIVED" && archivedPatch === "refused") {
    throw refused(
      refusalStatus,
      `Event ${event.id} is archived and cannot be changed.`,
      "An archived event stays as it is.",
    );
  }
  return event;
}

/** A child of an event, its id being the second name in the path. */
export function findChild<T extends { readonly id: string; readonly eventId: string }>(
  call: Call,
  what: string,
  table: Table<T>,
  event: EventRow,
): T {
  const id = param(call, 1);
  const row = table.get(id.toLowerCase());
  if (row === undefined || row.eventId !== event.id) throw notFound(what, id);
  return row;
}

/** A deleted event may still be answered for. */
export function gone(desk: SandboxContext, organizationId: string, idOrSlug: string): Refusal {
  const { graves } = desk.store;
  const grave = graves.get(idOrSlug.toLowerCase()) ?? graves.byAlias(`${organizationId}/${idOrSlug}`);
  if (desk.profile().deletedGet === "410" && grave?.organizationId === organizationId) {
    return new Refusal(
      410,
      "GONE",
      `Event ${idOrSlug} was deleted.`,
      "A deleted event does not come back: create another.",
    );
  }
  return notFound("Event", idOrSlug);
}
