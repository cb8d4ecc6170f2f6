// Ticket types: created alone or inside an event, published, sold out.
import { recordFields, type TicketRow } from "../data/records.ts";
import { type Call, notifySoldOut, type Reply, stamp, written } from "./call.ts";
import { type ChildKind, requireEditableChild } from "./children.ts";
import { refused } from "./refusal.ts";
import { showTicket } from "./show.ts";

export const tickets: ChildKind<TicketRow> = {
  label: "Ticket type",
  fields: recordFields.tickets,
  identity: ["name", "section", "row"],
  tableIn: (store) => store.tickets,
  show: showTicket,
  begin(call, values) {
    return { sold: 0, remainingQuantity: values.quantity as number, updatedAt: stamp(call) };
  },
  check: (_, { quantity, sold }) =>
    quantity < sold ? [{ field: "quantity", message: `quantity must be at least ${sold}: that many are sold` }] : [],
  change(call, before, patched) {
    const { withdraw } = call.profile;
    const isWithdrawn = before.published && !patched.published;
    if (isWithdrawn && withdraw === "refused") {
      throw refused(
        call.profile,
        `Ticket type ${before.id} is published and cannot be withdrawn.`,
        "Mark it sold out with POST …/sold-out.",
      );
    }
    // More inventory is more to sell, also after sold-out; less can only take what remains.
    const remainingQuantity = Math.max(0, before.remainingQuantity + patched.quantity - before.quantity);
    const published = isWithdrawn && withdraw === "ignored" ? true : patched.published;
    return { ...patched, remainingQuantity, published, updatedAt: stamp(call) };
  },
  beforeDelete({ profile }, { id, sold }) {
    if (sold === 0) return;
    throw refused(
      profile,
      `Ticket type ${id} has ${sold} sold tickets and cannot be deleted.`,
      "Mark it sold out with POST …/sold-out.",
    );
  },
  deleted: (call, id) => written(call, { deleted: true, id }),
};

export function publishTicket(call: Call): Reply {
  const ticket = requireEditableChild(tickets, call);
  if (ticket.published && call.profile.publishAgain === "refused")
    throw refused(call.profile, `Ticket type ${ticket.id} is already published.`, "Nothing needs to be done.");
  return update(call, { ...ticket, published: true });
}

export function sellOutTicket(call: Call): Reply {
  const ticket = requireEditableChild(tickets, call);
  const quantity = call.profile.soldOut === "quantity" ? ticket.sold : ticket.quantity;
  const reply = update(call, { ...ticket, quantity, remainingQuantity: 0 });
  if (ticket.remainingQuantity > 0) notifySoldOut(call, ticket.eventId);
  return reply;
}

function update(call: Call, ticket: TicketRow): Reply {
  return written(call, showTicket(call.store.tickets.put({ ...ticket, updatedAt: stamp(call) }), call.profile));
}
