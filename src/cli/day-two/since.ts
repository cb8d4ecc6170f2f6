// `--since`: an instant, or a time or a day as clocks where the event happens show it.
import { loadCalendar, steadyInstant } from "../../config/calendar.ts";
import { readTime } from "../../config/read-time.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";

/** What is wrong with the text, whatever the zone; null where it is a time. */
export function whyNotSince(text: string): Diagnostic | null {
  const written = readTime(withTime(text));
  if (written.type !== "unreadable") return null;
  return {
    code: "unreadable-time",
    severity: "error",
    message: `--since "${text}" ${written.reason}.`,
    hint: "Write a day or a time, like 2027-03-14, 2027-03-14T19:00 or 2027-03-14T19:00+08:00.",
  };
}

/** Milliseconds since the epoch. In an hour that clocks show twice, the first one counts. */
export async function sinceInstant(text: string, zone: string): Promise<number> {
  const written = readTime(withTime(text));
  if (written.type === "instant") return written.milliseconds;
  if (written.type === "unreadable") return Number.NEGATIVE_INFINITY;
  const steady = steadyInstant(written.time, zone);
  if (steady !== null) return steady;
  const { year, month, day, hour, minute, second } = written.time;
  const found = (await loadCalendar()).instantOf(written.time, zone);
  if (found === null) return Date.UTC(year, month - 1, day, hour, minute, second);
  if (typeof found === "number") return found;
  return found.type === "gap" ? found.moved : found.first;
}

function withTime(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? `${text.trim()}T00:00` : text;
}
