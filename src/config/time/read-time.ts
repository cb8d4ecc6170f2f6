// The forms in which a file may write a time by its date.
import type { WallClock } from "../../model/time.ts";
import { either } from "../../model/value.ts";

export interface WallTime extends Omit<WallClock, "weekday"> {
  readonly millisecond: number;
}

export type CalendarDate = Pick<WallTime, "year" | "month" | "day">;

export interface Unreadable {
  readonly type: "unreadable";
  readonly reason: string;
  readonly hint: string;
}

export type WrittenTime =
  | { readonly type: "instant"; readonly milliseconds: number }
  | { readonly type: "wall"; readonly time: WallTime }
  | Unreadable;

const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ]|\s+)(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(?:(Z)|([+-])(\d{2}):?(\d{2})?)?$/i;

export function parseTime(text: string): WrittenTime {
  const match = dateTime.exec(text.trim());
  if (match === null) return whyNoTime(text.trim());
  const [, year, month, day, hour, minute, second, fraction, utc, sign, offsetHour, offsetMinute] = match;
  const time: WallTime = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second ?? 0),
    millisecond: Number((fraction ?? "").slice(0, 3).padEnd(3, "0")),
  };
  const inUtc = asUtc(time);
  if (!isOnCalendar(time, new Date(inUtc))) return noSuchTime(`${year}-${month}-${day}`, time);
  if (utc !== undefined) return { type: "instant", milliseconds: inUtc };
  if (sign === undefined) return { type: "wall", time };
  const minutes = Number(offsetHour) * 60 + Number(offsetMinute ?? 0);
  if (minutes > 14 * 60 || Number(offsetMinute ?? 0) > 59)
    return unreadable("has an offset that does not exist", "Correct the offset: in Manila, it is +08:00.");
  return { type: "instant", milliseconds: inUtc - (sign === "-" ? -minutes : minutes) * 60_000 };
}

/** Date.UTC carries over: 31 April becomes 1 May, 24:00 the next day, and years below 100 become 19xx. */
function isOnCalendar({ year, day, hour, minute, second }: WallTime, read: Date): boolean {
  if (read.getUTCFullYear() !== year || read.getUTCDate() !== day || read.getUTCHours() !== hour) return false;
  return read.getUTCMinutes() === minute && read.getUTCSeconds() === second;
}

export function asUtc({ year, month, day, hour, minute, second, millisecond }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

function noSuchTime(date: string, { year, month, day, hour, minute, second }: WallTime): WrittenTime {
  if (year < 100)
    return unreadable("has a year in the distant past", "Write the year with all its digits, as in 2027-03-14.");
  if (hour > 23 || minute > 59 || second > 59) {
    const midnight = hour === 24 && minute === 0;
    const nextDay = new Date(Date.UTC(year, month - 1, day + 1)).toISOString().slice(0, 10);
    const hint = midnight ? `Write ${nextDay}T00:00 for the end of that day.` : "Write a time from 00:00 to 23:59.";
    return unreadable("has a time that does not exist", hint);
  }
  return unreadable("has a date that does not exist", howToWriteDay(date));
}

export const anyTime = unreadable("is not a date and time", "Write a date and a time, like 2027-03-14T19:00.");

function whyNoTime(text: string): WrittenTime {
  const alone = clockMeantBy(text);
  if (alone !== null) return unreadable("is a time without a date", `Write both, like 2027-03-14T${alone}.`);
  const range = /^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2})\s*(?:-|–|to|until)\s*\S/i.exec(text);
  if (range !== null) {
    return unreadable("contains a start and an end time", `Write ${range[1]}, and put the end in a separate field.`);
  }
  const [, local, zone] = /^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?)\s*((?![ap]m$)[A-Z]{2,5})$/i.exec(text) ?? [];
  if (local !== undefined) return unreadable(`ends with ${zone}`, `Write ${local}: it is local time in \`timezone\`.`);
  const [, date = "", clock] =
    /^((?:\d{1,4}|[a-z]{3,9})[-/. ]{1,2}\w{1,9}[-/., ]{1,2}\d{1,4})(?:(?:T|,|\s+at\s|\s)\s*(\d{1,2}(?:[:.]\d{2})?\s*(?:[ap]\.?m\.?)?))?$/i.exec(
      text,
    ) ?? [];
  const times = daysMeantBy(date)
    .map((day) => `${day}T${clock === undefined ? "19:00" : tidyClock(clock)}`)
    .filter((time) => dateTime.test(time) && parseTime(time).type !== "unreadable");
  const order = /^\d{1,2}\. ?\d/.test(date) ? " (read as day, month, year)" : "";
  const [reason, write] =
    clock === undefined ? ["is a date without a time", "Write both, like"] : ["is not in a supported format", "Write"];
  if (times.length > 0) return unreadable(reason, `${write} ${either(times)}${order}.`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? unreadable("has a date that does not exist", howToWriteDay(text)) : anyTime;
}

