// From a local time to an instant. Temporal knows the rules of all zones; it is loaded when the first local time is met.
import { errorOf, type Fallible, failed } from "../../model/diagnostic.ts";
import { formatLocalTime, formatOffset, isTimezone, offsetAt, readWallClock, steadyOffset } from "../../model/time.ts";
import type { Settings } from "../../model/wish.ts";
import { asUtc, parseTime, type WallTime } from "./read-time.ts";

/**
 * | result    | means                                                                                              |
 * |-----------|----------------------------------------------------------------------------------------------------|
 * | a number  | milliseconds since the epoch                                                                       |
 * | gap       | clocks skip this time, at the instant `after`; `moved` is what they show instead                   |
 * | overlap   | clocks show this time twice                                                                        |
 *
 * `plus`: the milliseconds that are to be added to it.
 */
export type LocalResult =
  | number
  | { readonly type: "gap"; readonly moved: number; readonly after: number; readonly plus?: number }
  | { readonly type: "overlap"; readonly first: number; readonly second: number; readonly plus?: number };

export interface Calendar {
  /** null: there is no such zone. */
  instantOf(time: WallTime, zone: string): LocalResult | null;
}

let loaded: Calendar | null = null;

/** The calendar, if something has asked for it before. */
export function loadedCalendar(): Calendar | null {
  return loaded;
}

export async function loadCalendar(): Promise<Calendar> {
  loaded ??= makeCalendar((await import("./zone-rules.ts")).instantsOf);
  return loaded;
}

function makeCalendar(instantsOf: typeof import("./zone-rules.ts").instantsOf): Calendar {
  const known = new Map<string, Map<number, LocalResult>>();

  function compute(time: WallTime, zone: string): LocalResult {
    const { earlier, later } = instantsOf(time, zone);
    if (earlier === later) return earlier;
    // In an overlap, clocks show the written time at both instants; in a gap they show another at the later one.
    const shown = readWallClock(later, zone);
    return shown?.hour === time.hour && shown.minute === time.minute
      ? { type: "overlap", first: earlier, second: later }
      : { type: "gap", moved: later, after: changeBetween(earlier, later, zone) };
  }

  return {
    instantOf(time, zone) {
      if (!isTimezone(zone)) return null;
      const results = known.get(zone) ?? new Map<number, LocalResult>();
      known.set(zone, results);
      const wall = asUtc(time);
      const result = results.get(wall) ?? compute(time, zone);
      results.set(wall, result);
      return result;
    },
  };
}

/** The first instant at which the zone's clocks show another offset than at the first of these. */
function changeBetween(first: number, last: number, zone: string): number {
  const offset = offsetAt(first, zone);
  let [before, after] = [first, last];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle, zone) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** The instant of a local time in a zone whose clocks never change; null if the calendar must be asked. */
export function steadyInstant(time: WallTime, zone: string): number | null {
  const wall = asUtc(time);
  const offset = steadyOffset(wall, zone);
  return offset === null ? null : wall - offset * 60_000;
}

// A local time that clocks skip or show twice, in words.

export type ClockJump = Exclude<LocalResult, number>;

/** `text` is how the time is written; if it is relative, the message says where it leads. */
export function describeJump(
  text: string,
  zone: string,
  result: ClockJump,
): { readonly message: string; readonly hint: string } {
  const isAbsolute = /^\d{4}-/.test(text.trim());
  const plus = result.plus ?? 0;
  const leads = plus === 0 ? `"${text}" is` : `"${text}" counts from`;
  if (result.type === "gap") {
    const [moved, before, after] = [result.moved, result.after - 60_000, result.after].map((instant) =>
      formatLocalTime(instant, zone),
    );
    const skipped = formatLocalTime(result.moved + (offsetAt(result.after - 1, zone) ?? 0) * 60_000, "UTC");
    return {
      message: `${isAbsolute ? text : `${leads} ${skipped}, which`} does not exist in ${zone}: clocks skip it when daylight saving starts.`,
      hint: `Write ${formatLocalTime(result.moved + plus, zone)}${plus === 0 ? "" : `, which counts from ${moved}`}, the same moment on clocks that have been set forward; the nearest times are ${before} and ${after}.`,
    };
  }
  const [first, second] = [result.first + plus, result.second + plus].map(
    (instant) => formatLocalTime(instant, zone) + formatOffset(offsetAt(instant, zone) ?? 0),
  );
  const shown = isAbsolute ? text : `${leads} ${formatLocalTime(result.first, zone)}, which`;
  return {
    message: `${shown} occurs twice in ${zone}, because clocks are set back then.`,
    hint: `Write the one that you mean: ${first} ${plus === 0 ? "is the first, " : "counts from the first, "}${second} the second.`,
  };
}

/** The time of `--at`; without an offset it is in the zone of the project's defaults. */
export async function readMoment(
  text: string,
  { timezone: zone }: Pick<Settings, "timezone">,
): Promise<Fallible<{ readonly instant: number }>> {
  const time = parseTime(text);
  if (time.type === "instant") return { ok: true, instant: time.milliseconds };
  if (time.type === "unreadable") return failed(errorOf("usage", `--at "${text}" ${time.reason}.`, time.hint));
  const instant = (await loadCalendar()).instantOf(time.time, zone);
  if (typeof instant === "number") return { ok: true, instant };
  // The zone is unknown only if the project file has an error, which is reported on its own.
  if (instant === null) return failed(errorOf("usage", `--at "${text}" has no offset.`, "Add one: 2027-03-28T02:30Z."));
  const { message, hint } = describeJump(text, zone, instant);
  return failed(errorOf("usage", message, hint));
}
