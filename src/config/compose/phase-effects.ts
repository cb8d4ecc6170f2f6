// A document with phases, now and at each future boundary: what remains when one ends, and which values one changes.
import type { FieldPolicy, Kind } from "../../kinds/define.ts";
import { childKinds, fieldEntries, kindOf } from "../../kinds/index.ts";
import type { Diagnostic, Source } from "../../model/diagnostic.ts";
import { dayMs, standardZone } from "../../model/time.ts";
import { yamlWord } from "../../model/value.ts";
import {
  type ComingPhase,
  childOf,
  dayIn,
  mapChildren,
  ownRisks,
  type PhaseEnd,
  type Wish,
  withTimeless,
} from "../../model/wish.ts";
import { otherWayOf } from "../check/check.ts";
import {
  differIn,
  entryOf,
  type Located,
  type LocatedMap,
  type LocatedScalar,
  mapScalars,
  plainValue,
  type ScalarValue,
  someNode,
} from "../yaml/located.ts";
import type { DecodeContext } from "./decode.ts";
import { decodeTime } from "./decode-time.ts";
import { entryCall, entryName, matchEntries, mergeOver } from "./merge.ts";
import {
  type Boundary,
  badPhase,
  boundariesOf,
  datedProblem,
  finalStatusAt,
  inAnotherPhase,
  makeUnreported,
  type Phase,
  phasesAt,
  readPhases,
} from "./phases.ts";

const kind = kindOf("event");
/** Accepting risks and silencing rules change nothing on the service. */
const settings = ["allow", "ignore"];

/** Milliseconds since the epoch, and what is asked of times to come. */
export interface TimeInputs {
  readonly now: number;
  /** Later times are not read; left out: all are. */
  readonly through?: number | undefined;
  /** Reports no problems of times to come: a base may have mistakes in its future. */
  readonly quiet?: boolean;
  /** Lints an event as a phase to come will make it. */
  readonly lintLater?: ((wish: Wish) => readonly Diagnostic[]) | undefined;
}

/** A document with phases over it; variables are not filled in yet. */
export interface Merged {
  readonly map: LocatedMap;
  readonly problems: readonly Diagnostic[];
}

/** A document as it is at one time. */
interface Decoded {
  readonly wish: Wish;
  /** With its variables filled in. */
  readonly map: LocatedMap;
  readonly context: DecodeContext;
}

interface PhasedDocument {
  readonly written: LocatedMap;
  readonly inputs: TimeInputs;
  fill(node: LocatedScalar, map: LocatedMap, problems?: Diagnostic[]): LocatedScalar;
  filled(map: LocatedMap): LocatedMap;
  overlay(phases: readonly Phase[]): Merged;
  decode(map: LocatedMap): Decoded;
}

export interface ReadThroughTime extends Decoded {
  readonly phases: readonly Phase[];
  readonly upcoming: readonly ComingPhase[];
  /** What lint finds in it at times to come. */
  readonly later: readonly Diagnostic[];
}

