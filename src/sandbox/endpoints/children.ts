// Lists, creates, changes and deletes the parts of an event in one way, by a description of each kind.
import { randomUUID } from "node:crypto";
import type { FieldTable } from "../data/field.ts";
import type { Store, Table } from "../data/row-store.ts";
import {
  type BrandRow,
  type ChildRow,
  type EventRow,
  type PerformerRow,
  type Row,
  recordFields,
  type ScheduleRow,
  type TicketRow,
} from "../data/rows.ts";
import type { Profile } from "../profile/knobs.ts";
import {
  type Call,
  created,
  type FieldProblem,
  noteBirth,
  notFound,
  notifySoldOut,
  paramOf,
  type Reply,
  refused,
  requireEditableEvent,
  requireEvent,
  requireValid,
  type Shown,
  stamp,
  written,
} from "./handler.ts";
import { readBody } from "./read-body.ts";
import { listReply, showRow, showSchedule, showTicket } from "./show.ts";

/** The name, and the fields that distinguish rows of one name under `uniqueNames=with-start`. */
type RowIdentity<T> = readonly [keyof T & string, ...(keyof T & string)[]];

export interface ChildKind<T extends ChildRow> {
  /** For messages. */
  readonly label: string;
  readonly fields: FieldTable;
  readonly identity: RowIdentity<T>;
  tableIn(store: Store): Table<T>;
  show(row: T, profile: Profile): Shown;
  /** What a new row has in addition to the fields of the request. */
  begin?(call: Call, values: Shown): Partial<T>;
  /** Rules that span several fields. */
  check?(call: Call, row: T): readonly FieldProblem[];
  /** The row that a PATCH leaves behind. */
  change?(call: Call, before: T, patched: T): T;
  /** Throws if it cannot be deleted; otherwise cleans up what refers to it. */
  beforeDelete?(call: Call, row: T): void;
  deleted(call: Call, id: string): Reply;
}

export function handleChildren<T extends ChildRow>(kind: ChildKind<T>) {
  const { label, fields, identity, show } = kind;

  function tableOf({ store }: Call): Table<T> {
    return kind.tableIn(store);
  }

  /** Its id is the second name in the path. */
  function requireChild(call: Call, event: EventRow): T {
    const id = paramOf(call, 1);
    const row = tableOf(call).get(id.toLowerCase());
    if (row === undefined || row.eventId !== event.id) throw notFound(label, id);
    return row;
  }

  function requireEditable(call: Call): T {
    return requireChild(call, requireEditableEvent(call));
  }

  function check(call: Call, row: T): readonly FieldProblem[] {
    const siblings = tableOf(call).of(row.eventId);
    return [...(kind.check?.(call, row) ?? []), ...findTwin(call.profile, identity, row, siblings)];
  }

  /** A new row, not yet in the store. */
  function begin(call: Call, eventId: string, values: Shown): T {
    const row = { id: randomUUID(), eventId, createdAt: stamp(call), ...values, ...kind.begin?.(call, values) };
    return row as unknown as T;
  }

  function add(call: Call, row: T): void {
    tableOf(call).put(row);
    noteBirth(call, row.id);
  }

  return {
    fields,
    identity,
    begin,
    add,
    requireEditable,
    showAll: (call: Call, eventId: string): Shown[] =>
      tableOf(call)
        .of(eventId)
        .map((row) => show(row, call.profile)),
    list: (call: Call): Reply =>
      listReply(call, tableOf(call).of(requireEvent(call).id), show, call.profile.childLists),
    get: (call: Call): Reply => ({ status: 200, data: show(requireChild(call, requireEvent(call)), call.profile) }),
    create(call: Call): Reply {
      const event = requireEditableEvent(call);
      const { values, problems } = readBody("create", fields, call.body, call.profile);
      const row = begin(call, event.id, values);
      requireValid([...problems, ...check(call, row)]);
      add(call, row);
      return created(call, show(row, call.profile));
    },
    patch(call: Call): Reply {
      const row = requireEditable(call);
      const { values, problems } = readBody("patch", fields, call.body, call.profile);
      const patched: T = { ...row, ...values };
      requireValid([...problems, ...check(call, patched)]);
      const changed = tableOf(call).put(kind.change?.(call, row, patched) ?? patched);
      return written(call, show(changed, call.profile));
    },
    remove(call: Call): Reply {
      const row = requireEditable(call);
      kind.beforeDelete?.(call, row);
      tableOf(call).remove(row.id);
      return kind.deleted(call, row.id);
    },
  };
}

/** A row of the same name, where the profile does not allow that. */
export function findTwin<T extends Row>(
  { uniqueNames }: Profile,
  identity: RowIdentity<T>,
  row: T,
  others: readonly T[],
): readonly FieldProblem[] {
  const [name] = identity;
  if (uniqueNames === "no" || (uniqueNames === "with-start" && identity.length === 1)) return [];
  const fields = uniqueNames === "yes" ? [name] : identity;
  const twin = others.find((other) => other.id !== row.id && fields.every((field) => other[field] === row[field]));
  return twin === undefined ? [] : [{ field: name, message: `${name} "${twin[name]}" is already used by ${twin.id}` }];
}

// The kinds that belong to an event, and what only ticket types can do.

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
  const published = call.profile.soldOut === "unpublished" ? false : ticket.published;
  const reply = update(call, { ...ticket, quantity, published, remainingQuantity: 0 });
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
