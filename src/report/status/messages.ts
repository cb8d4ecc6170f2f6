// What the formats of `status` say in the same words.

import { decodeSegment } from "../../model/address.ts";
import { formatMoment } from "../../model/time.ts";
import { commissionPercent, formatCount, formatMoney, groupBy, listSome, pluralize } from "../../model/value.ts";
import type { Divergence, EventFigures, StatusReport } from "./figures.ts";

/** Marks before an event's name, and what they mean. */
export type StatusMark = "?" | "~" | "+" | "-" | " ";

export const markMeanings: Readonly<Record<Exclude<StatusMark, " ">, string>> = {
  "-": "no longer in the files: the next plan deletes it",
  "?": "not in the files (unmanaged)",
  "~": "differs from the files; `ticketing plan` shows how",
  "+": "in the files, not live yet; `ticketing apply` makes it",
};

export function markOf(event: EventFigures): StatusMark {
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

/** `in 53 d`; short, because it is in every line. */
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

/** Nothing remains of a type whose sale was closed early too: without items in the orders the number is not known. */
export function formatSoldCount({ sold, someSold }: Pick<EventFigures, "sold" | "someSold">): string {
  return someSold === true ? "some" : formatSold(sold);
}

export function formatTakings(pesos: number | null): string {
  return pesos === null ? "?" : formatMoney(pesos);
}

/** "19%", something for the first ticket, and never 100 before everything is sold; empty if it is not known. */
export function formatPercent(part: number | null, whole: number | null): string {
  if (part === null || whole === null || whole <= 0) return "";
  // A capacity that was set below what is sold: how many times it fits says nothing.
  if (part > whole) return "over";
  const percent = Math.floor((part / whole) * 100);
  return percent === 0 && part !== 0 ? "<1%" : `${percent}%`;
}

/** One line on an event's money. */
export function salesSentence(event: EventFigures): string {
  if (event.gross === null) return "gross and net are not known";
  if (event.orders === 0) return "no completed orders yet";
  const commission = `commission (${commissionPercent}%) ${formatTakings(event.commission)}`;
  return `${pluralize(event.orders ?? 0, "order")}: gross ${formatTakings(event.gross)}, ${commission}, net ${formatTakings(event.net)}`;
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

/** "dateTime; ticket type VIP: price, quantity; ticket type GA is not live" */
export function describeDivergences(divergences: readonly Divergence[]): string {
  return [...groupBy(divergences, ({ address }) => address)].map(describePart).join("; ");
}

function describePart([address, list]: readonly [string, readonly Divergence[]]): string {
  const [, , plural, segment = ""] = address.split("/");
  const name = plural === undefined ? "" : `ticket type ${decodeSegment(segment)}`;
  if (list.some(({ how }) => how === "missing")) return `${name} is not live`;
  if (list.some(({ how }) => how === "surplus")) return `${name} is not in the file`;
  const fields = list
    .map(({ field, how }) => `${field}${how === "drift" ? " (changed on the service)" : ""}`)
    .join(", ");
  return name === "" ? fields : `${name}: ${fields}`;
}

/** The last lines: what all of it comes to. */
export function totalSentence({ events, totals, archived }: StatusReport): string {
  const live = events.filter((event) => event.id !== null);
  const more = archived === null || archived === 0 ? "" : ` (${formatCount(archived)} archived not shown: --archived)`;
  const sold = asFarAsKnown(
    `${pluralize(totals.sold, "ticket")} sold`,
    live.map((event) => event.sold),
    "sales are not known",
  );
  const sums = `gross ${formatMoney(totals.gross)}, commission ${formatMoney(totals.commission)}, net ${formatMoney(totals.net)} before processing fees`;
  const money = asFarAsKnown(
    sums,
    live.map((event) => event.gross),
    "gross and net are not known",
  );
  return `${pluralize(totals.events, "event")}${more}: ${sold}; ${money}.`;
}

function asFarAsKnown(words: string, parts: readonly (number | null)[], unknown: string): string {
  const missing = parts.filter((part) => part === null).length;
  if (missing === 0) return words;
  return missing === parts.length ? unknown : `${words} (not known of ${formatCount(missing)})`;
}

/** Shown where it matters: what buyers pay on top is not taken out of what they pay for. */
export function feesSentenceOf({ events }: StatusReport): string | null {
  const passing = events.filter((event) => event.absorbFees === false && (event.gross ?? 0) > 0);
  if (passing.length === 0) return null;
  const all = [...new Set(passing.map(({ name }) => name))];
  const names = listSome(all, 3);
  return `Buyers of ${names} pay the fees on top (absorbFees: false), so net may be as much as gross there.`;
}
