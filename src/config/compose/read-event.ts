// From a composed document to its wish: variables filled in, checked, decoded.
import { kindOf } from "../../kinds/index.ts";
import { makeAddress } from "../../model/address.ts";
import { type Diagnostic, errorAt, type Source } from "../../model/diagnostic.ts";
import { dayMs, formatLocalMoment, formatLocalTime, isTimezone, standardZone } from "../../model/time.ts";
import type { OwnWish, Upcoming, Wish } from "../../model/wish.ts";
import { type CheckResult, checkKind } from "../check/check.ts";
import { type Calendar, loadCalendar, loadedCalendar } from "../time/calendar.ts";
import { keyOfFile } from "../yaml/keys-by-lines.ts";
import { entryOf, type Located, type LocatedMap, type LocatedScalar, someNode } from "../yaml/located.ts";
import { type Composed, type ComposeInputs, fillDocument, fillScalar, type Occurrence } from "./compose-document.ts";
import { type DecodeContext, decode, type Environments, objectName } from "./decode.ts";
import { decodeTime } from "./decode-time.ts";
import { mergeOver } from "./merge.ts";
import { checkFallback, closingOf, fieldsOfPhase, notePhased } from "./phase-effects.ts";
import { type Boundary, boundariesOf, type Phase, phasesAt, readPhases, withPhases } from "./phases.ts";
import type { Allowance } from "./variables.ts";

const kind = kindOf("event");
export interface EventInputs extends ComposeInputs {
  readonly environments: Environments;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Lints an event as a phase to come will make it. */
  readonly lintLater?: ((wish: Wish) => readonly Diagnostic[]) | undefined;
}

export interface Position {
  readonly file: string;
  /** Of the document in the file. */
  readonly index: number;
  readonly several: boolean;
}

export interface ReadEvent {
  /** As it is now. */
  readonly wish: Wish;
  /** The document with its variables filled in. */
  readonly map: LocatedMap;
  /** A date of a series that is over and no longer managed. */
  readonly isOver: boolean;
  readonly upcoming: readonly Upcoming[];
  /** What lint finds in it at times to come. */
  readonly later: readonly Diagnostic[];
  /** Whether it has phases, be they past. */
  readonly changesWithTime: boolean;
}

interface Checked extends CheckResult {
  readonly map: LocatedMap;
  readonly problems: readonly Diagnostic[];
}

/** With phases over it; variables are not filled in yet. */
interface Merged {
  readonly map: LocatedMap;
  readonly problems: readonly Diagnostic[];
}

interface Decoded {
  readonly wish: Wish;
  readonly map: LocatedMap;
  readonly context: DecodeContext;
}

/** A date stays managed for so long after its last phase. */
const afterLastPhase = 7 * dayMs;

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
  const overlaid = new Map<LocatedMap, Map<string, Merged>>();

  function check(written: LocatedMap): Checked {
    const known = checked.get(written);
    if (known !== undefined) return known;
    const found: Diagnostic[] = [];
    const map = fillDocument(written, inputs, found, allowance);
    const one = { map, ...checkKind(kind, map, found), problems: found };
    checked.set(written, one);
    return one;
  }

  function overlay(written: LocatedMap, phases: readonly Phase[]): Merged {
    const known = overlaid.get(written) ?? new Map<string, Merged>();
    overlaid.set(written, known);
    const which = phases.map(({ index }) => index).join(",");
    const found: Diagnostic[] = [];
    const { map, bad } = check(written);
    const name = objectName(kind, map, { bad }) || keyOfFile(position.file);
    const merged = known.get(which) ?? { map: withPhases(written, name, phases, found), problems: found };
    known.set(which, merged);
    return merged;
  }

  return async ({ map: written, date }, countOf) => {
    const { map: filled, bad } = check(written);
    const base = keyOf(position, filled, bad, problems);
    const key = date === null ? base : `${base}@${date.day}`;
    const address = makeAddress(null, kind.plural, key, countOf(key));
    const hasPhases = entryOf(written, "phases") !== undefined;

    /** The start that the document gives every date, with the variables of this one. */
    function ruledStart(): LocatedScalar | null {
      const node = entryOf(composed.map, "dateTime");
      return node?.type === "scalar" ? fillScalar(node, written, inputs, [], allowance) : null;
    }

    function decodeMap(one: LocatedMap, calendar: Calendar | null): Decoded {
      const { map, bad, meant, problems: found } = check(one);
      const zone = zoneOf(map, bad);
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
      const name = objectName(kind, map, { bad }) || key;
      const wish = decode(kind, map, { address, parent: null, name }, context);
      const series = date === null ? {} : { series: seriesOf(base, ruledStart(), context) };
      const own: OwnWish = { ...wish.own, ...series, key, timezone: zone ?? standardZone };
      return { wish: { ...wish, own }, map, context };
    }

    function statusOf(map: LocatedMap): string | null {
      const node = entryOf(map, "status");
      const status = node?.type === "scalar" ? fillScalar(node, map, inputs, [], allowance).value : null;
      return typeof status === "string" ? status : null;
    }

    /** As it is now, and as it will be at each time to come at which a phase begins or ends. */
    function attempt(calendar: Calendar | null) {
      const plain = decodeMap(written, calendar);
      if (!hasPhases) return { ...plain, upcoming: [], later: [], isOver: isOver(plain.context, []) };
      const found: Diagnostic[] = [];
      const context = { ...plain.context, problems: found };
      const fill = (node: LocatedScalar, map: LocatedMap) => fillScalar(node, map, inputs, found, allowance);
      const phases = readPhases(
        written,
        {
          timeOf: (field, node) => decodeTime(field, fill(node, written), {}, context),
          nameOf: (node, above) => fill(node, mergeOver(kind, written, above, [])),
        },
        found,
      );
      const mergedAt = (instant: number | null) => overlay(written, instant === null ? [] : phasesAt(phases, instant));
      const closing = closingOf(phases, (instant) => statusOf(mergedAt(instant).map), inputs.now, found);
      const at = (instant: number): Decoded & Pick<Merged, "problems"> => {
        const merged = mergedAt(Math.min(instant, closing));
        const decoded = merged.map === written ? plain : decodeMap(merged.map, calendar);
        if (decoded.context.calendarMissing) context.calendarMissing = true;
        return { ...decoded, problems: [...merged.problems, ...decoded.context.problems] };
      };
      const current = at(inputs.now);
      for (const problem of current.problems) found.push(problem);
      const wish = current.wish === plain.wish ? plain.wish : notePhased(current.wish, plain.wish);
      const later: Diagnostic[] = [];
      const lint = (one: Wish) => inputs.lintLater?.(one) ?? [];
      const seen = new Set([...found, ...lint(wish)].flatMap(idsOf));
      /** What a phase to come brings up is told once, however many phases follow, and only if it is not so now. */
      const add = (problems: readonly Diagnostic[], boundary: Boundary, to: Diagnostic[]) => {
        for (const problem of problems) {
          const ids = idsOf(problem);
          if (!ids.some((id) => seen.has(id))) to.push(sayWhen(problem, boundary, context.zone));
          for (const id of ids) seen.add(id);
        }
      };
      const upcoming = boundariesOf(phases)
        .filter((boundary) => boundary.at > inputs.now && boundary.at <= closing)
        .map((boundary) => {
          const { overlay } = boundary.phase;
          const [before, after] = [mergedAt(boundary.at - 1).map, mergedAt(boundary.at).map];
          if (boundary.type === "phase-end") checkFallback(overlay, before, after, found);
          const then = at(boundary.at);
          add(then.problems, boundary, found);
          add(lint(notePhased(then.wish, plain.wish)), boundary, later);
          return upcomingAt(boundary, then, fieldsOfPhase(overlay, check(before).map, then.map));
        });
      return { ...current, wish, upcoming, later, isOver: isOver(context, phases), context };
    }

    /** A date that has ended, where the series does not keep it. */
    function isOver(context: DecodeContext, phases: readonly Phase[]): boolean {
      if (date === null || composed.keepsEnded) return false;
      const end = context.anchors.end ?? quietly("+1d at 00:00", context);
      const last = Math.max(...phases.flatMap(({ from, until }) => [from, until ?? from]), Number.NEGATIVE_INFINITY);
      return typeof end === "number" && end <= inputs.now && last + afterLastPhase <= inputs.now;
    }

    let read = attempt(loadedCalendar());
    if (read.context.calendarMissing) read = attempt(await loadCalendar());
    problems.push(...read.context.problems);
    return { ...read, changesWithTime: hasPhases };
  };
}

