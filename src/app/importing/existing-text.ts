import { posix } from "node:path";
import { type FileSource, readText } from "../../config/files.ts";
import { type LoadedSettings, loadProject, projectFile } from "../../config/project.ts";
import {
  type Correction,
  type Corrections,
  type Defaults,
  type EventObservation,
  noCorrection,
} from "../../import/describe.ts";
import { childKinds, kindOf } from "../../kinds/index.ts";
import { lintEvent } from "../../lint/lint.ts";
import { type Diagnostic, silencingOf } from "../../model/diagnostic.ts";
import type { Edit } from "../../model/plan.ts";
import { standardZone } from "../../model/time.ts";
import { isReference, type Value } from "../../model/value.ts";
import type { Project, Upcoming, Wish } from "../../model/wish.ts";
import { allComparisons, type Comparison, compareEvent } from "../../plan/compare.ts";
import { resolveVenues } from "../../plan/match.ts";
import { findVenues } from "../../snapshot/read-organization.ts";
import type { ImportContext, TextReading } from "./imported.ts";

/** One file as the project would read it if this were its text. */
export function loadText(
  file: string,
  text: string,
  kind: "events" | "webhooks",
  { files: all, loaded, environment, env, now }: TextReading,
): Promise<Project> {
  const files: FileSource = {
    async list(globs) {
      return globs.includes(file) ? { files: [file], diagnostics: [] } : all.list(globs);
    },
    async read(path) {
      return path === file ? new TextEncoder().encode(text) : all.read(path);
    },
  };
  const templates = kind === "events" ? loaded.settings.templates : [];
  const globs = { events: [], templates, webhooks: [], [kind]: [file] };
  const alone: LoadedSettings = { ...loaded, diagnostics: [], settings: { ...loaded.settings, ...globs } };
  return loadProject(files, { environment: { name: environment }, env, now, loaded: alone });
}

// What `validate` and `plan` would say about a document if this were the file's text.

export interface ExistingText {
  readonly wish: Wish;
  /** The event itself first, then everything below it, on either side. */
  readonly comparisons: readonly Comparison[];
  /** Addresses of objects with another name on the service: references by name have to follow. */
  readonly renamed: readonly string[];
  /** When its phases to come begin and end, in their order. */
  readonly phases: readonly Upcoming[];
  /** Errors only: what would keep a plan from being made. */
  readonly errors: readonly Diagnostic[];
  /** What `validate --strict` would not let pass either. */
  readonly warnings: readonly Diagnostic[];
  /** The same if the document listed only what is live. */
  readonly liveWarnings: readonly Diagnostic[];
}

/** null if the text does not hold the document. */
export async function readExistingText(
  context: ImportContext,
  file: string,
  text: string,
  address: string,
  { live, lists }: EventObservation,
): Promise<ExistingText | null> {
  const project = await loadText(file, text, "events", context);
  const written = project.events.find((wish) => wish.address === address);
  if (written === undefined) return null;
  const { venue } = written.own;
  const venues = venue === undefined ? new Map() : await findVenues(context.reader, [venue]);
  const [wish = written] = resolveVenues([written], venues).wishes;
  const { event } = compareEvent({
    wish: withoutDeletion(wish),
    match: { live, block: null },
    lists,
    remember: context.remember,
  });
  const comparisons = event === null ? [] : allComparisons(event);
  const problemsOf = (wish: Wish) => [
    ...project.diagnostics,
    ...lintEvent(wish, { now: context.now, environment: context.environment }),
  ];
  const isWarning = ({ severity }: Diagnostic) => severity === "warning";
  const found = problemsOf(written);
  return {
    wish: written,
    comparisons,
    phases: project.upcoming.filter((one) => one.address === address),
    renamed: comparisons.filter(isRenamed).map((one) => one.address),
    errors: found.filter(({ severity }) => severity === "error"),
    warnings: found.filter(isWarning),
    liveWarnings: problemsOf(withoutNew(written, comparisons)).filter(isWarning),
  };
}

/** The document without the entries that a plan would create. */
function withoutNew(event: Wish, comparisons: readonly Comparison[]): Wish {
  const created = new Set(comparisons.filter(({ live }) => live === null).map(({ address }) => address));
  const lists = Object.entries(event.children).map(([kind, list]) => [
    kind,
    list?.filter(({ address }) => !created.has(address)),
  ]);
  return created.size === 0 ? event : { ...event, children: Object.fromEntries(lists) };
}

/** Whether the entry of a list comes from a template. */
export function isInherited(entry: Wish | null, event: Wish): boolean {
  return entry !== null && entry.source.file !== event.source.file;
}

/** What was not wrong with the file before. */
export function errorSince(before: ExistingText, now: ExistingText): Diagnostic | undefined {
  return now.errors.find(({ message }) => !before.errors.some((known) => known.message === message));
}

function isRenamed({ kind, change }: Comparison): boolean {
  return change?.edits.some(({ path }) => path === `/${kind.identity.label}`) === true;
}

