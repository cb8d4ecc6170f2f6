// Which live object of a list an entry means. As with events: each step for all entries before the next.

import type { Kind } from "../../kinds/define.ts";
import { canonical, sameValue, withoutMarkup } from "../../kinds/index.ts";
import { hasGaps, idKey, sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Block } from "../../model/plan.ts";
import { groupBy, isReference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { ambiguousChild, pinnedIdMissing, pinnedTwice } from "./match-messages.ts";
import type { Remember } from "./remembered.ts";

// An address that the service shows in its own way: in small letters throughout, or with a part that it hides.

/** A wished address in the forms that one is compared in. */
export interface WishedUrl {
  readonly small: string;
  /** The host of an address has no capitals, however it is written. */
  readonly href: string;
}

export function wishedUrl(wish: Value | undefined): WishedUrl | null {
  if (typeof wish !== "string" || wish.length > longest) return null;
  return { small: wish.toLowerCase(), href: URL.canParse(wish) ? new URL(wish).href : wish };
}

/** `all`: every address that the service shows. Small letters are its way only where it shows no others. */
export function rewrittenUrls(all: readonly Value[]): (shown: Value | undefined) => (wish: WishedUrl) => boolean {
  const isSmall = all.every((url) => typeof url === "string" && url === url.toLowerCase());
  return (shown) => {
    if (typeof shown !== "string" || shown.length > longest) return () => false;
    if (!hidden.test(shown)) return ({ small }) => isSmall && shown === small;
    const parts = shown.split(hidden);
    return ({ href }) => hasGaps(href, parts, 1);
  };
}

/** No browser takes a longer one. */
const longest = 8192;
const hidden = /\*{2,}|•{2,}|…/;

export interface Pair {
  readonly wish: Wish;
  readonly live: Live | null;
  readonly block: Block | null;
}

export interface ListMatch {
  readonly pairs: readonly Pair[];
  /** Live, and no entry can mean it. */
  readonly surplus: readonly Live[];
}

export function matchList(kind: Kind, wishes: readonly Wish[], lives: readonly Live[], remember: Remember): ListMatch {
  const found = new Map<Wish, Pair>();
  const taken = new Set<Live>();
  /** Those among which it cannot be told which one an entry means: none of them is surplus. */
  const contested = new Set<Live>();
  const byId = new Map(lives.map((live) => [idKey(live.id), live]));

  function take(wish: Wish, live: Live | null, block: Block | null = null): void {
    found.set(wish, { wish, live, block });
    if (live !== null) taken.add(live);
  }
  function contest(wish: Wish, candidates: readonly Live[]): Block {
    for (const live of candidates) contested.add(live);
    return ambiguousChild(wish, candidates);
  }
  function open(): readonly Wish[] {
    return wishes.filter((wish) => !found.has(wish));
  }
  function free(keyOfLive: (live: Live) => string | null): Map<string, Live[]> {
    const groups = new Map<string, Live[]>();
    for (const live of lives) {
      const key = taken.has(live) ? null : keyOfLive(live);
      if (key === null) continue;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [live]);
      else group.push(live);
    }
    return groups;
  }

  for (const wish of open()) {
    if (wish.own.id === undefined) continue;
    const live = byId.get(idKey(wish.own.id));
    if (live === undefined) take(wish, null, pinnedIdMissing(wish));
    else if (taken.has(live)) take(wish, null, pinnedTwice(wish));
    else take(wish, live);
  }

  const [fullKey = [], ...weakerKeys] = kind.identity.keys;
  const standards = kind.identity.standards ?? {};
  const exact = free((live) => keyText(fullKey.map((field) => live.fields[field])));
  for (const wish of open()) {
    const key = keyText(fullKey.map((field) => plain(wish.fields[field]) ?? standards[field]));
    const candidates = (key === null ? [] : (exact.get(key) ?? [])).filter((live) => !taken.has(live));
    if (candidates.length === 0) continue;
    const chosen = chooseTwin(kind, wish, candidates, remember(wish.address).id);
    take(wish, chosen, chosen === null ? contest(wish, candidates) : null);
  }

  for (const wish of open()) {
    const id = remember(wish.address).id;
    const live = id === null ? undefined : byId.get(idKey(id));
    if (live !== undefined && !taken.has(live)) take(wish, live);
  }

  for (const key of weakerKeys) {
    for (const nameOf of [
      (wish: Wish) => plain(wish.fields[kind.identity.label]),
      (wish: Wish) => wish.own.renamedFrom,
    ]) {
      const rivals = groupBy(open(), (wish) => keyText([canonical("text", nameOf(wish) ?? null)]));
      const groups = free((live) => keyText(key.map((field) => live.fields[field])));
      for (const [name, [wish, ...others]] of rivals) {
        const [only, ...further] = name === null ? [] : (groups.get(name) ?? []);
        if (wish === undefined || others.length > 0 || only === undefined || further.length > 0) continue;
        take(wish, only);
      }
    }
  }

  if (isUrl(kind)) {
    const { label } = kind.identity;
    const matcherOf = rewrittenUrls(lives.map((live) => live.fields[label] ?? null));
    const rest = lives
      .filter((live) => !taken.has(live))
      .map((live) => ({ live, isLike: matcherOf(live.fields[label]) }));
    const rivals = open().map((wish) => ({ wish, url: wishedUrl(plain(wish.fields[label])) }));
    for (const { wish, url } of rivals) {
      const alike = url === null ? [] : rest.filter(({ isLike }) => isLike(url));
      const [only] = alike;
      if (only === undefined) continue;
      const isSure = alike.length === 1 && rivals.filter((other) => other.url && only.isLike(other.url)).length === 1;
      const candidates = alike.map(({ live }) => live);
      take(wish, isSure ? only.live : null, isSure ? null : contest(wish, candidates));
    }
  }

  const sharing = groupBy(
    lives.filter((live) => !taken.has(live)),
    (live) => live.fields[kind.identity.label],
  );
  for (const wish of open()) {
    const alike = leavesOpen(kind, wish) ? (sharing.get(plain(wish.fields[kind.identity.label])) ?? []) : [];
    take(wish, null, alike.length > 1 ? contest(wish, alike) : null);
  }
  return {
    pairs: wishes.map((wish) => found.get(wish) as Pair),
    surplus: lives.filter((live) => !taken.has(live) && !contested.has(live)),
  };
}

