// Bringing events and ticket types into the store.
import { randomUUID } from "node:crypto";
import type { EventRow, TicketRow } from "../../data/records.ts";
import { type Call, type SandboxContext, stamp } from "../call.ts";
import { readInlineTickets } from "../fields/event-fields.ts";
import type { FieldProblem } from "../refusal.ts";

type Values = Readonly<Record<string, unknown>>;

export function draftEvent(desk: SandboxContext, organizationId: string, values: Values): EventRow {
  const now = stamp(desk);
  const { tickets: _, ...fields } = values;
  const name = String(fields.name);
  return {
    id: randomUUID(),
    name,
    slug: freeSlug(desk, organizationId, name),
    status: "DRAFT",
    organizationId,
    ...fields,
    createdAt: now,
    updatedAt: now,
  } as EventRow;
}

export function freshTicket(desk: SandboxContext, eventId: string, values: Values): TicketRow {
  const now = stamp(desk);
  const fields = {
    id: randomUUID(),
    eventId,
    sold: 0,
    remainingQuantity: values.quantity,
    createdAt: now,
    updatedAt: now,
  };
  return { ...fields, ...values } as unknown as TicketRow;
}

export function addTickets(desk: SandboxContext, tickets: readonly TicketRow[]): void {
  for (const ticket of tickets) {
    desk.store.tickets.put(ticket);
    noteBirth(desk, ticket.id);
  }
}

/** Remembers when it was made, for lists that lag. */
export function noteBirth(desk: SandboxContext, id: string): void {
  if (desk.profile().listLag > 0) desk.born.set(id, desk.elapsed());
}

export function freeSlug(desk: SandboxContext, organizationId: string, name: string, own?: string): string {
  const stem =
    name
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "event";
  for (let count = 1; ; count++) {
    const slug = count === 1 ? stem : `${stem}-${count}`;
    const holder = desk.store.events.byAlias(`${organizationId}/${slug}`);
    if (holder === undefined || holder.id === own) return slug;
  }
}

// What PATCH /events/:id does with `tickets`; the document does not say.

export function patchTickets({ desk, body }: Call, event: EventRow): readonly FieldProblem[] {
  const { ticketsInPatch } = desk.profile();
  if (body.tickets === undefined || ticketsInPatch === "ignored") return [];
  if (ticketsInPatch === "refused") {
    return [{ field: "tickets", message: "tickets are changed at /events/:eventId/tickets" }];
  }
  const { tickets, problems } = readInlineTickets(desk, body.tickets);
  if (problems.length > 0) return problems;
  if (ticketsInPatch === "replaced") {
    const present = desk.store.tickets.of(event.id);
    if (present.some((ticket) => ticket.sold > 0)) {
      return [{ field: "tickets", message: "ticket types with sold tickets cannot be replaced" }];
    }
    for (const ticket of present) desk.store.tickets.remove(ticket.id);
  }
  addTickets(
    desk,
    tickets.map((ticket) => freshTicket(desk, event.id, ticket)),
  );
  return [];
}
