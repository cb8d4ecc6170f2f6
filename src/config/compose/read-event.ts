// From a composed document to its wish: variables filled in, checked, decoded.
import { kindOf } from "../../kinds/index.ts";
import { makeAddress } from "../../model/address.ts";
import { type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import { formatLocalTime, isTimezone } from "../../model/time.ts";
import type { OwnWish, Wish } from "../../model/wish.ts";
import { checkKind } from "../check/check.ts";
import { type Calendar, loadCalendar, loadedCalendar } from "../time/calendar.ts";
import { entryOf, type Located, type LocatedMap, type LocatedScalar } from "../yaml/located.ts";
import { type Composed, type ComposeInputs, fillDocument, type Occurrence } from "./compose-document.ts";
import { type DecodeContext, decode, type Environments, objectName } from "./decode.ts";
import { decodeTime } from "./decode-time.ts";
import type { Allowance } from "./variables.ts";

const kind = kindOf("event");
const standardZone = "Asia/Manila";

export interface EventInputs extends ComposeInputs {
  readonly environments: Environments;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Position {
  readonly file: string;
  /** Of the document in the file. */
  readonly index: number;
  readonly several: boolean;
}

export interface ReadEvent {
  readonly wish: Wish;
  /** The document with its variables filled in. */
  readonly map: LocatedMap;
  /** A date of a series that is over and no longer managed. */
  readonly isOver: boolean;
}

interface Checked {
  readonly map: LocatedMap;
  readonly bad: ReadonlySet<Located>;
  readonly problems: readonly Diagnostic[];
}

/** Reads the events of one document. `countOf` counts the events of a key. */
export function makeEventReader(
  position: Position,
  composed: Composed,
  inputs: EventInputs,
  problems: Diagnostic[],
  allowance: Allowance,
): (occurrence: Occurrence, countOf: (key: string) => number) => Promise<ReadEvent> {
  // Dates without a variable of their own are one document, filled in and checked once.
  const checked = new Map<LocatedMap, Checked>();

  function check(written: LocatedMap): Checked {
    const known = checked.get(written);
    if (known !== undefined) return known;
    const found: Diagnostic[] = [];
    const map = fillDocument(written, inputs, found, allowance);
    const one = { map, bad: checkKind(kind, map, found), problems: found };
    checked.set(written, one);
    return one;
  }

  return async ({ map: written, date }, countOf) => {
    const { map, bad, problems: found } = check(written);
    problems.push(...found);
    const base = keyOf(position, map, bad, problems);
    const key = date === null ? base : `${base}@${date.day}`;
    const name = objectName(kind, map, { bad }) || key;
    const place = { address: makeAddress(null, kind.plural, key, countOf(key)), parent: null, name };
    const zone = zoneOf(map, bad);

    function attempt(calendar: Calendar | null) {
      const context: DecodeContext = {
        bad,
        zone,
        calendar,
        problems: [],
        environments: inputs.environments,
        calendarMissing: false,
        anchors: {},
        ...(date === null ? {} : { date: date.date }),
      };
      const wish = decode(kind, map, place, context);
      const series = date === null ? {} : { series: seriesOf(base, composed.map, context) };
      return { wish: { ...wish, own: { ...wish.own, ...series } }, context, isOver: isOver(context) };
    }

    /** A date that has ended, where the series does not keep it. */
    function isOver(context: DecodeContext): boolean {
      if (date === null || composed.keepsEnded) return false;
      const end = context.anchors.end ?? quietly("+1d at 00:00", context);
      return typeof end === "number" && end <= inputs.now;
    }

    let read = attempt(loadedCalendar());
    if (read.context.calendarMissing) read = attempt(await loadCalendar());
    problems.push(...read.context.problems);
    const { wish } = read;
    const own: OwnWish = { ...wish.own, key, timezone: zone ?? standardZone };
    return { wish: { ...wish, own }, map, isOver: read.isOver };
  };
}

/** What tells a date of a series from the others: its local day, and the start that the rule gives it where it was moved. */
function seriesOf(key: string, common: LocatedMap, context: DecodeContext): NonNullable<OwnWish["series"]> {
  const { start } = context.anchors;
  const day = typeof start === "number" ? formatLocalTime(start, context.zone ?? standardZone).slice(0, 10) : null;
  const written = entryOf(common, "dateTime");
  const ruled = written?.type === "scalar" ? quietly(String(written.value), context, "start") : undefined;
  return {
    of: makeAddress(null, kind.plural, key),
    ...(day === null ? {} : { day }),
    ...(ruled === undefined || ruled === start ? {} : { ruleStart: new Date(ruled).toISOString() }),
  };
}

/** A time that nobody wrote, or wrote elsewhere, so that a problem with it is none of this event. */
function quietly(text: string, context: DecodeContext, anchor?: "start"): number | undefined {
  if (typeof context.anchors.start !== "number") return undefined;
  const node: LocatedScalar = { type: "scalar", value: text, source: { file: "", line: 1, column: 1 }, plain: true };
  const quiet = { ...context, problems: [] };
  const instant = decodeTime("dateTime", node, anchor === undefined ? {} : { anchor }, quiet);
  if (quiet.calendarMissing) context.calendarMissing = true;
  return instant;
}

function zoneOf(map: LocatedMap, bad: ReadonlySet<Located>): string | null {
  const node = entryOf(map, "timezone");
  if (node === undefined) return standardZone;
  if (node.type === "scalar" && (node.value === null || node.value === "")) return standardZone;
  if (node.type !== "scalar" || bad.has(node) || node.reported) return null;
  const zone = String(node.value).trim();
  return isTimezone(zone) ? zone : null;
}

/** In one form, however a file system or a keyboard puts accents together: a key is compared, remembered and typed. */
function keyOf(
  { file, index, several }: Position,
  map: LocatedMap,
  bad: ReadonlySet<Located>,
  problems: Diagnostic[],
): string {
  const node = entryOf(map, "key");
  const base = file
    .slice(file.lastIndexOf("/") + 1)
    .replace(/\.ya?ml$/i, "")
    .normalize("NFC");
  if (node?.type === "scalar" && !bad.has(node) && !node.reported) return String(node.value).normalize("NFC").trim();
  if (node !== undefined || !several) return base;
  const example = `${base}-${index + 1}`;
  const message = "This file holds several events, and this one has no `key`.";
  const hint = `Add a line such as \`key: ${example}\`, with a different key for each event.`;
  problems.push(errorAt("missing-key", map.source, message, hint));
  return example;
}
