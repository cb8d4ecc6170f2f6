// A written time some days later, at the same local time, in the form in which it was written.
import { dayMs, formatLocalTime, formatOffset, offsetAt } from "../../model/time.ts";
import type { Calendar } from "./calendar.ts";
import { parseTime } from "./read-time.ts";
import { parseRelative } from "./relative-time.ts";

const form = /(\d{4}-\d{2}-\d{2})([T\s]+)(\d{2}:\d{2})(.*?)([+-]\d{2}:?\d{0,2}|)$/i;

/** null: it is not a time, or does not exist some days later; a relative time stays as it is. */
export function moveTime(text: string, days: number, zone: string, calendar: Calendar): string | null {
  const relative = parseRelative(text);
  if (relative !== null) return relative.type === "unreadable" ? null : text;
  const written = parseTime(text);
  const [, date = "", gap = "", clock = "", rest = "", offset = ""] = form.exec(text.trimEnd()) ?? [];
  if (written.type === "unreadable" || date === "") return null;
  if (written.type === "wall") return text.replace(date, moveDay(date, days));
  const { milliseconds } = written;
  const before = offsetAt(milliseconds, zone) ?? 0;
  const after = laterInstant(milliseconds + before * 60_000, days, zone, calendar);
  if (after === null) return null;
  const own = writtenOffset(date, clock, milliseconds);
  // An offset that was the zone's is the zone's there, too; any other is kept, and the time is what it makes of it.
  const isLocal = offset !== "" && own === before;
  const shown = isLocal ? (offsetAt(after, zone) ?? before) : own;
  const [newDate, newClock] = formatLocalTime(after + shown * 60_000, "UTC")
    .slice(0, 16)
    .split("T");
  const tail = isLocal && shown !== before ? formatOffset(shown) : offset;
  return text.trimEnd().replace(form, `${newDate}${gap}${newClock}${rest}${tail}`);
}

/** A day like 2027-01-08, moved by some days. */
export function moveDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** How many days lie between two such days. */
export function daysBetween(day: string, other: string): number {
  return Math.round((Date.parse(`${other}T00:00Z`) - Date.parse(`${day}T00:00Z`)) / dayMs);
}

/** `wall`: what clocks of the zone show, as if it were UTC. */
function laterInstant(wall: number, days: number, zone: string, calendar: Calendar): number | null {
  const at = new Date(wall + days * dayMs);
  const result = calendar.instantOf(
    {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth() + 1,
      day: at.getUTCDate(),
      hour: at.getUTCHours(),
      minute: at.getUTCMinutes(),
      second: at.getUTCSeconds(),
      millisecond: at.getUTCMilliseconds(),
    },
    zone,
  );
  if (result === null || typeof result === "number") return result;
  return result.type === "gap" ? result.moved : result.first;
}

/** In minutes. */
function writtenOffset(date: string, clock: string, milliseconds: number): number {
  return Math.floor((Date.parse(`${date}T${clock}Z`) - Math.floor(milliseconds / 60_000) * 60_000) / 60_000);
}
