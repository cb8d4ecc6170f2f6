// What belongs to an event: listed, created, changed and deleted in one way, by a description of each kind.
import { randomUUID } from "node:crypto";
import type { FieldTable } from "../data/field.ts";
import type { ChildRow, EventRow, Row } from "../data/records.ts";
import type { Store, Table } from "../data/store.ts";
import type { Profile } from "../profile/knobs.ts";
import {
  type Call,
  created,
  noteBirth,
  paramOf,
  type Reply,
  requireEditableEvent,
  requireEvent,
  type Shown,
  stamp,
  written,
} from "./call.ts";
import { listReply } from "./lists.ts";
import { readBody } from "./read-body.ts";
import { type FieldProblem, notFound, requireValid } from "./refusal.ts";

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
    const row = requireChild(kind, call, requireEvent(call));
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
  return requireChild(kind, call, requireEditableEvent(call));
}

/** Its id is the second name in the path. */
function requireChild<T extends ChildRow>(kind: ChildKind<T>, call: Call, event: EventRow): T {
  const id = paramOf(call, 1);
  const row = kind.tableIn(call.store).get(id.toLowerCase());
  if (row === undefined || row.eventId !== event.id) throw notFound(kind.label, id);
  return row;
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
