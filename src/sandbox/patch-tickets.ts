// What PATCH /events/:id does with `tickets`; the document does not say.
import type { Call } from "./call.ts";
import { readInlineTickets } from "./event-fields.ts";
import { addTickets, freshTicket } from "./make-event.ts";
import type { EventRow } from "./records.ts";
import type { FieldProblem } from "./refusal.ts";

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
