import { dayMs, formatLocalTime, formatMoment, isTimezone, officialZone, readWallClock } from "../../model/time.ts";
import { findSecret, pluralize } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import type { LintFinding, LintScene } from "../define.ts";
import { callOf, findingAt, ignoring, instantOf, isOnBadEnd, isRetired, textField, withoutDate } from "./finding.ts";

const minute = 60_000;
const hour = 60 * minute;
const longestNight = 16 * hour;

export function eventEndsBeforeStart(event: Wish, scene: LintScene): LintFinding {
  const { start, end } = scene;
  if (start === undefined || end === undefined || end >= start) return null;
  return endsBeforeStart(event, start, end, ["dateTime", "endDateTime"], scene);
}

export function entryEndsBeforeStart(entry: Wish, scene: LintScene): LintFinding {
  const start = instantOf(entry, "startTime");
  const end = instantOf(entry, "endTime");
  if (start === undefined || end === undefined || end >= start) return null;
  if (["startTime", "endTime"].some((field) => isOnBadEnd(entry, field, scene))) return null;
  return endsBeforeStart(entry, start, end, ["startTime", "endTime"], scene);
}

function endsBeforeStart(
  wish: Wish,
  start: number,
  end: number,
  [startField, endField]: readonly [string, string],
  scene: LintScene,
): LintFinding {
  const { zone, event } = scene;
  // If the next day's date would make it longer than any night, the hour is the mistake, not the date. No date fits a whole series.
  const midnight = event?.own.series === undefined && onOneDay(start, end, zone) && end + dayMs - start < longestNight;
  const hasOffset = (field: string) => /\d(?:z|[+-]\d\d:?\d\d)$/i.test(String(wish.written[field]).trim());
  const isMixed = hasOffset(startField) && !hasOffset(endField);
  return findingAt(wish, [endField], {
    code: "ends-before-start",
    severity: "error",
    message: `${callOf(wish)} ends (${formatMoment(end, zone)}) before it starts (${formatMoment(start, zone)}).`,
    hint:
      (isMixed ? `Only \`${startField}\` has an offset: leave it out if both are local times.` : null) ??
      withoutDate(wish, endField, scene) ??
      (midnight
        ? `If it runs past midnight, it ends on the next day: write ${formatLocalTime(end + dayMs, zone)}.`
        : `Set \`${endField}\` to a time after \`${startField}\`.`),
  });
}

function onOneDay(start: number, end: number, zone: string): boolean {
  const one = readWallClock(start, zone);
  const other = readWallClock(end, zone);
  if (one === null || other === null) return false;
  return one.day === other.day && one.month === other.month && one.year === other.year;
}

export function startsInThePast(event: Wish, { now, start, zone }: LintScene): LintFinding {
  if (start === undefined || start >= now || isRetired(event)) return null;
  return findingAt(event, ["dateTime"], {
    code: "starts-in-the-past",
    severity: "info",
    message: `${callOf(event)} starts in the past: ${formatMoment(start, zone)}.`,
    hint: "Correct the date if it is a mistake. If the event is over, leave the file as it is, or archive the event: `status: ARCHIVED` (in a last phase, if it has phases), with `allow: [archive-with-sales]` if tickets were sold.",
  });
}

export function farFuture(event: Wish, { now, start, zone }: LintScene): LintFinding {
  if (start === undefined || start <= addMonths(now, 18) || isRetired(event)) return null;
  return findingAt(event, ["dateTime"], {
    code: "far-future",
    message: `${callOf(event)} starts more than 18 months from now: ${formatMoment(start, zone)}.`,
    hint: `Check the year; if it is right, ${ignoring("far-future", event)}.`,
  });
}

export function oddDuration(event: Wish, scene: LintScene): LintFinding {
  const { start, end, zone } = scene;
  if (start === undefined || end === undefined || end < start) return null;
  const duration = end - start;
  if (duration >= 15 * minute && duration <= 3 * dayMs) return longByClock(event, ["dateTime", "endDateTime"], scene);
  const [days, minutes] = [Math.round(duration / dayMs), Math.floor(duration / minute)];
  const length =
    days > 3 ? pluralize(days, "day") : days > 0 ? "more than 3 days" : `only ${pluralize(minutes, "minute")}`;
  const code = "odd-duration";
  if (duration === 0) {
    const message = `${callOf(event)} ends when it starts (${formatMoment(end, zone)}); the service may refuse that.`;
    return findingAt(event, ["endDateTime"], { code, message, hint: "Set `endDateTime` to a time after `dateTime`." });
  }
  return findingAt(event, ["endDateTime"], {
    code,
    message: `${callOf(event)} would last ${length}, until ${formatMoment(end, zone)}.`,
    hint:
      withoutDate(event, "endDateTime", scene) ??
      `Check \`dateTime\` and \`endDateTime\`; if they are right, ${ignoring("odd-duration", event)}.`,
  });
}

