import type { LintScene } from "../../kinds/define.ts";
import { findingAt, instantOf } from "../../kinds/lint-rules.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { formatOffset, formatShortMoment, offsetAt, readWallClock } from "../../model/time.ts";
import type { Wish } from "../../model/wish.ts";
import { fieldTexts } from "./field-texts.ts";

/** A time with an offset that is not the zone's, or a Z that makes it the middle of the night: probably a mistake. */
export function localTimeOdd(wish: Wish, scene: LintScene): readonly Diagnostic[] {
  const ofPhases = Object.keys(wish.written).filter((path) => path.startsWith("phases/"));
  return [...fieldTexts(wish, "times").map(({ field }) => field), ...ofPhases].flatMap(
    (field) => checkOffset(wish, field, scene) ?? [],
  );
}

function checkOffset(wish: Wish, field: string, scene: LintScene): Diagnostic | null {
  const text = wish.written[field];
  const written = typeof text === "string" ? offsetIn(text) : null;
  if (written === null) return null;
  // The times of phases are not fields of the wish; those with an offset can be read by themselves.
  const instant = field in wish.fields ? instantOf(wish, field) : Date.parse(String(text));
  if (instant === undefined || Number.isNaN(instant)) return null;
  const offset = offsetAt(instant, scene.zone);
  if (offset === null || offset === written.minutes) return null;
  if (written.isZ && (!isNight(instant, scene.zone) || isBelievable(instant, scene))) return null;
  // The same clock time as if it had been written for the zone; if clocks skip it, what they show instead.
  const same = offsetAt(instant + (written.minutes - offset) * 60_000, scene.zone) ?? offset;
  const meant = same === written.minutes ? offset : same;
  const place = scene.zone.slice(scene.zone.lastIndexOf("/") + 1).replaceAll("_", " ");
  const time = clockTime(instant, written.minutes);
  const suffix = written.isZ ? "Z" : formatOffset(written.minutes);
  return findingAt(wish, [field], {
    code: "local-time-odd",
    message: `${time}${suffix} is ${formatShortMoment(instant, scene.zone)} in ${place}: did you mean ${same === meant ? time : clockTime(instant, meant)}${formatOffset(meant)}?`,
    hint: "Leave out the offset to use local time in the event's `timezone`.",
  });
}

interface Offset {
  readonly isZ: boolean;
  /** Ahead of UTC. */
  readonly minutes: number;
}

const zulu: Offset = { isZ: true, minutes: 0 };

// null: no offset, so it is local time and never odd.
function offsetIn(text: string): Offset | null {
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
// knows what Z means, so a late end or a late set within the event is intentional.
function isBelievable(instant: number, { event, zone, start, end }: LintScene): boolean {
  if (event === null || start === undefined || isNight(start, zone)) return false;
  const written = event.written.dateTime;
  if (typeof written !== "string" || offsetIn(written)?.isZ !== true) return false;
  const latest = Math.max(start + longestNight, end ?? start);
  return instant > start && instant <= latest;
}