/** As it is now, and as it will be at each time to come at which a phase begins or ends. `plain`: without its phases. */
export function readThroughTime(plain: Decoded, document: PhasedDocument): ReadThroughTime {
  const { written, inputs, fill } = document;
  const { now, lintLater } = inputs;
  const found: Diagnostic[] = [];
  const context = { ...plain.context, problems: found };
  const phases = readPhases(
    written,
    {
      timeOf: (field, node) => decodeTime(field, fill(node, written, found), {}, context),
      over: context.anchors.end ?? (context.anchors.start ?? Number.NaN) + dayMs,
      nameOf: (node, above) => fill(node, mergeOver(kind, written, above, []), found),
    },
    found,
  );
  const mergedAt = (instant: number | null) => document.overlay(instant === null ? [] : phasesAt(phases, instant));
  const meaning = ({ from, until, overlay }: Phase) =>
    JSON.stringify([from, until, plainValue(mapScalars(overlay, (node) => fill(node, written)))]);
  const statusAt = (instant: number | null) => {
    const { map } = mergedAt(instant);
    const node = entryOf(map, "status");
    const status = node?.type === "scalar" ? fill(node, map).value : null;
    return typeof status === "string" ? status : null;
  };
  const closing = finalStatusAt(phases, statusAt, { now, zone: context.zone ?? standardZone, written }, found);
  const readAt = (instant: number) => {
    const merged = mergedAt(Math.min(instant, closing));
    const decoded = merged.map === written ? plain : document.decode(merged.map);
    if (decoded.context.calendarMissing) context.calendarMissing = true;
    return { ...decoded, problems: [...merged.problems, ...decoded.context.problems] };
  };
  const current = readAt(now);
  for (const problem of current.problems) found.push(problem);
  const phased = current.wish === plain.wish ? plain.wish : notePhased(current.wish, plain.wish);
  const ended = phases.filter(({ until }) => until !== null && until <= Math.min(now, closing));
  const settled = ended.reduce((one, phase) => noteEnd(one, phase, phases, document), phased);
  const wish = withTimeless(settled, plain.wish, phases.map(meaning));
  const later: Diagnostic[] = [];
  const lint = (one: Wish) => lintLater?.(one) ?? [];
  const isToCome = ({ at }: Boundary) => at > now && at <= Math.min(closing, inputs.through ?? closing);
  const boundaries = boundariesOf(phases).filter(isToCome);
  const isNew = boundaries.length === 0 ? () => true : makeUnreported([...found, ...lint(wish)]);
  let [earlier, latest, instant] = [current.wish, current.wish, now];
  const upcoming = boundaries.map((boundary) => {
    const { overlay } = boundary.phase;
    const [before, after] = [mergedAt(boundary.at - 1).map, mergedAt(boundary.at).map];
    if (boundary.type === "phase-end" && inputs.quiet !== true) {
      const others = phasesAt(phases, boundary.at - 1).filter((phase) => phase !== boundary.phase);
      const lost = lostValues(overlay, before, after);
      // An entry that is gone because another phase begins then is not lost with this phase.
      const alone = lost.length === 0 ? [] : lostValues(overlay, before, document.overlay(others).map);
      found.push(...lost.filter(({ source }) => alone.some((one) => one.source === source)));
    }
    const then = readAt(boundary.at);
    const together = boundaries.filter(({ at }) => at === boundary.at);
    const say = (problem: Diagnostic) => datedProblem(besideRemoval(problem, overlay), together, context.zone);
    if (inputs.quiet !== true) found.push(...then.problems.filter(isNew).map(say));
    later.push(...lint(notePhased(then.wish, plain.wish)).filter(isNew).map(say));
    // All that begins or ends at one instant happens at once.
    if (boundary.at !== instant) [earlier, instant] = [latest, boundary.at];
    latest = then.wish;
    if (inputs.quiet !== true) found.push(...goingBack(earlier, latest, plain.wish).filter(isNew));
    return upcomingAt(boundary, [earlier, latest], fieldsOfPhase(overlay, document.filled(before), then.map));
  });
  return { wish, map: current.map, context, phases, upcoming, later };
}

/** An entry that the phase does not mention names an object that the phase removes: the phase has to be corrected. */
function besideRemoval(problem: Diagnostic, overlay: LocatedMap): Diagnostic {
  const naming = references.find(({ to }) => problem.code === `unknown-${to}`);
  if (naming === undefined || someNode(overlay, ({ source }) => source === problem.source)) return problem;
  const hint = `The phase removes this ${kindOf(naming.to).words.one}. In that phase, also list this entry under \`${naming.plural}\`, with another \`${naming.field}\` or \`remove: true\`.`;
  return { ...problem, hint };
}

const references = childKinds(kind.name).flatMap((child) =>
  fieldEntries(child).flatMap(([field, policy]) =>
    policy.role === "reference" ? [{ plural: child.plural, field, to: policy.to }] : [],
  ),
);

function upcomingAt(
  { at, type, phase }: Boundary,
  around: ComingPhase["around"],
  fields: readonly string[],
): ComingPhase {
  const [, wish] = around;
  const { timezone } = wish.own;
  const setsStatus = fields.includes("/status") && wish.own.status !== undefined;
  return {
    at: new Date(at).toISOString(),
    address: wish.address,
    type,
    phase: phase.name,
    fields,
    around,
    context: {
      name: wish.name,
      ...(timezone === undefined ? {} : { timezone }),
      ...(setsStatus ? { status: wish.own.status as string } : {}),
    },
  };
}

/** Marks the fields that phases set: those whose place differs from the document without phases. */
function notePhased(wish: Wish, plain: Wish | undefined): Wish {
  const phased = Object.keys(wish.places).filter((field) => wish.places[field] !== plain?.places[field]);
  const children = mapChildren(wish, (child) => notePhased(child, childOf(plain, child)));
  return { ...wish, own: { ...wish.own, phased }, children };
}

