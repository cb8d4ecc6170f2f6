// The rule of a series as people write it (`every: first wednesday`, `rrule: "FREQ=…"`), as RFC 5545 writes it.
import { type Advice, closest } from "../../../model/diagnostic.ts";
import { dayMs, formatLocalTime, readWeekday, weekdayNames } from "../../../model/time.ts";

/** Without COUNT and UNTIL, which are given apart. */
export interface SeriesRule {
  readonly text: string;
  readonly count?: number;
  readonly until?: string;
}

/** The local time at which the dates of a rule begin; empty if it is not known. */
export interface RuledStart {
  readonly zone: string;
  readonly clock: string;
}

const everyHint =
  "Use one or more weekdays, one or more weekdays of the month such as `first wednesday`, or an interval such as `day` or `2 weeks`.";
const ordinals = new Map([
  ["first", 1],
  ["second", 2],
  ["third", 3],
  ["fourth", 4],
  ["fifth", 5],
  ["last", -1],
]);

/** `every`: each entry is a weekday, or each is a weekday of the month; or there is one, and it is a length of time. */
export function ruleOfEvery(entries: readonly string[], from: string | undefined): SeriesRule | Advice {
  const days = entries.map((entry) => readEntry(entry.trim().toLowerCase()));
  const bad = days.indexOf(null);
  if (bad !== -1 || days.length === 0) return unknownEntry(entries[bad] ?? "", from);
  const [first] = days;
  if (first?.type === "length" && days.length === 1) return { text: `FREQ=${first.unit};INTERVAL=${first.size}` };
  const length = days.findIndex((day) => day?.type === "length");
  if (length !== -1) {
    return { message: `\`every\` lists ${entries[length]} together with other entries.`, hint: everyHint };
  }
  if (days.some((day) => day?.type !== first?.type)) {
    return { message: "`every` mixes weekdays with weekdays of the month.", hint: everyHint };
  }
  const list = days.flatMap((day) => (day === null || day.type === "length" ? [] : [day.code])).join(",");
  return { text: `FREQ=${first?.type === "week" ? "WEEKLY" : "MONTHLY"};BYDAY=${list}` };
}

type RuleEntry =
  | { readonly type: "week" | "month"; readonly code: string }
  | { readonly type: "length"; readonly unit: "DAILY" | "WEEKLY"; readonly size: number };

function readEntry(text: string): RuleEntry | null {
  const [, size = "1", unit] = /^(?:(\d{1,3})\s+)?(days?|weeks?)$/.exec(text) ?? [];
  if (unit !== undefined) {
    return Number(size) === 0
      ? null
      : { type: "length", unit: unit.startsWith("day") ? "DAILY" : "WEEKLY", size: Number(size) };
  }
  const [, ordinal, name = text] = /^(\w+)\s+(\w+)$/.exec(text) ?? [];
  const nth = ordinal === undefined ? null : ordinals.get(ordinal);
  const day = readWeekday(name);
  if (day === null || nth === undefined) return null;
  const code = (weekdayNames[day] ?? "").slice(0, 2).toUpperCase();
  return nth === null ? { type: "week", code } : { type: "month", code: `${nth}${code}` };
}

function unknownEntry(entry: string, from: string | undefined): Advice {
  const words = entry.trim().toLowerCase().split(/\s+/);
  const message = `\`every\` cannot be "${entry}".`;
  if (/^(?:every )?other\b|^(?:bi-?weekly|fortnightly)$/.test(words.join(" ")))
    return { message, hint: "Write `2 weeks`: it counts from the day in `from`." };
  const weekday = words[0] === "weekly" ? weekdayNames[new Date(`${from}T00:00Z`).getUTCDay()] : undefined;
  if (weekday !== undefined) return { message, hint: `Write \`every: ${weekday}\`.` };
  const near = words.map((word) => closest(word, [...weekdayNames, ...ordinals.keys(), "day", "weeks"]) ?? word);
  const meant = near.join(" ");
  const isMeant = meant !== words.join(" ") && readEntry(meant) !== null;
  return { message, hint: isMeant ? `Did you mean ${meant}?` : everyHint };
}

