// Documents as a whole, compared with what they were before: in the base, and as state knows them.
import { kindOf, sameValue } from "../../kinds/index.ts";
import { type Address, idKey, type KindName, rootOf, sameId } from "../../model/address.ts";
import type { LastRun, Live, State } from "../../model/live.ts";
import { groupBy, isReference, type Value, type VenueQuery } from "../../model/value.ts";
import { familyOf, mapChildren, type Wish } from "../../model/wish.ts";
import { canonicalJson } from "../fingerprint.ts";
import { type GoneDocument, isDateOf, plainName } from "./likeness.ts";
import type { EventMatch } from "./live-search.ts";
import { fitsLine } from "./resolve-venues.ts";

/**
 * The base with its documents under the addresses of those that now mean the same live event: if a file was renamed, its
 * document is remembered as it was in the former file.
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
    return {
      ...wish,
      address: moved(wish.address),
      parent: wish.parent === null ? null : moved(wish.parent),
      fields: Object.fromEntries(fields),
      children: mapChildren(wish, move),
    };
  }
  return move(document);
}

/** Whether a document differs from what it said at the base; its position in a file does not count. */
export function differsFromBase(wish: Wish, base: Wish | undefined): boolean {
  // A file that was not changed is read once for both.
  if (wish === base) return false;
  return base === undefined || canonicalJson(meaning(wish)) !== canonicalJson(meaning(base));
}

/** The same for a list: entries that were added or are gone count, their order does not. */
export function listDiffersFromBase(wishes: readonly Wish[], base: readonly Wish[]): boolean {
  const before = new Map(base.map((wish) => [wish.address, wish]));
  return wishes.length !== before.size || wishes.some((wish) => differsFromBase(wish, before.get(wish.address)));
}

function meaning(wish: Wish): unknown {
  const children = mapChildren(wish, meaning);
  // Silencing a remark changes nothing on the service, nor does the way a date of a series is listed.
  const { ignore: _, series, ...own } = wish.own;
  const date = [series?.of ?? null, series?.day ?? null, series?.ruleStart ?? null];
  return { address: wish.address, fields: wish.fields, own, date, children };
}

/** Without `venues`, only what state has a value of is compared. */
type Remembered = Pick<State, "objects" | "venues"> & { readonly lastRun?: Pick<LastRun, "clean"> };

/**
 * Whether something other than this document was applied last, as far as state knows: by a partial run, by one that failed, or from
 * uncommitted files. The revision that was last applied as a whole does not include these.
 */
export function differsFromState({ objects, venues, lastRun }: Remembered): (wish: Wish) => boolean {
  const known = groupBy(Object.entries(objects), ([address]) => rootOf(address));
  // What such a run has deleted, or found left out of the files, may be wished again.
  const mayLack = lastRun?.clean === false;
  const mayLackFields = mayLack && venues !== undefined;

  /** The base wants the same, but what was sent since may be something else. */
  function isOtherVenue(query: VenueQuery, id: Value | undefined): boolean {
    const line = typeof id === "string" ? venues?.[idKey(id)] : undefined;
    return line === undefined || !fitsLine(line, query);
  }

  function isOtherwise({ address, fields, own: { status, venue } }: Wish): boolean {
    const entry = objects[address];
    const applied = { ...entry?.unknown, ...entry?.applied };
    // An archived event that is to be deleted is left alone.
    const wished = status === undefined || status === "DELETED" ? fields : { ...fields, status };
    const isOther = Object.entries(wished).some(([field, value]) => {
      const before = applied[field];
      if (before === undefined) return mayLackFields && entry !== undefined;
      if (!isReference(value)) return !sameValue(before, value);
      const named = objects[value.$id]?.id;
      return mayLackFields && named !== undefined && before !== value.$id && !sameId(named, String(before));
    });
    if (isOther || !mayLackFields || entry === undefined || venue === undefined) return isOther;
    return isOtherVenue(venue, applied.venueId);
  }

  return (wish) => {
    const family = familyOf(wish);
    const named = new Set(family.map(({ address }) => address));
    // An entry of a managed list that the document no longer names.
    const surplus = (known.get(wish.address) ?? []).some(
      ([address, { kind }]) => wish.children[kind] !== undefined && !named.has(address),
    );
    const isWanted = wish.own.status !== "DELETED" && wish.own.status !== "ARCHIVED";
    const lacks = mayLack && isWanted && family.some(({ address }) => objects[address] === undefined);
    return surplus || lacks || family.some(isOtherwise);
  };
}

/** What was held before is compared in every run, and so is what an earlier run may have changed or left without what it named. */
export function openAddresses(state: State | null): readonly Address[] {
  const { held = {}, unfinished = [], objects = {} } = state ?? {};
  const compared = Object.values(held).flatMap(({ address, guard }) => (guard === true ? [] : address));
  const unsure = Object.entries(objects).flatMap(([address, { unconfirmed, named }]) =>
    unconfirmed === undefined && named === undefined ? [] : address,
  );
  return [...compared, ...unfinished, ...unsure];
}

/** Lists of an event with entries that a replacement which was cut off has left without what they named. */
export function listsLeftOpen(state: State | null): (event: Address, id: string) => readonly KindName[] {
  const { objects = {} } = state ?? {};
  const left = Object.entries(objects).flatMap(([address, { kind, named }]) =>
    named === undefined ? [] : { root: rootOf(address), kind },
  );
  return (event, id) => left.flatMap(({ root, kind }) => (root === event || sameId(objects[root]?.id, id) ? kind : []));
}

/** Whether state remembers exactly what the document lists. */
export function isAsRemembered(wish: Wish, state: State | null): boolean {
  const objects = state?.objects ?? {};
  if (objects[wish.address] === undefined) return false;
  return Object.entries(wish.children).every(([kind, children]) => {
    const list = `${wish.address}/${kindOf(kind as KindName).plural}/`;
    const remembered = Object.keys(objects).filter((address) => address.startsWith(list));
    return (
      remembered.length === children.length &&
      children.every((child) => {
        const entry = objects[child.address];
        return Object.entries(child.fields).every(
          ([field, value]) => entry !== undefined && (isReference(value) || sameValue(entry.applied[field], value)),
        );
      })
    );
  });
}

/** One document is gone and a new one shares its name: the same event, moved. With more of either, it is unclear. */
export function movedDocuments(
  wishes: readonly Wish[],
  gone: readonly { readonly gone: GoneDocument; readonly live: Live }[],
): ReadonlyMap<Address, EventMatch> {
  const named = groupBy(
    wishes.filter((wish) => wish.own.new !== true),
    (wish) => plainName(String(wish.fields.name)),
  );
  const goneByName = groupBy(gone, (one) => plainName(String(one.gone.name ?? one.live.fields.name)));
  const moved = new Map<Address, EventMatch>();
  for (const [name, [wish, ...otherWishes]] of named) {
    const [one, ...others] = goneByName.get(name) ?? [];
    if (wish === undefined || one === undefined || otherWishes.length > 0 || others.length > 0) continue;
    if (isDateOf(wish.own.series, one.gone.address)) continue;
    moved.set(wish.address, { live: one.live, block: null, movedFrom: one.gone.address });
  }
  return moved;
}
