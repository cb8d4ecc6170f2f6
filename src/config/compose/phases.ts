// What changes at a time. A phase is one more level of its document, from its time on.
import type { FieldPolicy, Kind } from "../../kinds/define.ts";
import { canonical, kindOf } from "../../kinds/index.ts";
import { type Diagnostic, errorAt, type Source, suggest } from "../../model/diagnostic.ts";
import { otherWayOf } from "../check/said-twice.ts";
import { entryOf, type Located, type LocatedMap, type LocatedScalar } from "../yaml/located.ts";
import { mergeOver, refuseFields } from "./merge.ts";

const kind = kindOf("event");
const ownFields = ["name", "from", "until"];
const refused = [...(kind.documentOnly ?? []), ...(kind.lasting ?? []), "extends", "phases"].filter(
  (field) => !ownFields.includes(field),
);
/** What accepts risks and silences rules changes nothing on the service. */
const settings = ["allow", "ignore"];

export interface Phase {
  readonly name: string | null;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number | null;
  /** What it lays over the document. */
  readonly overlay: LocatedMap;
  /** Its place in the document: at one instant, the later one wins. */
  readonly index: number;
}

/** How the texts of a phase are read. */
export interface PhaseTexts {
  /** The instant of a written time; undefined if there is a problem with it. */
  readonly timeOf: (field: string, node: LocatedScalar) => number | undefined;
  /** Its name, as the document with this phase over it fills it in. */
  readonly nameOf: (node: LocatedScalar, overlay: LocatedMap) => LocatedScalar;
}

export function readPhases(document: LocatedMap, texts: PhaseTexts, problems: Diagnostic[]): readonly Phase[] {
  const list = entryOf(document, "phases");
  if (list?.type !== "list") return [];
  return list.items.flatMap((item, index) => {
    const phase = item.type === "map" ? readPhase(item, index, texts, problems) : null;
    return phase === null ? [] : [phase];
  });
}

function readPhase(
  item: LocatedMap,
  index: number,
  { timeOf, nameOf }: PhaseTexts,
  problems: Diagnostic[],
): Phase | null {
  const [name, from, until] = ownFields.map((field) => entryOf(item, field));
  if (from === undefined) {
    problems.push(
      badPhase(item.source, "A phase needs a time from which it holds.", "Add a line such as `from: -2w`."),
    );
    return null;
  }
  const begins = from.type === "scalar" ? timeOf("from", from) : undefined;
  const ends = until?.type === "scalar" ? timeOf("until", until) : undefined;
  if (begins === undefined || (until !== undefined && ends === undefined)) return null;
  if (ends !== undefined && ends <= begins && until !== undefined) {
    const hint = "Set a later `until`, or an earlier `from`.";
    problems.push(badPhase(until.source, "The phase ends before it begins.", hint));
    return null;
  }
  const rest = { ...item, entries: new Map([...item.entries].filter(([field]) => !ownFields.includes(field))) };
  const overlay = refuseFields(rest, refused, "A phase", problems);
  const filled = name?.type === "scalar" && typeof name.value === "string" ? nameOf(name, overlay) : null;
  return {
    name: filled === null || filled.reported ? null : String(filled.value),
    from: begins,
    until: ends ?? null,
    overlay,
    index,
  };
}

/** A time at which the document may become another: a phase begins or ends. */
export interface Boundary {
  readonly at: number;
  readonly type: "phase" | "phase-end";
  readonly phase: Phase;
}

/** In order of time. */
export function boundariesOf(phases: readonly Phase[]): readonly Boundary[] {
  return phases
    .flatMap((phase): Boundary[] => [
      { at: phase.from, type: "phase", phase },
      ...(phase.until === null ? [] : [{ at: phase.until, type: "phase-end" as const, phase }]),
    ])
    .sort((one, other) => one.at - other.at);
}

/** The phases that hold at an instant, the one that wins last. */
export function phasesAt(phases: readonly Phase[], instant: number): readonly Phase[] {
  return phases
    .filter(({ from, until }) => from <= instant && (until === null || instant < until))
    .sort((one, other) => one.from - other.from || one.index - other.index);
}

/** The document with these phases over it, each over those before it. */
export function withPhases(document: LocatedMap, phases: readonly Phase[], problems: Diagnostic[]): LocatedMap {
  if (phases.length === 0) return document;
  const merged = phases.reduce(
    (below, { overlay }) => mergeOver(kind, below, withoutStrangers(below, overlay, problems), problems),
    document,
  );
  return { ...merged, source: document.source };
}

/**
 * The instant at which a phase gives the event a final status: from then on nothing changes any more. `statusAt` is asked with
 * null for the document without its phases: where that is final, no phase may be to come.
 */
export function closingOf(
  phases: readonly Phase[],
  statusAt: (instant: number | null) => string | null,
  now: number,
  problems: Diagnostic[],
): number {
  let before = statusAt(null);
  for (const { at, phase } of boundariesOf(phases)) {
    const status = statusAt(at);
    if (isFinal(before) && at > now) {
      const message = `The event is ${before} before this phase, and what is ${before} stays as it is.`;
      const hint = `Write \`status: ${before}\` into a phase of its own instead of the document, or remove this phase.`;
      problems.push(badPhase(phase.overlay.source, message, hint));
    } else if (isFinal(status) && !isFinal(before)) {
      const closing = phasesAt(phases, at).findLast(({ overlay }) => overlay.entries.has("status"));
      const field = closing?.until === null ? undefined : closing?.overlay.entries.get("status");
      const message = `\`status\` cannot fall back when the phase ends: what is ${status} stays as it is.`;
      if (field !== undefined) problems.push(badPhase(field.key, message, "Remove `until`."));
      return at;
    }
    before = status;
  }
  return Number.POSITIVE_INFINITY;
}

