// Which live event a document means: by id first, by likeness last. Each step runs for all documents before the next, so that
// a weak likeness never wins over a strong one.
import { type Address, sameId } from "../../model/address.ts";
import { hasEnded, type Live } from "../../model/live.ts";
import { groupBy } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { movedDocuments } from "./former-documents.ts";
import { type GoneDocument, mayShareVenue, plainName } from "./likeness.ts";
import { type EventMatch, type LiveSearch, type MatchInput, makeLiveSearch } from "./live-search.ts";
import {
  ambiguousEvent,
  hiddenStart,
  leavesAnother,
  pinnedIdMissing,
  pinnedTwice,
  twinEvents,
} from "./match-messages.ts";
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
  // Once the remembered event is deleted, the same file must not match another one.
  const mayDecide = (live: Live) => wish.own.status !== "DELETED" && sameId(live.id, search.recordedId(wish));
  const only = candidates.length === 1 ? candidates[0] : candidates.find(mayDecide);
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
  for (const { wish, former: live, candidates } of renames) {
    if (!withFormerName(search, wish).includes(live)) continue;
    if (candidates.length === 0) matches.set(wish, { live, block: null });
    for (const each of candidates)
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

// Documents that no live event matches for sure: one may share the name, or the start and the venue.

/** Each document with those that share its name; one that is `new` has no claim to a live event. */
export function groupRivals(search: LiveSearch): (wish: Wish) => readonly Wish[] {
  const claiming = search.unmatched().filter(({ own }) => own.new !== true);
  const byName = groupBy(claiming, ({ fields }) => plainName(String(fields.name)));
  return (wish) => byName.get(plainName(String(wish.fields.name))) ?? [wish];
}

export function matchLookalike(search: LiveSearch, wish: Wish, rivals: readonly Wish[]): EventMatch | null {
  const { own, fields } = wish;
  const written = [fields.name, own.renamedFrom, search.baseOf(wish)?.fields.name];
  const named = written.filter((name) => typeof name === "string").flatMap(search.named);
  const sharing = [...new Set(named)].filter(search.isFree);
  const hidden = sharing.filter((live) => live.fields.dateTime === undefined);
  // `new` rules out events that start at another time, and a document that is not created (deleted, or over) never means one.
  // An event whose start is hidden may be from an earlier run, unless the document was never applied.
  const isNotMade = own.status === "DELETED" || own.series?.isPast === true;
  if ((own.new === true || isNotMade) && (hidden.length === 0 || search.wasNeverApplied(wish))) return null;
  if (own.new === true) return { live: null, block: hiddenStart(wish, hidden), candidates: hidden };
  const lookalikes = lookalikesOf(search, wish, sharing);
  const meant = lookalikes.length > 0 ? lookalikes : hidden;
  const [only] = meant;
  if (only === undefined) return null;
  if (meant.length === 1 && only.fields.dateTime === undefined) {
    const decided = decideByName(search, wish, only, rivals);
    if (decided !== "unclear") return decided;
  }
  return { live: null, block: ambiguousEvent(wish, meant, meant.some(search.isRecorded)), candidates: meant };
}

/** `sharing`: free events of a name that the document has or had. A date of a series may have been moved and renamed at once. */
function lookalikesOf(search: LiveSearch, wish: Wish, sharing: readonly Live[]): readonly Live[] {
  const together = startingTogether(search, wish, search.baseOf(wish));
  const { ruleStart, ruleName } = wish.own.series ?? {};
  const ruled = search.named(ruleName).filter((live) => search.isFree(live) && search.startOf(live) === ruleStart);
  const named = [...new Set([...sharing, ...(ruleStart === undefined ? [] : ruled)])];
  // An event beside the one of another date may be the former event of this date, unless this date is new.
  const isNew = search.wasNeverApplied(wish);
  const isSettled = (date: Address) => !isNew && (search.found.get(date)?.live ?? null) !== null;
  return [...named.filter(search.isOpen), ...together.filter(({ id }) => !named.some((one) => one.id === id))].filter(
    (live) => !search.series.isOfAnother(wish, live, isSettled),
  );
}

/** Open events that the document may have renamed: they have its start, of now, in the base or by the rule, and may have its venue. */
export function startingTogether(search: LiveSearch, wish: Wish, base?: Wish): readonly Live[] {
  if (!search.renamesToo || wish.own.status === "DELETED" || wish.own.status === "ARCHIVED") return [];
  const starts = new Set([wish.fields.dateTime, base?.fields.dateTime, wish.own.series?.ruleStart]);
  const together = [...starts].flatMap(search.startingAt).filter(search.isFree);
  return together.filter((live) => search.isOpen(live) && mayShareVenue(wish, live));
}

/**
 * If the start is hidden, only the name can decide. A match is accepted if git or a draft status supports it, or if both are
 * archived. null: the event is another document's.
 */
function decideByName(search: LiveSearch, wish: Wish, only: Live, rivals: readonly Wish[]) {
  const claimant = strongestClaim(search, rivals);
  const isSupported = claimant !== null && (only.status === "DRAFT" || search.baseOf(claimant) !== undefined);
  if (claimant !== wish) return isSupported ? null : "unclear";
  const isOver = only.status === "ARCHIVED" && (wish.own.status === "ARCHIVED" || wish.own.status === "DELETED");
  return isSupported || isOver ? ({ live: only, block: null, byNameAlone: true } as const) : "unclear";
}

/** Of documents that share a name, the one that a live event of that name most likely is; null: none is. */
function strongestClaim(search: LiveSearch, rivals: readonly Wish[]): Wish | null {
  const claims = rivals.map((wish): number =>
    search.baseOf(wish) === undefined ? (search.wasNeverApplied(wish) ? 0 : 1) : 2,
  );
  const strongest = Math.max(...claims);
  const first = claims.indexOf(strongest);
  return claims.lastIndexOf(strongest) === first ? (rivals[first] ?? null) : null;
}

/** What to say about a document that means no live event, if anything. */
export function leaveUnmatched(search: LiveSearch): (wish: Wish) => EventMatch {
  const nothing = { live: null, block: null };
  const hidden = search.lives.filter(
    (live) => search.isFree(live) && search.isOpen(live) && search.startOf(live) === undefined,
  );
  return (wish) => {
    const { own, fields } = wish;
    if (own.status === "DELETED") {
      const together = search.startingAt(fields.dateTime).filter((live) => mayShareVenue(wish, live));
      const alike = new Set([...search.named(fields.name), ...together]);
      const namesakes = [...alike].filter((live) => search.isFree(live) && search.isOpen(live));
      return namesakes.length === 0 ? nothing : { ...nothing, namesakes };
    }
    const mayBeRenamed = search.renamesToo && !search.isKnown(wish) && own.new !== true;
    if (!mayBeRenamed || own.status === "ARCHIVED" || hidden.length === 0) return nothing;
    return { ...nothing, notRuledOut: hidden };
  };
}
