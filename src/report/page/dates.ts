// The dates of a series as a calendar: which of them come, change and go, and which change otherwise than the rest.
import type { CardPair, EventCard } from "../../model/card.ts";
import { formatLocalMoment } from "../../model/time.ts";
import { escapeHtml, groupBy } from "../../model/value.ts";
import { calendarHtml, compareStarts } from "./calendar.ts";

export type DateWord = "new" | "changed" | "canceled" | "archived" | "blocked";

export interface SeriesDate {
  readonly pair: CardPair;
  readonly isBlocked: boolean;
}

/** Dates whose cards are the same but for when they are, the largest group first; each group in order of time. */
export function groupDates(pairs: readonly CardPair[]): readonly (readonly CardPair[])[] {
  const sorted = [...pairs].sort((one, other) => compareStarts(startOf(one), startOf(other)));
  const groups = [...groupBy(sorted, likenessOf).values()];
  return groups.sort((one, other) => other.length - one.length);
}

function likenessOf(pair: CardPair): string {
  const { address, before, after } = pair;
  const start = Date.parse(startOf(pair) ?? "");
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

function startOf({ before, after }: CardPair): string | null {
  return after?.start ?? before?.start ?? null;
}

function wordOf({ pair: { before, after }, isBlocked }: SeriesDate): DateWord {
  if (isBlocked) return "blocked";
  if (after === null) return "canceled";
  if (after.status === "ARCHIVED" && before?.status !== "ARCHIVED") return "archived";
  return before === null ? "new" : "changed";
}

/** What becomes of each date, in words; those that stay as they are are shown without. */
export function stripHtml(dates: readonly SeriesDate[]): string {
  const staying = (dates[0]?.pair.staying ?? []).map(({ start, timezone }) => ({
    start,
    timezone,
    look: "staying",
    html: (day: string, time: string) => `<span>${day} ${time}<span class="spoken"> unchanged</span></span>`,
  }));
  return calendarHtml([
    ...staying,
    ...dates.map((date) => {
      const card = date.pair.after ?? date.pair.before;
      const word = wordOf(date);
      const moved = movedFrom(date.pair);
      const was = moved === "" ? "" : ` <small>was ${escapeHtml(moved)}</small>`;
      return {
        start: card?.start ?? "",
        timezone: card?.timezone ?? "",
        look: word,
        html: (day: string, time: string) => `<b>${day}</b> <span>${time}</span> <em>${word}</em>${was}`,
      };
    }),
  ]);
}

/** When it was to start before, if that changes. */
function movedFrom({ before, after }: CardPair): string {
  if (!before?.start || !after?.start || before.start === after.start) return "";
  return formatLocalMoment(before.start, before.timezone);
}
