// Events in order, those of a series under one line with their sums, and the words for a start, the days to go and a count.

import { kindOfAddress } from "../../kinds/index.ts";
import { decodeSegment } from "../../model/address.ts";
import { dayMs, formatMoment, readWallClock } from "../../model/time.ts";
import {
  commissionPercent,
  compareText,
  formatCount,
  formatMoney,
  groupBy,
  listSome,
  pluralize,
} from "../../model/value.ts";
import { nameOfSeries } from "../page/lines.ts";
import { safeText } from "../text/sanitize.ts";
import {
  addForeign,
  addKnown,
  type Counted,
  type Divergence,
  type EventFigures,
  type Foreign,
  isClosed,
  type SeriesFigures,
  type StatusReport,
} from "./figures.ts";

/** The next one first; by name; the most sold; the fewest left; the highest gross. Unknown figures come last. */
export type StatusSort = "date" | "name" | "sold" | "remaining" | "gross";

type Sortable = Pick<EventFigures, "name" | "id" | "ended" | "dateTime" | "sold" | "remaining" | "gross">;

export function sortEvents<Item extends Sortable>(events: readonly Item[], sort: StatusSort): readonly Item[] {
  return [...events].sort((one, other) => compareBy[sort](one, other) || byDate(one, other));
}

const compareBy: Readonly<Record<StatusSort, (one: Sortable, other: Sortable) => number>> = {
  date: byDate,
  name: (one, other) => compareText(one.name.toLowerCase(), other.name.toLowerCase()),
  sold: (one, other) => falling(one.sold, other.sold),
  remaining: (one, other) => -falling(one.remaining, other.remaining, Number.POSITIVE_INFINITY),
  gross: (one, other) => falling(one.gross, other.gross),
};

function falling(one: number | null, other: number | null, unknown = Number.NEGATIVE_INFINITY): number {
  const [first, second] = [one ?? unknown, other ?? unknown];
  return first === second ? 0 : second - first;
}

/** Future events first, the next one at the top; then past ones, the latest at the top. */
function byDate(one: Sortable, other: Sortable): number {
  if (one.ended !== other.ended) return one.ended ? 1 : -1;
  const at = (event: Sortable) => Date.parse(event.dateTime ?? "") || Number.MAX_SAFE_INTEGER;
  const order = one.ended ? at(other) - at(one) : at(one) - at(other);
  return order || compareText(`${one.name} ${one.id}`, `${other.name} ${other.id}`);
}

/** Calendar days from today to the start, in local time of the event; null if it does not show its start. */
export function daysUntil(start: string | null, zone: string, now: number): number | null {
  if (start === null) return null;
  const [today, day] = [dayNumber(now, zone), dayNumber(start, zone)];
  return today === null || day === null ? null : day - today;
}

function dayNumber(instant: string | number, zone: string): number | null {
  const clock = readWallClock(instant, zone);
  return clock === null ? null : Date.UTC(clock.year, clock.month - 1, clock.day) / dayMs;
}

export interface StatusGroup extends Sortable {
  /** The key to type for it; null for a single event and for events that are over. */
  readonly key: string | null;
  readonly sums: SeriesFigures | null;
  readonly events: readonly EventFigures[];
}

/** More events outside of series that are over than this are one group. */
const fewEnded = 3;

/** Series, separate events, and what is over, each in its place by the order of the whole. */
export function groupEvents(events: readonly EventFigures[], sort: StatusSort): readonly StatusGroup[] {
  const sums = seriesFigures(events).filter((each) => each.events > 1);
  const grouped = new Set(sums.map(({ key }) => key));
  const bySeries = groupBy(events, ({ series }) => series);
  const alone = events.filter(({ series }) => series === null || !grouped.has(series));
  const ended = alone.filter((event) => event.ended);
  const isFolded = ended.length > fewEnded && ended.length < events.length;
  const single = isFolded ? alone.filter((event) => !event.ended) : alone;
  const groups = [
    ...sums.map((each) => {
      const dates = bySeries.get(each.key) ?? [];
      return groupOf(each.key, nameOfSeries(each.key, dates), each, dates);
    }),
    ...single.map((event): StatusGroup => ({ ...event, key: null, sums: null, events: [event] })),
  ];
  const over = isFolded
    ? [groupOf(null, `${formatCount(ended.length)} events that have ended`, sumEvents("", ended), ended)]
    : [];
  return [...sortEvents(groups, sort), ...over];
}

function groupOf(key: string | null, name: string, sums: SeriesFigures, events: readonly EventFigures[]): StatusGroup {
  const unknown = { sold: null, gross: null };
  const { sold, gross } = isNotLive(events) ? unknown : sums;
  const remaining = isNotLive(events) || events.every(isClosed) ? null : sums.remaining;
  const [first] = sortEvents(events, "date");
  return {
    key,
    name,
    id: null,
    ended: first?.ended ?? true,
    dateTime: first?.dateTime ?? null,
    sold,
    remaining,
    gross,
    sums,
    events,
  };
}

