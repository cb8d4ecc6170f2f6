// From a written time to an instant, in the zone of its event.
import { type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import { formatLocalTime, formatOffset, offsetAt } from "../../model/time.ts";
import { secretAt } from "../check/find-secrets.ts";
import { withSlip } from "../check/value-slip.ts";
import { type Calendar, type LocalResult, steadyInstant } from "../time/calendar.ts";
import { parseTime } from "../time/read-time.ts";
import type { LocatedScalar } from "../yaml/located.ts";

export interface TimeContext {
  /** The zone of local times; null if the one that is written does not exist. */
  readonly zone: string | null;
  readonly calendar: Calendar | null;
  /** Set when a local time was met without a calendar: load it and decode again. */
  calendarMissing: boolean;
  readonly problems: Diagnostic[];
}

/** Milliseconds since the epoch; undefined if there is a problem. */
export function decodeTime(field: string, node: LocatedScalar, context: TimeContext): number | undefined {
  const { zone, calendar, problems } = context;
  const text = String(node.value);
  const written = parseTime(text);
  if (written.type === "instant") return written.milliseconds;
  if (written.type === "unreadable") {
    const problem = unreadableTime(node, `"${text}" ${written.reason}.`, written.hint);
    problems.push(secretAt(field, node) ?? withSlip(problem, node));
    return undefined;
  }
  // Without a zone there is a problem at the zone already.
  if (zone === null) return undefined;
  const steady = steadyInstant(written.time, zone);
  if (steady !== null) return steady;
  if (calendar === null) {
    context.calendarMissing = true;
    return undefined;
  }
  const result = calendar.instantOf(written.time, zone);
  if (result === null || typeof result === "number") return result ?? undefined;
  problems.push(explainJump(node, text, zone, result));
  return undefined;
}

function explainJump(
  node: LocatedScalar,
  text: string,
  zone: string,
  result: Exclude<LocalResult, number>,
): Diagnostic {
  if (result.type === "gap") {
    return unreadableTime(
      node,
      `${text} does not exist in ${zone}: clocks skip it when daylight saving starts.`,
      `Write ${formatLocalTime(result.moved, zone)}, which is what clocks show then.`,
    );
  }
  const [first, second] = [result.first, result.second].map(
    (instant) => text + formatOffset(offsetAt(instant, zone) ?? 0),
  );
  return unreadableTime(
    node,
    `${text} happens twice in ${zone}: clocks are set back over it.`,
    `Say which one is meant: ${first} is the first, ${second} the second.`,
  );
}

function unreadableTime(node: LocatedScalar, message: string, hint: string): Diagnostic {
  return errorAt("unreadable-time", node.source, message, hint);
}
