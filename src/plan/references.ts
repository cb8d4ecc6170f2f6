// Objects that others name by id: what must be re-pointed when one is replaced, and what forbids that one goes.
import { canonical, withoutMarkup } from "../kinds/canonical.ts";
import type { ReferencePolicy } from "../kinds/define.ts";
import { kindOf, kinds } from "../kinds/index.ts";
import { type Address, encodeSegment, makeAddress } from "../model/address.ts";
import type { Block, Edit } from "../model/change.ts";
import { groupBy } from "../model/group-by.ts";
import type { KindName } from "../model/kind-name.ts";
import type { Live } from "../model/live.ts";
import { isReference } from "../model/value.ts";
import type { Case, EventCase } from "./case.ts";
import { withBlocks } from "./compare.ts";
import { explained, mayBeNamedBlock, namedBlock } from "./in-use-words.ts";
import { type Entry, type Named, type NamingEntries, namingEntries } from "./naming.ts";

export interface Referrer {
  readonly kind: KindName;
  readonly field: string;
  readonly policy: ReferencePolicy;
}

/** The kinds whose objects may name objects of this kind. */
export function referrersOf(kindName: KindName): readonly Referrer[] {
  const found: Referrer[] = [];
  for (const kind of kinds) {
    for (const [field, policy] of Object.entries(kind.fields)) {
      if (policy.role === "reference" && policy.to === kindName) found.push({ kind: kind.name, field, policy });
    }
  }
  return found;
}

/** Lists that must be read although the document does not manage them, because a change of this event may break them. */
export function furtherLists(event: EventCase): readonly KindName[] {
  const needed = new Set<KindName>();
  for (const one of event.children) {
    if (one.change?.action !== "replace" && one.change?.action !== "delete") continue;
    for (const referrer of referrersOf(one.kind.name)) {
      if (event.lists[referrer.kind] === undefined) needed.add(referrer.kind);
    }
  }
  return [...needed];
}

export interface NamedBy extends Entry {
  readonly referrer: Referrer;
  /** False where the service does not show it and nothing tells. */
  readonly certain: boolean;
}

/** Live objects that name this one, or may do so, with their case where the document manages them. */
export function namedBy(event: EventCase, one: Case): readonly NamedBy[] {
  const id = one.live?.id;
  if (id === undefined) return [];
  const heir = heirOf(event, one);
  const named: Named = { id, addresses: heir === null ? [one.address] : [one.address, heir] };
  return referrersOf(one.kind.name).flatMap((referrer) =>
    entriesFor(indexOf(event), event, referrer)
      .that(named)
      .map(({ entry, naming }) => ({ ...entry, referrer, certain: naming === "names" })),
  );
}

/** An event's children and lists by what they are looked up by: both may be long. */
interface Index {
  readonly byAddress: ReadonlyMap<Address, Case>;
  readonly byLiveId: ReadonlyMap<string, Case>;
  /** The first child of each kind and name that is wished. */
  readonly heirs: ReadonlyMap<string, Address>;
  /** Live objects by the last part of the address that they would have. */
  readonly bySegment: Map<KindName, ReadonlyMap<string | null, Live>>;
  readonly entries: Map<string, NamingEntries>;
}

const indexes = new WeakMap<EventCase, Index>();

function indexOf(event: EventCase): Index {
  let index = indexes.get(event);
  if (index === undefined) {
    const { children } = event;
    index = {
      byAddress: firstOf(children, (child) => child.address),
      byLiveId: firstOf(
        children.filter(({ live }) => live !== null),
        (child) => child.live?.id ?? "",
      ),
      heirs: new Map(
        [...children]
          .reverse()
          .filter(({ wish }) => wish !== null)
          .map((child) => [heirKey(child), child.address]),
      ),
      bySegment: new Map(),
      entries: new Map(),
    };
    indexes.set(event, index);
  }
  return index;
}

/** The first item of each key. */
function firstOf<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, Item> {
  return new Map([...items].reverse().map((item) => [keyOf(item), item]));
}

