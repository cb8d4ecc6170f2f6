import type { Diagnostic } from "../model/diagnostic.ts";
import { formatOffset, formatShortMoment, readWallClock } from "../model/moment.ts";
import { offsetAt } from "../model/timezone.ts";
import type { Wish } from "../model/wish.ts";
import { instantOf } from "./fields.ts";
import { remarkAt } from "./remark.ts";
import { none, type Scene } from "./rule.ts";

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
  const written = readWritten(wish, field);
  const instant = instantOf(wish, field);
  if (written === null || instant === undefined) return null;
  const offset = offsetAt(instant, scene.zone);
  if (offset === null || offset === written.offset) return null;
  if (written.isZ && (!isNight(instant, scene.zone) || isBelievable(instant, scene))) return null;
  // The same clock time, had it been written for the zone.
  const meant = offsetAt(instant + (written.offset - offset) * 60_000, scene.zone) ?? offset;
  const place = scene.zone.slice(scene.zone.lastIndexOf("/") + 1).replaceAll("_", " ");
  return remarkAt(wish, [field], {
    code: "local-time-odd",
    severity: "warning",
    message: `${written.time}${written.suffix} is ${formatShortMoment(instant, scene.zone)} in ${place}: did you mean ${written.time}${formatOffset(meant)}?`,
    hint: "Leave the offset out to write local time of the event's `timezone`.",
  });
}

interface Written {
  readonly time: string;
  readonly suffix: string;
  readonly isZ: boolean;
  /** Minutes ahead of UTC. */
  readonly offset: number;
}

const withOffset = /(\d{2}:\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(?:(z)|([+-])(\d{2}):?(\d{2})?)(?:\[.*\])?$/i;

// null: no offset, so it is local time and never odd.
function readWritten(wish: Wish, field: string): Written | null {
  const text = wish.written[field];
  if (typeof text !== "string") return null;
  const match = withOffset.exec(text.trim());
  if (match === null) return null;
  const [, clock = "", seconds = "00", z, sign, hours = "0", minutes = "0"] = match;
  const size = Number(hours) * 60 + Number(minutes);
  const offset = sign === "-" ? -size : size;
  return {
    time: seconds === "00" ? clock : `${clock}:${seconds}`,
    suffix: z === undefined ? formatOffset(offset) : "Z",
    isZ: z !== undefined,
    offset,
  };
}

function isNight(instant: number, zone: string): boolean {
  return (readWallClock(instant, zone)?.hour ?? 12) < 7;
}

const longestNight = 24 * 60 * 60_000;

// Parties end at night. Where the event's own start is written with Z as well and comes at a good hour, the writer
// knows what Z means, and a late end or a late set within the event is meant so.
function isBelievable(instant: number, { event, zone }: Scene): boolean {
  if (event === null) return false;
  const start = instantOf(event, "dateTime");
  if (start === undefined || readWritten(event, "dateTime")?.isZ !== true || isNight(start, zone)) return false;
  const end = instantOf(event, "endDateTime");
  const latest = end !== undefined && end > start ? Math.max(end, start + longestNight) : start + longestNight;
  return instant > start && instant <= latest;
}
