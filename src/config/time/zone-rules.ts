// The only file that knows Temporal. It is a separate file so that Temporal is loaded only when a zone's rules are asked for.
import { create, toZonedDateTime } from "temporal-polyfill/fns/PlainDateTime";
import type { WallTime } from "./read-time.ts";

/** The instants that a local time may mean: equal, unless clocks change over it. */
export function instantsOf(time: WallTime, zone: string): { readonly earlier: number; readonly later: number } {
  const { year, month, day, hour, minute, second, millisecond } = time;
  const wall = create(year, month, day, hour, minute, second, millisecond);
  return {
    earlier: toZonedDateTime(wall, zone, { disambiguation: "earlier" }).epochMilliseconds,
    later: toZonedDateTime(wall, zone, { disambiguation: "later" }).epochMilliseconds,
  };
}