export function isNotLive(events: readonly EventFigures[]): boolean {
  return events.every(({ id }) => id === null);
}

/** The sums of each series, in the order in which their events come. */
export function seriesFigures(events: readonly EventFigures[]): readonly SeriesFigures[] {
  return [...groupBy(events, ({ series }) => series)].flatMap(([key, dates]) =>
    key === null ? [] : [sumEvents(key, dates)],
  );
}

function sumEvents(key: string, dates: readonly EventFigures[]): SeriesFigures {
  const live = dates.filter(({ id }) => id !== null);
  const starts = dates.flatMap(({ dateTime }) => dateTime ?? []).sort();
  return {
    key,
    events: dates.length,
    from: starts[0] ?? null,
    until: starts.at(-1) ?? null,
    soldOut: live.filter(({ soldOut }) => soldOut).length,
    ...addKnown(
      ["sold", "remaining", "quantity", "orders", "gross", "commission", "net"],
      live.map((event) => (isClosed(event) ? { ...event, remaining: 0 } : event)),
    ),
    ...addForeign(live),
  };
}

export function sumTypes(events: readonly EventFigures[]) {
  const types = groupBy(
    events.flatMap((event) =>
      (event.tickets ?? []).map((ticket) => (isClosed(event) ? { ...ticket, remaining: 0 } : ticket)),
    ),
    ({ name }) => name,
  );
  return [...types].map(([name, list]) => ({ name, ...addKnown(["sold", "remaining", "quantity"], list) }));
}

// What the formats of `status` say in the same words.

/** Marks before an event's name, and what they mean. */
export type StatusMark = "?" | "~" | "+" | "-" | " ";

export const markMeanings: Readonly<Record<Exclude<StatusMark, " ">, string>> = {
  "-": "no longer in the files; `plan` shows whether `apply` would delete it",
  "?": "not in the files (unmanaged)",
  "~": "differs from the files; `plan` shows how",
  "+": "in the files, not live yet; `apply` creates it",
};

export function statusMark(event: EventFigures): StatusMark {
  if (event.id === null) return "+";
  if (event.removed === true) return "-";
  if (event.managed === false) return "?";
  return event.divergences !== null && event.divergences.length > 0 ? "~" : " ";
}

export function formatStatus(event: EventFigures): string {
  const status = event.status ?? (event.id === null ? "not live" : "status not shown");
  const bare = event.id !== null && event.tickets?.length === 0 ? ", no ticket types" : "";
  return `${status}${event.ended ? ", ended" : ""}${event.soldOut ? ", sold out" : ""}${bare}`;
}

export function formatStart({ dateTime, timezone }: EventFigures): string {
  return dateTime === null ? "start not shown" : formatMoment(dateTime, timezone);
}

/** `in 53 d`; short, because its column is narrow. */
export function formatDaysToGo({
  daysToGo,
  ended,
  dateTime,
}: Pick<EventFigures, "daysToGo" | "ended" | "dateTime">): string {
  if (daysToGo === null || dateTime === null) return "";
  if (ended) return daysToGo === 0 ? "ended" : `${formatCount(-daysToGo)} d ago`;
  if (daysToGo < 0) return "on now";
  return daysToGo === 0 ? "today" : daysToGo === 1 ? "tomorrow" : `in ${formatCount(daysToGo)} d`;
}

/** `14 days`, `36 h`: as it was typed, as far as that can be known. */
export function formatSpan(seconds: number): string {
  if (seconds > 0 && seconds % 86_400 === 0) return pluralize(seconds / 86_400, "day");
  return seconds % 3600 === 0 ? `${formatCount(seconds / 3600)} h` : `${formatCount(Math.round(seconds / 60))} min`;
}

export function formatSold(count: number | null): string {
  return count === null ? "?" : formatCount(count);
}

/** In no row, as in no sum, is anything left of what is over or archived, whatever the service still counts. */
export function formatLeft({ remaining, isOver = false }: Pick<Counted, "remaining" | "isOver">): string {
  return isOver ? "closed" : formatSold(remaining);
}

/** A type whose sale was closed early has nothing remaining, either: without items in the orders, the number sold is not known. */
export function formatSoldCount({ sold, someSold }: Pick<EventFigures, "sold" | "someSold">): string {
  return someSold === true ? "some" : formatSold(sold);
}

export function formatTakings(pesos: number | null): string {
  return pesos === null ? "?" : formatMoney(pesos);
}

/** "19%", something for the first ticket, and never 100 before everything is sold; empty if it is not known. */
export function formatPercent(part: number | null, whole: number | null): string {
  if (part === null || whole === null || whole <= 0) return "";
  // A capacity that was set below what is sold: the ratio is meaningless.
  if (part > whole) return "over";
  const percent = part === whole ? 100 : Math.min(99, Math.round((part / whole) * 100));
  return percent === 0 && part !== 0 ? "<1%" : `${percent}%`;
}

