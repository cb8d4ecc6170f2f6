// Times that move along with an event: `+90m`, `22:00`, `day 2 13:30`, `-6w at 10:00`, `end +3d`.
import { dayMs, formatLocalTime, formatOffset, offsetAt, readWallClock } from "../../model/time.ts";
import type { Calendar, LocalResult } from "./calendar.ts";
import { clockMeantBy, parseTime, tidyClock, type Unreadable, unreadable, type WallTime } from "./read-time.ts";

interface ClockTime {
  readonly hour: number;
  readonly minute: number;
}

/**
 * | type   | example                                  | counts from                                         |
 * |--------|------------------------------------------|-----------------------------------------------------|
 * | offset | `+1d2h30m`, `-6w at 10:00`, `end +3d`    | what it names; else the start, or in an end its own |
 * | clock  | `22:00`                                  | the start, or in an end its own                     |
 * | day    | `day 2 13:30`                            | the event's first day                               |
 */
export type RelativeTime =
  | {
      readonly type: "offset";
      readonly from: AnchorName | null;
      readonly days: number;
      readonly minutes: number;
      readonly clock: ClockTime | null;
    }
  | { readonly type: "clock"; readonly clock: ClockTime }
  | { readonly type: "day"; readonly day: number; readonly clock: ClockTime };

export type AnchorName = "start" | "end";

const clockForm = /^(\d{2}):(\d{2})$/;
const dayForm = /^day\s+(\d{1,4})\s+(\S+)$/;
const offsetForm =
  /^(start\b|end\b)?\s*(?:([+-])(?=\d)(?:(\d{1,4})w\s*)?(?:(\d{1,4})d\s*)?(?:(\d{1,4})h\s*)?(?:(\d{1,5})m)?)?$/;

/** null: not of these forms, nor near them. */
export function parseRelative(written: string): RelativeTime | Unreadable | null {
  const text = written.trim();
  // Most times are absolute: they begin with a year.
  if (/^\d{4}-/.test(text)) return null;
  if (clockForm.test(text)) return withClock(text, (clock) => ({ type: "clock", clock }));
  const [isDay, day, dayClock = ""] = dayForm.exec(text) ?? [];
  if (isDay !== undefined) {
    if (Number(day) === 0) return unreadable("counts days from 0", "Write day 1 for the first day of the event.");
    return withClock(dayClock, (clock) => ({ type: "day", day: Number(day), clock }));
  }
  const words = text.split(/\s+/);
  const hasClock = words.length > 2 && words.at(-2) === "at";
  const [counted, clock] = hasClock ? [words.slice(0, -2).join(" "), words.at(-1)] : [text, undefined];
  const [, from, sign, weeks, days, hours, minutes] = offsetForm.exec(counted) ?? [];
  if (from === undefined && sign === undefined) return nearMiss(text);
  const direction = sign === "-" ? -1 : 1;
  const offset = {
    type: "offset",
    from: (from as AnchorName | undefined) ?? null,
    days: direction * (Number(weeks ?? 0) * 7 + Number(days ?? 0)),
    minutes: direction * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)),
  } as const;
  if (clock === undefined) return { clock: null, ...offset };
  if (hours !== undefined || minutes !== undefined)
    return unreadable("has hours or minutes before `at`", "Count whole weeks and days before `at`, like -6w at 10:00.");
  return withClock(clock, (at) => ({ clock: at, ...offset }));
}

function withClock(text: string, make: (clock: ClockTime) => RelativeTime): RelativeTime | Unreadable {
  const [, hour, minute] = clockForm.exec(text) ?? [];
  if (hour === undefined) {
    return unreadable("has a time that cannot be read", `Write the time like ${tidyClock(text) ?? "19:00"}.`);
  }
  if (Number(hour) > 23 || Number(minute) > 59)
    return unreadable("has a time that does not exist", "Write a time from 00:00 to 23:59.");
  return make({ hour: Number(hour), minute: Number(minute) });
}

/** `-6 weeks`, `2 days before`, `+1month`. */
const spokenOffset =
  /^((?:start|end) )?\s*(?:([+-])\s*)?(\d{1,4})\s*(weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|months?|mos?)(?:\s+(before|earlier|ago|after|later)\b.*)?$/;

const unitsHint = "Write weeks, days, hours and minutes in this order, like +1w2d3h30m.";