/** The first field that differs from the service and that a phase has set. */
export function fieldSetByPhase({ wish, change }: Comparison): string | undefined {
  const fields = change?.edits.map(({ path }) => path.slice(1)) ?? [];
  return [...fields, ...(change?.transition ? ["status"] : [])].find((field) => wish?.own.phased?.includes(field));
}

/** An event is always pinned; objects below it only if the file could not name them otherwise. */
export function needsPin({ kind, wish }: Comparison, removed: readonly string[]): boolean {
  if (wish === null || wish.own.id !== undefined) return false;
  if (kind.parent === null) return true;
  return removed.some((field) => {
    const policy = kind.fields[field];
    return policy?.role === "value" && policy.required === true;
  });
}

/** A venue name that resolves to a venue other than the live one, or to none or several. */
export function meansAnotherVenue({ wish, live }: Comparison, edits: readonly Edit[]): boolean {
  if (wish?.own.venue === undefined || live?.fields.venueId === undefined) return false;
  return wish.fields.venueId === undefined || edits.some(({ path }) => path === "/venueId");
}

/** A document with status DELETED is compared like any other: the file has to say what is live. */
function withoutDeletion(wish: Wish): Wish {
  const { status, ...own } = wish.own;
  return status === "DELETED" ? { ...wish, own } : wish;
}

/** Live data that would cause a remark is no mistake of the file: the file silences that remark, and leaves secrets out. Returns `known` itself if nothing is added. */
export function correct(known: Corrections, found: readonly Diagnostic[], { comparisons }: ExistingText): Corrections {
  const corrections = new Map(known);
  let learned = false;
  for (const finding of found) {
    const one = comparisons.find((candidate) => candidate.wish !== null && candidate.address === finding.address);
    if (one?.live == null || one.wish === null) continue;
    const former = corrections.get(one.live.id) ?? noCorrection;
    const next = addTo(former, finding, one);
    if (next === former) continue;
    corrections.set(one.live.id, next);
    learned = true;
  }
  return learned ? corrections : known;
}

function addTo(former: Correction, finding: Diagnostic, one: Comparison): Correction {
  const { code } = finding;
  if (code === "secret-in-file") {
    const field = fieldAt(finding, one);
    if (field === null || former.without.includes(field)) return former;
    return { ...former, without: [...former.without, field] };
  }
  const stated = one.wish?.own.ignore ?? [];
  if (former.ignore.includes(code) || stated.includes(code) || silencingOf(code) !== "silenced") return former;
  return { ...former, ignore: [...new Set([...stated, ...former.ignore, code])], learned: [...former.learned, code] };
}

/** The field that a diagnostic is placed at; an entry of a list of texts counts as the list. */
function fieldAt({ source }: Diagnostic, { wish }: Comparison): string | null {
  const place = Object.entries(wish?.places ?? {}).find(
    ([, at]) => at.line === source?.line && at.column === source.column,
  );
  return place === undefined ? null : (place[0].split("/")[0] as string);
}

/** What a document would have without any field, according to the very code that reads documents. */
export async function readDefaults(
  reading: TextReading,
): Promise<{ readonly defaults: Defaults; readonly zone: string }> {
  const lists = childKinds("event");
  const silent = ["name: silent", ...lists.map((kind) => `${kind.plural}: [{}]`)].join("\n");
  const project = await loadText("silent.yaml", silent, "events", reading);
  const [event] = project.events;
  const defaults = Object.fromEntries(lists.map((kind) => [kind.name, valuesOf(event?.children[kind.name]?.[0])]));
  const { [kindOf("event").identity.label]: _, ...given } = valuesOf(event);
  // A venue that is looked up by its name is no value yet, but a file without one would get it.
  const venue: Record<string, Value> = event?.own.venue === undefined ? {} : { venueId: "of a name" };
  return { defaults: { ...defaults, event: { ...given, ...venue } }, zone: event?.own.timezone ?? standardZone };
}

function valuesOf(wish: Wish | undefined): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [field, value] of Object.entries(wish?.fields ?? {})) if (!isReference(value)) values[field] = value;
  return values;
}

// Documents in the output folder, if the project's globs do not reach it: they are updated anyway.

export async function folderDocuments(
  files: FileSource,
  folder: string,
  project: Project,
  reading: TextReading,
): Promise<readonly Wish[]> {
  const { settings } = reading.loaded;
  const known = new Set([...(await files.list(settings.events)).files, ...(await files.list(settings.webhooks)).files]);
  const listed = await files.list([posix.join(folder, "*.{yaml,yml}")]);
  const addresses = new Set(project.events.map((wish) => wish.address));
  const documents: Wish[] = [];
  for (const file of listed.files) {
    if (known.has(file) || file === projectFile) continue;
    const text = await readText(files, file, []);
    if (text === null) continue;
    // Mistakes in a file that is not part of the project are not the project's problem.
    const { events } = await loadText(file, text, "events", reading);
    documents.push(...events.filter((wish) => !addresses.has(wish.address)));
  }
  return documents;
}