/** Marks what a phase changed back when it ended, and which risks it accepts. */
function noteEnd(wish: Wish, ended: Phase, phases: readonly Phase[], document: PhasedDocument): Wish {
  const active = phasesAt(phases, (ended.until ?? 0) - 1);
  const wishOf = (some: readonly Phase[]) => document.decode(document.overlay(some).map).wish;
  const [during, after] = [wishOf(active), wishOf(active.filter((phase) => phase !== ended))];
  const today = dayIn(during.own.timezone ?? standardZone, document.inputs.now);
  const allow = ownRisks(during, today).filter((risk) => !ownRisks(after, today).includes(risk));
  const isChange = ({ before, after }: PhaseEnd) => JSON.stringify(before) !== JSON.stringify(after);
  const valuesOf = (one: Wish | undefined): Wish["fields"] => ({ ...one?.fields, status: one?.own.status ?? null });
  const note = (one: Wish, then: Wish | undefined, later: Wish | undefined): Wish => {
    const [before, back] = [valuesOf(then), valuesOf(later)];
    const ends = Object.entries(back).map(([field, after]) => ({ field, before: before[field], after, allow }));
    const children = mapChildren(one, (child) => note(child, childOf(then, child), childOf(later, child)));
    return { ...one, own: { ...one.own, ended: [...(one.own.ended ?? []), ...ends.filter(isChange)] }, children };
  };
  return note(wish, during, after);
}

/** What has no value once the phase ends and the document is as in `after`. */
function lostValues(overlay: LocatedMap, before: LocatedMap, after: LocatedMap): readonly Diagnostic[] {
  const lost: Diagnostic[] = [];
  reportLostValues(kind, overlay, before, after, (...it) => lost.push(badPhase(...it)));
  return lost;
}

type ReportLost = (source: Source, message: string, hint: string) => void;

/** Reports each value that exists only during the phase: what a phase sets needs a value to fall back to. */
function reportLostValues(
  of: Kind | null,
  overlay: LocatedMap,
  before: LocatedMap,
  after: LocatedMap,
  report: ReportLost,
): void {
  for (const [field, { key, value }] of overlay.entries) {
    const policy = of?.fields[field];
    if (of !== null && !isOnService(field, policy)) continue;
    const other = of === null ? undefined : otherWayOf(of, field);
    const [then, now] = [entryOf(before, field), entryOf(after, field) ?? entryOf(after, other ?? field)];
    if (then === undefined) continue;
    if (policy?.role === "children" && value.type === "list") {
      reportLostEntries(kindOf(policy.kind), value.items, [then, now], report);
    } else if (now === undefined) {
      const [message, hint] = isOneWay(policy)
        ? [`No API call can undo \`${field}\`, so a phase that sets it cannot end.`, inAnotherPhase(field)]
        : [
            `\`${field}\` has no value to return to when the phase ends.`,
            "Give it one in the event, or remove `until`.",
          ];
      report(key, message, hint);
    } else if (value.type === "map" && then.type === "map" && now.type === "map") {
      reportLostValues(null, value, then, now, report);
    }
  }
}

function isOneWay(policy: FieldPolicy | undefined): boolean {
  return policy?.role === "value" && (policy.change === "sold-out" || policy.change === "publish");
}

/** Values that go back at a boundary although the service cannot undo them. */
function goingBack(before: Wish, after: Wish, plain: Wish): readonly Diagnostic[] {
  return Object.values(after.children).flatMap((list) =>
    list.flatMap((child) => {
      const earlier = childOf(before, child)?.fields;
      return fieldEntries(kindOf(child.kind)).flatMap(([field, policy]): Diagnostic[] => {
        if (!isOneWay(policy) || earlier?.[field] !== true || child.fields[field] !== false) return [];
        const message = `\`${field}\` of "${child.name}" would become false again, but no API call can do that.`;
        const ends = childOf(plain, child)?.places[field] === child.places[field];
        const fix = ends
          ? "Remove `until` from the phase that sets it, or set it in a separate phase without `until`"
          : "Remove it from this phase";
        const hint = `${fix}${field === "soldOut" ? "; to sell more tickets, add another ticket type" : ""}.`;
        const problem = badPhase(child.places[field] ?? child.source, message, hint);
        return [{ ...problem, severity: "warning", address: child.address }];
      });
    }),
  );
}

