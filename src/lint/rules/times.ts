import type { Diagnostic } from "../../model/diagnostic.ts";
import { findSecret } from "../../model/secrets.ts";
import {
  formatLocalTime,
  formatMoment,
  formatOffset,
  formatShortMoment,
  isTimezone,
  offsetAt,
  readWallClock,
} from "../../model/time.ts";
import type { Wish } from "../../model/wish.ts";
import { callOf, instantOf, isRetired, none, remarkAt, type Scene, textOf } from "./rule.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export function eventEndsBeforeStart(event: Wish, { start, end, zone }: Scene): readonly Diagnostic[] {
  if (start === undefined || end === undefined || end >= start) return none;
  return endsBeforeStart(event, start, end, ["dateTime", "endDateTime"], zone);
}

export function entryEndsBeforeStart(entry: Wish, { zone }: Scene): readonly Diagnostic[] {
  const start = instantOf(entry, "startTime");
  const end = instantOf(entry, "endTime");
  if (start === undefined || end === undefined || end >= start) return none;
  return endsBeforeStart(entry, start, end, ["startTime", "endTime"], zone);
}

function endsBeforeStart(
  wish: Wish,
  start: number,
  end: number,
  [startField, endField]: readonly [string, string],
  zone: string,
): readonly Diagnostic[] {
  // Where the next day's date would make it longer than any night, the hour is the slip, not the date.
  const midnight = onOneDay(start, end, zone) && end + day - start < 16 * hour;
  return [
    remarkAt(wish, [endField], {
      code: "ends-before-start",
      severity: "error",
      message: `'${callOf(wish)}' ends (${formatMoment(end, zone)}) before it starts (${formatMoment(start, zone)}).`,
      hint: midnight
        ? `If it goes on past midnight, the end is on the next day: write ${formatLocalTime(end + day, zone)}.`
        : `Set \`${endField}\` to a time after \`${startField}\`.`,
    }),
  ];
}

function onOneDay(start: number, end: number, zone: string): boolean {
  const one = readWallClock(start, zone);
  const other = readWallClock(end, zone);
  if (one === null || other === null) return false;
  return one.day === other.day && one.month === other.month && one.year === other.year;
}

export function startsInThePast(event: Wish, { now, start, zone }: Scene): readonly Diagnostic[] {
  if (start === undefined || start >= now || isRetired(event)) return none;
  return [
    remarkAt(event, ["dateTime"], {
      code: "starts-in-the-past",
      severity: "info",
      message: `${callOf(event)} starts in the past: ${formatMoment(start, zone)}.`,
      hint: "Correct the date if it is a slip; otherwise the event can be set to `status: ARCHIVED`.",
    }),
  ];
}

export function farFuture(event: Wish, { now, start, zone }: Scene): readonly Diagnostic[] {
  if (start === undefined || start <= addMonths(now, 18) || isRetired(event)) return none;
  return [
    remarkAt(event, ["dateTime"], {
      code: "far-future",
      severity: "warning",
      message: `${callOf(event)} starts more than 18 months from now: ${formatMoment(start, zone)}.`,
      hint: "Check the year; if it is right, add `ignore: [far-future]` to the event.",
    }),
  ];
}

export function oddDuration(event: Wish, { start, end, zone }: Scene): readonly Diagnostic[] {
  if (start === undefined || end === undefined || end < start) return none;
  const duration = end - start;
  if (duration >= 15 * minute && duration <= 3 * day) return none;
  return [
    remarkAt(event, ["endDateTime"], {
      code: "odd-duration",
      severity: "warning",
      message: `${callOf(event)} would last ${sayDuration(duration)}, until ${formatMoment(end, zone)}.`,
      hint: "Check `dateTime` and `endDateTime`; if they are right, add `ignore: [odd-duration]` to the event.",
    }),
  ];
}

function addMonths(instant: number, months: number): number {
  const date = new Date(instant);
  return date.setUTCMonth(date.getUTCMonth() + months);
}

