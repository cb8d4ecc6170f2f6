// Names that must not stand twice, where the profile wants that.
import type { EventRow, TicketRow } from "../../data/records.ts";
import type { SandboxContext } from "../call.ts";
import type { FieldProblem } from "../refusal.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

export function eventTwin(desk: SandboxContext, wanted: EventRow): FieldProblem[] {
  const mode = desk.profile().uniqueNames;
  if (mode === "no") return [];
  const twin = desk.store.events
    .of(wanted.organizationId)
    .find((event) => isTwin(event, wanted) && (mode === "yes" || event.dateTime === wanted.dateTime));
  return twin === undefined ? [] : taken("name", twin);
}

export function ticketTwin(desk: SandboxContext, wanted: TicketRow): FieldProblem[] {
  return ticketTwins(desk, [wanted]);
}

/** Among the ticket types that are live and those that are wanted together. */
export function ticketTwins(desk: SandboxContext, wanted: readonly TicketRow[]): FieldProblem[] {
  const mode = desk.profile().uniqueNames;
  if (mode === "no") return [];
  return wanted.flatMap((ticket, at) => {
    const twin = [...desk.store.tickets.of(ticket.eventId), ...wanted.slice(0, at)].find(
      (other) =>
        isTwin(other, ticket) && (mode === "yes" || (other.section === ticket.section && other.row === ticket.row)),
    );
    return twin === undefined ? [] : taken("name", twin);
  });
}

export function childTwin(
  desk: SandboxContext,
  siblings: readonly Named[],
  wanted: Named,
  field = "name",
): FieldProblem[] {
  if (desk.profile().uniqueNames !== "yes") return [];
  const twin = siblings.find((sibling) => isTwin(sibling, wanted));
  return twin === undefined ? [] : taken(field, twin);
}

function isTwin(one: Named, other: Named): boolean {
  return one.id !== other.id && one.name === other.name;
}

function taken(field: string, twin: Named): FieldProblem[] {
  return [{ field, message: `${field} "${twin.name}" is taken by ${twin.id}` }];
}
