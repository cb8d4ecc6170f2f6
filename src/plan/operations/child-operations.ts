// The calls for the lists of one event, or for those that belong to none: creates and changes first, deletes last; and what
// the calls of any object contain.
import type { Kind, ValuePolicy } from "../../kinds/define.ts";
import { fieldEntries, perKind, sameValue } from "../../kinds/index.ts";
import type { Body, BodyValue, Change, ClearingCall, Operation } from "../../model/plan.ts";
import { groupBy, isReference, type Reference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { referencesIn } from "../compare/comparison.ts";
import { inOrderOfNames, nameInChange } from "../match/renames.ts";
import { findMoving, findPointers, type MentionUpdate, type NamedObject, type NamingEntry } from "./call-order.ts";

/** One object as its operations know it: what the plan says about it and saw of it, with no file and no memory. */
export interface Subject extends NamedObject {
  /** What the calls may send, by the service's names. */
  readonly fields: Readonly<Record<string, Value | Reference>>;
}

/** An operation before it has a number: its needs are other drafts. */
export interface OperationDraft extends Omit<Operation, "id" | "needs"> {
  readonly needs: readonly OperationDraft[];
}

/** Calls by the name that they take from an object; null: they take none. */
export type NamesGivenUp = Map<string | null, OperationDraft[]>;

/** Those that must be done before this one can have its name. */
export function leaversOf(leaving: NamesGivenUp, one: Subject): readonly OperationDraft[] {
  const name = nameInChange(one, "after");
  return name === null ? [] : (leaving.get(name) ?? []);
}

export type NewDraft = Omit<OperationDraft, "needs">;

/**
 * `path` is the event's; `before` is what every call below the event waits for: its own create, if it is new. `checked` is what
 * a single call waits for, because the service may check it against that.
 */
export function childOperations(
  children: readonly Subject[],
  path: string,
  before: readonly OperationDraft[],
  checked: (draft: NewDraft) => readonly OperationDraft[] = () => [],
): readonly OperationDraft[] {
  const drafts: OperationDraft[] = [];
  /** Creations by address: others may name what they make. */
  const made = new Map<string, OperationDraft>();
  /** Entries that refer to something that is replaced, by their id: they must refer to its replacement. */
  const pointers = findPointers(children);
  const pointed = groupBy([...pointers.values()], ({ because }) => because);
  /** Entries whose own change makes them refer to something else: a create that may clear references comes before that change. */
  const moving = findMoving(children);
  const movedFrom = groupBy(moving, ({ because }) => because);
  const movingById = groupBy(moving, ({ id }) => id);
  const resolve = resolverAmong(children);
  /** Creates by list, and calls by the id of the object that they change: deletes wait for them. */
  const creations = new Map<string, OperationDraft[]>();
  const callsById = new Map<string, OperationDraft[]>();
  const places = new Map<OperationDraft, number>();
  /** Renames by the name that they give up. */
  const leaving: NamesGivenUp = new Map();
  const isParentNew = before.some(({ verb }) => verb === "create");

  function add(draft: NewDraft, needs: readonly OperationDraft[], id: string | null = null): OperationDraft {
    const added: OperationDraft = { ...draft, needs: [...new Set([...before, ...checked(draft), ...needs])] };
    places.set(added, drafts.length);
    drafts.push(added);
    if (id !== null) addDraft(callsById, id, added);
    return added;
  }

  function create(child: Subject): void {
    const { kind, address } = child;
    const list = `${path}/${kind.plural}`;
    const item = `${list}/{${address}}`;
    const needs: OperationDraft[] = [];
    if (!kind.inline || !isParentNew) {
      const body = createBody(kind, child, resolve);
      const call = { verb: "create", method: "POST", path: list, body } as const;
      const naming = [
        ...(pointed.get(address) ?? []).filter(({ id }) => pointers.has(id)),
        ...(movedFrom.get(address) ?? []),
      ];
      const creation = add({ ...about(child), ...call, ...clearingCalls(child, path, naming) }, neededBy(child));
      addDraft(creations, kind.plural, creation);
      made.set(address, creation);
      needs.push(creation);
    }
    const later = afterCreateBody(kind, child);
    if (later !== null) add({ ...about(child), verb: "update", method: "PATCH", path: item, body: later }, needs);
    for (const { field, verb } of flagCalls(kind)) {
      if (verb === "sold-out" && child.fields[field] === true)
        add({ ...about(child), verb, method: "POST", path: `${item}/${verb}` }, needs);
    }
  }

  function update(child: Subject, id: string): void {
    const { kind, change } = child;
    if (change === null) return;
    const item = `${path}/${kind.plural}/${id}`;
    const needs = neededBy(child);
    const patch = patchBody(kind, change, child, resolve);
    if (patch !== null) {
      const pointer = pointers.get(id);
      pointers.delete(id);
      // Its own edits and a new pointer go out in one call.
      const body: Body = { ...pointing(pointer, resolve), ...patch };
      needs.push(...createdFor(pointer), ...clearedFor(id));
      const call = add({ ...about(child), verb: "update", method: "PATCH", path: item, body }, [...needs], id);
      needs.push(call);
      addDraft(leaving, nameInChange(child, "before"), call);
    }
    for (const { field, verb } of flagCalls(kind)) {
      if (change.edits.some(({ path: edited, after }) => edited === `/${field}` && after === true))
        needs.push(add({ ...about(child), verb, method: "POST", path: `${item}/${verb}` }, [...needs]));
    }
  }

  function point(pointer: MentionUpdate): void {
    const { address, because } = pointer;
    const item = `${path}/${pointer.plural}/${pointer.id}`;
    const call = { verb: "update", method: "PATCH", path: item, body: pointing(pointer, resolve) } as const;
    add({ address, ...call, because }, createdFor(pointer), pointer.id);
  }

  /** After the creates of its kind, and after every call for objects that still refer to it. */
  function remove(child: Subject): void {
    const naming = child.mentions.flatMap(({ id }) => callsById.get(id) ?? []);
    const needs = [...(creations.get(child.kind.plural) ?? []), ...clearedFor(child.id), ...naming].sort(
      (one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0),
    );
    const item = `${path}/${child.kind.plural}/${child.id}`;
    add({ ...about(child), verb: "delete", method: "DELETE", path: item }, needs, child.id);
  }

  /** If an object is replaced, references to it may be cleared on the way, so the final ones are set after its create. */
  function createdFor(pointer: MentionUpdate | undefined): readonly OperationDraft[] {
    const addresses = pointer === undefined ? [] : [pointer.because, pointer.target ?? []].flat();
    return addresses.flatMap((address) => made.get(address) ?? []);
  }

  /** The creates that may clear what this entry refers to. */
  function clearedFor(id: string | null): readonly OperationDraft[] {
    return movingById.get(id ?? "")?.flatMap(({ because }) => made.get(because) ?? []) ?? [];
  }

  function neededBy(child: Subject): OperationDraft[] {
    const named = referencesIn(child.fields).flatMap((address) => made.get(address) ?? []);
    return [...named, ...leaversOf(leaving, child)];
  }

  const going: Subject[] = [];
  for (const child of inOrderOfNames(children, (child) => child)) {
    const action = child.change?.action;
    if (action === "create" || action === "replace") create(child);
    else if (action === "update" && child.id !== null) update(child, child.id);
    if (action === "delete" || action === "replace") going.push(child);
  }
  for (const pointer of pointers.values()) point(pointer);
  // In reverse order of the kinds: what refers to others is deleted before what is referred to.
  for (const child of going.reverse()) remove(child);
  return drafts;
}

/** Fields that become true by a separate call, in the order of the calls: on sale before sold out. */
const flagCalls = perKind((kind) =>
  fieldEntries(kind).flatMap(([field, policy]) =>
    policy.role === "value" && (policy.change === "publish" || policy.change === "sold-out")
      ? [{ field, verb: policy.change }]
      : [],
  ),
);

export function addDraft<Key>(groups: Map<Key, OperationDraft[]>, key: Key, draft: OperationDraft): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [draft]);
  else group.push(draft);
}

