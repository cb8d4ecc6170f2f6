// From a composed document to its wish: variables filled in, checked, decoded.
import { kindOf } from "../../kinds/index.ts";
import { type Address, makeAddress } from "../../model/address.ts";
import { type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import { dayMs, formatLocalTime, isTimezone, standardZone } from "../../model/time.ts";
import type { OwnWish, SeriesPlace, Wish } from "../../model/wish.ts";
import { type CheckResult, checkKind } from "../check/check.ts";
import { type Calendar, loadCalendar, loadedCalendar } from "../time/calendar.ts";
import { keyOfFile } from "../yaml/keys-by-lines.ts";
import { entryOf, type Located, type LocatedMap, type LocatedScalar } from "../yaml/located.ts";
import { type Composed, type ComposeInputs, fillDocument, fillScalar, type Occurrence } from "./compose-document.ts";
import { type DecodeContext, decode, type Environments, objectName } from "./decode.ts";
import { decodeTime } from "./decode-time.ts";
import { type Merged, type ReadThroughTime, readThroughTime, type TimeInputs } from "./phase-effects.ts";
import { type Phase, withPhases } from "./phases.ts";
import type { SeriesDate } from "./series/series-dates.ts";
import type { Allowance } from "./variables.ts";

const kind = kindOf("event");
export interface EventInputs extends ComposeInputs, TimeInputs {
  readonly environments: Environments;
}

export interface DocumentPosition {
  readonly file: string;
  /** Where the document is in the file. */
  readonly index: number;
  readonly several: boolean;
}

export interface ReadEvent extends ReadThroughTime {
  /** A date of a series that is over and no longer managed. */
  readonly isOver: boolean;
  /** Whether it has phases, be they past. */
  readonly changesWithTime: boolean;
}

interface Checked extends CheckResult {
  readonly map: LocatedMap;
  readonly problems: readonly Diagnostic[];
}

/** One event of a document: everything but its content. */
interface EventIdentity {
  readonly written: LocatedMap;
  /** Of a series. */
  readonly date: Occurrence["date"];
  /** The key that all dates of a series share; of any other event, its key. */
  readonly series: string;
  readonly key: string;
  readonly address: Address;
}

/** A date stays managed this long after its last phase. */
const afterLastPhase = 7 * dayMs;

/** Reads the events of one document. `countOf` counts the events of a key. */
export function makeEventReader(
  position: DocumentPosition,
  composed: Composed,
  inputs: EventInputs,
  problems: Diagnostic[],
  allowance: Allowance,
): (occurrence: Occurrence, countOf: (key: string) => number) => Promise<ReadEvent> {
  // Dates without their own variables are one document, filled in and checked once.
  const checked = new Map<LocatedMap, Checked>();
  const overlaid = new Map<LocatedMap, Map<string, Merged>>();

  function check(written: LocatedMap, date: Occurrence["date"]): Checked {
    const known = checked.get(written);
    if (known !== undefined) return known;
    const found: Diagnostic[] = [];
    const map = fillDocument(written, { ...inputs, columns: date?.row?.empty ?? composed.columns }, found, allowance);
    const result = checkKind(kind, map, found, composed.isSeries ? { dateTime: "22:00" } : {});
    const one = { map, ...result, problems: found };
    checked.set(written, one);
    return one;
  }

  function overlay({ written, date }: EventIdentity, phases: readonly Phase[]): Merged {
    const known = overlaid.get(written) ?? new Map<string, Merged>();
    overlaid.set(written, known);
    const which = phases.map(({ index }) => index).join(",");
    const found: Diagnostic[] = [];
    const { map, bad } = check(written, date);
    const name = eventName(map, bad) || keyOfFile(position.file);
    const owner = { name, file: written.source.file, day: date?.entry == null ? null : date.day };
    const merged = known.get(which) ?? { map: withPhases(written, owner, phases, found), problems: found };
    known.set(which, merged);
    return merged;
  }

  const fill = (node: LocatedScalar, map: LocatedMap, found: Diagnostic[] = []) =>
    fillScalar(node, map, inputs, found, allowance);

  /** The start or name that the document gives every date, with the variables of this one. */
  function ruled(field: "dateTime" | "name", written: LocatedMap): LocatedScalar | null {
    const node = entryOf(composed.map, field);
    return node?.type === "scalar" ? fill(node, written) : null;
  }

  function decodeMap(
    one: LocatedMap,
    { written, date, series, key, address }: EventIdentity,
    calendar: Calendar | null,
  ) {
    const { map, bad, meant, problems: found } = check(one, date);
    const zone = documentZone(map, bad);
    const context: DecodeContext = {
      bad,
      meant,
      zone,
      calendar,
      problems: [...found],
      environments: inputs.environments,
      calendarMissing: false,
      anchors: {},
      ...(date === null ? {} : { date: date.date }),
    };
    const name = eventName(map, bad) || key;
    const wish = decode(kind, map, { address, parent: null, name }, context);
    const [start, title] = [ruled("dateTime", written), ruled("name", written)];
    const ofSeries = date === null ? {} : { series: seriesPlace(series, date, [start, title], context) };
    const own: OwnWish = { ...wish.own, ...ofSeries, key, timezone: zone ?? standardZone };
    return { wish: { ...wish, own }, map, context };
  }

  function readAtTimes(identity: EventIdentity, calendar: Calendar | null) {
    const { written, date } = identity;
    const plain = decodeMap(written, identity, calendar);
    const hasPhases = entryOf(written, "phases") !== undefined;
    const read = hasPhases
      ? readThroughTime(plain, {
          written,
          inputs,
          fill,
          filled: (map) => check(map, date).map,
          overlay: (phases) => overlay(identity, phases),
          decode: (map) => decodeMap(map, identity, calendar),
        })
      : { ...plain, upcoming: [], later: [], phases: [] };
    const past = date !== null && !composed.keepsEnded && isPast(read.context, inputs.now);
    const isOver = past && isLongPast(read.phases, inputs.now);
    const wish = noteTimes(past ? asPast(read.wish) : read.wish, read.phases);
    return { ...read, wish, isOver, changesWithTime: hasPhases };
  }

  return async ({ map: written, date }, countOf) => {
    const { map, bad } = check(written, date);
    const series = documentKey(position, map, bad, problems);
    const key = date === null ? series : `${series}@${date.day}`;
    const identity = { written, date, series, key, address: makeAddress(null, kind.plural, key, countOf(key)) };
    let read = readAtTimes(identity, loadedCalendar());
    if (read.context.calendarMissing) read = readAtTimes(identity, await loadCalendar());
    problems.push(...read.context.problems);
    return read;
  };
}

/** Notes how the times of phases are written, and where. */
function noteTimes(wish: Wish, phases: readonly Phase[]): Wish {
  if (phases.length === 0) return wish;
  const times = phases.flatMap(({ times, index }) =>
    times.map((node, nth) => [`phases/${index}/${nth}`, node] as const),
  );
  return {
    ...wish,
    places: { ...wish.places, ...Object.fromEntries(times.map(([path, { source }]) => [path, source])) },
    written: { ...wish.written, ...Object.fromEntries(times.map(([path, { value }]) => [path, value])) },
  };
}

function isPast(context: DecodeContext, now: number): boolean {
  const end = context.anchors.end ?? instantOrUndefined("+1d at 00:00", context);
  return typeof end === "number" && end <= now;
}

function isLongPast(phases: readonly Phase[], now: number): boolean {
  const last = Math.max(...phases.flatMap(({ from, until }) => [from, until ?? from]), Number.NEGATIVE_INFINITY);
  return last + afterLastPhase <= now;
}

function asPast(wish: Wish): Wish {
  const { series } = wish.own;
  return series === undefined ? wish : { ...wish, own: { ...wish.own, series: { ...series, isPast: true } } };
}

/** What distinguishes a date of a series from the others: its local day, and what the rule gives it where it was moved. */
function seriesPlace(
  key: string,
  { namedBy, bounds }: SeriesDate,
  [rule, title]: readonly [start: LocatedScalar | null, name: LocatedScalar | null],
  context: DecodeContext,
): SeriesPlace {
  const { start } = context.anchors;
  const day = typeof start === "number" ? formatLocalTime(start, context.zone ?? standardZone).slice(0, 10) : null;
  const ruled = rule === null ? undefined : instantOrUndefined(String(rule.value), context, "start");
  const isMoved = ruled !== undefined && ruled !== start;
  return {
    of: makeAddress(null, kind.plural, key),
    namedBy,
    bounds,
    ...(day === null ? {} : { day }),
    ...(isMoved ? { ruleStart: new Date(ruled).toISOString(), ruleName: String(title?.value ?? "") } : {}),
  };
}

/** Reads a time that the document does not contain: problems with it are reported elsewhere, or not at all. */
function instantOrUndefined(text: string, context: DecodeContext, anchor?: "start"): number | undefined {
  if (typeof context.anchors.start !== "number") return undefined;
  const node: LocatedScalar = { type: "scalar", value: text, source: { file: "", line: 1, column: 1 }, plain: true };
  const quiet = { ...context, problems: [] };
  const instant = decodeTime("dateTime", node, anchor === undefined ? {} : { anchor }, quiet);
  if (quiet.calendarMissing) context.calendarMissing = true;
  return instant;
}

function documentZone(map: LocatedMap, bad: ReadonlySet<Located>): string | null {
  const node = entryOf(map, "timezone");
  if (node === undefined) return standardZone;
  if (node.type === "scalar" && (node.value === null || node.value === "")) return standardZone;
  if (node.type !== "scalar" || bad.has(node) || node.reported) return null;
  const zone = String(node.value).trim();
  return isTimezone(zone) ? zone : null;
}

/** Empty if a variable in it is unknown: lists and calendars show no `${…}`. */
function eventName(map: LocatedMap, bad: ReadonlySet<Located>): string {
  const node = entryOf(map, kind.identity.label);
  return node?.type === "scalar" && node.reported ? "" : objectName(kind, map, { bad });
}

/** Normalized, because file systems and keyboards compose accents differently, and a key is compared, stored and typed. */
function documentKey(
  { file, index, several }: DocumentPosition,
  map: LocatedMap,
  bad: ReadonlySet<Located>,
  problems: Diagnostic[],
): string {
  const node = entryOf(map, "key");
  const base = keyOfFile(file);
  if (node?.type === "scalar" && !bad.has(node) && !node.reported) return String(node.value).normalize("NFC").trim();
  if (node !== undefined || !several) return base;
  const example = `${base}-${index + 1}`;
  const message = "This file contains several events, and this one has no `key`.";
  const hint = `Add a line such as \`key: ${example}\`, with a different key for each event.`;
  problems.push(errorAt("missing-field", map.source, message, hint));
  return example;
}
