// Which live object of a list an entry means. As with events: each step for all entries before the next.
import type { Kind } from "../../kinds/define.ts";
import { canonical, sameValue, serviceDefaultOf, withoutMarkup } from "../../kinds/index.ts";
import { idKey, sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Block } from "../../model/plan.ts";
import { compareText, groupBy, isReference, parseUrl, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { alikeUrls } from "./likeness.ts";
import { ambiguousChild, ambiguousRename, pinnedIdMissing, pinnedTwice } from "./match-messages.ts";
import type { Recall } from "./recall.ts";
import { judgeRenames, pendingRenames } from "./renames.ts";

export interface Pair {
  readonly wish: Wish;
  readonly live: Live | null;
  readonly block: Block | null;
}

export type ListMatch = ReturnType<typeof matchList>;

export function matchList(kind: Kind, wishes: readonly Wish[], lives: readonly Live[], remember: Recall) {
  const search = makeListSearch(kind, wishes, lives);
  takePinned(search);
  takeRenamed(search, remember);
  takeEqual(search, remember);
  if (search.open().length > 0) {
    takeRemembered(search, remember);
    const { label, keys, twins } = kind.identity;
    for (const key of keys.slice(1)) {
      takeOnly(search, key, (wish) => valueWithoutReference(wish.fields[label]));
      takeOnly(search, key, (wish) => wish.own.renamedFrom);
    }
    if (isUrl(kind) || twins === "ask") takeShownInPart(search);
    leaveTheRest(search);
  }
  return search.result();
}

type ListSearch = ReturnType<typeof makeListSearch>;

function makeListSearch(kind: Kind, wishes: readonly Wish[], lives: readonly Live[]) {
  const found = new Map<Wish, Pair>();
  const claimed = new Set<Live>();
  /** Live objects of which an entry may mean any: none of them is surplus. */
  const contested = new Set<Live>();
  let index: ReadonlyMap<string, Live> | null = null;
  return {
    kind,
    wishes,
    lives,
    contested,
    isFree: (live: Live) => !claimed.has(live),
    take(wish: Wish, live: Live | null, block: Block | null = null): void {
      found.set(wish, { wish, live, block });
      if (live !== null) claimed.add(live);
    },
    contest(wish: Wish, candidates: readonly Live[]): Block {
      for (const live of candidates) contested.add(live);
      return ambiguousChild(wish, candidates);
    },
    liveOf(id: string): Live | undefined {
      index ??= new Map(lives.map((live) => [idKey(live.id), live]));
      return index.get(idKey(id));
    },
    open(): readonly Wish[] {
      return wishes.filter((wish) => !found.has(wish));
    },
    free<Key>(keyOfLive: (live: Live) => Key): ReadonlyMap<Key, readonly Live[]> {
      return groupBy(
        lives.filter((live) => !claimed.has(live)),
        keyOfLive,
      );
    },
    result: () => ({
      pairs: wishes.map((wish) => found.get(wish) as Pair),
      surplus: lives.filter((live) => !claimed.has(live) && !contested.has(live)),
    }),
  };
}

function takePinned({ wishes, liveOf, isFree, take }: ListSearch): void {
  for (const wish of wishes) {
    if (wish.own.id === undefined) continue;
    const live = liveOf(wish.own.id);
    if (live === undefined) take(wish, null, pinnedIdMissing(wish));
    else if (isFree(live)) take(wish, live);
    else take(wish, null, pinnedTwice(wish));
  }
}

/** Before names: until a rename is applied, its new name may belong to another entry. */
function takeRenamed({ kind, wishes, open, free, take, contested }: ListSearch, remember: Recall): void {
  if (wishes.every(({ own }) => own.renamedFrom === undefined)) return;
  const { label, keys } = kind.identity;
  const rest = (keys[0] ?? []).filter((field) => field !== label);
  const byLabel = free((live) => keyText([live.fields[label]]));
  const bearersOf = (wish: Wish) => byLabel.get(keyText([wishedOrDefault(kind, wish, label)])) ?? [];
  const isRecorded = ({ id }: Live) => remember("", id).id !== null;
  function formerOf(wish: Wish): Live | undefined {
    const named = byLabel.get(keyText([wish.own.renamedFrom])) ?? [];
    const [only, ...others] = named.length === 1 ? named : named.filter((live) => sharesFields(kind, wish, live, rest));
    if (only === undefined || others.length > 0) return undefined;
    // If state, or else a base, has it under its new name, the rename is done; the former name is another object's.
    const { id, base } = remember(wish.address);
    const isDone =
      id === null
        ? base?.name === wish.name && !isRecorded(only)
        : !bearersOf(wish).some((live) => sameId(live.id, id));
    return isDone ? undefined : only;
  }
  function wantedBy(wish: Wish): readonly Live[] {
    const equal = bearersOf(wish).filter((live) => sharesFields(kind, wish, live, rest));
    return equal.length > 0 ? equal : bearersOf(wish);
  }
  const rivals = open();
  const renames = judgeRenames({
    wishes: rivals,
    pending: pendingRenames({ wishes: rivals, formerOf, bearersOf }),
    wantedBy,
    isKnown: (wish, live) => isRecorded(live) || remember(wish.address).base?.name === wish.own.renamedFrom,
  });
  for (const { wish, former, candidates } of renames) {
    if (candidates.length === 0) take(wish, former);
    else contested.add(former);
    for (const each of candidates) take(each, null, ambiguousRename(wish, each, former, wishes));
  }
}

function takeEqual({ kind, open, free, isFree, take, contest }: ListSearch, remember: Recall): void {
  const [fullKey = []] = kind.identity.keys;
  const exact = free((live) => keyText(fullKey.map((field) => shownOrDefault(kind, live, field))));
  for (const wish of open()) {
    const key = keyText(fullKey.map((field) => wishedOrDefault(kind, wish, field)));
    const candidates = (key === null ? [] : (exact.get(key) ?? [])).filter(isFree);
    if (candidates.length === 0) continue;
    const chosen = chooseTwin(kind, wish, candidates, remember(wish.address).id);
    take(wish, chosen, chosen === null ? contest(wish, candidates) : null);
  }
}

function takeRemembered({ open, liveOf, isFree, take }: ListSearch, remember: Recall): void {
  for (const wish of open()) {
    const { id } = remember(wish.address);
    const live = id === null ? undefined : liveOf(id);
    if (live !== undefined && isFree(live)) take(wish, live);
  }
}

function takeOnly(
  { open, free, take }: ListSearch,
  key: readonly string[],
  nameOf: (wish: Wish) => Value | undefined,
): void {
  const rivals = groupBy(open(), (wish) => keyText([canonical("text", nameOf(wish) ?? null)]));
  const groups = free((live) => keyText(key.map((field) => live.fields[field])));
  for (const [name, [wish, ...others]] of rivals) {
    const [only, ...further] = name === null ? [] : (groups.get(name) ?? []);
    if (wish === undefined || others.length > 0 || only === undefined || further.length > 0) continue;
    take(wish, only);
  }
}

/** If the service shows only part of what distinguishes entries. */
function takeShownInPart({ kind, lives, open, isFree, take, contest }: ListSearch): void {
  const rivals = open();
  const candidatesOf = new Map<Wish, Live[]>(rivals.map((wish) => [wish, []]));
  const rivalsOf = new Map<Live, number>();
  const meant = isUrl(kind) ? meantByUrl(kind, lives, rivals) : meantByRest(kind, lives, rivals);
  for (const [at, live] of lives.entries()) {
    if (!isFree(live)) continue;
    rivalsOf.set(live, meant[at]?.length ?? 0);
    for (const wish of meant[at] ?? []) candidatesOf.get(wish)?.push(live);
  }
  for (const [wish, candidates] of candidatesOf) {
    const [only] = candidates;
    if (only === undefined) continue;
    const isSure = candidates.length === 1 && rivalsOf.get(only) === 1;
    take(wish, isSure ? only : null, isSure ? null : contest(wish, candidates));
  }
}

type MeantByShown = readonly (readonly Wish[])[];

function meantByUrl({ identity: { label } }: Kind, lives: readonly Live[], rivals: readonly Wish[]): MeantByShown {
  const shown = lives.map((live) => live.fields[label]);
  const wished = rivals.map((wish) => valueWithoutReference(wish.fields[label]));
  return alikeUrls(shown, wished).map((indexes) => indexes.flatMap((index) => rivals[index] ?? []));
}

/** For live objects that the service shows without part of their identity: the entries that match the rest. */
function meantByRest(kind: Kind, lives: readonly Live[], rivals: readonly Wish[]): MeantByShown {
  const { label, keys } = kind.identity;
  const [fullKey = []] = keys;
  const byLabel = groupBy(rivals, (wish) => keyText([wishedOrDefault(kind, wish, label)]));
  return lives.map((live) => {
    const known = fullKey.filter((field) => live.fields[field] !== undefined);
    if (known.length === fullKey.length) return [];
    const sharing = byLabel.get(keyText([live.fields[label]])) ?? [];
    return sharing.filter((wish) => sharesFields(kind, wish, live, known));
  });
}

function leaveTheRest({ kind, open, free, take, contest }: ListSearch): void {
  const { label } = kind.identity;
  const sharing = free((live) => live.fields[label]);
  for (const wish of open()) {
    const alike = leavesOpen(kind, wish) ? (sharing.get(valueWithoutReference(wish.fields[label])) ?? []) : [];
    take(wish, null, alike.length > 1 ? contest(wish, alike) : null);
  }
}

function sharesFields(kind: Kind, wish: Wish, live: Live, fields: readonly string[]): boolean {
  return fields.every(
    (field) => keyText([wishedOrDefault(kind, wish, field)]) === keyText([shownOrDefault(kind, live, field)]),
  );
}

function wishedOrDefault(kind: Kind, { fields }: Wish, field: string): Value | undefined {
  return valueWithoutReference(fields[field]) ?? serviceDefaultOf(kind, field);
}

/** What is shown empty has the default. */
function shownOrDefault(kind: Kind, { fields }: Live, field: string): Value | undefined {
  return fields[field] === null ? serviceDefaultOf(kind, field) : fields[field];
}

function isUrl({ identity, fields }: Kind): boolean {
  const policy = fields[identity.label];
  return policy?.role === "value" && policy.form === "url";
}

/** An entry that could mean several of one name: never guess where tickets were sold. */
function leavesOpen({ identity }: Kind, wish: Wish): boolean {
  const { keys, twins } = identity;
  const saysAll = (keys[0] ?? []).every((field) => wish.fields[field] !== undefined);
  return twins === "ask" && keys.length >= 2 && !saysAll;
}

/** Among live objects of one identity: the remembered one, else the one that equals the wish; null if that is unclear. */
function chooseTwin(kind: Kind, wish: Wish, candidates: readonly Live[], rememberedId: string | null): Live | null {
  const [first] = candidates;
  if (candidates.length === 1 && first !== undefined) return first;
  const remembered = candidates.find((live) => sameId(live.id, rememberedId));
  if (remembered !== undefined) return remembered;
  const sorted = [...candidates].sort((one, other) => compareText(one.id, other.id));
  const equal = sorted.filter((live) => equalsWish(wish, live));
  if (kind.identity.twins === "any") return equal[0] ?? sorted[0] ?? null;
  return equal.length === 1 ? (equal[0] ?? null) : null;
}

function equalsWish(wish: Wish, live: Live): boolean {
  return Object.entries(wish.fields).every(([field, value]) => {
    const shown = live.fields[field];
    return shown === undefined || isReference(value) || sameValue(shown, value);
  });
}

function valueWithoutReference(value: unknown): Value | undefined {
  return isReference(value) ? undefined : (value as Value | undefined);
}

function keyText(values: readonly (Value | undefined)[]): string | null {
  return values.some((value) => value === undefined || value === null) ? null : JSON.stringify(values.map(identityOf));
}

/** Two spellings of one thing: a URL with capitals in its host or a trailing slash, a name with escaped characters. */
function identityOf(value: Value | undefined): unknown {
  if (typeof value !== "string") return value;
  const url = /^https?:\/\//i.test(value) ? parseUrl(value) : null;
  if (url !== null) return url.href;
  return value.includes("&") ? withoutMarkup(value) : value;
}
