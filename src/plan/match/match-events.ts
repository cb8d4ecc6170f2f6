// Which live event a document means: by id first, by likeness last. Each step runs for all documents before the next, so that
// a weak likeness never wins over a strong one.
import { type Address, sameId } from "../../model/address.ts";
import { hasEnded, type Live } from "../../model/live.ts";
import type { Wish } from "../../model/wish.ts";
import { movedDocuments } from "./former-documents.ts";
import type { GoneDocument } from "./likeness.ts";
import { type EventMatch, type LiveSearch, type MatchInput, makeLiveSearch } from "./live-search.ts";
import { groupRivals, leaveUnmatched, matchLookalike, startingTogether } from "./lookalikes.ts";
import { ambiguousEvent, leavesAnother, pinnedIdMissing, pinnedTwice, twinEvents } from "./match-messages.ts";
import { judgeRenames, pendingRenames } from "./renames.ts";

export function matchEvents(input: MatchInput): ReadonlyMap<Address, EventMatch> {
  const search = makeLiveSearch(input);
  /** `step` returns null if it does not know. */
  function eachOpen(step: (wish: Wish) => EventMatch | null | undefined): void {
    for (const wish of input.wishes) {
      const match = search.found.has(wish.address) ? null : step(wish);
      if (match != null) search.take(wish, match);
    }
  }
  eachOpen((wish) => matchPinned(search, wish));
  const renames = matchPendingRenames(search);
  eachOpen((wish) => renames.get(wish));
  eachOpen((wish) => matchExactly(search, wish));
  eachOpen((wish) => matchId(search, search.recordedId(wish)));
  eachOpen((wish) => matchBase(search, wish));
  eachOpen((wish) => pickCandidate(search, wish, withFormerName(search, wish)));
  eachOpen((wish) => matchDateOfSeries(search, wish));
  const moved = matchMoved(search, input.gone ?? [], input.now);
  eachOpen(({ address }) => moved.get(address));
  const rivalsOf = groupRivals(search);
  eachOpen((wish) => matchLookalike(search, wish, rivalsOf(wish)));
  eachOpen(leaveUnmatched(search));
  for (const wish of input.wishes) askAboutLeft(search, wish, input.wishes);
  return search.found;
}

function matchPinned(search: LiveSearch, wish: Wish): EventMatch | null {
  const { id, status } = wish.own;
  if (id === undefined) return null;
  const live = search.liveWithId(id);
  if (live !== undefined) return search.isFree(live) ? { live, block: null } : { live: null, block: pinnedTwice(wish) };
  // An event that is to be gone, and is.
  if (status === "DELETED") return { live: null, block: null };
  // Perhaps a typo in the id: then an event with that name or start is meant.
  const candidates = [...search.named(wish.fields.name), ...startingTogether(search, wish)];
  return { live: null, block: pinnedIdMissing(wish), candidates };
}

function matchExactly(search: LiveSearch, wish: Wish): EventMatch | null {
  const exact = namedAndStarting(search, wish.fields.name, wish.fields.dateTime);
  const owned = exact.filter((live) => !search.series.isOfMoved(wish, live));
  return pickCandidate(search, wish, owned);
}

function matchId(search: LiveSearch, id: string | null | undefined): EventMatch | null {
  const live = id == null ? undefined : search.liveWithId(id);
  return live === undefined || !search.isFree(live) ? null : { live, block: null };
}

function matchBase(search: LiveSearch, wish: Wish): EventMatch | null {
  const base = search.baseOf(wish);
  if (base === undefined) return null;
  const { name, dateTime } = base.fields;
  return matchId(search, base.own.id) ?? pickCandidate(search, wish, namedAndStarting(search, name, dateTime));
}

function matchDateOfSeries(search: LiveSearch, wish: Wish): EventMatch | null {
  if (wish.own.series === undefined || wish.own.new === true || search.isKnown(wish)) return null;
  const named = search.named(wish.fields.name).filter((live) => search.isFree(live) && live.status !== "ARCHIVED");
  const onDate = named.filter((live) => search.series.isOnDateOf(wish, live));
  return pickCandidate(search, wish, onDate);
}

