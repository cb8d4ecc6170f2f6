// The text of one event's file: a new one, or the existing file updated to what is live.
import {
  type Corrections,
  type DescribedEvent,
  describeEvent,
  type EventObservation,
  noCorrection,
} from "../../import/describe.ts";
import {
  type DocumentEdit,
  editEvent,
  overriding,
  renderEvent,
  renderOverride,
  withDateEntry,
} from "../../import/text.ts";
import { childKinds, kindOf } from "../../kinds/index.ts";
import { makeAddress } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { formatLocalTime, standardZone } from "../../model/time.ts";
import { maskUrls } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import type { Comparison } from "../../plan/compare.ts";
import { editsFor } from "./event-edits.ts";
import {
  correct,
  type ExistingText,
  errorSince,
  fieldSetByPhase,
  isInherited,
  readExistingText,
} from "./existing-text.ts";
import type { ImportContext } from "./imported.ts";

export interface ComposedEvent {
  readonly text: string;
  readonly described: DescribedEvent;
  readonly corrections: Corrections;
  /** What `plan` would say about it now; `before`: about the text before; null if the text does not contain the event. */
  readonly existing: ExistingText | null;
  readonly before?: ExistingText;
  /** Entries that the file listed and that are not live: it no longer lists them. */
  readonly removedEntries: readonly RemovedEntry[];
  /** Variables that the file no longer uses: the live text replaced them. */
  readonly replaced?: readonly string[];
  /** What the file would have to say about one date of a series, and how it would then be read. The file is left unchanged. */
  readonly dateEntry?: { readonly text: string; readonly read: ExistingText | null };
  /** What keeps the file from being changed in place. It is left unchanged. */
  readonly stuck?: Comparison;
  /** An error that the file would have if it said what is live. It is left unchanged. */
  readonly wouldBreak?: Diagnostic | undefined;
}

interface RemovedEntry extends Pick<Comparison, "kind" | "name" | "address"> {
  readonly isInherited: boolean;
}

/** Each round checks the text of the round before; two are nearly always enough. */
const mostRounds = 6;

export async function composeNew(
  context: ImportContext,
  observation: EventObservation,
  { file, key, schema }: { readonly file: string; readonly key: string; readonly schema: string | null },
): Promise<ComposedEvent> {
  const address = makeAddress(null, "events", key);
  // If the live zone cannot be written, the file also drops the project's zone and uses the default.
  const zone = typeof observation.live.fields.timezone === "string" ? standardZone : context.zone;
  let corrections: Corrections = new Map();
  for (let round = 1; ; round += 1) {
    const described = describeEvent(observation, context.defaults, corrections, { ...context, zone });
    const text = renderEvent(described, { schema });
    const existing = await readExistingText(context, file, text, address, observation);
    const next =
      existing === null ? corrections : correct(corrections, [...existing.errors, ...existing.warnings], existing);
    if (next === corrections || round === mostRounds)
      return { text, described, corrections, existing, removedEntries: [] };
    corrections = next;
  }
}

/** null if the file is written in a way that cannot be changed in place. */
export async function composeUpdate(
  context: ImportContext,
  observation: EventObservation,
  { file, text: before, address }: { readonly file: string; readonly text: string; readonly address: string },
): Promise<ComposedEvent | null> {
  let text = before;
  let corrections: Corrections | null = null;
  let notLive: readonly RemovedEntry[] = [];
  const inherited: string[] = [];
  let keeping = false;
  let first: ExistingText | null = null;
  /** The round that gave the event its live start. */
  let movedIn: number | null = null;
  for (let round = 1; ; round += 1) {
    const existing = await readExistingText(context, file, text, address, observation);
    if (existing === null) return null;
    // The file describes every date of the series, so this date's id or values would be wrong for the others.
    if (existing.wish.own.series !== undefined) return composeDate(context, observation, { file, text }, existing);
    first ??= existing;
    if (round === 1 || movedIn === round - 1) {
      notLive = entriesNotLive(existing);
      keeping = notLive.length > 0 && !(await context.isCommitted(file));
    }
    // An entry that was taken out of the file shows here if a template has it too.
    inherited.push(...inheritedOf(entriesNotLive(existing)));
    const draft = await draftEdit(context, observation, existing, corrections, { before, keeping });
    const { described, corrections: known } = draft;
    let edit: DocumentEdit | null = draft.edit;
    if (movedIn === null && edit?.self.set.some(({ field }) => field === "dateTime")) {
      edit = startOnly(edit);
      movedIn = round;
    }
    const problems = [...existing.errors, ...warningsSince(first, existing)];
    const next = edit === null ? correct(known, problems, existing) : known;
    if ((edit === null && next === known) || round === mostRounds) {
      // Never leave a file with more errors than before.
      if (existing.errors.length > first.errors.length) {
        const wouldBreak = errorSince(first, existing) ?? existing.errors.at(-1);
        return { text: before, described, corrections: new Map(), existing: first, removedEntries: [], wouldBreak };
      }
      const removedEntries = keeping ? [] : markInherited(notLive, inherited);
      const replaced = replacedIn(before, text);
      return { text, described, corrections: known, existing, before: first, removedEntries, replaced };
    }
    corrections = next;
    if (edit === null) continue;
    const edited = withEdit(text, existing.wish, edit);
    if (edited === null || edited === text) return leftAlone(before, described, existing);
    text = edited;
  }
}