/** A problem that a phase causes elsewhere in the document names the phase: as the document is now, nothing is wrong there. */
function sayWhen(problem: Diagnostic, { type, phase }: Boundary, zone: string | null): Diagnostic {
  const isHere = ({ source }: Located) => placeOf(source) === placeOf(problem.source);
  if (someNode(phase.overlay, isHere)) return problem;
  const from = formatLocalMoment(phase.from, zone ?? standardZone);
  const which = phase.name === null ? `the phase of ${from}` : `phase ${phase.name}`;
  return { ...problem, message: `${type === "phase" ? "In" : "After"} ${which}: ${problem.message}` };
}

/** The same at one place, or the same said of one object, whose name a phase writes once more. */
function idsOf({ code, source, address, message }: Diagnostic): readonly string[] {
  const place = `${code} ${placeOf(source)}`;
  return address === undefined ? [place] : [place, `${code} ${address} ${message}`];
}

function placeOf(source: Source | undefined): string {
  return `${source?.file}:${source?.line}:${source?.column}`;
}

function upcomingAt({ at, type, phase }: Boundary, { wish }: Decoded, fields: readonly string[]): Upcoming {
  const { timezone } = wish.own;
  const setsStatus = entryOf(phase.overlay, "status") !== undefined && wish.own.status !== undefined;
  return {
    at: new Date(at).toISOString(),
    address: wish.address,
    type,
    phase: phase.name,
    fields,
    context: {
      name: wish.name,
      ...(timezone === undefined ? {} : { timezone }),
      ...(setsStatus ? { status: wish.own.status as string } : {}),
    },
  };
}

/** What distinguishes a date of a series from the others: its local day, and the start that the rule gives it where it was moved. */
function seriesOf(key: string, rule: LocatedScalar | null, context: DecodeContext): NonNullable<OwnWish["series"]> {
  const { start } = context.anchors;
  const day = typeof start === "number" ? formatLocalTime(start, context.zone ?? standardZone).slice(0, 10) : null;
  const ruled = rule === null ? undefined : quietly(String(rule.value), context, "start");
  return {
    of: makeAddress(null, kind.plural, key),
    ...(day === null ? {} : { day }),
    ...(ruled === undefined || ruled === start ? {} : { ruleStart: new Date(ruled).toISOString() }),
  };
}

/** Reads a time that this document does not hold: a problem with it is reported elsewhere, or not at all. */
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
  const base = keyOfFile(file);
  if (node?.type === "scalar" && !bad.has(node) && !node.reported) return String(node.value).normalize("NFC").trim();
  if (node !== undefined || !several) return base;
  const example = `${base}-${index + 1}`;
  const message = "This file holds several events, and this one has no `key`.";
  const hint = `Add a line such as \`key: ${example}\`, with a different key for each event.`;
  problems.push(errorAt("missing-key", map.source, message, hint));
  return example;
}
