// The calls for the lists of one event, or for those that belong to none: what is made or changed first, what goes last.
import { fieldEntries, kindOfAddress, perKind } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Body, ClearingCall } from "../../model/plan.ts";
import { groupBy, type Reference } from "../../model/value.ts";
import { referencesIn } from "../compare/comparison.ts";
import { referrersOf } from "../compare/references.ts";
import type { OperationDraft, Subject } from "./subject.ts";
import { afterCreateBody, createBody, patchBody } from "./subject.ts";

type NewDraft = Omit<OperationDraft, "needs">;

/** `path` is the event's; `before` is what every call below the event waits for: its own creation, if it is new. */
export function childOperations(
  children: readonly Subject[],
  path: string,
  before: readonly OperationDraft[],
): readonly OperationDraft[] {
  const drafts: OperationDraft[] = [];
  /** Creations by address: others may name what they make. */
  const made = new Map<string, OperationDraft>();
  /** Entries that name something that is replaced, by their id: they must name what takes its place. */
  const pointers = findPointers(children);
  const pointed = groupBy([...pointers.values()], ({ because }) => because);
  const byAddress = new Map(children.map((child) => [child.address, child]));
  /** Creations by the list that they add to, and calls by the last part of their path: what waits for them looks there. */
  const creations = new Map<string, OperationDraft[]>();
  const byEnd = new Map<string, OperationDraft[]>();
  const places = new Map<OperationDraft, number>();
  const isParentNew = before.some(({ verb }) => verb === "create");

  function add(draft: NewDraft, needs: readonly OperationDraft[]): OperationDraft {
    const added: OperationDraft = { ...draft, needs: [...new Set([...before, ...needs])] };
    places.set(added, drafts.length);
    drafts.push(added);
    const end = draft.path.slice(draft.path.lastIndexOf("/") + 1);
    addDraft(byEnd, end, added);
    return added;
  }

  function create(child: Subject): void {
    const { kind, address } = child;
    const list = `${path}/${kind.plural}`;
    const item = `${list}/{${address}}`;
    const needs: OperationDraft[] = [];
    if (!kind.inline || !isParentNew) {
      const body = createBody(kind, child, resolve);
      const draft: NewDraft = {
        ...about(child),
        verb: "create",
        method: "POST",
        path: list,
        body,
        ...wayAround(child),
      };
      const creation = add(draft, neededBy(child));
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

  /** Where names are unique, the former one has to go first, and before it every mention of it. */
  function wayAround(child: Subject): Pick<OperationDraft, "fallback" | "clearing"> {
    if (child.change?.action !== "replace") return {};
    const mentions = (pointed.get(child.address) ?? []).filter(({ id }) => pointers.has(id));
    const clearing: ClearingCall[] = mentions.map(({ address, plural, id, field }) => ({
      address,
      verb: "update",
      method: "PATCH",
      path: `${path}/${plural}/${id}`,
      body: { [field]: null },
    }));
    const former = `${path}/${child.kind.plural}/${child.id}`;
    clearing.push({ address: child.address, verb: "delete", method: "DELETE", path: former });
    return { fallback: ["delete", "create"], clearing };
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
      const body: Body = { ...pointing(pointer), ...patch };
      needs.push(...createdFor(pointer));
      needs.push(add({ ...about(child), verb: "update", method: "PATCH", path: item, body }, [...needs]));
    }
    for (const { field, verb } of flagCalls(kind)) {
      if (change.edits.some(({ path: edited, after }) => edited === `/${field}` && after === true))
        needs.push(add({ ...about(child), verb, method: "POST", path: `${item}/${verb}` }, [...needs]));
    }
  }

  function point(pointer: Pointer): void {
    const { address, because } = pointer;
    const item = `${path}/${pointer.plural}/${pointer.id}`;
    add(
      { address, verb: "update", method: "PATCH", path: item, body: pointing(pointer), because },
      createdFor(pointer),
    );
  }

  function pointing(pointer: Pointer | undefined): Body {
    if (pointer === undefined) return {};
    return { [pointer.field]: pointer.target === null ? null : resolve({ $id: pointer.target }) };
  }

  /** After the creates of its kind, and after every call that concerns what still names the object. */
  function remove(child: Subject): void {
    const naming = child.mentions.flatMap(({ id }) => byEnd.get(id) ?? []);
    const needs = [...(creations.get(child.kind.plural) ?? []), ...naming].sort(
      (one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0),
    );
    const item = `${path}/${child.kind.plural}/${child.id}`;
    add({ ...about(child), verb: "delete", method: "DELETE", path: item }, needs);
  }

  function createdFor(pointer: Pointer | undefined): readonly OperationDraft[] {
    // Where the object is replaced, its mentions may be taken back on the way: what is to stay comes after that.
    const addresses =
      pointer === undefined ? [] : [pointer.because, ...(pointer.target === null ? [] : [pointer.target])];
    return addresses.map((address) => made.get(address)).filter((draft) => draft !== undefined);
  }

  function neededBy(child: Subject): OperationDraft[] {
    return referencesIn(child.fields).flatMap((address) => made.get(address) ?? []);
  }

  function resolve(reference: Reference): string | Reference {
    const named = byAddress.get(reference.$id);
    return named === undefined || named.id === null || named.change?.action === "replace" ? reference : named.id;
  }

  const going: Subject[] = [];
  for (const child of children) {
    const action = child.change?.action;
    if (action === "create" || action === "replace") create(child);
    else if (action === "update" && child.id !== null) update(child, child.id);
    if (action === "delete" || action === "replace") going.push(child);
  }
  for (const pointer of pointers.values()) point(pointer);
  // Children are in the order of their kinds: what names others goes before what is named.
  for (const child of going.reverse()) remove(child);
  return drafts;
}

/** Fields that become true by a call of their own, in the order of the calls: on sale before sold out. */
const flagCalls = perKind((kind) =>
  fieldEntries(kind).flatMap(([field, policy]) =>
    policy.role === "value" && (policy.change === "publish" || policy.change === "sold-out")
      ? [{ field, verb: policy.change }]
      : [],
  ),
);

function addDraft(groups: Map<string, OperationDraft[]>, key: string, draft: OperationDraft): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [draft]);
  else group.push(draft);
}

function about(child: Subject): Pick<OperationDraft, "address" | "because"> {
  return { address: child.address, because: child.address };
}

/** An entry that must name another object, or none, before the one that it names goes. */
interface Pointer {
  readonly id: string;
  readonly address: Address;
  readonly plural: string;
  readonly field: string;
  readonly because: Address;
  /** The address of the object that is to be named; null: none. */
  readonly target: Address | null;
}

function findPointers(children: readonly Subject[]): Map<string, Pointer> {
  const pointers = new Map<string, Pointer>();
  for (const { kind, address: because, mentions } of children) {
    for (const { id, address, target } of mentions) {
      const { name, plural } = kindOfAddress(address);
      const field = referrersOf(kind.name).find((referrer) => referrer.kind === name)?.policy.sentAs;
      if (target !== undefined && field !== undefined) {
        pointers.set(id, { id, address, plural, field, because, target });
      }
    }
  }
  return pointers;
}
