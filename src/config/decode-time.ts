import type { Diagnostic } from "../model/diagnostic.ts";
import { formatLocalTime, formatOffset } from "../model/moment.ts";
import { offsetAt } from "../model/timezone.ts";
import { type Calendar, type LocalResult, steadyInstant } from "./calendar.ts";
import { secretAt } from "./find-secrets.ts";
import type { LocatedScalar } from "./located.ts";
import { readTime } from "./read-time.ts";
import { withSlip } from "./value-slip.ts";

/** Says that a local time was met before the calendar was loaded: load it and decode again. */
export const needsCalendar = Symbol("needs the calendar");

/** Milliseconds since the epoch; undefined where there is a problem. */
export function decodeTime(
  field: string,
  node: LocatedScalar,
  zone: string | null,
  calendar: Calendar | null,
  problems: Diagnostic[],
): number | undefined | typeof needsCalendar {
  const text = String(node.value);
  const written = readTime(text);
  if (written.type === "instant") return written.milliseconds;
  if (written.type === "unreadable") {
    const plainly = withSlip(problem(node, `"${text}" ${written.reason}.`, written.hint), node);
    problems.push(secretAt(field, node) ?? plainly);
    return undefined;
  }
  // Without a zone there is a problem at the zone already.
  if (zone === null) return undefined;
  const steady = steadyInstant(written.time, zone);
  if (steady !== null) return steady;
  if (calendar === null) return needsCalendar;
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
    return problem(
      node,
      `${text} does not exist in ${zone}: clocks are put forward over it.`,
      `Write ${formatLocalTime(result.moved, zone)}, which is what clocks show then.`,
    );
  }
  const [first, second] = [result.first, result.second].map(
    (instant) => text + formatOffset(offsetAt(instant, zone) ?? 0),
  );
  return problem(
    node,
    `${text} happens twice in ${zone}: clocks are put back over it.`,
    `Say which is meant: ${first} is the first, ${second} the second.`,
  );
}

function problem(node: LocatedScalar, message: string, hint: string): Diagnostic {
  return { code: "unreadable-time", severity: "error", message, hint, source: node.source };
}
