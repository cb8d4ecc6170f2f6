// The kinds that belong to an event, and what only ticket types can do.
import { type BrandRow, type PerformerRow, recordFields, type ScheduleRow, type TicketRow } from "../data/records.ts";
import { type Call, type FieldProblem, notifySoldOut, type Reply, refused, stamp, written } from "./call.ts";
import { handleChildren } from "./children.ts";
import { showRow, showSchedule, showTicket } from "./show.ts";

export const tickets = handleChildren<TicketRow>({
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
});

export function publishTicket(call: Call): Reply {
  const ticket = tickets.requireEditable(call);
  if (ticket.published && call.profile.publishAgain === "refused")
    throw refused(call.profile, `Ticket type ${ticket.id} is already published.`, "Nothing needs to be done.");
  return update(call, { ...ticket, published: true });
}

export function sellOutTicket(call: Call): Reply {
  const ticket = tickets.requireEditable(call);
  const quantity = call.profile.soldOut === "quantity" ? ticket.sold : ticket.quantity;
  const reply = update(call, { ...ticket, quantity, remainingQuantity: 0 });
  if (ticket.remainingQuantity > 0) notifySoldOut(call, ticket.eventId);
  return reply;
}

function update(call: Call, ticket: TicketRow): Reply {
  return written(call, showTicket(call.store.tickets.put({ ...ticket, updatedAt: stamp(call) }), call.profile));
}

/** The API specification shows this one. */
function deletedReply(_: Call, id: string): Reply {
  return { status: 200, data: { deleted: true, id } };
}

export const performers = handleChildren<PerformerRow>({
  label: "Performer",
  fields: recordFields.performers,
  identity: ["name"],
  tableIn: (store) => store.performers,
  show: showRow,
  beforeDelete({ store, profile }, performer) {
    for (const entry of store.schedules.of(performer.eventId)) {
      if (entry.performerId !== performer.id) continue;
      switch (profile.performerDelete) {
        case "refused":
          throw refused(
            profile,
            `Performer ${performer.id} is named by schedule entry ${entry.id} and cannot be deleted.`,
            "Change or delete the schedule entry first.",
          );
        case "cascade":
          store.schedules.remove(entry.id);
          break;
        case "null":
          store.schedules.put({ ...entry, performerId: null });
      }
    }
  },
  deleted: deletedReply,
});

export const brands = handleChildren<BrandRow>({
  label: "Brand",
  fields: recordFields.brands,
  identity: ["name"],
  tableIn: (store) => store.brands,
  show: showRow,
  deleted: deletedReply,
});

export const schedules = handleChildren<ScheduleRow>({
  label: "Schedule entry",
  fields: recordFields.schedules,
  identity: ["title"],
  tableIn: (store) => store.schedules,
  show: showSchedule,
  check({ store, profile }, { eventId, startTime, endTime, performerId }) {
    const problems: FieldProblem[] = [];
    if (profile.timeOrder === "refused" && endTime <= startTime)
      problems.push({ field: "endTime", message: "endTime must be after startTime" });
    if (performerId != null && store.performers.get(performerId)?.eventId !== eventId)
      problems.push({ field: "performerId", message: `performerId ${performerId} is not a performer of this event` });
    return problems;
  },
  deleted: deletedReply,
});