export function salesSentence(event: EventFigures): string {
  if (event.gross === null) return "gross and net are not known";
  if (event.orders === 0) return "no completed orders yet";
  const commission = `commission (${commissionPercent}%) ${formatTakings(event.commission)}`;
  return `${pluralize(event.orders ?? 0, "order")}: gross ${formatTakings(event.gross)}, ${commission}, net ${formatTakings(event.net)}${foreignText(event)}`;
}

/** "; in other currencies: 500 JPY, 5 USD": they are not added to pesos. */
export function foreignText({ otherCurrencies }: Foreign): string {
  const amounts = Object.entries(otherCurrencies ?? {}).map(
    ([name, amount]) => `${amount === null ? "an unknown amount of" : formatCount(amount)} ${safeText(name)}`,
  );
  return amounts.length === 0 ? "" : `; in other currencies: ${amounts.join(", ")}`;
}

export function capacitySentence(event: EventFigures): string | null {
  if (event.capacity === null) return null;
  const capacity = `capacity ${formatCount(event.capacity)}`;
  const percent = formatPercent(event.sold, event.capacity);
  if (percent === "") return capacity;
  const over = (event.sold ?? 0) - event.capacity;
  if (over > 0) return `${capacity}, exceeded by ${formatCount(over)}: ${formatSold(event.sold)} are sold`;
  return `capacity ${formatSold(event.sold)} of ${formatCount(event.capacity)} used (${percent})`;
}

/** Of a ticket type whose sale was closed early, the rest is neither sold nor left. */
export function closedSentence({ quantity, sold, remaining }: EventFigures): string | null {
  if (quantity === null || sold === null || remaining === null) return null;
  const closed = quantity - sold - remaining;
  return closed <= 0 ? null : `${formatCount(closed)} closed: not sold, and not for sale`;
}

/** `dateTime; ticket type "VIP": price, quantity; ticket type "GA" is not live` */
export function describeDivergences(divergences: readonly Divergence[]): string {
  return [...groupBy(divergences, ({ address }) => address)].map(describePart).join("; ");
}

function describePart([address, list]: readonly [string, readonly Divergence[]]): string {
  const [, , plural, segment = ""] = address.split("/");
  const name = plural === undefined ? "" : `${kindOfAddress(address).words.one} "${decodeSegment(segment)}"`;
  if (list.some(({ how }) => how === "missing")) return `${name} is not live`;
  if (list.some(({ how }) => how === "surplus")) return `${name} is not in the file`;
  const fields = list
    .map(({ field, how }) => `${field}${how === "drift" ? " (changed on the service)" : ""}`)
    .join(", ");
  return name === "" ? fields : `${name}: ${fields}`;
}

/** In the place of a table without rows. Archived ones are counted unless events were named, and each of those is shown or has a remark. */
export function sayNoEvents({ archived, nextSeconds }: StatusReport): string {
  if (nextSeconds !== undefined)
    return `No event starts within ${formatSpan(nextSeconds)}. \`ticketing status\` without --next shows all.`;
  if (archived === null) return "No live event could be matched; the warning says why.";
  if (archived === 0)
    return "The organization has no events yet. Put one in events/ of your project, and run `ticketing apply` there.";
  return `No event is live; ${formatCount(archived)} ${archived === 1 ? "is" : "are"} archived: see them with --archived.`;
}

export function totalSentence({ events, totals, archived }: StatusReport): string {
  const live = events.filter((event) => event.id !== null);
  const more = archived === null || archived === 0 ? "" : ` (${formatCount(archived)} archived not shown: --archived)`;
  const unknown = (name: "sold" | "gross") => live.filter((event) => event[name] === null).length;
  const known = (words: string, missing: number, none: string) => {
    if (missing === 0) return words;
    return missing === live.length ? none : `${words} (unknown for ${formatCount(missing)})`;
  };
  const sums = `gross ${formatMoney(totals.gross)}, commission ${formatMoney(totals.commission)}, net ${formatMoney(totals.net)} before processing fees`;
  const sold = known(`${pluralize(totals.sold, "ticket")} sold`, unknown("sold"), "sales are not known");
  const money = known(sums, unknown("gross"), "gross and net are not known");
  return `${pluralize(totals.events, "event")}${more}: ${sold}; ${money}${foreignText(totals)}.`;
}

/** Shown where it matters: what buyers pay on top is not deducted from what they pay for. */
export function feesSentenceOf({ events }: StatusReport): string | null {
  const passing = events.filter((event) => event.absorbFees === false && (event.gross ?? 0) > 0);
  if (passing.length === 0) return null;
  const names = listSome([...new Set(passing.map(({ name }) => `"${name}"`))], 3);
  return `Buyers of ${names} pay the fees on top (absorbFees: false), so net may be as much as gross there.`;
}