/** The clock time that a text like 8pm, 20.00 or 8:30 PM is alone; null if it is not one. */
export function clockMeantBy(text: string): string | null {
  const isClock = /^\d{1,2}(?:[:.]\d{2}(?:[:.]\d{2})?\s*(?:[ap]\.?m\.?)?|\s*[ap]\.?m\.?)$/i.test(text);
  return isClock ? tidyClock(text) : null;
}

/** `7:30 PM`, `7pm`, `19.30` and `19h30` as a clock of 24 hours shows them; null if none does. */
export function tidyClock(text: string): string | null {
  const [, hour, minute = "00", half] =
    /^(\d{1,2})(?:[:.h]?(\d{2}))?(?:[:.]\d{2})?h?\s*(?:([ap])\.?m\.?)?$/i.exec(text) ?? [];
  if (hour === undefined) return null;
  const shift =
    half === undefined ? 0 : half.toLowerCase() === "p" ? (Number(hour) < 12 ? 12 : 0) : hour === "12" ? -12 : 0;
  const clock = `${two(String(Number(hour) + shift))}:${minute}`;
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(clock) ? clock : null;
}

function two(digits: string): string {
  return digits.padStart(2, "0");
}

export function unreadable(reason: string, hint: string): Unreadable {
  return { type: "unreadable", reason, hint };
}

/** The text, if it is a day of the calendar like 2027-01-08; else null. */
export function readDay(text: string): string | null {
  const day = text.trim();
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : null;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** The days that a text like 5.1.2027, 1/5/27 or 5-Jan-2027 may mean. */
export function daysMeantBy(written: string): readonly string[] {
  const text = written.trim().replace(/[T\s]0?0:00(?::00)?(?:\.0+)?$/i, "");
  const [first = "", second = "", third = "", ...more] = text.split(/[-./,\s]+/).filter((word) => word !== "");
  if (more.length > 0) return [];
  const isDay = (year: string, month: string, day: string) => {
    const named = months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
    return readDay(`${year.length === 2 ? `20${year}` : year}-${two(named > 0 ? String(named) : month)}-${two(day)}`);
  };
  const orders = /^\d{4}$/.test(first)
    ? [isDay(first, second, third)]
    : // With dots the day comes first; with slashes it depends on the country.
      [isDay(third, second, first), ...(text.includes(".") ? [] : [isDay(third, first, second)])];
  if (/^\d\d-\d\d-\d\d$/.test(text)) orders.unshift(isDay(first, second, third));
  const days = [...new Set(orders.filter((day) => day !== null))];
  // Two digits for a year leave open which of the numbers it is: files are about years to come, so 27-03-14 is not in 2014.
  const latest = Math.max(...days.map((day) => Number.parseInt(day, 10)));
  return days.filter((day) => Number.parseInt(day, 10) > latest - 5);
}

export function howToWriteDay(text: string): string {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])-(?!00)\d{2}$/.exec(text.trim()) ?? [];
  if (month !== undefined) {
    const last = new Date(Date.UTC(Number(year), Number(month), 0));
    const name = last.toLocaleString("en-US", { month: "long", year: "numeric", timeZone: "UTC" });
    return `${name} has ${last.getUTCDate()} days: write a day from 01 to ${last.getUTCDate()}.`;
  }
  const meant = daysMeantBy(text);
  return meant.length === 0 ? "Write the year, the month and the day, as in 2027-01-08." : `Write ${either(meant)}.`;
}
