// What is remembered of an object from the last run (state) or from the files as they were (base).
import type { Kind } from "../../kinds/define.ts";
import { kindOf, sameValue, sentName, withoutMarkup } from "../../kinds/index.ts";
import { type Address, idKey, makeAddress, sameId } from "../../model/address.ts";
import type { Live, State, StateEntry } from "../../model/live.ts";
import type { Block, Edit } from "../../model/plan.ts";
import { groupBy, isCleared, isReference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";

export interface Recalled {
  readonly id: string | null;
  /** Another document means that event now, with all below it. */
  readonly takenOver?: boolean;
  /** The object as it was in what the checkout is compared with; null: it was not there; left out: there is no such revision. */
  readonly base?: Wish | null;
  /** The object as the same files had it at the time of the last run; null: it was not there; left out: nothing changes with time. */
  readonly earlier?: Wish | null;
  /** A run has applied everything: what was there then and unwanted is gone. */
  readonly fullyApplied: boolean;
  /** Fields as they were last applied; null: nothing is remembered of this object. */
  readonly applied: Readonly<Record<string, Value>> | null;
  /** Only what `applied` names is remembered; of other fields nothing is known. */
  readonly partial: boolean;
  /** What the service showed after our own write, if that differs. */
  readonly returned: Readonly<Record<string, Value>>;
  /** Fields that could be neither read nor remembered, and what was wished for them then. */
  readonly unknown: Readonly<Record<string, Value>>;
  /** Fields that could not be cleared, and what the service showed of them then; null: nothing. */
  readonly uncleared: Readonly<Record<string, Value>>;
  /** When it was created, if that was recently and by us. */
  readonly madeAt: string | null;
}

const nothing: Recalled = {
  id: null,
  fullyApplied: false,
  applied: null,
  partial: false,
  returned: {},
  unknown: {},
  uncleared: {},
  madeAt: null,
};

/** With the id of the live object that the address means now, only what is remembered of that object. */
export type Recall = (address: Address, liveId?: string) => Recalled;

/** What shows whose difference it is. */
interface ComparedWith {
  /** What the checkout has changed differs from it; null: unknown. */
  readonly revision: readonly Wish[] | null;
  /** The same files at the time of the last run; null: nothing changes with time. */
  readonly earlier: readonly Wish[] | null;
}

/** State first, then a base, which may be null. Objects that `wishes` rename are found there by their former name. */
export function recallFrom(
  state: State | null,
  base: readonly Wish[] | null,
  wishes: readonly Wish[] = [],
  { revision: comparedWith, earlier }: ComparedWith = { revision: base, earlier: null },
): Recall {
  const formerly = formerAddresses(wishes);
  const inBase = documentFinder(base ?? [], formerly);
  const inCompared = comparedWith === base ? inBase : documentFinder(comparedWith ?? [], formerly);
  const inTime = documentFinder(earlier ?? [], new Map());
  const byId = new Map(Object.values(state?.objects ?? {}).map((entry) => [idKey(entry.id), entry]));
  const isCompared = comparedWith !== null || earlier !== null;
  return (address, liveId) => {
    const named: StateEntry | undefined = state?.objects[address];
    // After a rename the object is remembered under its former address.
    const entry = liveId === undefined || sameId(named?.id, liveId) ? named : byId.get(idKey(liveId));
    const baseWish = inBase(address);
    const isUnknown = entry === undefined && baseWish === undefined;
    if (isUnknown && !isCompared) return nothing;
    const compared = {
      ...(comparedWith === null ? {} : { base: inCompared(address) ?? null }),
      ...(earlier === null ? {} : { earlier: inTime(address) ?? null }),
    };
    if (isUnknown) return { ...nothing, ...compared };
    return {
      id: entry?.id ?? null,
      fullyApplied: state?.appliedRevision !== undefined,
      applied: entry === undefined ? plainFields(baseWish) : entry.applied,
      partial: entry?.partial === true,
      returned: entry?.returned ?? {},
      unknown: entry?.unknown ?? {},
      uncleared: entry?.uncleared ?? {},
      madeAt: entry?.madeAt ?? null,
      ...compared,
    };
  };
}

function documentFinder(
  documents: readonly Wish[],
  formerly: ReadonlyMap<Address, Address>,
): (address: Address) => Wish | undefined {
  if (documents.length === 0) return () => undefined;
  const wishes = new Map<Address, Wish>();
  for (const wish of documents) {
    wishes.set(wish.address, wish);
    for (const list of Object.values(wish.children)) for (const child of list) wishes.set(child.address, child);
  }
  return (address) => wishes.get(address) ?? wishes.get(formerly.get(address) ?? "");
}

/**
 * The base with its documents under the addresses of those that mean the same live event now: a document of a file that was
 * renamed is remembered as it was in the file of the former name.
 */
export function baseUnderAddressesOfNow(
  base: readonly Wish[],
  meant: Iterable<readonly [Address, Live]>,
): readonly Wish[] {
  const byName = groupBy(base, (wish) => plainName(String(wish.fields.name)));
  const byId = groupBy(base, ({ own }) => (own.id === undefined ? null : idKey(own.id)));
  const now = new Map(base.map((wish) => [wish.address, wish]));
  for (const [address, live] of meant) {
    const named = byName.get(plainName(String(live.fields.name))) ?? [];
    const alike = [...new Set([...named, ...(byId.get(idKey(live.id)) ?? [])])].filter((wish) => hasMeant(wish, live));
    const [only, ...others] = alike;
    if (only === undefined || others.length > 0 || only.address === address) continue;
    now.set(address, movedTo(address, only));
  }
  return [...now.values()];
}

/** Some services show `R&B` as `R&amp;B`. */
export function plainName(name: string): string {
  return name.includes("&") ? withoutMarkup(name) : name;
}

function hasMeant({ own, fields }: Wish, live: Live): boolean {
  if (own.id !== undefined) return sameId(own.id, live.id);
  return live.fields.dateTime === undefined || live.fields.dateTime === fields.dateTime;
}

function movedTo(root: Address, document: Wish): Wish {
  const moved = (address: Address) =>
    address === document.address || address.startsWith(`${document.address}/`)
      ? `${root}${address.slice(document.address.length)}`
      : address;
  function move(wish: Wish): Wish {
    const fields = Object.entries(wish.fields).map(([name, value]) => [
      name,
      isReference(value) ? { $id: moved(value.$id) } : value,
    ]);
    const children = Object.entries(wish.children).map(([kind, list]) => [kind, list.map(move)]);
    return {
      ...wish,
      address: moved(wish.address),
      parent: wish.parent === null ? null : moved(wish.parent),
      fields: Object.fromEntries(fields),
      children: Object.fromEntries(children),
    };
  }
  return move(document);
}

/** An event keeps its address whatever it is called; an entry of its lists does not. */
function formerAddresses(wishes: readonly Wish[]): ReadonlyMap<Address, Address> {
  const former = new Map<Address, Address>();
  for (const { address, parent, kind, own } of wishes.flatMap(({ children }) => Object.values(children).flat())) {
    if (own.renamedFrom !== undefined) former.set(address, makeAddress(parent, kindOf(kind).plural, own.renamedFrom));
  }
  return former;
}

function plainFields(wish: Wish | undefined): Readonly<Record<string, Value>> | null {
  if (wish === undefined) return null;
  const fields: Record<string, Value> = {};
  // The object that an entry names is remembered by its address: files do not know its id.
  for (const [name, value] of Object.entries(wish.fields)) fields[name] = isReference(value) ? value.$id : value;
  return fields;
}

/** Whether it is known what was last applied to this field; that may be nothing. */
export function knowsOf(memory: Recalled, field: string): boolean {
  return memory.applied !== null && (!memory.partial || memory.applied[field] !== undefined);
}

/** What was last applied to a field; undefined: nothing was. What we made without a field has nothing there. */
export function appliedTo(memory: Recalled, field: string): Value | undefined {
  const applied = memory.applied?.[field];
  if (applied !== undefined || memory.madeAt === null || !knowsOf(memory, field)) return applied;
  return field in memory.unknown || field in memory.uncleared ? undefined : null;
}

/** It was unknown before, and was not edited since. */
export function isStillUnknown(memory: Recalled, field: string, after: Value): boolean {
  return memory.applied?.[field] === undefined && field in memory.unknown && sameValue(memory.unknown[field], after);
}

// Fields that the service did not clear when an earlier run tried: not sent again in every run.

type Uncleared = Recalled["uncleared"];

/** The ones that still apply: the edit clears the field, and the service shows the value that it showed then. */
export function stillUncleared(kind: Kind, edits: readonly Edit[], live: Live, uncleared: Uncleared): Uncleared {
  const standing: Record<string, Value> = {};
  for (const edit of edits) {
    const name = sentName(kind, edit.path.slice(1));
    const remembered = uncleared[name];
    if (remembered === undefined || !isCleared(edit.after)) continue;
    if (sameValue(remembered, live.fields[name] ?? null)) standing[name] = remembered;
  }
  return standing;
}

export function cannotClearBlock(uncleared: Uncleared): Block | null {
  const fields = Object.keys(uncleared);
  if (fields.length === 0) return null;
  const them = fields.length === 1 ? "it" : "them";
  return {
    code: "cannot-clear",
    message: `An earlier run tried to clear ${fields.map((field) => `\`${field}\``).join(", ")}, and the service did not.`,
    hint: `Set ${them} to ${fields.length === 1 ? "another value" : "other values"}, remove ${them} from the file, or clear ${them} in the dashboard.`,
  };
}

// Which live events are alike, by name, start and venue.

/** Where only one of them shows a venue, it may be the same. */
export function mayShareVenue(wish: Pick<Wish, "fields">, live: Live): boolean {
  const [wished, shown] = [wish.fields.venueId, live.fields.venueId];
  return typeof wished !== "string" || typeof shown !== "string" || sameId(wished, shown);
}

export function groupByName(lives: readonly Live[]): ReadonlyMap<string, readonly Live[]> {
  const named = lives.filter((live) => typeof live.fields.name === "string");
  return groupBy(named, (live) => plainName(String(live.fields.name)));
}

/** Ids of the events that may be taken for one of this name, start and venue. */
export function namesakesAmong(lives: readonly Live[]): (wish: Pick<Wish, "fields">) => readonly string[] {
  const byName = groupByName(lives);
  const byStart = groupBy(lives, (live) => live.fields.dateTime);
  return ({ fields }) => {
    const named = typeof fields.name === "string" ? (byName.get(plainName(fields.name)) ?? []) : [];
    const together = typeof fields.dateTime === "string" ? (byStart.get(fields.dateTime) ?? []) : [];
    const alike = [...named, ...together.filter((live) => mayShareVenue({ fields }, live))];
    return [...new Set(alike.map((live) => live.id))].sort();
  };
}