/** The same for the entries of a list that a phase changes; `around` is the list before and after the phase ends. */
function reportLostEntries(
  of: Kind,
  items: readonly Located[],
  around: readonly (Located | undefined)[],
  report: ReportLost,
): void {
  const [owned = [], kept = []] = around.map((list) => entriesMeant(of, list, items));
  for (const [index, item] of items.entries()) {
    const [own, left] = [owned[index], kept[index]];
    if (item.type !== "map" || own === undefined) continue;
    const message = `The ${of.words.one} "${entryCall(of, item)}" exists only in this phase, which ends.`;
    if (left === undefined) report(item.source, message, howToEnd(of, item));
    else reportLostValues(of, item, own, left, report);
  }
}

/** What a phase adds stays until another phase takes it away, or ends its sale. */
function howToEnd(of: Kind, item: LocatedMap): string {
  const { identity, plural, words } = of;
  const [ending = "remove"] =
    fieldEntries(of).find(([, policy]) => policy.role === "value" && policy.change === "sold-out") ?? [];
  const entry = `${plural}: [{ ${identity.label}: ${yamlWord(entryName(of, item))}, ${ending}: true }]`;
  return `Remove \`until\`, and add a phase that begins at that time, with \`${entry}\`. If the ${words.one} should also exist outside the phase, add it to the event instead.`;
}

/** Whether the field is sent to the service; composition, accepted risks and ignored rules are not. */
function isOnService(field: string, policy: FieldPolicy | undefined): boolean {
  return policy !== undefined && policy.role !== "compose" && !settings.includes(field);
}

function entriesMeant(of: Kind, list: Located | undefined, items: readonly Located[]) {
  const one = ([at, ...others]: readonly number[]) =>
    list?.type === "list" && at !== undefined && others.length === 0 ? (list.items[at] as LocatedMap) : undefined;
  return matchEntries(of, list, items).map(one);
}

/**
 * JSON pointers, into the document as it is then, of the values that a phase sets to others, and of those that its vars change.
 * `before` and `then` are the document around the boundary, with its variables filled in.
 */
function fieldsOfPhase(overlay: LocatedMap, before: LocatedMap, then: LocatedMap): readonly string[] {
  const set = pointersOf(overlay, before, then);
  if (!overlay.entries.has("vars")) return set;
  const [earlier, later] = [filledIn(kind, before), filledIn(kind, then)];
  const changed = [...later].filter(([name, { value }]) => earlier.get(name)?.value !== value);
  return [...new Set([...set, ...changed.map(([, { pointer }]) => pointer)])];
}

function pointersOf(overlay: LocatedMap, before: LocatedMap, then: LocatedMap): readonly string[] {
  return [...overlay.entries].flatMap(([field, { value }]) => {
    const policy = kind.fields[field];
    if (!isOnService(field, policy) || !differIn(field, before, then)) return [];
    if (policy?.role !== "children" || value.type !== "list" || value.items.length === 0) return [`/${field}`];
    const child = kindOf(policy.kind);
    const meant = matchEntries(child, entryOf(then, field), value.items);
    const [earlier, later] = [before, then].map((map) => entriesMeant(child, entryOf(map, field), value.items));
    return value.items.flatMap((item, index) => {
      const [at] = meant[index] ?? [];
      const place = `/${field}/${at ?? "-"}`;
      const own = item.type === "map" ? [...item.entries.keys()].filter((each) => each !== child.identity.label) : [];
      if (at === undefined || own.length === 0) return [place];
      // What only says which entry is meant stays as it is.
      return own.filter((each) => differIn(each, earlier?.[index], later?.[index])).map((each) => `${place}/${each}`);
    });
  });
}

/** The values that hold variables, by a path with names in the place of indexes: entries may move. */
function filledIn(of: Kind, map: LocatedMap): ReadonlyMap<string, { pointer: string; value: ScalarValue }> {
  const found = new Map<string, { pointer: string; value: ScalarValue }>();
  function walk(node: Located, name: string, pointer: string, child: Kind | null): void {
    if (node.type === "scalar" && node.filledFrom !== undefined) found.set(name, { pointer, value: node.value });
    if (node.type === "map") {
      for (const [field, { value }] of node.entries) {
        const policy = pointer === "" ? of.fields[field] : undefined;
        const inner = policy?.role === "children" ? kindOf(policy.kind) : null;
        walk(value, `${name}/${field}`, `${pointer}/${field}`, inner);
      }
    }
    if (node.type !== "list") return;
    for (const [index, item] of node.items.entries()) {
      const own = child === null ? index : JSON.stringify(entryName(child, item));
      walk(item, `${name}/${own}`, `${pointer}/${index}`, null);
    }
  }
  walk(map, "", "", null);
  return found;
}
