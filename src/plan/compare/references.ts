// Objects that others refer to by id: which entries refer to one that is deleted, and what they must refer to first.
import type { Kind, ReferencePolicy } from "../../kinds/define.ts";
import { canonical, childKinds, kindOf, kinds, withoutMarkup } from "../../kinds/index.ts";
import { type Address, encodeSegment, idKey, type KindName, makeAddresses } from "../../model/address.ts";
import type { Live, Mention } from "../../model/live.ts";
import type { Edit } from "../../model/plan.ts";
import { groupBy, isReference } from "../../model/value.ts";
import { appliedTo, type Recall } from "../match/recall.ts";
import type { Comparison, EventComparison } from "./comparison.ts";

/** A field of a kind that names objects of another. */
export interface Referrer {
  readonly kind: KindName;
  readonly field: string;
  readonly policy: ReferencePolicy;
}

export function referrersOf(kindName: KindName): readonly Referrer[] {
  return kinds.flatMap((kind) =>
    Object.entries(kind.fields).flatMap(([field, policy]) =>
      policy.role === "reference" && policy.to === kindName ? [{ kind: kind.name, field, policy }] : [],
    ),
  );
}

/** Lists that must be read although the document does not manage them, because a change of this event may break them. */
export function furtherLists(event: EventComparison): readonly KindName[] {
  const referrers = event.children.filter(isGoing).flatMap((one) => referrersOf(one.kind.name));
  return [...new Set(referrers.map(({ kind }) => kind))].filter((kind) => event.lists[kind] === undefined);
}

export function isGoing({ change }: Comparison): boolean {
  return change?.action === "replace" || change?.action === "delete";
}

/** A live entry that may name something, with its comparison if the document manages it. */
interface Entry {
  readonly live: Live;
  readonly managed: Comparison | undefined;
  /** The address that it would have. */
  readonly address: Address;
}

/** An entry that names an object, or may do so. */
export interface NamedBy extends Entry {
  readonly referrer: Referrer;
  /** False if the service does not show it and nothing else is known. */
  readonly certain: boolean;
}

/** Live entries that name this object, or may do so, in the order of their list. */
export function namedBy(event: EventComparison, one: Comparison): readonly NamedBy[] {
  const id = one.live?.id;
  if (id === undefined) return [];
  const heir = heirOf(event, one);
  const targets = [id, one.address, ...(heir === null ? [] : [heir])];
  return referrersOf(one.kind.name).flatMap((referrer) => {
    const { entries, byTarget, open } = entriesFor(event, referrer);
    const sure = new Set(targets.flatMap((target) => byTarget.get(targetKey(target)) ?? []));
    return [...new Set([...open, ...sure])]
      .sort((first, second) => first - second)
      .map((index) => {
        const entry = entries[index] as Entry;
        // If nothing else is known, the document is the best guess.
        const wished = entry.managed?.wish?.fields[referrer.policy.sentAs];
        return {
          ...entry,
          referrer,
          certain: sure.has(index) || (isReference(wished) && targets.includes(wished.$id)),
        };
      });
  });
}

/** The addresses that live objects of a list have by their names. */
export function addressesOf(parent: Address, { plural, identity }: Kind, lives: readonly Live[], inUse?: Address[]) {
  const names = lives.map(({ id, fields: { [identity.label]: name } }) => (typeof name === "string" ? name : id));
  return makeAddresses(parent, plural, names, inUse);
}

/** An event's children and lists by what they are looked up by: both may be long. */
interface ReferenceIndex {
  readonly byAddress: ReadonlyMap<Address, Comparison>;
  readonly byLiveId: ReadonlyMap<string, Comparison>;
  /** The first child of each kind and name that is wished. */
  readonly heirs: ReadonlyMap<string, Comparison>;
  /** Live objects by the last part of the address that they would have. */
  readonly bySegment: Map<KindName, ReadonlyMap<string | null, Live>>;
  readonly entries: Map<string, NamingEntries>;
}

const indexes = new WeakMap<EventComparison, ReferenceIndex>();

function indexOf(event: EventComparison): ReferenceIndex {
  let index = indexes.get(event);
  if (index === undefined) {
    const { children } = event;
    index = {
      byAddress: firstByKey(children, (child) => child.address),
      byLiveId: firstByKey(
        children.filter(({ live }) => live !== null),
        (child) => child.live?.id ?? "",
      ),
      heirs: firstByKey(
        children.filter(({ wish }) => wish !== null),
        heirKey,
      ),
      bySegment: new Map(),
      entries: new Map(),
    };
    indexes.set(event, index);
  }
  return index;
}

function firstByKey<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, Item> {
  return new Map([...items].reverse().map((item) => [keyOf(item), item]));
}

/** The entries of a list by what they name. */
interface NamingEntries {
  readonly entries: readonly Entry[];
  /** Places in `entries`, by the id or address that an entry names for certain. */
  readonly byTarget: ReadonlyMap<string, readonly number[]>;
  /** Places of those that may name anything. */
  readonly open: readonly number[];
}

/** State remembers an id, a base the address. Ids have no case; addresses do. */
function targetKey(target: string): string {
  return target.includes("/") ? target : idKey(target);
}

