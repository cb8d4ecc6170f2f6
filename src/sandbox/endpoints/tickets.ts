import type { TicketRow } from "../data/records.ts";
import { type Call, noticeSoldOut, type Reply, stamp } from "./call.ts";
import { ticketFieldsOf } from "./fields/event-fields.ts";
import { readPart, readWhole } from "./fields/fields.ts";
import { ticketTwin } from "./fields/unique.ts";
import { findChild, findEditableEvent, findEvent } from "./records/find.ts";
import { arrange, pageOf, plainOf } from "./records/list.ts";
import { freshTicket, noteBirth } from "./records/make-event.ts";
import { created, showTicket, written } from "./records/show.ts";
import { type FieldProblem, invalid, refused } from "./refusal.ts";

export function createTicket(call: Call): Reply {
  const { desk, body } = call;
  const event = findEditableEvent(call);
  const { values, problems } = readWhole(ticketFieldsOf(desk), body, desk.profile());
  if (problems.length > 0) throw invalid(problems);
  const ticket = freshTicket(desk, event.id, values);
  const twins = ticketTwin(desk, ticket);
  if (twins.length > 0) throw invalid(twins);
  desk.store.tickets.put(ticket);
  noteBirth(desk, ticket.id);
  return created(desk, showTicket(ticket, desk.profile()));
}

export function listTickets(call: Call): Reply {
  const { desk } = call;
  const profile = desk.profile();
  const rows = arrange(desk, desk.store.tickets.of(findEvent(call).id));
  const show = (ticket: TicketRow) => showTicket(ticket, profile);
  return profile.childLists === "paged" ? pageOf(call, rows, show) : plainOf(rows, show);
}

export function getTicket(call: Call): Reply {
  const { desk } = call;
  const ticket = findChild(call, "Ticket type", desk.store.tickets, findEvent(call));
  return { status: 200, data: showTicket(ticket, desk.profile()) };
}

function findEditable(call: Call): TicketRow {
  return findChild(call, "Ticket type", call.desk.store.tickets, findEditableEvent(call));
}

export function patchTicket(call: Call): Reply {
  const { desk, body } = call;
  const profile = desk.profile();
  const ticket = findEditable(call);
  const { values, problems } = readPart(ticketFieldsOf(desk), body, profile);
  const changed = { ...ticket, ...values, updatedAt: stamp(desk) } as TicketRow;
  const wrong: FieldProblem[] = [...problems, ...ticketTwin(desk, changed)];
  if (changed.quantity < ticket.sold) {
    wrong.push({ field: "quantity", message: `quantity must be at least ${ticket.sold}: so many are sold` });
  }
  if (wrong.length > 0) throw invalid(wrong);
  const withdrawn = ticket.published && !changed.published;
  if (withdrawn && profile.withdraw === "refused") {
    throw refused(
      profile.refusalStatus,
      `Ticket type ${ticket.id} is published and cannot be withdrawn.`,
      "Mark it sold out with POST …/sold-out.",
    );
  }
  // More inventory is more to sell, also after sold-out; less can only take what remains.
  const remainingQuantity = Math.max(0, ticket.remainingQuantity + changed.quantity - ticket.quantity);
  const published = withdrawn && profile.withdraw === "ignored" ? true : changed.published;
  return written(desk, showTicket(desk.store.tickets.put({ ...changed, remainingQuantity, published }), profile));
}

export function publishTicket(call: Call): Reply {
  const { desk } = call;
  const ticket = findEditable(call);
  const { publishAgain, refusalStatus } = desk.profile();
  if (ticket.published && publishAgain === "refused") {
    throw refused(refusalStatus, `Ticket type ${ticket.id} is already published.`, "Nothing needs to be done.");
  }
  const published = desk.store.tickets.put({ ...ticket, published: true, updatedAt: stamp(desk) });
  return written(desk, showTicket(published, desk.profile()));
}

export function sellOutTicket(call: Call): Reply {
  const { desk } = call;
  const ticket = findEditable(call);
  const quantity = desk.profile().soldOut === "quantity" ? ticket.sold : ticket.quantity;
  const out = desk.store.tickets.put({ ...ticket, quantity, remainingQuantity: 0, updatedAt: stamp(desk) });
  if (ticket.remainingQuantity > 0) noticeSoldOut(desk, ticket.eventId);
  return written(desk, showTicket(out, desk.profile()));
}

export function deleteTicket(call: Call): Reply {
  const { desk } = call;
  const ticket = findEditable(call);
  if (ticket.sold > 0) {
    throw refused(
      desk.profile().refusalStatus,
      `Ticket type ${ticket.id} has ${ticket.sold} sold tickets and cannot be deleted.`,
      "Mark it sold out with POST …/sold-out.",
    );
  }
  desk.store.tickets.remove(ticket.id);
  return written(desk, { deleted: true, id: ticket.id });
}
