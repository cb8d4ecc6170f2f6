// Dates as a calendar: a row for each month, a day for each date.
import { formatLocalMoment, readWallClock } from "../../model/time.ts";
import { groupBy } from "../../model/value.ts";
import { textHtml } from "./frame.ts";

export interface CalendarDate {
  readonly start: string;
  readonly timezone: string;
  /** A class of the page's style, which repeats in color what the words say. */
  readonly look: string;
  /** What is shown for the day, such as `Fri 8`, and the time, such as `22:00`. */
  html(day: string, time: string): string;
}

/** In order of time; a start that is not known comes last. */
export function compareStarts(one: string | null, other: string | null): number {
  const [first, second] = [one, other].map((start) => {
    const instant = Date.parse(start ?? "");
    return Number.isNaN(instant) ? Number.POSITIVE_INFINITY : instant;
  }) as [number, number];
  return first === second ? 0 : first - second;
}

/** Dates whose start is not known have no place in it. */
export function calendarHtml(dates: readonly CalendarDate[]): string {
  const sorted = dates
    .filter(({ start, timezone }) => readWallClock(start, timezone) !== null)
    .sort((one, other) => compareStarts(one.start, other.start))
    .map((date) => ({ date, words: formatLocalMoment(date.start, date.timezone).split(" ") }));
  const months = groupBy(sorted, ({ words: [, , month, year] }) => `${month} ${year}`);
  const rows = [...months].map(([month, days]) => {
    const items = days.map(({ date, words: [weekday, day, , , time = ""] }) => {
      return `<li class="${date.look}">${date.html(`${weekday} ${day}`, time)}</li>`;
    });
    return `<li><span class="month">${textHtml(month)}</span><ol>${items.join("")}</ol></li>`;
  });
  return `<ol class="calendar">${rows.join("\n")}</ol>`;
}
