// Which live event a document means: by id first, by likeness last. Each step runs for all documents before the next, so that
// a weak likeness never wins over a strong one.
import { type Address, idKey, sameId } from "../../model/address.ts";
import { hasEnded, type Live } from "../../model/live.ts";
import type { Block } from "../../model/plan.ts";
import { groupBy } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { movedDocuments } from "./former-documents.ts";
import {
  type GoneDocument,
  groupByName,
  makeSeriesDates,
  mayShareVenue,
  plainName,
  withRememberedStarts,
} from "./likeness.ts";
import {
  ambiguousEvent,
  hiddenStart,
  leavesAnother,
  pinnedIdMissing,
  pinnedTwice,
  twinEvents,
} from "./match-messages.ts";
import type { Recall } from "./recall.ts";
import { judgeRenames, pendingRenames } from "./renames.ts";

export interface EventMatch {
  readonly live: Live | null;
  readonly block: Block | null;
  /** Set if the service does not show the start and the name alone decided. */
  readonly byNameAlone?: true;
  /** The address under which state knows it, if its document is gone and this one has its name. */
  readonly movedFrom?: Address;
  /** If it is unclear which of them is meant, none of them may be deleted. */
  readonly candidates?: readonly Live[];
  /** For an event to create that nothing remembers: open events with a hidden start, any of which may be this one, renamed. */
  readonly notRuledOut?: readonly Live[];
  /** For an event that is to be deleted and is not live: others of its name, or of its start and venue, that no document means. */
  readonly namesakes?: readonly Live[];
}

export interface MatchInput {
  readonly wishes: readonly Wish[];
  readonly lives: readonly Live[];
  readonly remember: Recall;
  readonly baseOf?: (address: Address) => Wish | undefined;
  /** Whether git or state proves that the document was never applied before; left out: unknown. */
  readonly wasNeverApplied?: (address: Address) => boolean;
  readonly gone?: readonly GoneDocument[];
  /** Whether an event that shares only a document's start and venue is a lookalike: it may have been renamed. */
  readonly renamesToo?: boolean;
  readonly now: number;
}

/** null: not known. */
type MatchStep = (wish: Wish) => EventMatch | null;