function entriesFor(event: EventComparison, { kind, policy }: Referrer): NamingEntries {
  const index = indexOf(event);
  const key = `${kind} ${policy.sentAs}`;
  const known = index.entries.get(key);
  if (known !== undefined) return known;
  const { identity } = kindOf(kind);
  const lives = event.lists[kind] ?? [];
  const sharing = groupBy(lives, (live) => live.fields[identity.label]);
  const byTarget = new Map<string, number[]>();
  const open: number[] = [];
  const addresses = addressesOf(event.self.address, kindOf(kind), lives);
  const entries = lives.map((live, at): Entry => {
    const isOnly = sharing.get(live.fields[identity.label])?.length === 1;
    const entry = { live, managed: index.byLiveId.get(live.id), address: addresses[at] ?? "" };
    const target = knownTarget(entry, policy.sentAs, event.remember, isOnly);
    if (target === undefined) open.push(at);
    if (typeof target === "string") {
      const places = byTarget.get(targetKey(target)) ?? [];
      places.push(at);
      byTarget.set(targetKey(target), places);
    }
    return entry;
  });
  const found = { entries, byTarget, open };
  index.entries.set(key, found);
  return found;
}

/**
 * What an entry certainly refers to: an id or an address, or nothing; undefined if it may be anything. If the service
 * does not show it, it is what was applied last.
 */
function knownTarget({ live, managed, address }: Entry, sentAs: string, remember: Recall | undefined, isOnly: boolean) {
  const shown = live.fields[sentAs];
  if (shown !== undefined) return shown;
  // A base knows entries by name only: it cannot say which of several is meant.
  const applied = remember && appliedTo(remember(managed?.address ?? (isOnly ? address : ""), live.id), sentAs);
  if (applied !== undefined) return applied;
  // An entry of ours without the field refers to nothing, as far as the files have ever said.
  return managed !== undefined && managed.wish !== null && managed.wish.fields[sentAs] === undefined ? null : undefined;
}

/**
 * What takes the place of an object that is deleted: if it is replaced, the new one at the same address; if a
 * replacement was cut off and both are live, or somebody created it twice, the one of its name that stays.
 */
export function heirOf(event: EventComparison, one: Comparison): Address | null {
  if (one.change?.action === "replace") return one.address;
  if (one.change?.action !== "delete") return null;
  return indexOf(event).heirs.get(heirKey(one))?.address ?? null;
}

function heirKey({ kind, name }: Comparison): string {
  return `${kind.name} ${String(canonical("text", withoutMarkup(name)))}`;
}

export function ownEdit({ managed, referrer }: NamedBy): Edit | undefined {
  return managed?.change?.edits.find((edit) => edit.path === `/${referrer.field}`);
}

/** What the document wants the entry to refer to, if that exists or is created; undefined: nothing that can be sent. */
export function wishedTarget(event: EventComparison, { managed, referrer }: NamedBy): Address | null | undefined {
  const wished = managed?.wish?.fields[referrer.policy.sentAs];
  if (!isReference(wished)) return wished === null ? null : undefined;
  const named = indexOf(event).byAddress.get(wished.$id);
  const isLive = named === undefined ? liveByAddress(event, wished.$id) !== undefined : named.live !== null;
  return isLive || named?.change?.action === "create" ? wished.$id : undefined;
}

/** Whether the event has an object at this address, or the files want one. */
export function isPresent(event: EventComparison, address: Address): boolean {
  return indexOf(event).byAddress.has(address) || liveByAddress(event, address) !== undefined;
}

/** A live object of a list that the document does not manage, by the address it would have. */
export function liveByAddress(event: EventComparison, address: Address): Live | undefined {
  for (const { name, plural, identity } of childKinds(event.self.kind.name)) {
    const prefix = `${event.self.address}/${plural}/`;
    if (!address.startsWith(prefix)) continue;
    const { bySegment } = indexOf(event);
    const known =
      bySegment.get(name) ??
      firstByKey(event.lists[name] ?? [], ({ fields }) => {
        const label = fields[identity.label];
        return typeof label === "string" ? encodeSegment(label) : null;
      });
    bySegment.set(name, known);
    return known.get(address.slice(prefix.length));
  }
  return undefined;
}

/** Live entries that refer to something that is deleted, by its address, and what each has to refer to before that. */
export function mentionsOf(event: EventComparison): ReadonlyMap<Address, readonly Mention[]> {
  const found = event.children
    .filter(isGoing)
    .map((going) => ({ going, naming: namedBy(event, going), heir: heirOf(event, going) ?? undefined }))
    .filter(({ naming }) => naming.length > 0);
  // A certain reference takes precedence over a possible one; of the rest, the first deleted object decides.
  const pointed = new Map<string, { readonly because: Address; readonly target: Address | null }>();
  for (const certain of [true, false]) {
    for (const { going, naming, heir } of found) {
      for (const one of naming) {
        if (one.certain !== certain || isSettled(one)) continue;
        const target = certain ? heir : wishedTarget(event, one);
        if (target === undefined || (!certain && pointed.has(one.live.id))) continue;
        pointed.set(one.live.id, { because: going.address, target });
      }
    }
  }
  return new Map(
    found.map(({ going, naming }) => [
      going.address,
      naming.map(({ live, managed, address }): Mention => {
        const pointer = pointed.get(live.id);
        const about = { id: live.id, address: managed?.address ?? address };
        return pointer?.because === going.address ? { ...about, target: pointer.target } : about;
      }),
    ]),
  );
}

/** Its own change settles what it refers to. */
function isSettled(one: NamedBy): boolean {
  const edit = ownEdit(one);
  return one.managed?.change?.action === "delete" || (edit !== undefined && edit.unreadable !== true);
}
