import type { Diagnostic } from "../model/diagnostic.ts";
import { formatLocalTime, formatMoment, readWallClock } from "../model/moment.ts";
import type { Wish } from "../model/wish.ts";
import { callOf, instantOf, isRetired } from "./fields.ts";
import { remarkAt } from "./remark.ts";
import { none, type Scene } from "./rule.ts";

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