function entriesFor(index: Index, event: EventCase, { kind, policy }: Referrer): NamingEntries {
  const key = `${kind} ${policy.sentAs}`;
  let found = index.entries.get(key);
  if (found === undefined) {
    const { plural, identity } = kindOf(kind);
    const lives = event.lists[kind] ?? [];
    const sharing = groupBy(lives, (live) => live.fields[identity.label]);
    const entries = lives.map((live): Entry => {
      const name = live.fields[identity.label];
      return {
        live,
        managed: index.byLiveId.get(live.id),
        address: makeAddress(event.self.address, plural, typeof name === "string" ? name : live.id),
        isOnlyOfItsName: sharing.get(name)?.length === 1,
      };
    });
    found = namingEntries(entries, policy.sentAs, event.remember);
    index.entries.set(key, found);
  }
  return found;
}

/**
 * What takes the place of an object that goes: where it is replaced, the new one at the same address; where a
 * replacement was cut off and both are live, or somebody made it twice, the one of its name that stays.
 */
export function heirOf(event: EventCase, one: Case): Address | null {
  if (one.change?.action === "replace") return one.address;
  if (one.change?.action !== "delete") return null;
  return indexOf(event).heirs.get(heirKey(one)) ?? null;
}

function heirKey({ kind, name }: Case): string {
  return `${kind.name} ${String(canonical("text", withoutMarkup(name)))}`;
}

export function isGoing({ change }: Case): boolean {
  return change?.action === "replace" || change?.action === "delete";
}

export function ownEdit({ managed, referrer }: NamedBy): Edit | undefined {
  return managed?.change?.edits.find((edit) => edit.path === `/${referrer.field}`);
}

/** What the document wants the entry to name, as far as that is there or is made; undefined: nothing that can be sent. */
export function wishedTarget(event: EventCase, { managed, referrer }: NamedBy): Address | null | undefined {
  const wished = managed?.wish?.fields[referrer.policy.sentAs];
  if (!isReference(wished)) return wished === null ? null : undefined;
  const named = indexOf(event).byAddress.get(wished.$id);
  const isThere = named === undefined ? liveByAddress(event, wished.$id) !== undefined : named.live !== null;
  return isThere || named?.change?.action === "create" ? wished.$id : undefined;
}

/** Marks what may not go because something that stays names it, and what names something that is nowhere. */
export function judgeReferences(event: EventCase): EventCase {
  return { ...event, children: event.children.map((one) => missingTarget(event, inUse(event, one))) };
}

function inUse(event: EventCase, one: Case): Case {
  if (one.change === null || !isGoing(one)) return one;
  const hasHeir = heirOf(event, one) !== null;
  const open = namedBy(event, one).filter(
    (naming) => naming.managed?.change?.action !== "delete" && ownEdit(naming) === undefined,
  );
  const staying = open.filter((naming) => (naming.certain ? !hasHeir : wishedTarget(event, naming) === undefined));
  if (staying.length === 0) return { ...one, change: explained(one.change, open) };
  const named = staying.filter(({ certain }) => certain);
  const block = named.length > 0 ? namedBlock(one, named) : mayBeNamedBlock(one, staying);
  return { ...one, change: withBlocks(one.change, [block]) };
}

function missingTarget(event: EventCase, one: Case): Case {
  if (one.change === null || one.wish === null || event.self.live === null) return one;
  for (const value of Object.values(one.wish.fields)) {
    if (!isReference(value) || isThere(event, value.$id)) continue;
    const name = value.$id.slice(value.$id.lastIndexOf("/") + 1);
    const block: Block = {
      code: "unknown-performer",
      message: `'${one.name}' names '${name}', and the event has none of that name.`,
      hint: "List it in the document, or correct the name.",
    };
    return { ...one, change: withBlocks(one.change, [block]) };
  }
  return one;
}

function isThere(event: EventCase, address: string): boolean {
  return indexOf(event).byAddress.has(address) || liveByAddress(event, address) !== undefined;
}

/** A live object of a list that the document does not manage, by the address it would have. */
export function liveByAddress(event: EventCase, address: string): Live | undefined {
  for (const kind of kinds) {
    const prefix = `${event.self.address}/${kind.plural}/`;
    if (!address.startsWith(prefix)) continue;
    const { bySegment } = indexOf(event);
    const known = bySegment.get(kind.name) ?? firstOf(event.lists[kind.name] ?? [], makeSegment);
    bySegment.set(kind.name, known);
    return known.get(address.slice(prefix.length));
  }
  return undefined;
}

function makeSegment(live: Live): string | null {
  return typeof live.fields.name === "string" ? encodeSegment(live.fields.name) : null;
}
