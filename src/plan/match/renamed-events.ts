// Events whose documents say `renamedFrom`.
import type { Live } from "../../model/live.ts";
import type { Wish } from "../../model/wish.ts";
import type { EventMatch, LiveSearch } from "./live-search.ts";
import { ambiguousEvent } from "./match-messages.ts";
import { judgeRenames, pendingRenames } from "./renames.ts";

/** Free events of that name and start: open ones, or else archived ones. */
export function namedAndStarting(search: LiveSearch, name: unknown, start: unknown): readonly Live[] {
  if (typeof name !== "string" || typeof start !== "string") return [];
  const equal = search.named(name).filter((live) => search.isFree(live) && live.fields.dateTime === start);
  const open = equal.filter((live) => live.status !== "ARCHIVED");
  return open.length > 0 ? open : equal;
}

/** Free events with the document's former name, and its start as shown or remembered. */
export function withFormerName(search: LiveSearch, { own, fields }: Wish): readonly Live[] {
  const shown = namedAndStarting(search, own.renamedFrom, fields.dateTime);
  if (shown.length > 0 || own.renamedFrom === undefined || fields.dateTime === undefined) return shown;
  const named = search.named(own.renamedFrom).filter(search.isFree);
  return named.filter((live) => search.isOpen(live) && search.startOf(live) === fields.dateTime);
}

/** Matches the former name if the new one would mean another document's event; asks if that is unclear. */
export function matchPendingRenames(search: LiveSearch): ReadonlyMap<Wish, EventMatch> {
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