const number = (least: number, most: number) => (text: string) =>
  /^[+-]?\d{1,4}$/.test(text) && Math.abs(Number(text)) >= 1 && Number(text) >= least && Number(text) <= most;

// RFC 5545, section 3.3.10, without the parts that lie below a day.
const parts: Readonly<Record<string, (text: string) => boolean>> = {
  FREQ: (text) => /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(text),
  INTERVAL: number(1, 999),
  COUNT: number(1, 9999),
  UNTIL: (text) => /^\d{8}(?:T\d{6}Z?)?$/.test(text),
  BYDAY: (text) => /^[+-]?(?:[1-4]?\d|5[0-3])?(?:MO|TU|WE|TH|FR|SA|SU)$/.test(text) && !/^[+-]?0+\D/.test(text),
  BYMONTH: number(1, 12),
  BYMONTHDAY: number(-31, 31),
  BYYEARDAY: number(-366, 366),
  BYWEEKNO: number(-53, 53),
  BYSETPOS: number(-366, 366),
  WKST: (text) => /^(?:MO|TU|WE|TH|FR|SA|SU)$/.test(text),
};
const single = new Set(["FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST"]);

/** `rrule`, with or without `RRULE:` before it. */
export function ruleOfRfc(written: string, start: () => RuledStart): SeriesRule | Advice {
  const text = written
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, "");
  const values = new Map<string, string>();
  for (const part of text.replace(/;$/, "").split(";")) {
    const [name = "", value = ""] = part.split("=");
    const check = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (check === undefined) return unknownPart(name);
    if (values.has(name)) return { message: `\`rrule\` has ${name} twice.`, hint: "Keep one of them." };
    if (name === "FREQ" && /^(?:HOURLY|MINUTELY|SECONDLY)$/.test(value)) return unknownPart(part);
    const list = single.has(name) ? [value] : value.split(",");
    const bad = list.find((one) => !check(one));
    if (bad !== undefined) return { message: `\`rrule\`: ${name} cannot be "${bad}".`, hint: rfcHint };
    values.set(name, value);
  }
  if (!values.has("FREQ")) return { message: "`rrule` has no FREQ.", hint: rfcHint };
  const [count, until] = [values.get("COUNT"), values.get("UNTIL")];
  const kept = [...values].filter(([name]) => name !== "COUNT" && name !== "UNTIL");
  return {
    text: kept.map(([name, value]) => `${name}=${value}`).join(";"),
    ...(count === undefined ? {} : { count: Number(count) }),
    ...(until === undefined ? {} : { until: lastDay(until, start) }),
  };
}

/** With Z it is an instant, which the last date must not begin after; else a day, whose local time does not matter. */
function lastDay(until: string, start: () => RuledStart): string {
  const written = until.replace(/^(....)(..)(..)(?:T(..)(..)(..))?/, "$1-$2-$3T$4:$5:$6");
  const instant = until.endsWith("Z") ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(instant)) return written.slice(0, 10);
  const { zone, clock } = start();
  const local = formatLocalTime(instant, zone);
  if (clock <= local.slice(11)) return local.slice(0, 10);
  return new Date(Date.parse(local.slice(0, 10)) - dayMs).toISOString().slice(0, 10);
}

const rfcHint = 'Write a rule of RFC 5545, like "FREQ=MONTHLY;BYDAY=1WE".';

function unknownPart(part: string): Advice {
  if (/^BY(?:HOUR|MINUTE|SECOND)$|^FREQ=/.test(part)) {
    const hint = "The time of day belongs in `dateTime`; write a rule of days, weeks, months or years.";
    return { message: `\`rrule\` has ${part}, but a series has at most one event a day.`, hint };
  }
  if (part.startsWith("DTSTART")) {
    return { message: "`rrule` has a DTSTART.", hint: "Put the first day in `from`." };
  }
  const near = closest(part, Object.keys(parts));
  const hint = near === null ? rfcHint : `Did you mean ${near}?`;
  return { message: `\`rrule\` has an unknown part: ${part === "" ? "an empty one" : part}.`, hint };
}
