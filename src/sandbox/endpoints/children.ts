// What belongs to an event: listed, created, changed and deleted in one way, by a description of each kind.
import { randomUUID } from "node:crypto";
import type { FieldTable } from "../data/field.ts";
import {
  type BrandRow,
  type ChildRow,
  type PerformerRow,
  type Row,
  recordFields,
  type ScheduleRow,
} from "../data/records.ts";
import type { Store, Table } from "../data/store.ts";
import type { Profile } from "../profile/knobs.ts";
import {
  type Call,
  created,
  noteBirth,
  type Reply,
  requireChild,
  requireEditableEvent,
  requireEvent,
  type Shown,
  stamp,
  written,
} from "./call.ts";
import { listReply } from "./lists.ts";
import { readBody } from "./read-body.ts";
import { type FieldProblem, refused, requireValid } from "./refusal.ts";
import { showRow, showSchedule } from "./show.ts";

export interface ChildKind<T extends ChildRow> {
  /** For messages. */
  readonly label: string;
  readonly fields: FieldTable;
  /** The name, and the fields that tell namesakes apart under `uniqueNames=with-start`. */
  readonly identity: readonly [keyof T & string, ...(keyof T & string)[]];
  tableIn(store: Store): Table<T>;
  show(row: T, profile: Profile): Shown;
  /** What a new row has besides the fields of the request. */
  begin?(call: Call, values: Shown): Partial<T>;
  /** Rules that span several fields. */
  check?(call: Call, row: T): readonly FieldProblem[];
  /** The row that a PATCH leaves behind. */
  change?(call: Call, before: T, patched: T): T;
  /** Throws where it cannot be deleted; otherwise cleans up what refers to it. */
  beforeDelete?(call: Call, row: T): void;
  deleted(call: Call, id: string): Reply;
}

export function listChildren<T extends ChildRow>(kind: ChildKind<T>): (call: Call) => Reply {
  return (call) =>
    listReply(call, kind.tableIn(call.store).of(requireEvent(call).id), kind.show, call.profile.childLists);
}

export function getChild<T extends ChildRow>(kind: ChildKind<T>): (call: Call) => Reply {
  return (call) => {
    const row = requireChild(call, kind.label, kind.tableIn(call.store), requireEvent(call));
    return { status: 200, data: kind.show(row, call.profile) };
  };
}

export function createChild<T extends ChildRow>(kind: ChildKind<T>): (call: Call) => Reply {
  return (call) => {
    const event = requireEditableEvent(call);
    const { values, problems } = readBody("create", kind.fields, call.body, call.profile);
    const row = newChild(kind, call, event.id, values);
    requireValid([...problems, ...checkChild(kind, call, row)]);
    addChild(kind, call, row);
    return created(call, kind.show(row, call.profile));
  };
}

export function newChild<T extends ChildRow>(kind: ChildKind<T>, call: Call, eventId: string, values: Shown): T {
  const row = { id: randomUUID(), eventId, createdAt: stamp(call), ...values, ...kind.begin?.(call, values) };
  return row as unknown as T;
}

export function addChild<T extends ChildRow>(kind: ChildKind<T>, call: Call, row: T): void {
  kind.tableIn(call.store).put(row);
  noteBirth(call, row.id);
}

export function requireEditableChild<T extends ChildRow>(kind: ChildKind<T>, call: Call): T {
  return requireChild(call, kind.label, kind.tableIn(call.store), requireEditableEvent(call));
}

export function patchChild<T extends ChildRow>(kind: ChildKind<T>): (call: Call) => Reply {
  return (call) => {
    const row = requireEditableChild(kind, call);
    const { values, problems } = readBody("patch", kind.fields, call.body, call.profile);
    const patched: T = { ...row, ...values };
    requireValid([...problems, ...checkChild(kind, call, patched)]);
    const changed = kind.tableIn(call.store).put(kind.change?.(call, row, patched) ?? patched);
    return written(call, kind.show(changed, call.profile));
  };
}

export function deleteChild<T extends ChildRow>(kind: ChildKind<T>): (call: Call) => Reply {
  return (call) => {
    const row = requireEditableChild(kind, call);
    kind.beforeDelete?.(call, row);
    kind.tableIn(call.store).remove(row.id);
    return kind.deleted(call, row.id);
  };
}

function checkChild<T extends ChildRow>(kind: ChildKind<T>, call: Call, row: T): readonly FieldProblem[] {
  const siblings = kind.tableIn(call.store).of(row.eventId);
  return [...(kind.check?.(call, row) ?? []), ...findTwin(call.profile, kind.identity, row, siblings)];
}

/** A row of the same name, where the profile does not allow that. */
export function findTwin<T extends Row>(
  { uniqueNames }: Profile,
  identity: readonly [keyof T & string, ...(keyof T & string)[]],
  row: T,
  others: readonly T[],
): readonly FieldProblem[] {
  const [name] = identity;
  if (uniqueNames === "no" || (uniqueNames === "with-start" && identity.length === 1)) return [];
  const fields = uniqueNames === "yes" ? [name] : identity;
  const twin = others.find((other) => other.id !== row.id && fields.every((field) => other[field] === row[field]));
  return twin === undefined ? [] : [{ field: name, message: `${name} "${twin[name]}" is already used by ${twin.id}` }];
}

/** The document shows this one. */
function deletedReply(_: Call, id: string): Reply {
  return { status: 200, data: { deleted: true, id } };
}

export const performers: ChildKind<PerformerRow> = {
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
};

export const brands: ChildKind<BrandRow> = {
  label: "Brand",
  fields: recordFields.brands,
  identity: ["name"],
  tableIn: (store) => store.brands,
  show: showRow,
  deleted: deletedReply,
};

export const schedules: ChildKind<ScheduleRow> = {
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
};