/** No step leads away from it. */
function isFinal(status: string | null): boolean {
  return kind.steps.some(({ to }) => to === status) && !kind.steps.some(({ from }) => from === status);
}

/** What a phase has set must have a value to fall back to when it ends. `before` and `after` are the document around its end. */
export function checkFallback(
  overlay: LocatedMap,
  before: LocatedMap,
  after: LocatedMap,
  problems: Diagnostic[],
): void {
  eachLost(kind, overlay, before, after, (what, source) => {
    const message = `${what} has no value to fall back to when the phase ends.`;
    problems.push(badPhase(source, message, "Give it a value in the document, or remove `until`."));
  });
}

/** Calls for each value of the overlay that is there before and not after. */
function eachLost(
  of: Kind | null,
  overlay: LocatedMap,
  before: LocatedMap,
  after: LocatedMap,
  found: (what: string, source: Source) => void,
): void {
  for (const [field, { key, value }] of overlay.entries) {
    const policy = of?.fields[field];
    if (of !== null && !isValue(field, policy)) continue;
    const other = of === null ? undefined : otherWayOf(of, field);
    const [then, now] = [entryOf(before, field), entryOf(after, field) ?? entryOf(after, other ?? field)];
    if (then === undefined) continue;
    if (policy?.role === "children" && value.type === "list") {
      const child = kindOf(policy.kind);
      for (const item of value.items) {
        const [own, left] = [entryNamed(child, then, item), entryNamed(child, now, item)];
        if (item.type !== "map" || own === undefined) continue;
        if (left === undefined) found(`The ${child.words.one} ${nameOf(child, item)}`, item.source);
        else eachLost(child, item, own, left, found);
      }
    } else if (now === undefined) found(`\`${field}\``, key);
    else if (value.type === "map" && then.type === "map" && now.type === "map") {
      eachLost(null, value, then, now, found);
    }
  }
}

/** Something on the service, which composing the document and accepting risks are not. */
function isValue(field: string, policy: FieldPolicy | undefined): boolean {
  return policy !== undefined && policy.role !== "compose" && !settings.includes(field);
}

function entryNamed(of: Kind, list: Located | undefined, item: Located): LocatedMap | undefined {
  const items = list?.type === "list" ? list.items : [];
  return items.find((other) => other.type === "map" && nameOf(of, other) === nameOf(of, item)) as
    | LocatedMap
    | undefined;
}

/** Without entries that name none below and are not complete in themselves: a slip in a name. */
function withoutStrangers(below: LocatedMap, overlay: LocatedMap, problems: Diagnostic[]): LocatedMap {
  const entries = new Map(overlay.entries);
  for (const [field, entry] of overlay.entries) {
    const policy = kind.fields[field];
    if (policy?.role !== "children" || entry.value.type !== "list") continue;
    const child = kindOf(policy.kind);
    const lower = entryOf(below, field);
    const known = new Set((lower?.type === "list" ? lower.items : []).map((item) => nameOf(child, item)));
    const items = entry.value.items.filter((item) => {
      if (item.type !== "map" || known.has(nameOf(child, item)) || isComplete(child, item)) return true;
      problems.push(stranger(child, item, [...known]));
      return false;
    });
    entries.set(field, { key: entry.key, value: { ...entry.value, items } });
  }
  return { ...overlay, entries };
}

function isComplete(of: Kind, item: LocatedMap): boolean {
  if (item.entries.has("remove") || item.entries.has("id")) return true;
  return Object.entries(of.fields).every(
    ([field, policy]) => policy.role !== "value" || policy.required !== true || item.entries.has(field),
  );
}

function stranger(of: Kind, item: LocatedMap, known: readonly string[]): Diagnostic {
  const name = nameOf(of, item);
  const near = suggest(name, known);
  const names = known.filter((one) => one !== "").join(", ");
  return errorAt(
    "bad-phase",
    item.source,
    `The document has no ${of.words.one} ${name === "" ? "without a name" : name}, and this one is not complete.`,
    near !== null
      ? `Did you mean ${near}?`
      : names === ""
        ? "Write all of its fields."
        : `It has ${names}; name one of them, or write all fields.`,
  );
}

function nameOf(of: Kind, item: Located): string {
  const label = entryOf(item, of.identity.label);
  return label?.type === "scalar" ? String(canonical("text", label.value) ?? "") : "";
}

function badPhase(source: Source, message: string, hint: string): Diagnostic {
  return errorAt("bad-phase", source, message, hint);
}

/** JSON pointers, into the document as it is then, of the values that a phase sets. */
export function fieldsOfPhase(overlay: LocatedMap, then: LocatedMap): readonly string[] {
  return [...overlay.entries].flatMap(([field, { value }]) => {
    const policy = kind.fields[field];
    if (policy === undefined || policy.role === "compose" || settings.includes(field)) return [];
    if (policy.role !== "children" || value.type !== "list") return [`/${field}`];
    const child = kindOf(policy.kind);
    const list = entryOf(then, field);
    return value.items.flatMap((item) => {
      const items = list?.type === "list" ? list.items : [];
      const at = items.findIndex((other) => nameOf(child, other) === nameOf(child, item));
      const place = `/${field}/${at === -1 ? "-" : at}`;
      const own = item.type === "map" ? [...item.entries.keys()].filter((each) => each !== child.identity.label) : [];
      return at === -1 || own.length === 0 ? [place] : own.map((each) => `${place}/${each}`);
    });
  });
}
