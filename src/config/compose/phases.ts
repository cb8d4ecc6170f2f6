// What changes at a time. A phase is one more level of its document, from its time on.
import type { Kind } from "../../kinds/define.ts";
import { canonical, kindOf } from "../../kinds/index.ts";
import { type Diagnostic, errorAt, suggest } from "../../model/diagnostic.ts";
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

/** `timeOf` gives the instant of a written time; undefined if there is a problem with it. */
export function readPhases(
  document: LocatedMap,
  timeOf: (field: string, node: LocatedScalar) => number | undefined,
  problems: Diagnostic[],
): readonly Phase[] {
  const list = entryOf(document, "phases");
  if (list?.type !== "list") return [];
  return list.items.flatMap((item, index) => {
    const phase = item.type === "map" ? readPhase(item, index, timeOf, problems) : null;
    if (phase === null) return [];
    if (phase.until !== null) checkFallback(document, phase.overlay, problems);
    return [{ ...phase, overlay: withoutStrangers(document, phase.overlay, problems) }];
  });
}

function readPhase(
  item: LocatedMap,
  index: number,
  timeOf: (field: string, node: LocatedScalar) => number | undefined,
  problems: Diagnostic[],
): Phase | null {
  const [name, from, until] = ownFields.map((field) => entryOf(item, field));
  if (from === undefined) {
    problems.push(badPhase(item, "A phase needs a time from which it holds.", "Add a line such as `from: -2w`."));
    return null;
  }
  const begins = from.type === "scalar" ? timeOf("from", from) : undefined;
  const ends = until?.type === "scalar" ? timeOf("until", until) : undefined;
  if (begins === undefined || (until !== undefined && ends === undefined)) return null;
  if (ends !== undefined && ends <= begins && until !== undefined) {
    problems.push(badPhase(until, "The phase ends before it begins.", "Set a later `until`, or an earlier `from`."));
    return null;
  }
  const rest = { ...item, entries: new Map([...item.entries].filter(([field]) => !ownFields.includes(field))) };
  return {
    name: name?.type === "scalar" && typeof name.value === "string" ? name.value : null,
    from: begins,
    until: ends ?? null,
    overlay: refuseFields(rest, refused, "A phase", problems),
    index,
  };
}

/** What a phase with an end sets must have a value to fall back to. */
function checkFallback(document: LocatedMap, overlay: LocatedMap, problems: Diagnostic[]): void {
  eachValue(kind, document, overlay, (field, below, { key }) => {
    if (below) return;
    const message = `\`${field}\` has no value to fall back to when the phase ends.`;
    problems.push(errorAt("bad-phase", key, message, "Give it a value in the document, or remove `until`."));
  });
}

/** Calls for each value of the overlay, with whether the document has one there. A whole new entry falls back to a list without it. */
function eachValue(
  of: Kind,
  below: LocatedMap,
  overlay: LocatedMap,
  found: (field: string, below: boolean, entry: { readonly key: LocatedMap["source"] }) => void,
): void {
  for (const [field, entry] of overlay.entries) {
    const policy = of.fields[field];
    if (policy === undefined || policy.role === "compose" || settings.includes(field)) continue;
    const lower = entryOf(below, field);
    if (policy.role !== "children" || entry.value.type !== "list" || lower?.type !== "list") {
      found(field, lower !== undefined, entry);
      continue;
    }
    const child = kindOf(policy.kind);
    for (const item of entry.value.items) {
      const same = lower.items.find((other) => other.type === "map" && nameOf(child, other) === nameOf(child, item));
      if (item.type === "map" && same?.type === "map") eachValue(child, same, item, found);
    }
  }
}

/** Without entries that name none below and are not complete in themselves: a slip in a name. */
function withoutStrangers(document: LocatedMap, overlay: LocatedMap, problems: Diagnostic[]): LocatedMap {
  const entries = new Map(overlay.entries);
  for (const [field, entry] of overlay.entries) {
    const policy = kind.fields[field];
    if (policy?.role !== "children" || entry.value.type !== "list") continue;
    const child = kindOf(policy.kind);
    const lower = entryOf(document, field);
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

function badPhase({ source }: Located, message: string, hint: string): Diagnostic {
  return errorAt("bad-phase", source, message, hint);
}

/** The phases that hold at an instant, the one that wins last. */
export function phasesAt(phases: readonly Phase[], instant: number): readonly Phase[] {
  return phases
    .filter(({ from, until }) => from <= instant && (until === null || instant < until))
    .sort((one, other) => one.from - other.from || one.index - other.index);
}

export function withPhases(document: LocatedMap, phases: readonly Phase[], problems: Diagnostic[]): LocatedMap {
  if (phases.length === 0) return document;
  const merged = phases.reduce((below, { overlay }) => mergeOver(kind, below, overlay, problems), document);
  return { ...merged, source: document.source };
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