function about(child: Subject): Pick<OperationDraft, "address" | "because"> {
  return { address: child.address, because: child.address };
}

/** What is sent so that an entry refers to what it must refer to. */
function pointing(pointer: MentionUpdate | undefined, resolve: Resolve): Body {
  if (pointer === undefined) return {};
  return { [pointer.field]: pointer.target === null ? null : resolve({ $id: pointer.target }) };
}

/** If names are unique, the old object must be deleted first, and every reference to it cleared before that. */
function clearingCalls(
  { kind, address, id, change }: Subject,
  path: string,
  naming: readonly NamingEntry[],
): Pick<OperationDraft, "fallback" | "clearing"> {
  if (change?.action !== "replace") return {};
  const clearing: ClearingCall[] = naming.map((one) => ({
    address: one.address,
    verb: "update",
    method: "PATCH",
    path: `${path}/${one.plural}/${one.id}`,
    body: { [one.field]: null },
  }));
  clearing.push({ address, verb: "delete", method: "DELETE", path: `${path}/${kind.plural}/${id}` });
  return { fallback: ["delete", "create"], clearing };
}

// What is sent: only fields that the service documents and that are managed.

type Wished = Pick<Wish, "fields">;

/** The id that a reference resolves to: of a live object, or one to come. */
type Resolve = (reference: Reference) => string | Reference;