/** What the file must say, and how it is changed to say it; null: it says so. Secrets are looked for once something is to be added. */
async function draftEdit(
  context: ImportContext,
  observation: EventObservation,
  existing: ExistingText,
  corrections: Corrections | null,
  { before, keeping }: { readonly before: string; readonly keeping: boolean },
) {
  // An existing `without` is left to its author, and templates may add one.
  const mayDrop = existing.wish.own.composed !== true && !/(^|[\s{,])without\s*:/.test(before);
  const setting = { defaults: context.defaults, keeping, mayDrop, renamed: existing.renamed };
  const target = { ...context, zone: existing.wish.own.timezone ?? standardZone };
  const draftWith = (corrections: Corrections) => {
    const described = describeEvent(observation, context.defaults, corrections, target);
    return { described, corrections, edit: editsFor(existing, described, setting) };
  };
  const draft = draftWith(corrections ?? new Map());
  return draft.edit === null || corrections !== null ? draft : draftWith(await secretsOf(context, observation));
}

function entriesNotLive({ comparisons, wish: event }: ExistingText): readonly RemovedEntry[] {
  return comparisons.flatMap(({ live, kind, name, address, wish }) =>
    live ? [] : { kind, name, address, isInherited: isInherited(wish, event) },
  );
}

function inheritedOf(entries: readonly RemovedEntry[]): readonly string[] {
  return entries.filter(({ isInherited }) => isInherited).map(({ address }) => address);
}

function markInherited(entries: readonly RemovedEntry[], inherited: readonly string[]): readonly RemovedEntry[] {
  return entries.map((entry) => ({ ...entry, isInherited: inherited.includes(entry.address) }));
}

/** Only warnings caused by the import are silenced; earlier ones are for the author. */
function warningsSince(first: ExistingText, { liveWarnings }: ExistingText): readonly Diagnostic[] {
  const warnedBefore = new Set(first.warnings.map(codeAndAddress));
  return liveWarnings.filter((warning) => !warnedBefore.has(codeAndAddress(warning)));
}

function withEdit(text: string, wish: Wish, edit: DocumentEdit): string | null {
  const suited = wish.own.composed === true ? overriding(text, wish, edit) : edit;
  return suited === null ? null : editEvent(text, wish.source, suited);
}

function leftAlone(text: string, described: DescribedEvent, existing: ExistingText): ComposedEvent | null {
  const { comparisons } = existing;
  // What a phase sets is not changed by the document.
  const stuck = comparisons.find(isSetByPhase) ?? comparisons.find(({ change }) => change !== null);
  return stuck === undefined ? null : { text, described, corrections: new Map(), existing, removedEntries: [], stuck };
}

/** Relative times are judged once the start is live: many can then stay as written. */
function startOnly(edit: DocumentEdit): DocumentEdit {
  const set = edit.self.set.filter(({ field }) => field === "dateTime" || field === "timezone");
  return { ...edit, self: { set, remove: [] }, lists: new Map() };
}

function replacedIn(before: string, text: string): readonly string[] {
  const [used, left] = [before, text].map(
    (one) => new Set([...one.matchAll(/\$\{\s*var\.([^{}]+?)\s*\}/g)].map(([, name = ""]) => name)),
  );
  return [...(used ?? [])].filter((name) => !left?.has(name));
}

/** The file as it is, and what it would have to say about this date, with all that would otherwise change with it. */
async function composeDate(
  context: ImportContext,
  observation: EventObservation,
  { file, text }: { readonly file: string; readonly text: string },
  existing: ExistingText,
): Promise<ComposedEvent | null> {
  const { address, own, source } = existing.wish;
  const isLive = existing.comparisons.every(({ change }) => change === null);
  const corrections = isLive ? new Map() : await secretsOf(context, observation);
  const target = { ...context, zone: own.timezone ?? standardZone };
  const described = describeEvent(observation, context.defaults, corrections, target);
  const unchanged = { text, described, corrections, existing, removedEntries: [] };
  if (isLive) return unchanged;
  let { comparisons } = existing;
  for (let round = 1; ; round += 1) {
    const entry = entryOfDate(context, { ...existing, comparisons }, described);
    if (entry === null) return null;
    const edited = withDateEntry(text, source, address.slice(`${own.series?.of}@`.length), entry);
    const read = edited === null ? null : await readExistingText(context, file, edited, address, observation);
    const next = withDifferences(comparisons, read?.comparisons ?? []);
    if (next === comparisons || round === mostRounds) return { ...unchanged, dateEntry: { text: entry, read } };
    comparisons = next;
  }
}

function entryOfDate(context: ImportContext, existing: ExistingText, described: DescribedEvent): string | null {
  const setting = { defaults: context.defaults, keeping: false, mayDrop: false, renamed: existing.renamed };
  const edit = editsFor(existing, described, setting);
  const managed = edit === null ? null : managedOnly(edit, existing);
  const entry = managed === null ? null : renderOverride(existing.wish, managed);
  // With a masked token in a URL, the line would say something else.
  if (managed === null || entry === null || maskUrls(entry) !== entry) return null;
  if (!existing.comparisons.some(isSetByPhase)) return entry;
  if (managed.self.set.some(({ field }) => kindOf("event").lasting?.includes(field))) return null;
  const from = formatLocalTime(context.now, existing.wish.own.timezone ?? standardZone).slice(0, 16);
  return `{ phases: [${entry.replace("{", `{ from: ${from},`)}] }`;
}

/** With what else differs once these are in the file; the same if nothing does. */
function withDifferences(comparisons: readonly Comparison[], further: readonly Comparison[]): readonly Comparison[] {
  const added = comparisons.map((one) => {
    const other = one.wish && further.find(({ wish, address }) => wish !== null && address === one.address)?.change;
    const edits = new Map([...(other?.edits ?? []), ...(one.change?.edits ?? [])].map((edit) => [edit.path, edit]));
    const isSame = !other || edits.size === one.change?.edits.length;
    return isSame ? one : { ...one, change: { ...other, ...one.change, edits: [...edits.values()] } };
  });
  return added.every((one, index) => one === comparisons[index]) ? comparisons : added;
}

/** A phase that has come wins over the entry of its date, and a later phase wins over that. */
function isSetByPhase(one: Comparison): boolean {
  return fieldSetByPhase(one) !== undefined;
}

/** Without what the file leaves to the service. */
function managedOnly({ self, lists }: DocumentEdit, { wish, comparisons }: ExistingText): DocumentEdit {
  const edited = new Set(comparisons[0]?.change?.edits.map(({ path }) => path.slice(1)));
  const isMeant = (field: string) => edited.has(field) || (field === "status" && wish.own.status !== undefined);
  const isManaged = ([list]: [string, unknown]) =>
    childKinds(wish.kind).some(({ name, plural }) => plural === list && wish.children[name]);
  return {
    self: { ...self, set: self.set.filter(({ field }) => isMeant(field)) },
    lists: new Map([...lists].filter(isManaged)),
  };
}

/** What must not be written to any file, known before the first line is added. */
async function secretsOf(context: ImportContext, observation: EventObservation): Promise<Corrections> {
  const { corrections } = await composeNew(context, observation, { file: "new.yaml", key: "new", schema: null });
  return new Map([...corrections].map(([id, { without }]) => [id, { ...noCorrection, without }]));
}

function codeAndAddress({ code, address }: Diagnostic): string {
  return `${code} ${address}`;
}
