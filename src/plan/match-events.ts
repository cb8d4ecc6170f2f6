// Which live event a document means, in the order that the contract gives; each step for all documents before the next,
// so that a weak likeness never takes what a strong one of another document has a claim to.

import { withoutMarkup } from "../kinds/canonical.ts";
import type { Address } from "../model/address.ts";
import type { Block } from "../model/change.ts";
import { idKey, sameId } from "../model/id.ts";
import type { Live } from "../model/live.ts";
import type { Wish } from "../model/wish.ts";
import { ambiguousEvent, hiddenStart, pinnedIdMissing, pinnedTwice, twinEvents } from "./match-words.ts";
import type { Remember } from "./memory.ts";

export interface EventMatch {
  readonly live: Live | null;
  readonly block: Block | null;
  /** Set where the service does not show the start and the name alone decided. */
  readonly byNameAlone?: true;
}

export interface MatchInput {
  readonly wishes: readonly Wish[];
  readonly lives: readonly Live[];
  readonly remember: Remember;
  readonly baseOf: (address: Address) => Wish | undefined;
  /** Whether git or state vouches that the document was never applied before; left out: nobody can tell. */
  readonly isFirstSeen?: (address: Address) => boolean;
  readonly now: number;
}

export function matchEvents(input: MatchInput): ReadonlyMap<Address, EventMatch> {
  const found = new Map<Address, EventMatch>();
  const taken = new Set<string>();
  const byId = new Map(input.lives.map((live) => [idKey(live.id), live]));
  const byName = groupByName(input.lives);

  function take(wish: Wish, match: EventMatch): void {
    found.set(wish.address, match);
    if (match.live !== null) taken.add(match.live.id);
  }
  function eachOpen(step: (wish: Wish) => EventMatch | null): void {
    for (const wish of input.wishes) {
      if (found.has(wish.address)) continue;
      const match = step(wish);
      if (match !== null) take(wish, match);
    }
  }
  function free(lives: readonly Live[]): readonly Live[] {
    return lives.filter((live) => !taken.has(live.id));
  }
  function namedAndStarting(name: unknown, start: unknown): readonly Live[] {
    if (typeof name !== "string" || typeof start !== "string") return [];
    const equal = free(byName.get(plainName(name)) ?? []).filter((live) => live.fields.dateTime === start);
    const open = equal.filter((live) => live.status !== "ARCHIVED");
    return open.length > 0 ? open : equal;
  }
  function pick(wish: Wish, candidates: readonly Live[]): EventMatch | null {
    if (candidates.length === 0) return null;
    const remembered = candidates.find((live) => sameId(live.id, input.remember(wish.address).id));
    const only = candidates.length === 1 ? candidates[0] : remembered;
    if (only !== undefined) return { live: only, block: null };
    return { live: null, block: twinEvents(wish, candidates) };
  }

  eachOpen((wish) => {
    if (wish.own.id === undefined) return null;
    const live = byId.get(idKey(wish.own.id));
    if (live !== undefined && taken.has(live.id)) return { live: null, block: pinnedTwice(wish) };
    if (live !== undefined) return { live, block: null };
    // An event that is to be gone, and is.
    if (wish.own.status === "DELETED") return { live: null, block: null };
    return { live: null, block: pinnedIdMissing(wish) };
  });
  eachOpen((wish) => pick(wish, namedAndStarting(wish.fields.name, wish.fields.dateTime)));
  eachOpen((wish) => {
    const id = input.remember(wish.address).id;
    const live = id === null ? undefined : byId.get(idKey(id));
    return live === undefined || taken.has(live.id) ? null : { live, block: null };
  });
  eachOpen((wish) => {
    const base = input.baseOf(wish.address);
    if (base === undefined) return null;
    if (base.own.id !== undefined) {
      const live = byId.get(idKey(base.own.id));
      if (live !== undefined && !taken.has(live.id)) return { live, block: null };
    }
    return pick(wish, namedAndStarting(base.fields.name, base.fields.dateTime));
  });
  eachOpen((wish) => pick(wish, namedAndStarting(wish.own.renamedFrom, wish.fields.dateTime)));
  eachOpen((wish) => {
    const base = input.baseOf(wish.address);
    const written = [wish.fields.name, wish.own.renamedFrom, base?.fields.name];
    const names = new Set(written.filter((name) => typeof name === "string").map(plainName));
    const sharing = free([...names].flatMap((name) => byName.get(name) ?? []));
    const lookalikes = sharing.filter((live) => live.status !== "ARCHIVED" && !hasEnded(live, input.now));
    const hidden = sharing.filter((live) => live.fields.dateTime === undefined);
    if (wish.own.new === true) {
      // `new` says of those that start at another time that they are others; of one whose start is hidden it may be
      // this very event, made by an earlier run.
      if (hidden.length === 0 || input.isFirstSeen?.(wish.address) === true) return null;
      return { live: null, block: hiddenStart(wish, hidden) };
    }
    // Where the start is not shown, nothing but the name can tell. What git or a draft status vouches for is taken, and
    // an archived one for what is to be archived.
    const meant = lookalikes.length > 0 ? lookalikes : hidden;
    const [only] = meant;
    if (only === undefined) return null;
    if (meant.length === 1 && only.fields.dateTime === undefined) {
      const isOver = only.status === "ARCHIVED" && (wish.own.status === "ARCHIVED" || wish.own.status === "DELETED");
      if (only.status === "DRAFT" || isOver || base !== undefined) {
        return { live: only, block: null, byNameAlone: true };
      }
    }
    return { live: null, block: ambiguousEvent(wish, meant) };
  });
  eachOpen(() => ({ live: null, block: null }));
  return found;
}

export function groupByName(lives: readonly Live[]): ReadonlyMap<string, readonly Live[]> {
  const groups = new Map<string, Live[]>();
  for (const live of lives) {
    if (typeof live.fields.name !== "string") continue;
    const name = plainName(live.fields.name);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [live]);
    else group.push(live);
  }
  return groups;
}

/** Some services show `R&B` as `R&amp;B`. */
export function plainName(name: string): string {
  return name.includes("&") ? withoutMarkup(name) : name;
}

const day = 86_400_000;

/** Over, as far as the service shows: past its end, or a day past its start where it shows no end. */
export function hasEnded(live: Pick<Live, "fields">, now: number): boolean {
  const { endDateTime, dateTime } = live.fields;
  if (typeof endDateTime === "string") return Date.parse(endDateTime) < now;
  return typeof dateTime === "string" && Date.parse(dateTime) + day < now;
}