const asWritten: Resolve = (reference) => reference;

function resolverAmong(children: readonly Subject[]): Resolve {
  const byAddress = new Map(children.map((child) => [child.address, child]));
  return (reference) => {
    const named = byAddress.get(reference.$id);
    return named === undefined || named.id === null || named.change?.action === "replace" ? reference : named.id;
  };
}

export function createBody(kind: Kind, wish: Wished, resolve = asWritten): Body {
  const body: Record<string, BodyValue> = {};
  for (const [name, policy] of fieldEntries(kind)) {
    if (policy.role === "reference") {
      const value = wish.fields[policy.sentAs];
      if (isReference(value)) body[policy.sentAs] = resolve(value);
    }
    if (policy.role !== "value" || policy.create === "after") continue;
    const value = wish.fields[name] ?? policy.alwaysSent;
    if (value !== undefined && value !== null && !isReference(value)) body[name] = value;
  }
  return body;
}

/** Ticket types are created with their event: one call, and never an event without them. */
export function inlineBody(all: readonly Subject[]): Body {
  const inline = groupBy(
    all.filter(({ kind, change }) => kind.inline && change !== null),
    ({ kind }) => kind.plural,
  );
  return Object.fromEntries(
    Array.from(inline, ([plural, children]) => [plural, children.map((child) => createBody(child.kind, child))]),
  );
}

/** The fields that a PATCH sends for this change; null if none of its edits is made by PATCH. */
export function patchBody(kind: Kind, change: Change, wish: Wished, resolve = asWritten): Body | null {
  const body: Record<string, BodyValue> = {};
  for (const edit of change.edits) {
    const name = edit.path.slice(1);
    const policy = kind.fields[name];
    if (policy?.role === "value" && policy.change === "patch") body[name] = sentValue(policy, edit.after);
    if (policy?.role === "reference") {
      const value = wish.fields[policy.sentAs];
      body[policy.sentAs] = isReference(value) ? resolve(value) : null;
    }
  }
  return Object.keys(body).length === 0 ? null : body;
}

/** Fields of a new object that its create call does not accept, and that a later call must set. */
function afterCreateBody(kind: Kind, wish: Wished): Body | null {
  const body: Record<string, BodyValue> = {};
  for (const [name, policy] of fieldEntries(kind)) {
    if (policy.role !== "value" || policy.create !== "after" || policy.change !== "patch") continue;
    const value = wish.fields[name];
    if (value !== undefined && !isReference(value) && value !== policy.serviceDefault) body[name] = value;
  }
  return Object.keys(body).length === 0 ? null : body;
}

/** Wished values of a new object that are not sent, because it has them anyway: empty fields and the service's defaults. */
export function unsentFields(kind: Kind, wish: Wished): Readonly<Record<string, Value>> {
  const fields: Record<string, Value> = {};
  for (const [name, policy] of fieldEntries(kind)) {
    if (policy.role === "reference" && wish.fields[policy.sentAs] === null) fields[policy.sentAs] = null;
    if (policy.role !== "value") continue;
    const value = wish.fields[name];
    if (value === undefined || isReference(value)) continue;
    const isDefault = policy.create === "after" && sameValue(value, policy.serviceDefault);
    if (isDefault || (value === null && policy.alwaysSent === undefined)) fields[name] = value;
  }
  return fields;
}

function sentValue(policy: ValuePolicy, value: Value): Value {
  return value === null && (policy.form === "list" || policy.form === "set") ? [] : value;
}