export function matchEvents(input: MatchInput): ReadonlyMap<Address, EventMatch> {
  const found = new Map<Address, EventMatch>();
  const taken = new Set<string>();
  const byId = new Map(input.lives.map((live) => [idKey(live.id), live]));
  const byName = groupByName(input.lives);
  const informed = withRememberedStarts(input);
  const byStart = groupBy([...informed.values()], (live) => live.fields.dateTime);

  function take(wish: Wish, match: EventMatch): void {
    found.set(wish.address, match);
    if (match.live !== null) taken.add(match.live.id);
  }
  function eachOpen(step: MatchStep): void {
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
  function renamedFrom({ own, fields }: Wish): readonly Live[] {
    const shown = namedAndStarting(own.renamedFrom, fields.dateTime);
    if (shown.length > 0 || own.renamedFrom === undefined || fields.dateTime === undefined) return shown;
    const named = free(byName.get(plainName(own.renamedFrom)) ?? []);
    return named.filter((live) => isOpen(live) && informed.get(live.id)?.fields.dateTime === fields.dateTime);
  }
  function pick(wish: Wish, candidates: readonly Live[]): EventMatch | null {
    if (candidates.length === 0) return null;
    const remembered = candidates.find((live) => sameId(live.id, input.remember(wish.address).id));
    const only = candidates.length === 1 ? candidates[0] : remembered;
    if (only !== undefined) return { live: only, block: null };
    return { live: null, block: twinEvents(wish, candidates), candidates };
  }
  function isOpen(live: Live): boolean {
    return live.status !== "ARCHIVED" && !hasEnded(live, input.now);
  }
  function startingWith(wish: Wish, base: Wish | undefined): readonly Live[] {
    if (input.renamesToo !== true || wish.own.status === "DELETED" || wish.own.status === "ARCHIVED") return [];
    const starts = new Set([wish.fields.dateTime, base?.fields.dateTime].filter((start) => typeof start === "string"));
    const together = free([...starts].flatMap((start) => byStart.get(start) ?? []));
    return together.filter((live) => isOpen(live) && mayShareVenue(wish, live));
  }

  const series = makeSeriesDates(input, (live) => informed.get(live.id)?.fields.dateTime);
  function isKnown({ address }: Wish): boolean {
    return input.remember(address).id !== null || input.baseOf?.(address) !== undefined;
  }

  function byPin(wish: Wish): EventMatch | null {
    if (wish.own.id === undefined) return null;
    const live = byId.get(idKey(wish.own.id));
    if (live !== undefined && taken.has(live.id)) return { live: null, block: pinnedTwice(wish) };
    if (live !== undefined) return { live, block: null };
    // An event that is to be gone, and is.
    if (wish.own.status === "DELETED") return { live: null, block: null };
    // Perhaps a typo in the id: then an event with that name or start is meant.
    const named = byName.get(plainName(String(wish.fields.name))) ?? [];
    return { live: null, block: pinnedIdMissing(wish), candidates: [...named, ...startingWith(wish, undefined)] };
  }
  function withId(id: string | null | undefined): EventMatch | null {
    const live = id == null ? undefined : byId.get(idKey(id));
    return live === undefined || taken.has(live.id) ? null : { live, block: null };
  }
  function byBase(wish: Wish): EventMatch | null {
    const base = input.baseOf?.(wish.address);
    if (base === undefined) return null;
    return withId(base.own.id) ?? pick(wish, namedAndStarting(base.fields.name, base.fields.dateTime));
  }
  function isRecorded({ id }: Live): boolean {
    return input.remember("", id).id !== null;
  }
  /** Matches the former name if the new one would mean another document's event; asks if that is unclear. */
  function byPendingRename(): MatchStep {
    const wishes = input.wishes.filter(({ address, own }) => !found.has(address) && own.new !== true);
    if (wishes.every(({ own }) => own.renamedFrom === undefined)) return () => null;
    function bearersOf({ fields }: Wish): readonly Live[] {
      const named = free(byName.get(plainName(String(fields.name))) ?? []);
      return named.filter(({ id }) => [fields.dateTime, undefined].includes(informed.get(id)?.fields.dateTime));
    }
    const pending = pendingRenames({
      wishes,
      formerOf(wish) {
        const [renamed, ...others] = renamedFrom(wish);
        if (input.remember(wish.address).id !== null) return formerOf(wish);
        const former = others.length === 0 ? (renamed ?? formerOf(wish)) : undefined;
        return former === undefined || isRecorded(former) || taken.has(former.id) ? undefined : former;
      },
      bearersOf,
      isRecorded,
    });
    const matches = new Map<Wish, EventMatch>();
    const renames = judgeRenames({
      wishes,
      pending,
      wantedBy: bearersOf,
      isKnown: (wish, live) => formerOf(wish) === live,
      mayBeApplied: ({ address }) => input.wasNeverApplied?.(address) !== true,
    });
    for (const { wish, former: live, inDoubt } of renames) {
      if (!renamedFrom(wish).includes(live)) continue;
      if (inDoubt.length === 0) matches.set(wish, { live, block: null });
      for (const each of inDoubt)
        matches.set(each, { live: null, block: ambiguousEvent(each, [live]), candidates: [live] });
    }
    return (wish) => matches.get(wish) ?? null;
  }
  function byDateOfSeries(wish: Wish): EventMatch | null {
    if (wish.own.series === undefined || wish.own.new === true || isKnown(wish)) return null;
    const named = free(byName.get(plainName(String(wish.fields.name))) ?? []);
    return pick(
      wish,
      named.filter((live) => live.status !== "ARCHIVED" && series.isOnDateOf(wish, live)),
    );
  }
  function byMovedDocument(): MatchStep {
    const moved = movedDocuments(
      input.wishes.filter((wish) => !found.has(wish.address) && input.wasNeverApplied?.(wish.address) === true),
      (input.gone ?? []).flatMap((gone) => {
        const live = withId(gone.id)?.live ?? null;
        const isOver = hasEnded({ fields: { dateTime: gone.start, endDateTime: gone.end } }, input.now);
        return live === null || isOver || !isOpen(live) ? [] : [{ gone, live }];
      }),
    );
    return (wish) => moved.get(wish.address) ?? null;
  }
  function byLikeness(wish: Wish, namesakes: readonly Wish[]): EventMatch | null {
    const base = input.baseOf?.(wish.address);
    const written = [wish.fields.name, wish.own.renamedFrom, base?.fields.name];
    const names = new Set(written.filter((name) => typeof name === "string").map(plainName));
    const sharing = free([...names].flatMap((name) => byName.get(name) ?? []));
    const together = startingWith(wish, base);
    // An event beside that of another date may be one that this date has left, unless this date is new.
    const isNew = input.wasNeverApplied?.(wish.address) === true;
    const isSettled = (date: Address) => !isNew && (found.get(date)?.live ?? null) !== null;
    const lookalikes = [
      ...sharing.filter(isOpen),
      ...together.filter(({ id }) => !sharing.some((one) => one.id === id)),
    ].filter((live) => !series.isOfAnother(wish, live, isSettled));
    const hidden = sharing.filter((live) => live.fields.dateTime === undefined);
    if (wish.own.new === true) {
      // `new` rules out events that start at another time; one whose start is hidden may be this very event, created by
      // an earlier run.
      if (hidden.length === 0 || input.wasNeverApplied?.(wish.address) === true) return null;
      return { live: null, block: hiddenStart(wish, hidden), candidates: hidden };
    }
    // A document that is not created (deleted, or over) never means an event with another start, nor one that git or state
    // has never seen: this one is already gone.
    const isNotMade = wish.own.status === "DELETED" || wish.own.series?.isPast === true;
    if (isNotMade && (hidden.length === 0 || input.wasNeverApplied?.(wish.address) === true)) return null;
    // If the start is hidden, only the name can decide. A match is accepted if git or a draft status supports it, or if
    // both are archived.
    const meant = lookalikes.length > 0 ? lookalikes : hidden;
    const [only] = meant;
    if (only === undefined) return null;
    if (meant.length === 1 && only.fields.dateTime === undefined) {
      const claimant = strongestClaim(namesakes);
      const isTaken = claimant !== null && (only.status === "DRAFT" || input.baseOf?.(claimant.address) !== undefined);
      if (isTaken && claimant !== wish) return null;
      const isOver = only.status === "ARCHIVED" && (wish.own.status === "ARCHIVED" || wish.own.status === "DELETED");
      if (claimant === wish && (only.status === "DRAFT" || isOver || base !== undefined)) {
        return { live: only, block: null, byNameAlone: true };
      }
    }
    return { live: null, block: ambiguousEvent(wish, meant, meant.some(isRecorded)), candidates: meant };
  }
  /** Of documents that share a name, the one that a live event of that name most likely is; null: none is. */
  function strongestClaim(namesakes: readonly Wish[]): Wish | null {
    const claims = namesakes.map(({ address }): number =>
      input.baseOf?.(address) === undefined ? (input.wasNeverApplied?.(address) === true ? 0 : 1) : 2,
    );
    const strongest = Math.max(...claims);
    const first = claims.indexOf(strongest);
    return claims.lastIndexOf(strongest) === first ? (namesakes[first] ?? null) : null;
  }
  function byLikenessOfAll(): MatchStep {
    const open = input.wishes.filter(({ address, own }) => !found.has(address) && own.new !== true);
    const named = groupBy(open, ({ fields }) => plainName(String(fields.name)));
    return (wish) => byLikeness(wish, named.get(plainName(String(wish.fields.name))) ?? [wish]);
  }
  /** The event that the document meant until now. */
  function formerOf({ address }: Wish): Live | undefined {
    const { id } = input.remember(address);
    const base = input.baseOf?.(address)?.fields;
    if (id !== null || base === undefined) return byId.get(idKey(id ?? ""));
    return byName.get(plainName(String(base.name)))?.find(({ fields }) => fields.dateTime === base.dateTime);
  }
  /** A document that now means another event must not silently leave its former one without a file. */
  function askAboutLeft(wish: Wish): void {
    const live = found.get(wish.address)?.live ?? null;
    const left = live === null || wish.own.new === true || wish.own.id !== undefined ? undefined : formerOf(wish);
    if (live === null || left === undefined || sameId(left.id, live.id) || !isOpen(left) || taken.has(left.id)) return;
    if ([...found.values()].some(({ candidates = [] }) => candidates.includes(left))) return;
    found.set(wish.address, { live: null, block: leavesAnother(wish, live, left), candidates: [live, left] });
    // The document that owned it until now may be the one to keep it.
    const owner = input.wishes.find((each) => each !== wish && formerOf(each) === live);
    if (owner !== undefined && found.get(owner.address)?.live === null)
      found.set(owner.address, { live: null, block: ambiguousEvent(owner, [live]), candidates: [live] });
  }
  function asNew(): MatchStep {
    const hidden = free(input.lives).filter(
      (live) => isOpen(live) && informed.get(live.id)?.fields.dateTime === undefined,
    );
    return (wish) => {
      const nothing = { live: null, block: null };
      if (wish.own.status === "DELETED") {
        const named = byName.get(plainName(String(wish.fields.name))) ?? [];
        const { dateTime } = wish.fields;
        const together = typeof dateTime === "string" ? (byStart.get(dateTime) ?? []) : [];
        const alike = [...named, ...together.filter((live) => mayShareVenue(wish, live))];
        const namesakes = free([...new Set(alike)]).filter(isOpen);
        return namesakes.length === 0 ? nothing : { ...nothing, namesakes };
      }
      const mayBeRenamed = input.renamesToo === true && !isKnown(wish) && wish.own.new !== true;
      if (!mayBeRenamed || wish.own.status === "ARCHIVED" || hidden.length === 0) return nothing;
      return { ...nothing, notRuledOut: hidden };
    };
  }

  eachOpen(byPin);
  eachOpen(byPendingRename());
  eachOpen((wish) => {
    const exact = namedAndStarting(wish.fields.name, wish.fields.dateTime);
    const owned = exact.filter((live) => !series.isOfMoved(wish, live));
    return pick(wish, owned);
  });
  eachOpen((wish) => withId(input.remember(wish.address).id));
  eachOpen(byBase);
  eachOpen((wish) => pick(wish, renamedFrom(wish)));
  eachOpen(byDateOfSeries);
  eachOpen(byMovedDocument());
  eachOpen(byLikenessOfAll());
  eachOpen(asNew());
  input.wishes.forEach(askAboutLeft);
  return found;
}