function sayDuration(duration: number): string {
  if (duration < hour) return count(Math.floor(duration / minute), "minute");
  const days = Math.floor(duration / day);
  const hours = Math.floor((duration % day) / hour);
  return hours === 0 ? count(days, "day") : `${count(days, "day")} and ${count(hours, "hour")}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A secret in its place is told as one, and never repeated. */
export function unknownTimezone(event: Wish): readonly Diagnostic[] {
  const zone = textOf(event, "timezone");
  if (zone === undefined || isTimezone(zone) || findSecret(zone) !== null) return none;
  const meant = guessZone(zone);
  return [
    remarkAt(event, ["timezone"], {
      code: "unknown-timezone",
      severity: "error",
      message: `'${zone}' is not the name of a time zone.`,
      hint: meant === null ? "Write a place's name, such as Asia/Manila." : `Use ${meant}.`,
    }),
  ];
}

function guessZone(written: string): string | null {
  if (isManilaTime.test(written.trim())) return "Asia/Manila";
  const wanted = soundOf(written);
  if (wanted === "") return null;
  const alike = Intl.supportedValuesOf("timeZone").filter((zone) => soundOf(zone) === wanted);
  const region = written.slice(0, written.indexOf("/") + 1).toLowerCase();
  return alike.find((zone) => zone.toLowerCase().startsWith(region)) ?? alike[0] ?? null;
}

const isManilaTime = /^((gmt|utc)?\s*\+?0?8(:?00)?|pht|pst|phst|philippines?( (standard )?time)?)$/i;

// Slips are mostly about vowels, doubled letters and spaces: Manilla, Sinagpore, New-York.
function soundOf(zone: string): string {
  const city = zone.slice(zone.lastIndexOf("/") + 1).toLowerCase();
  return city.replace(/[^b-df-hj-np-tv-xz]/g, "").replace(/(.)\1+/g, "$1");
}

/** A time with an offset that is not the zone's, or a Z that makes it the middle of the night: hardly what was meant. */
export function localTimeOdd(wish: Wish, scene: Scene): readonly Diagnostic[] {
  let found: Diagnostic[] | null = null;
  for (const field of timeFields[wish.kind] ?? []) {
    const remark = judge(wish, field, scene);
    if (remark === null) continue;
    found ??= [];
    found.push(remark);
  }
  return found ?? none;
}

const timeFields: Readonly<Partial<Record<Wish["kind"], readonly string[]>>> = {
  event: ["dateTime", "endDateTime"],
  schedule: ["startTime", "endTime"],
};

function judge(wish: Wish, field: string, scene: Scene): Diagnostic | null {
  const text = wish.written[field];
  const written = typeof text === "string" ? readOffset(text) : null;
  if (written === null) return null;
  const instant = instantOf(wish, field);
  if (instant === undefined) return null;
  const offset = offsetAt(instant, scene.zone);
  if (offset === null || offset === written.minutes) return null;
  if (written.isZ && (!isNight(instant, scene.zone) || isBelievable(instant, scene))) return null;
  // The same clock time, had it been written for the zone.
  const meant = offsetAt(instant + (written.minutes - offset) * 60_000, scene.zone) ?? offset;
  const place = scene.zone.slice(scene.zone.lastIndexOf("/") + 1).replaceAll("_", " ");
  const time = clockTime(instant, written.minutes);
  const suffix = written.isZ ? "Z" : formatOffset(written.minutes);
  return remarkAt(wish, [field], {
    code: "local-time-odd",
    severity: "warning",
    message: `${time}${suffix} is ${formatShortMoment(instant, scene.zone)} in ${place}: did you mean ${time}${formatOffset(meant)}?`,
    hint: "Leave the offset out to write local time of the event's `timezone`.",
  });
}

interface Offset {
  readonly isZ: boolean;
  /** Ahead of UTC. */
  readonly minutes: number;
}

const zulu: Offset = { isZ: true, minutes: 0 };

// null: no offset, so it is local time and never odd.
function readOffset(text: string): Offset | null {
  const tail = text.trimEnd().slice(-6);
  if (/z$/i.test(tail)) return zulu;
  const [, sign, hours, minutes = "0"] = /([+-])(\d{2})(?::?(\d{2}))?$/.exec(tail) ?? [];
  // A date alone ends in what looks like an offset; a time is written with a colon before it.
  if (sign === undefined || !text.slice(0, -3).includes(":")) return null;
  const size = Number(hours) * 60 + Number(minutes);
  return { isZ: false, minutes: sign === "-" ? -size : size };
}

// What the file writes before the offset.
function clockTime(instant: number, minutes: number): string {
  const clock = new Date(instant + minutes * 60_000).toISOString().slice(11, 19);
  return clock.endsWith(":00") ? clock.slice(0, 5) : clock;
}

function isNight(instant: number, zone: string): boolean {
  return (readWallClock(instant, zone)?.hour ?? 12) < 7;
}

const longestNight = 24 * 60 * 60_000;

// Parties end at night. Where the event's own start is written with Z as well and comes at a good hour, the writer
// knows what Z means, and a late end or a late set within the event is meant so.
function isBelievable(instant: number, { event, zone, start, end }: Scene): boolean {
  if (event === null || start === undefined || isNight(start, zone)) return false;
  const written = event.written.dateTime;
  if (typeof written !== "string" || readOffset(written)?.isZ !== true) return false;
  const latest = Math.max(start + longestNight, end ?? start);
  return instant > start && instant <= latest;
}
