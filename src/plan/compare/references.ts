// Objects that others name by id: what must be re-pointed when one is replaced, and what forbids that one goes.
import type { ReferencePolicy } from "../../kinds/define.ts";
import { canonical, kindOf, kinds, withoutMarkup } from "../../kinds/index.ts";
import { type Address, encodeSegment, idKey, type KindName, makeAddress, sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Block, Change, Edit, Mention } from "../../model/plan.ts";
import { groupBy, isReference, type Value } from "../../model/value.ts";
import { appliedTo, type Recall } from "../match/recall.ts";
import { withBlocks } from "./compare-object.ts";
import type { Comparison, EventComparison } from "./comparison.ts";

// What is said of an object that cannot go, or not at once, because entries name it or may do so.

/** Calls that nobody asked for by an edit are told with what makes them needed. */
export function explained(change: Change, open: readonly NamedBy[]): Change {
  const guessed = open.filter(({ certain }) => !certain);
  if (guessed.length === 0) return change;
  const { field } = wordsFor(guessed);
  const why = `the service does not show which ${field} the ${entriesOf(guessed)} ${guessed.length === 1 ? "names" : "name"}, so what the file says of that is sent first`;
  return { ...change, reason: `${change.reason}; ${why}` };
}

export function namedBlock(one: Comparison, staying: readonly NamedBy[]): Block {
  const { plural, field } = wordsFor(staying);
  return {
    code: `${one.kind.name}-in-use`,
    message: `'${one.name}' cannot go: the ${entriesOf(staying)} of the live event ${staying.length === 1 ? "names" : "name"} it.`,
    hint: `List \`${plural}\` in the document and name another ${field} there (or \`${field}: null\`), or keep '${one.name}'.`,
  };
}

export function mayBeNamedBlock(one: Comparison, staying: readonly NamedBy[]): Block {
  const { plural, field } = wordsFor(staying);
  const what = one.change?.action === "replace" ? "be replaced" : "go";
  return {
    code: `${one.kind.name}-in-use`,
    message: `'${one.name}' cannot ${what}: the ${entriesOf(staying)} of the live event may name it. The service does not show that, and nothing remembers it.`,
    hint: `List \`${plural}\` in the document and say which ${field} each entry names (or \`${field}: null\`), or keep '${one.name}' as it is.`,
  };
}

function entriesOf(staying: readonly NamedBy[]): string {
  const titles = staying.map(({ live }) => `'${live.fields.title ?? live.id}'`).join(", ");
  return `${staying.length === 1 ? "schedule entry" : "schedule entries"} ${titles}`;
}

function wordsFor([first]: readonly NamedBy[]): { plural: string; field: string } {
  return { plural: first === undefined ? "" : kindOf(first.referrer.kind).plural, field: first?.referrer.field ?? "" };
}

// Whether a live entry names an object. What the service does not show is what was applied last; where nobody remembers
// that, what the document says of the entry is the best guess, and everything else stays open.

export type Naming = "names" | "may-name" | "names-another";

/** An entry that may name something, with its case where the document manages it. */
export interface Entry {
  readonly live: Live;
  readonly managed: Comparison | undefined;
  /** The address that it would have; shared by those of one name. */
  readonly address: Address;
  readonly isOnlyOfItsName: boolean;
}

export interface Named {
  readonly id: string;
  /** Its own, and that of what takes its place. */
  readonly addresses: readonly Address[];
}

/** The entries of a list by what they name. */
export interface NamingEntries {
  /** Those that name this object, or may do so, in the order of the list. */
  that(named: Named): readonly { readonly entry: Entry; readonly naming: Exclude<Naming, "names-another"> }[];
}

export function namingEntries(entries: readonly Entry[], sentAs: string, remember: Recall | undefined): NamingEntries {
  /** By an id or an address. */
  const sure = new Map<string, number[]>();
  /** Those that may name any object. */
  const open: number[] = [];
  for (const [index, entry] of entries.entries()) {
    const known = knownTarget(entry, sentAs, remember);
    if (known === undefined) open.push(index);
    else if (typeof known === "string") {
      const same = sure.get(idKey(known));
      if (same === undefined) sure.set(idKey(known), [index]);
      else same.push(index);
    }
  }
  return {
    that(named) {
      const meant = [named.id, ...named.addresses].flatMap((target) => sure.get(idKey(target)) ?? []);
      const indexes = open.length === 0 ? meant : [...open, ...meant];
      return [...new Set(indexes)]
        .sort((one, other) => one - other)
        .flatMap((index) => {
          const entry = entries[index] as Entry;
          const naming = namingOf(entry, sentAs, named, remember);
          return naming === "names-another" ? [] : [{ entry, naming }];
        });
    },
  };
}

/** What an entry names for certain: an id or an address, or nothing of the kind; undefined where it may name anything. */
function knownTarget(entry: Entry, sentAs: string, remember: Recall | undefined): Value | undefined {
  const shown = entry.live.fields[sentAs];
  if (shown !== undefined) return shown;
  const former = remember === undefined ? undefined : formerOf(entry, sentAs, remember);
  return former ?? (isSilent(entry, sentAs) ? null : former);
}

