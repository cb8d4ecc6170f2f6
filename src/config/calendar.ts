// From a clock on a wall to an instant. Temporal knows the rules of all zones; it is loaded when the first local time is met.
import { readWallClock } from "../model/moment.ts";
import { isTimezone } from "../model/timezone.ts";
import type { WallTime } from "./read-time.ts";

/**
 * | result    | means                                                                  |
 * |-----------|------------------------------------------------------------------------|
 * | a number  | milliseconds since the epoch                                           |
 * | gap       | clocks were put forward over this time; `moved` is what they show then |
 * | overlap   | clocks were put back over this time: it happens twice                  |
 */
export type LocalResult =
  | number
  | { readonly type: "gap"; readonly moved: number }
  | { readonly type: "overlap"; readonly first: number; readonly second: number };

export interface Calendar {
  /** null: there is no such zone. */
  instantOf(time: WallTime, zone: string): LocalResult | null;
}

export async function loadCalendar(): Promise<Calendar> {
  const { create, toZonedDateTime } = await import("temporal-polyfill/fns/PlainDateTime");
  const known = new Map<string, Map<number, LocalResult>>();

  function compute(time: WallTime, zone: string): LocalResult {
    const { year, month, day, hour, minute, second, millisecond } = time;
    const wall = create(year, month, day, hour, minute, second, millisecond);
    const earlier = toZonedDateTime(wall, zone, { disambiguation: "earlier" }).epochMilliseconds;
    const later = toZonedDateTime(wall, zone, { disambiguation: "later" }).epochMilliseconds;
    if (earlier === later) return earlier;
    // In an overlap both readings show the wall's time; in a gap the later one shows a time moved on.
    const shown = readWallClock(later, zone);
    return shown?.hour === hour && shown.minute === minute
      ? { type: "overlap", first: earlier, second: later }
      : { type: "gap", moved: later };
  }

  return {
    instantOf(time, zone) {
      if (!isTimezone(zone)) return null;
      let results = known.get(zone);
      if (results === undefined) {
        results = new Map();
        known.set(zone, results);
      }
      const asUtc = Date.UTC(
        time.year,
        time.month - 1,
        time.day,
        time.hour,
        time.minute,
        time.second,
        time.millisecond,
      );
      let result = results.get(asUtc);
      if (result === undefined) {
        result = compute(time, zone);
        results.set(asUtc, result);
      }
      return result;
    },
  };
}