/** An end such as `18:00` that is earlier than the start's time of day is on the next day: longer than any night, it is seldom intended. */
export function longEntry(entry: Wish, scene: LintScene): LintFinding {
  return longByClock(entry, ["startTime", "endTime"], scene);
}

function longByClock(wish: Wish, [startField, endField]: readonly [string, string], { zone }: LintScene): LintFinding {
  const clock = /^\d\d:\d\d$/.exec(String(wish.written[endField]))?.[0];
  const length = (instantOf(wish, endField) ?? Number.NaN) - (instantOf(wish, startField) ?? Number.NaN);
  if (clock === undefined || !(length > longestNight)) return null;
  const end = formatMoment(instantOf(wish, endField) ?? 0, zone);
  const [hours, minutes] = [Math.floor(length / hour), Math.floor((length % hour) / minute)];
  const written = `${hours}h${minutes === 0 ? "" : `${minutes}m`}`;
  return findingAt(wish, [endField], {
    code: "odd-duration",
    message: `${callOf(wish)} would last ${written}, until ${end}: ${clock} means the first ${clock} after its start.`,
    hint: `Check \`${startField}\` and \`${endField}\`. If they are right, write the length instead: +${written}.`,
  });
}

function addMonths(instant: number, months: number): number {
  const date = new Date(instant);
  return date.setUTCMonth(date.getUTCMonth() + months);
}

/** A secret written here by mistake is reported as one, and never repeated. */
export function unknownTimezone(event: Wish): LintFinding {
  const zone = textField(event, "timezone");
  if (zone === undefined || findSecret(zone) !== null) return null;
  if (isTimezone(zone)) {
    const official = officialZone(zone);
    if (official === zone) return withoutSummerTime(event, zone);
    return findingAt(event, ["timezone"], {
      code: "wrong-case",
      severity: "error",
      message: `The time zone "${zone}" must be written ${official}.`,
      hint: `Write ${official}.`,
    });
  }
  return findingAt(event, ["timezone"], { code: "unknown-timezone", severity: "error", ...notAZone(zone) });
}

export function notAZone(zone: string): { readonly message: string; readonly hint: string } {
  const meant = guessZone(zone);
  return {
    message: `"${zone}" is not the name of a time zone.`,
    hint: meant === null ? "Use the IANA name of the time zone, such as Asia/Manila." : `Use ${meant}.`,
  };
}

/** IANA zones without daylight saving time, which people write for places that have it. */
function withoutSummerTime(event: Wish, zone: string): LintFinding {
  const city = { EST: "America/New_York", MST: "America/Denver" }[zone];
  if (city === undefined) return null;
  return findingAt(event, ["timezone"], {
    code: "local-time-odd",
    message: `The time zone ${zone} has no daylight saving time: in summer, it is an hour behind ${city}.`,
    hint: `Write ${city}, or the city whose clocks the event follows.`,
  });
}

function guessZone(written: string): string | null {
  if (/^p[sd]t$/i.test(written.trim()))
    return "Asia/Manila for Philippine time, or America/Los_Angeles for Pacific time";
  if (isManilaTime.test(written.trim())) return "Asia/Manila";
  const wanted = soundOf(written);
  if (wanted === "") return null;
  const alike = Intl.supportedValuesOf("timeZone").filter((zone) => soundOf(zone) === wanted);
  const region = written.slice(0, written.indexOf("/") + 1).toLowerCase();
  return alike.find((zone) => zone.toLowerCase().startsWith(region)) ?? alike[0] ?? null;
}

const isManilaTime = /^((gmt|utc)?\s*\+?0?8(:?00)?|pht|phst|philippines?( (standard )?time)?)$/i;

// Slips are mostly about vowels, doubled letters and spaces: Manilla, Sinagpore, New-York.
function soundOf(zone: string): string {
  const city = zone.slice(zone.lastIndexOf("/") + 1).toLowerCase();
  return city.replace(/[^b-df-hj-np-tv-xz]/g, "").replace(/(.)\1+/g, "$1");
}
