// Events in order, and those of a series under one line with their sums.

import { dayMs, readWallClock } from "../../model/time.ts";
import { compareText, groupBy, withoutEnd } from "../../model/value.ts";
import { addKnown, type EventFigures, type SeriesFigures, type TicketFigures } from "./figures.ts";

/** The next one first; by name; the most sold; the fewest left; the highest gross. What is not known comes last. */
export type StatusSort = "date" | "name" | "sold" | "remaining" | "gross";

type Sortable = Pick<EventFigures, "name" | "id" | "ended" | "dateTime" | "sold" | "remaining" | "gross">;

export function sortEvents<Item extends Sortable>(events: readonly Item[], sort: StatusSort): readonly Item[] {
  return [...events].sort(orderBy(sort));
}

function orderBy(sort: StatusSort): (one: Sortable, other: Sortable) => number {
  return (one, other) => {
    const order = sort === "date" ? 0 : compareBy[sort](one, other);
    return order !== 0 ? order : byDate(one, other);
  };
}

const compareBy: Readonly<Record<Exclude<StatusSort, "date">, (one: Sortable, other: Sortable) => number>> = {
  name: (one, other) => compareText(one.name.toLowerCase(), other.name.toLowerCase()),
  sold: (one, other) => falling(one.sold, other.sold),
  remaining: (one, other) => -falling(one.remaining, other.remaining, Number.POSITIVE_INFINITY),
  gross: (one, other) => falling(one.gross, other.gross),
};

function falling(one: number | null, other: number | null, unknown = Number.NEGATIVE_INFINITY): number {
  const [first, second] = [one ?? unknown, other ?? unknown];
  return first === second ? 0 : second - first;
}

/** What is to come first, the next one at the top; then what is over, the latest at the top. */
function byDate(one: Sortable, other: Sortable): number {
  if (one.ended !== other.ended) return one.ended ? 1 : -1;
  const at = (event: Sortable) => Date.parse(event.dateTime ?? "") || Number.MAX_SAFE_INTEGER;
  const order = one.ended ? at(other) - at(one) : at(one) - at(other);
  return order !== 0 ? order : compareText(`${one.name} ${one.id}`, `${other.name} ${other.id}`);
}

/** Calendar days from today to the start, by clocks where it happens; null if it does not show its start. */
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
  /** What it is typed as; null for an event of its own and for those that are over. */
  readonly key: string | null;
  readonly sums: SeriesFigures | null;
  readonly events: readonly EventFigures[];
}

/** More events outside of series that are over than this are one group. */
const fewEnded = 3;

/** Series, events of their own, and what is over, each in its place by the order of the whole. */
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
  const over = isFolded ? [groupOf(null, `${ended.length} events that are over`, sumEvents("", ended), ended)] : [];
  return [...sortEvents(groups, sort), ...over];
}

function groupOf(key: string | null, name: string, sums: SeriesFigures, events: readonly EventFigures[]): StatusGroup {
  const unknown = { sold: null, remaining: null, gross: null };
  const { sold, remaining, gross } = isNotLive(events) ? unknown : sums;
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

/** Whether there is nothing to count of any of them. */
export function isNotLive(events: readonly EventFigures[]): boolean {
  return events.every(({ id }) => id === null);
}

/** What the names of all dates begin with: "Friday Club" of "Friday Club: DJ Ana" and "Friday Club: Residents". */
export function nameOfSeries(key: string, dates: readonly Pick<EventFigures, "name">[]): string {
  const [first = key, ...others] = [...new Set(dates.map(({ name }) => name))];
  if (others.length === 0) return first;
  const words = first.split(" ");
  const bare = (word: string | undefined) => withoutEnd(word ?? "", ":,;");
  const differs = words.findIndex((word, index) => others.some((name) => bare(name.split(" ")[index]) !== bare(word)));
  const common = withoutEnd(words.slice(0, differs === -1 ? words.length : differs).join(" "), " \t:,;|/·–—-");
  return common.length >= 3 ? common : key;
}

/** The sums of each series, in the order in which their events come. */
export function seriesFigures(events: readonly EventFigures[]): readonly SeriesFigures[] {
  return [...groupBy(events, ({ series }) => series)].flatMap(([key, dates]) =>
    key === null ? [] : [sumEvents(key, dates)],
  );
}

function sumEvents(key: string, dates: readonly EventFigures[]): SeriesFigures {
  const live = dates.filter(({ id }) => id !== null);
  const add = (pick: (event: EventFigures) => number | null) => addKnown(live.map(pick));
  const starts = dates.flatMap(({ dateTime }) => dateTime ?? []).sort();
  return {
    key,
    events: dates.length,
    from: starts[0] ?? null,
    until: starts.at(-1) ?? null,
    soldOut: live.filter(({ soldOut }) => soldOut).length,
    sold: add(({ sold }) => sold),
    remaining: add(({ remaining }) => remaining),
    quantity: add(({ quantity }) => quantity),
    orders: add(({ orders }) => orders),
    gross: add(({ gross }) => gross),
    commission: add(({ commission }) => commission),
    net: add(({ net }) => net),
  };
}

/** Ticket types of one name over all dates. */
export function sumTypes(events: readonly EventFigures[]) {
  const types = groupBy(
    events.flatMap(({ tickets }) => tickets ?? []),
    ({ name }) => name,
  );
  return [...types].map(([name, list]) => {
    const add = (pick: (ticket: TicketFigures) => number | null) => addKnown(list.map(pick));
    return {
      name,
      sold: add(({ sold }) => sold),
      remaining: add(({ remaining }) => remaining),
      quantity: add(({ quantity }) => quantity),
    };
  });
}