/** What was meant as one of these forms. */
function nearMiss(text: string): Unreadable | null {
  const alone = clockMeantBy(text);
  if (alone !== null) {
    const hint = `Write ${alone}, which means the first ${alone} at or after the start, or write its date too.`;
    return unreadable("is not in a supported format", hint);
  }
  const [, offset, clock = ""] = /^(.*\S)\s+(\d{1,2}[:.]\d{2})$/.exec(text) ?? [];
  const at = tidyClock(clock);
  if (offset !== undefined && at !== null && /^(?:(?:start|end)\b\s*)?(?:[+-](?:\d+[wd])+)?$/.test(offset)) {
    return unreadable("is not an offset", `Write ${offset} at ${at}.`);
  }
  const [, anchor = "", sign, size, unit = "", side] = spokenOffset.exec(text.toLowerCase()) ?? [];
  if (size !== undefined && (sign ?? side) !== undefined) {
    const from = anchor + (sign ?? (/^[al]\w*er$/.test(side ?? "") ? "+" : "-"));
    const weeks = `Count in weeks, such as ${from}${Number(size) * 4}w, or write a date and a time.`;
    return unreadable("is not an offset", unit.startsWith("mo") ? weeks : `Write ${from}${size}${unit.charAt(0)}.`);
  }
  if (/^(?:start|end)?\s*[+-]\s*\d+\s*[a-z]/i.test(text)) return unreadable("is not an offset", unitsHint);
  const [, length, of = ""] = /^(\d+)\s*(w|d|h|m|min|hours?|days?|weeks?|minutes?)$/i.exec(text) ?? [];
  if (length !== undefined) {
    const written = `${length}${of.charAt(0).toLowerCase()}`;
    return unreadable("has no sign", `Write +${written} for later, or -${written} for earlier.`);
  }
  const [, day, clockOfDay = ""] = /^day ([1-9]\d*)(?: at|,) (\d.*)$/i.exec(text) ?? [];
  const meant = tidyClock(clockOfDay);
  if (day !== undefined && meant !== null)
    return unreadable("is not in a supported format", `Write day ${day} ${meant}.`);
  return /^day\b/i.test(text) ? unreadable("is not a day and a time", "Write both, like day 2 13:30.") : null;
}

/** What a relative time counts from. */
interface Anchor {
  readonly instant: number;
  /** A clock time must come after it, not with it. */
  readonly strict: boolean;
}

/** `local` gives the instant of a local time, or null if it cannot; a time that clocks skip or show twice is passed on. */
export function resolveRelative(
  relative: RelativeTime,
  { instant, strict }: Anchor,
  zone: string,
  local: (time: WallTime) => LocalResult | null,
): LocalResult | null {
  switch (relative.type) {
    case "day":
      return local(wallAt(instant, zone, relative.day - 1, relative.clock));
    case "clock": {
      const today = local(wallAt(instant, zone, 0, relative.clock));
      const latest = latestInstant(today);
      const isOver = latest < instant || (strict && latest === instant);
      return isOver ? local(wallAt(instant, zone, 1, relative.clock)) : today;
    }
    case "offset": {
      const { days, minutes, clock } = relative;
      if (clock !== null) return local(wallAt(instant, zone, days, clock));
      // Hours are exact: only a step over days asks what clocks show there.
      if (days === 0) return instant + minutes * 60_000;
      const moved = local(wallAt(instant, zone, days, null));
      if (typeof moved === "number") return moved + minutes * 60_000;
      return moved && { ...moved, plus: minutes * 60_000 };
    }
  }
}

/** Infinity if unknown, so that it never counts as over. */
function latestInstant(result: LocalResult | null): number {
  if (result === null || typeof result === "number") return result ?? Number.POSITIVE_INFINITY;
  return result.type === "overlap" ? result.second : result.after;
}

/** The local time some calendar days later, at the same time of day or another. */
function wallAt(instant: number, zone: string, days: number, clock: ClockTime | null): WallTime {
  const shown = readWallClock(instant, zone);
  if (shown === null) throw new RangeError(`No clock shows ${instant}.`);
  const date = new Date(Date.UTC(shown.year, shown.month - 1, shown.day + days));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: clock?.hour ?? shown.hour,
    minute: clock?.minute ?? shown.minute,
    second: clock === null ? shown.second : 0,
    millisecond: clock === null ? ((instant % 1000) + 1000) % 1000 : 0,
  };
}

// A written time some days later, at the same local time, in the form in which it was written.

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
  // An offset that matched the zone is adjusted to the zone on the new day; any other offset is kept.
  const isLocal = offset !== "" && own === before;
  const shown = isLocal ? (offsetAt(after, zone) ?? before) : own;
  const [newDate, newClock] = formatLocalTime(after + shown * 60_000, "UTC")
    .slice(0, 16)
    .split("T");
  const tail = isLocal && shown !== before ? formatOffset(shown) : offset;
  return text.trimEnd().replace(form, `${newDate}${gap}${newClock}${rest}${tail}`);
}

function moveDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

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