function matchMoved(search: LiveSearch, gone: readonly GoneDocument[], now: number) {
  const left = gone.flatMap((one) => {
    const live = matchId(search, one.id)?.live ?? null;
    const isOver = hasEnded({ fields: { dateTime: one.start, endDateTime: one.end } }, now);
    return live === null || isOver || !search.isOpen(live) ? [] : [{ gone: one, live }];
  });
  return movedDocuments(search.unmatched().filter(search.wasNeverApplied), left);
}

function pickCandidate(search: LiveSearch, wish: Wish, candidates: readonly Live[]): EventMatch | null {
  if (candidates.length === 0) return null;
  const remembered = candidates.find((live) => sameId(live.id, search.recordedId(wish)));
  const only = candidates.length === 1 ? candidates[0] : remembered;
  if (only !== undefined) return { live: only, block: null };
  return { live: null, block: twinEvents(wish, candidates), candidates };
}

/** Free events of that name and start: open ones, or else archived ones. */
function namedAndStarting(search: LiveSearch, name: unknown, start: unknown): readonly Live[] {
  if (typeof name !== "string" || typeof start !== "string") return [];
  const equal = search.named(name).filter((live) => search.isFree(live) && live.fields.dateTime === start);
  const open = equal.filter((live) => live.status !== "ARCHIVED");
  return open.length > 0 ? open : equal;
}

/** Free events with the document's former name, and its start as shown or remembered. */
function withFormerName(search: LiveSearch, { own, fields }: Wish): readonly Live[] {
  const shown = namedAndStarting(search, own.renamedFrom, fields.dateTime);
  if (shown.length > 0 || own.renamedFrom === undefined || fields.dateTime === undefined) return shown;
  const named = search.named(own.renamedFrom).filter(search.isFree);
  return named.filter((live) => search.isOpen(live) && search.startOf(live) === fields.dateTime);
}

/** Matches the former name if the new one would mean another document's event; asks if that is unclear. */
function matchPendingRenames(search: LiveSearch): ReadonlyMap<Wish, EventMatch> {
  const matches = new Map<Wish, EventMatch>();
  const wishes = search.unmatched().filter(({ own }) => own.new !== true);
  if (wishes.every(({ own }) => own.renamedFrom === undefined)) return matches;
  function bearersOf({ fields }: Wish): readonly Live[] {
    const named = search.named(fields.name).filter(search.isFree);
    return named.filter((live) => [fields.dateTime, undefined].includes(search.startOf(live)));
  }
  function formerOf(wish: Wish): Live | undefined {
    if (search.recordedId(wish) !== null) return search.formerOf(wish);
    const [renamed, ...others] = withFormerName(search, wish);
    const former = others.length === 0 ? (renamed ?? search.formerOf(wish)) : undefined;
    return former === undefined || search.isRecorded(former) || !search.isFree(former) ? undefined : former;
  }
  const renames = judgeRenames({
    wishes,
    pending: pendingRenames({ wishes, formerOf, bearersOf, isRecorded: search.isRecorded }),
    wantedBy: bearersOf,
    isKnown: (wish, live) => search.formerOf(wish) === live,
    mayBeApplied: (wish) => !search.wasNeverApplied(wish),
  });
  for (const { wish, former: live, inDoubt } of renames) {
    if (!withFormerName(search, wish).includes(live)) continue;
    if (inDoubt.length === 0) matches.set(wish, { live, block: null });
    for (const each of inDoubt)
      matches.set(each, { live: null, block: ambiguousEvent(each, [live]), candidates: [live] });
  }
  return matches;
}

/** A document that now means another event must not silently leave its former one without a file. */
function askAboutLeft(search: LiveSearch, wish: Wish, wishes: readonly Wish[]): void {
  const { found } = search;
  const live = found.get(wish.address)?.live ?? null;
  if (live === null || wish.own.new === true || wish.own.id !== undefined) return;
  const left = search.formerOf(wish);
  if (left === undefined || sameId(left.id, live.id) || !search.isOpen(left) || !search.isFree(left)) return;
  if ([...found.values()].some(({ candidates = [] }) => candidates.includes(left))) return;
  found.set(wish.address, { live: null, block: leavesAnother(wish, live, left), candidates: [live, left] });
  // The document that owned it until now may be the one to keep it.
  const owner = wishes.find((each) => each !== wish && search.formerOf(each) === live);
  if (owner !== undefined && found.get(owner.address)?.live === null)
    found.set(owner.address, { live: null, block: ambiguousEvent(owner, [live]), candidates: [live] });
}
