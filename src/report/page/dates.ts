// The dates of a series as a calendar: which of them come, change and go, and which change otherwise than the rest.
import type { CardPair, EventCard } from "../../model/card.ts";
import { formatLocalMoment, readWallClock, weekdayNames } from "../../model/time.ts";
import { escapeHtml, groupBy } from "../../model/value.ts";
import { textHtml } from "./frame.ts";

export type DateWord = "new" | "changed" | "canceled" | "archived" | "blocked";

export interface SeriesDate {
  readonly pair: CardPair;
  readonly isBlocked: boolean;
}

/** Dates whose cards are the same but for when they are, the largest group first; each group in order of time. */
export function groupDates(pairs: readonly CardPair[]): readonly (readonly CardPair[])[] {
  const sorted = [...pairs].sort((one, other) => startOfPair(one) - startOfPair(other));
  const groups = [...groupBy(sorted, likenessOf).values()];
  return groups.sort((one, other) => other.length - one.length);
}

/** A title that names the day is still the same title. */
function likenessOf({ address, before, after }: CardPair): string {
  const start = Date.parse(after?.start ?? before?.start ?? "");
  const plain = (card: EventCard | null) => {
    if (card === null) return null;
    const fromStart = (instant: string | null) => (instant === null ? null : Date.parse(instant) - start);
    return {
      ...card,
      start: fromStart(card.start),
      end: fromStart(card.end),
      // What is sold differs from date to date.
      tickets: card.tickets?.map(({ left: _, sold: __, soldOut: ___, ...rest }) => rest),
      schedule: card.schedule?.map((entry) => ({ ...entry, start: fromStart(entry.start), end: fromStart(entry.end) })),
    };
  };
  // The keys of what is below hold the address of the date.
  return JSON.stringify([plain(before), plain(after)]).replaceAll(address, "");
}

function startOfPair({ before, after }: CardPair): number {
  return Date.parse(after?.start ?? before?.start ?? "");
}

function wordOf({ pair: { before, after }, isBlocked }: SeriesDate): DateWord {
  if (isBlocked) return "blocked";
  if (after === null) return "canceled";
  if (after.status === "ARCHIVED" && before?.status !== "ARCHIVED") return "archived";
  return before === null ? "new" : "changed";
}

/** A row for each month, a day for each date, with what becomes of it in words. `lead` says which link leads to its card. */
export function stripHtml(dates: readonly SeriesDate[]): string {
  const shown = dates
    .map((date) => {
      const card = date.pair.after ?? date.pair.before;
      const clock = card?.start ? readWallClock(card.start, card.timezone) : null;
      return { date, card, clock };
    })
    .filter(({ clock }) => clock !== null)
    .sort((one, other) => startOfPair(one.date.pair) - startOfPair(other.date.pair));
  const months = groupBy(shown, ({ clock }) => `${clock?.year}-${clock?.month}`);
  const rows = [...months.values()].map((days) => {
    const [first] = days;
    const title = first?.card?.start
      ? formatLocalMoment(first.card.start, first.card.timezone).split(" ").slice(2, 4).join(" ")
      : "";
    const items = days.map(({ date, clock }) => {
      const word = wordOf(date);
      const weekday = (weekdayNames[clock?.weekday ?? 0] ?? "")
        .slice(0, 3)
        .replace(/^./, (first) => first.toUpperCase());
      const time = `${String(clock?.hour).padStart(2, "0")}:${String(clock?.minute).padStart(2, "0")}`;
      const moved = movedFrom(date.pair);
      return `<li class="${word}"><b>${weekday} ${clock?.day}</b> <span>${time}</span> <em>${word}</em>${moved === "" ? "" : ` <small>was ${escapeHtml(moved)}</small>`}</li>`;
    });
    return `<li><span class="month">${textHtml(title)}</span><ol>${items.join("")}</ol></li>`;
  });
  return `<ol class="calendar">${rows.join("\n")}</ol>`;
}

/** When it was to start before, if that changes. */
function movedFrom({ before, after }: CardPair): string {
  if (!before?.start || !after?.start || before.start === after.start) return "";
  return formatLocalMoment(before.start, before.timezone);
}
