// Changes that take effect at a set time. A phase is one more level of its document, from its time on.
import type { Kind } from "../../kinds/define.ts";
import { kindOf } from "../../kinds/index.ts";
import { type Diagnostic, didYouMean, errorAt, placeKey, type Source } from "../../model/diagnostic.ts";
import { formatLocalMoment, formatLocalTime, standardZone } from "../../model/time.ts";
import { howToAdd } from "../check/explain-issue.ts";
import { findSecretsBelow } from "../check/find-secrets.ts";
import { explainUnknownKey } from "../check/unknown-key.ts";
import { entryOf, type Located, type LocatedMap, type LocatedScalar, someNode } from "../yaml/located.ts";
import { entryCall, entryName, matchEntries, mergeOver, namedByVariable, namesBelow, refuseFields } from "./merge.ts";
import { oddPhase, ownFields } from "./odd-phase.ts";

const kind = kindOf("event");
const refused = [...(kind.documentOnly ?? []), ...(kind.lasting ?? []), "extends", "phases"].filter(
  (field) => !ownFields.includes(field),
);
export interface Phase {
  readonly name: string | null;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number | null;
  readonly overlay: LocatedMap;
  /** `from` and `until` as they are written. */
  readonly times: readonly LocatedScalar[];
  /** Its place in the document: at one instant, the later one wins. */
  readonly index: number;
}

export interface PhaseTexts {
  /** The instant of a written time; undefined if there is a problem with it. */
  readonly timeOf: (field: string, node: LocatedScalar) => number | undefined;
  /** Its name, as the document with this phase over it fills it in. */
  readonly nameOf: (node: LocatedScalar, overlay: LocatedMap) => LocatedScalar;
  /** When the event is over, if it is known. */
  readonly over: number;
}

export function readPhases(document: LocatedMap, texts: PhaseTexts, problems: Diagnostic[]): readonly Phase[] {
  const list = entryOf(document, "phases");
  if (list?.type !== "list") return [];
  return list.items.flatMap((item, index) => {
    const phase = item.type === "map" ? readPhase(item, index, texts, problems) : null;
    return phase === null ? [] : [phase];
  });
}

function readPhase(item: LocatedMap, index: number, texts: PhaseTexts, problems: Diagnostic[]): Phase | null {
  const { timeOf, nameOf, over } = texts;
  const [name, from, until] = ownFields.map((field) => entryOf(item, field));
  const slips = slipsIn(item, problems);
  if (from === undefined) {
    const hint = howToAdd("from: -2w at 10:00", item);
    const isMisspelled = [...slips.values()].includes("from");
    if (!isMisspelled) problems.push(badPhase(item.source, "A phase needs a start time.", hint));
    return null;
  }
  const begins = from.type === "scalar" ? timeOf("from", from) : undefined;
  const ends = until?.type === "scalar" ? timeOf("until", until) : undefined;
  if (begins === undefined || (until !== undefined && ends === undefined)) return null;
  if (ends !== undefined && ends <= begins && until !== undefined) {
    const hint = "Set a later `until`, or an earlier `from`.";
    problems.push(badPhase(until.source, "The phase must end after it begins.", hint));
    return null;
  }
  const isLaidOver = (field: string) => !ownFields.includes(field) && !slips.has(field);
  const rest = { ...item, entries: new Map([...item.entries].filter(([field]) => isLaidOver(field))) };
  const overlay = refuseFields(rest, refused, "phase", problems);
  problems.push(...oddPhase(item, from, rest, begins > over));
  const filled = name?.type === "scalar" && typeof name.value === "string" ? nameOf(name, overlay) : null;
  return {
    name: filled === null || filled.reported ? null : String(filled.value),
    from: begins,
    until: ends ?? null,
    overlay,
    times: [from, until].flatMap((node) => (node?.type === "scalar" ? [node] : [])),
    index,
  };
}