/** An entry of ours that says nothing of it names nobody, as far as anybody here has ever said. */
function isSilent({ managed }: Entry, sentAs: string): boolean {
  return managed !== undefined && managed.wish !== null && managed.wish.fields[sentAs] === undefined;
}

function namingOf(entry: Entry, sentAs: string, named: Named, remember: Recall | undefined): Naming {
  const shown = entry.live.fields[sentAs];
  if (shown !== undefined) return sameId(shown, named.id) ? "names" : "names-another";
  const former = remember === undefined ? undefined : formerOf(entry, sentAs, remember);
  if (former !== undefined) return isMeant(former, named) ? "names" : "names-another";
  const wished = entry.managed?.wish?.fields[sentAs];
  if (isReference(wished)) return isMeant(wished.$id, named) ? "names" : "may-name";
  return isSilent(entry, sentAs) ? "names-another" : "may-name";
}

/** State remembers an id, a base the address; undefined: nothing. */
function formerOf({ live, managed, address, isOnlyOfItsName }: Entry, sentAs: string, remember: Recall) {
  // A base knows entries by name alone: which of several is meant, it cannot tell.
  const known = managed?.address ?? (isOnlyOfItsName ? address : "");
  return appliedTo(remember(known, live.id), sentAs);
}

function isMeant(former: Value, { id, addresses }: Named): boolean {
  return typeof former === "string" && (sameId(former, id) || addresses.includes(former));
}

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
export function furtherLists(event: EventComparison): readonly KindName[] {
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
export function namedBy(event: EventComparison, one: Comparison): readonly NamedBy[] {
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
  readonly byAddress: ReadonlyMap<Address, Comparison>;
  readonly byLiveId: ReadonlyMap<string, Comparison>;
  /** The first child of each kind and name that is wished. */
  readonly heirs: ReadonlyMap<string, Address>;
  /** Live objects by the last part of the address that they would have. */
  readonly bySegment: Map<KindName, ReadonlyMap<string | null, Live>>;
  readonly entries: Map<string, NamingEntries>;
}

const indexes = new WeakMap<EventComparison, Index>();

function indexOf(event: EventComparison): Index {
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

function entriesFor(index: Index, event: EventComparison, { kind, policy }: Referrer): NamingEntries {
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
export function heirOf(event: EventComparison, one: Comparison): Address | null {
  if (one.change?.action === "replace") return one.address;
  if (one.change?.action !== "delete") return null;
  return indexOf(event).heirs.get(heirKey(one)) ?? null;
}

function heirKey({ kind, name }: Comparison): string {
  return `${kind.name} ${String(canonical("text", withoutMarkup(name)))}`;
}

export function isGoing({ change }: Comparison): boolean {
  return change?.action === "replace" || change?.action === "delete";
}

export function ownEdit({ managed, referrer }: NamedBy): Edit | undefined {
  return managed?.change?.edits.find((edit) => edit.path === `/${referrer.field}`);
}

/** What the document wants the entry to name, as far as that is there or is made; undefined: nothing that can be sent. */
export function wishedTarget(event: EventComparison, { managed, referrer }: NamedBy): Address | null | undefined {
  const wished = managed?.wish?.fields[referrer.policy.sentAs];
  if (!isReference(wished)) return wished === null ? null : undefined;
  const named = indexOf(event).byAddress.get(wished.$id);
  const isThere = named === undefined ? liveByAddress(event, wished.$id) !== undefined : named.live !== null;
  return isThere || named?.change?.action === "create" ? wished.$id : undefined;
}

/** Marks what may not go because something that stays names it, and what names something that is nowhere. */
export function judgeReferences(event: EventComparison): EventComparison {
  return { ...event, children: event.children.map((one) => missingTarget(event, inUse(event, one))) };
}

function inUse(event: EventComparison, one: Comparison): Comparison {
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

function missingTarget(event: EventComparison, one: Comparison): Comparison {
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

function isThere(event: EventComparison, address: string): boolean {
  return indexOf(event).byAddress.has(address) || liveByAddress(event, address) !== undefined;
}

/** A live object of a list that the document does not manage, by the address it would have. */
export function liveByAddress(event: EventComparison, address: string): Live | undefined {
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

// Live entries that name something that goes, and what each of them is to name before that.

/** By the address of what goes. */
export function mentionsOf(event: EventComparison): ReadonlyMap<Address, readonly Mention[]> {
  const found = event.children
    .filter(isGoing)
    .map((going) => ({ going, naming: namedBy(event, going), heir: heirOf(event, going) ?? undefined }))
    .filter(({ naming }) => naming.length > 0);
  // What is certain counts more than what may be; of the rest, the first object that goes takes the entry along.
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

/** Its own change takes care of what it names. */
function isSettled(one: NamedBy): boolean {
  return one.managed?.change?.action === "delete" || isShownEdit(ownEdit(one));
}

function isShownEdit(edit: Edit | undefined): boolean {
  return edit !== undefined && edit.unreadable !== true;
}