function isUrl({ identity, fields }: Kind): boolean {
  const policy = fields[identity.label];
  return policy?.role === "value" && policy.form === "url";
}

/** An entry that leaves open which of several of its name it means: no guess, where people have bought them. */
function leavesOpen({ identity }: Kind, wish: Wish): boolean {
  const { keys, twins } = identity;
  const saysAll = (keys[0] ?? []).every((field) => wish.fields[field] !== undefined);
  return twins === "ask" && keys.length >= 2 && !saysAll;
}

/** Among live objects of one identity: the remembered one, else the one that equals the wish; null where that cannot be told. */
function chooseTwin(kind: Kind, wish: Wish, candidates: readonly Live[], rememberedId: string | null): Live | null {
  const [first] = candidates;
  if (candidates.length === 1 && first !== undefined) return first;
  const remembered = candidates.find((live) => sameId(live.id, rememberedId));
  if (remembered !== undefined) return remembered;
  const equal = candidates.filter((live) => equalsWish(wish, live)).sort((one, other) => (one.id < other.id ? -1 : 1));
  const [equalOne] = equal;
  if (equalOne !== undefined && (equal.length === 1 || kind.identity.twins === "any")) return equalOne;
  return kind.identity.twins === "any"
    ? ([...candidates].sort((one, other) => (one.id < other.id ? -1 : 1))[0] ?? null)
    : null;
}

function equalsWish(wish: Wish, live: Live): boolean {
  return Object.entries(wish.fields).every(([field, value]) => {
    const shown = live.fields[field];
    return shown === undefined || isReference(value) || sameValue(shown, value);
  });
}

function plain(value: unknown): Value | undefined {
  return isReference(value) ? undefined : (value as Value | undefined);
}

function keyText(values: readonly (Value | undefined)[]): string | null {
  return values.some((value) => value === undefined || value === null) ? null : JSON.stringify(values.map(identityOf));
}

/** Ways of writing one thing: an address with other capitals in its host or a slash more, a name with its signs escaped. */
function identityOf(value: Value | undefined): unknown {
  if (typeof value !== "string") return value;
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return new URL(value).href;
  return value.includes("&") ? withoutMarkup(value) : value;
}