/** What a phase cannot have, with what was meant: reported here, because the document below can have more. */
function slipsIn({ entries }: LocatedMap, problems: Diagnostic[]): ReadonlyMap<string, string | null> {
  const slips = new Map<string, string | null>();
  for (const [field, { key, value }] of entries) {
    if (field in kind.fields || ownFields.includes(field)) continue;
    // Secrets, and numbers that a comma splits, are reported in the document.
    if (/^\d/.test(field) || findSecretsBelow(field, value, [])) continue;
    const known = new Set(entries.keys());
    const { message, hint, meant } = explainUnknownKey(field, ["phases", 0], kind.schema, known, null);
    problems.push(errorAt("unknown-key", key, message, hint));
    slips.set(field, meant);
  }
  return slips;
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

export function phasesAt(phases: readonly Phase[], instant: number): readonly Phase[] {
  return phases.filter(({ from, until }) => from <= instant && (until === null || instant < until)).sort(byBeginning);
}

const byBeginning = (one: Phase, other: Phase) => one.from - other.from || one.index - other.index;

/** When a phase sets a final status: nothing changes after that. `statusAt(null)`: the document's status without phases. */
export function finalStatusAt(
  phases: readonly Phase[],
  statusAt: (instant: number | null) => string | null,
  { now, zone, written }: { readonly now: number; readonly zone: string; readonly written: LocatedMap },
  problems: Diagnostic[],
): number {
  let before = statusAt(null);
  for (const { at, phase } of boundariesOf(phases)) {
    const status = statusAt(at);
    // Only a time shows which phases came before it: without one, the same files would change meaning whenever a phase begins.
    if (isFinal(before) && (at > now || status !== before)) {
      const which = phase.name === null ? "a phase" : `the phase "${phase.name}"`;
      const why = at > now ? `${which} begins later` : `${which} sets it to ${status}`;
      const message = `\`status: ${before}\` does not say whether it applies before or after the phases: ${why}.`;
      const hint = `Replace it with a phase: \`{ from: ${formatLocalTime(now, zone).slice(0, 16)}, status: ${before} }\` under \`phases\`. Phases that begin after it have no effect.`;
      problems.push(badPhase(entryOf(written, "status")?.source ?? written.source, message, hint));
      return now;
    }
    if (isFinal(status) && !isFinal(before)) {
      const closing = phasesAt(phases, at).findLast(({ overlay }) => overlay.entries.has("status"));
      const field = closing?.until === null ? undefined : closing?.overlay.entries.get("status");
      const message = `\`status\` cannot change back when the phase ends: an event that is ${status} stays ${status}.`;
      if (field !== undefined) problems.push(badPhase(field.key, message, inAnotherPhase("status")));
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

/** Whose phases they are, for messages. */
interface Owner {
  readonly name: string;
  readonly file: string;
  /** Of a date of a series that has its own entry. */
  readonly day: string | null;
}

/** The document with these phases applied in order. */
export function withPhases(
  document: LocatedMap,
  owner: Owner,
  phases: readonly Phase[],
  problems: Diagnostic[],
): LocatedMap {
  if (phases.length === 0) return document;
  const merged = phases.reduce(
    (below, { overlay }) => mergeOver(kind, below, withoutUnmatchedEntries(below, owner, overlay, problems), problems),
    document,
  );
  // If a variable is missing, the message names the template that the document extends.
  const extending = [...document.entries].filter(([field]) => field === "extends");
  return { ...merged, entries: new Map([...extending, ...merged.entries]), source: document.source };
}

/** Drops entries that match none below and are incomplete: a misspelled name. */
function withoutUnmatchedEntries(below: LocatedMap, owner: Owner, overlay: LocatedMap, problems: Diagnostic[]) {
  const entries = new Map(overlay.entries);
  for (const [field, entry] of overlay.entries) {
    const policy = kind.fields[field];
    if (policy?.role !== "children" || entry.value.type !== "list") continue;
    const child = kindOf(policy.kind);
    const lower = entryOf(below, field);
    const all = entry.value.items;
    const meant = matchEntries(child, lower, all);
    const items = all.filter((item, index) => {
      if (item.type !== "map" || meant[index]?.length !== 0 || isCompleteItem(child, item)) return true;
      const call = entryCall(child, item);
      problems.push(
        call !== "" && all.slice(0, index).some((other) => entryCall(child, other) === call)
          ? errorAt("duplicate-name", item.source, `The phase lists "${call}" twice.`, "Write its fields in one entry.")
          : (nameWithVariable(child, item, lower) ??
              unmatchedEntry(owner, child, item, namesBelow(child, item, lower))),
      );
      return false;
    });
    // An empty list would remove all.
    if (items.length === 0 && all.length > 0) entries.delete(field);
    else entries.set(field, { key: entry.key, value: { ...entry.value, items } });
  }
  return { ...overlay, entries };
}

function isCompleteItem(of: Kind, item: LocatedMap): boolean {
  if (item.entries.has("remove") || item.entries.has("id")) return true;
  return Object.entries(of.fields).every(
    ([field, policy]) => policy.role !== "value" || policy.required !== true || item.entries.has(field),
  );
}

/** For an entry that repeats a name as it reads once variables are filled in. */
function nameWithVariable(of: Kind, item: LocatedMap, below: Located | undefined): Diagnostic | null {
  const { label } = of.identity;
  const name = entryName(of, item);
  const meant = namedByVariable(of, name, below);
  if (meant === undefined) return null;
  const { file, line } = meant.source;
  return badPhase(
    item.source,
    `No ${of.words.one} is written as "${name}" (names are matched before variables are filled in), and this entry lacks the fields needed to create one.`,
    `Write \`${label}: ${JSON.stringify(entryName(of, meant))}\`, as in ${file}:${line}.`,
  );
}

function unmatchedEntry(owner: Owner, of: Kind, item: LocatedMap, known: readonly string[]): Diagnostic {
  const name = entryName(of, item);
  const one = of.words.one;
  const use = `${known.length === 0 ? "" : `use one of: ${known.join(", ")}; or `}add the missing fields.`;
  const remove = `Remove this entry if the ${one} is gone. If not, ${use}`;
  // Every date has the phases of the file, and every event those of a template.
  const ofDate = `If only this date has no such ${one}, write \`without: [phases]\` for ${owner.day} under \`dates\`, and list the phases of that date there. If no date has it any longer, remove this entry. Otherwise, ${use}`;
  const ofFile = ` Or write \`without: [phases]\` in ${owner.file}, and list the phases of that event there.`;
  return errorAt(
    "bad-phase",
    item.source,
    name === ""
      ? `This entry has no \`${of.identity.label}\`, so it is not clear which ${one} it changes.`
      : `"${owner.name}" has no ${one} "${entryCall(of, item)}", and this entry lacks the fields needed to create it.`,
    didYouMean(
      name,
      known,
      owner.day !== null ? ofDate : item.source.file === owner.file ? remove : `${remove}${ofFile}`,
    ),
  );
}

/** Without `until`, nothing else that the phase sets would change back either. */
export function inAnotherPhase(field: string): string {
  return `Remove \`until\`, or set \`${field}\` in a separate phase without \`until\`.`;
}

export function badPhase(source: Source, message: string, hint: string): Diagnostic {
  return errorAt("bad-phase", source, message, hint);
}

/** A problem of a future phase is reported once, and only if it does not exist now. */
export function makeUnreported(known: readonly Diagnostic[]): (problem: Diagnostic) => boolean {
  const reported = new Set(known.flatMap(idsOf));
  return (problem) => {
    const ids = idsOf(problem);
    const isNew = !ids.some((id) => reported.has(id));
    for (const id of ids) reported.add(id);
    return isNew;
  };
}

/** A problem outside the phases that begin or end at its instant names one of them: as of now, nothing is wrong there. */
export function datedProblem(problem: Diagnostic, together: readonly Boundary[], zone: string | null): Diagnostic {
  const named = together.find(({ type }) => type === "phase") ?? together[0];
  if (named === undefined || together.some(({ phase }) => holdsPlace(phase, problem))) return problem;
  const { type, phase } = named;
  const from = formatLocalMoment(phase.from, zone ?? standardZone);
  const which = phase.name === null ? `that begins ${from}` : `"${phase.name}"`;
  return { ...problem, message: `${type === "phase" ? "In" : "After"} the phase ${which}: ${problem.message}` };
}

function holdsPlace({ overlay }: Phase, problem: Diagnostic): boolean {
  return someNode(overlay, ({ source }) => placeKey(source) === placeKey(problem.source));
}

/** The same problem at one place, or about one object whose name a phase repeats. */
function idsOf({ code, source, address, message }: Diagnostic): readonly string[] {
  return [`${code} ${placeKey(source)}`, ...(address === undefined ? [] : [`${code} ${address} ${message}`])];
}
