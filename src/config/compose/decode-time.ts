// From a written time to an instant, in the zone of its event.
import { type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import { secretAt } from "../check/find-secrets.ts";
import { withSlip } from "../check/value-slip.ts";
import { type Calendar, describeJump, type LocalResult, steadyInstant } from "../time/calendar.ts";
import { anyTime, type CalendarDate, clockMeantBy, parseTime, unreadable, type WallTime } from "../time/read-time.ts";
import { type AnchorName, parseRelative, type RelativeTime, resolveRelative } from "../time/relative-time.ts";
import type { LocatedScalar } from "../yaml/located.ts";

export interface TimeContext {
  /** The zone of local times; null if the one that is written does not exist. */
  readonly zone: string | null;
  readonly calendar: Calendar | null;
  /** Set when a local time was met without a calendar: load it and decode again. */
  calendarMissing: boolean;
  readonly problems: Diagnostic[];
  /** What relative times count from, if it is decoded; null: it is written, but its problem is already reported. */
  readonly anchors: Partial<Record<AnchorName, number | null>>;
  /** The day of a series, on which a `dateTime` that is a clock time falls. */
  readonly date?: CalendarDate;
}

export interface TimeRole {
  /** It is what others count from, and cannot count from itself. */
  readonly anchor?: AnchorName | undefined;
  /** Its own beginning, where it is the end of something within the event. */
  readonly since?: { readonly field: string; readonly instant: number | null | undefined };
}

/** Milliseconds since the epoch; undefined if there is a problem. */
export function decodeTime(
  field: string,
  node: LocatedScalar,
  role: TimeRole,
  context: TimeContext,
): number | undefined {
  const text = String(node.value);
  const written = role.anchor === "start" ? parseStart(text, context) : (parseRelative(text) ?? parseTime(text));
  switch (written.type) {
    case "instant":
      return written.milliseconds;
    case "unreadable": {
      const problem = timeProblem(node, `"${text}" ${written.reason}.`, written.hint);
      context.problems.push(secretAt(field, node) ?? withSlip(problem, node));
      return undefined;
    }
    case "wall":
      return resolvedInstant(node, text, localInstant(written.time, context), context);
    case "offset":
    case "clock":
    case "day":
      return decodeRelative(node, text, written, role, context);
  }
}

const fromItself = { ...anyTime, reason: "counts from the start, but this is the start" };

/** The start has its own date, or that of its place in a series. */
function parseStart(text: string, { date }: TimeContext): ReturnType<typeof parseTime> {
  const relative = parseRelative(text);
  const isOffset = relative?.type === "offset" || relative?.type === "day";
  if (date === undefined) return isOffset ? fromItself : parseTime(text);
  if (relative?.type === "clock")
    return { type: "wall", time: { second: 0, millisecond: 0, ...date, ...relative.clock } };
  const time = relative === null ? parseTime(text) : anyTime;
  if (time !== anyTime) return time;
  const alone = clockMeantBy(text.trim());
  if (alone !== null) return unreadable("is not in a supported format", `Write ${alone}.`);
  return unreadable(isOffset ? fromItself.reason : "is not a time of day", "Write a time of day, such as 22:00.");
}

const anchorFields: Readonly<Record<AnchorName, string>> = { start: "dateTime", end: "endDateTime" };

function decodeRelative(
  node: LocatedScalar,
  text: string,
  relative: RelativeTime,
  { anchor: own, since }: TimeRole,
  context: TimeContext,
): number | undefined {
  const { anchors, problems, zone } = context;
  const named = relative.type === "offset" ? relative.from : relative.type === "day" ? "start" : null;
  const name = named ?? "start";
  const from = named === null && since !== undefined ? since : { field: anchorFields[name], instant: anchors[name] };
  if (name === own) {
    problems.push(
      timeProblem(node, `"${text}" counts from the end, but this is the end.`, "Count from the start, like +6h."),
    );
    return undefined;
  }
  const { field, instant } = from;
  if (instant === undefined) {
    const whose = from === since ? "its" : "the event's";
    const message = `"${text}" counts from ${whose} \`${field}\`, which is missing.`;
    const absolute = context.date === undefined ? ", or write a date and a time, like 2027-03-14T19:00" : "";
    const hint = `Add \`${field}\`${absolute}.`;
    problems.push(timeProblem(node, message, hint));
    return undefined;
  }
  if (instant === null || zone === null) return undefined;
  const result = resolveRelative(relative, { instant, strict: from === since }, zone, (time) =>
    localInstant(time, context),
  );
  return resolvedInstant(node, text, result, context);
}

/** null: the calendar is missing, or there is no such zone, which is a problem already. */
function localInstant(time: WallTime, context: TimeContext): LocalResult | null {
  const { zone, calendar } = context;
  if (zone === null) return null;
  const steady = steadyInstant(time, zone);
  if (steady !== null) return steady;
  if (calendar === null) context.calendarMissing = true;
  return calendar?.instantOf(time, zone) ?? null;
}

const earliest = Date.UTC(100, 0, 1);
const latest = Date.UTC(10_000, 0, 1) - 1;

function resolvedInstant(
  node: LocatedScalar,
  text: string,
  result: LocalResult | null,
  { zone, problems, date }: TimeContext,
): number | undefined {
  if (result === null || zone === null) return undefined;
  if (typeof result !== "number") {
    const { message, hint } = describeJump(text, zone, result);
    const isShared = date !== undefined && parseRelative(text) !== null;
    const apart = isShared ? " Write it only for that date, under `series.dates`." : "";
    problems.push(timeProblem(node, message, hint + apart));
  } else if (result < earliest || result > latest) {
    problems.push(
      timeProblem(node, `"${text}" is outside the years 100 to 9999.`, "Check the number of weeks or days."),
    );
  } else return result;
  return undefined;
}

function timeProblem(node: LocatedScalar, message: string, hint: string): Diagnostic {
  return errorAt("unreadable-time", node.source, message, hint);
}
