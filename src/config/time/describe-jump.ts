// A local time that clocks skip or show twice, in words.
import { formatLocalTime, formatOffset, offsetAt } from "../../model/time.ts";
import type { LocalResult } from "./calendar.ts";

export type ClockJump = Exclude<LocalResult, number>;

/** `text` is how the time is written; if it is relative, the message says where it leads. */
export function describeJump(
  text: string,
  zone: string,
  result: ClockJump,
): { readonly message: string; readonly hint: string } {
  const isAbsolute = /^\d{4}-/.test(text.trim());
  if (result.type === "gap") {
    const [moved, before, after] = [result.moved, result.after - 60_000, result.after].map((instant) =>
      formatLocalTime(instant, zone),
    );
    const skipped = formatLocalTime(result.moved + (offsetAt(result.after - 1, zone) ?? 0) * 60_000, "UTC");
    return {
      message: `${isAbsolute ? text : `"${text}" is ${skipped}, which`} does not exist in ${zone}: clocks skip it when daylight saving starts.`,
      hint: `Write ${moved}, which is what clocks show then; the nearest times are ${before} and ${after}.`,
    };
  }
  const [first, second] = [result.first, result.second].map(
    (instant) => formatLocalTime(instant, zone) + formatOffset(offsetAt(instant, zone) ?? 0),
  );
  const shown = isAbsolute ? text : `"${text}" is ${formatLocalTime(result.first, zone)}, which`;
  return {
    message: `${shown} happens twice in ${zone}: clocks are set back over it.`,
    hint: `Say which one is meant: ${first} is the first, ${second} the second.`,
  };
}
