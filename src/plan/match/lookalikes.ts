// Documents that no live event matches for sure: one may share the name, or the start and the venue.
import type { Address } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import { groupBy } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { mayShareVenue, plainName } from "./likeness.ts";
import type { EventMatch, LiveSearch } from "./live-search.ts";
import { ambiguousEvent, hiddenStart } from "./match-messages.ts";

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

/** `sharing`: free events of a name that the document has or had. */
function lookalikesOf(search: LiveSearch, wish: Wish, sharing: readonly Live[]): readonly Live[] {
  const together = startingTogether(search, wish, search.baseOf(wish));
  // An event next to that of another date may be one that this date has left, unless this date is new.
  const isNew = search.wasNeverApplied(wish);
  const isSettled = (date: Address) => !isNew && (search.found.get(date)?.live ?? null) !== null;
  return [
    ...sharing.filter(search.isOpen),
    ...together.filter(({ id }) => !sharing.some((one) => one.id === id)),
  ].filter((live) => !search.series.isOfAnother(wish, live, isSettled));
}

/** Open events that the document may have renamed: they have its start, of now or in the base, and may have its venue. */
export function startingTogether(search: LiveSearch, wish: Wish, base?: Wish): readonly Live[] {
  if (!search.renamesToo || wish.own.status === "DELETED" || wish.own.status === "ARCHIVED") return [];
  const starts = new Set([wish.fields.dateTime, base?.fields.dateTime]);
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
