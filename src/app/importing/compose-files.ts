// The files of an import: which event belongs to which file, and what each will contain. Nothing is written here.
import { posix } from "node:path";
import { matcherOf } from "../../config/files.ts";
import type { EventObservation } from "../../import/describe.ts";
import { eventStems } from "../../import/file-names.ts";
import { isFamilyHead } from "../../kinds/index.ts";
import { idKey } from "../../model/address.ts";
import { type Diagnostic, hasErrors, noticeOf, warningOf } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { compareText, formatCount, groupBy } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { formerEvents } from "../../plan/compare.ts";
import { matchEvents, resolveVenues } from "../../plan/match.ts";
import { findEvents } from "../../snapshot/find-events.ts";
import { findVenues } from "../../snapshot/read-organization.ts";
import { neverApplied } from "../planning/find-meant.ts";
import { wantedByPlan } from "../planning/plan-inputs.ts";
import { type ComposedEvent, composeNew, composeUpdate } from "./compose-event.ts";
import { composeSeries, type NameSeries } from "./compose-series.ts";
import { addWebhooks } from "./compose-webhooks.ts";
import {
  cannotDescribe,
  cannotUpdate,
  cannotUpdateDate,
  leftOutRemarks,
  notImported,
  remarksOnEvent,
  type Silenced,
  silencedIn,
  silencedRemarks,
} from "./import-remarks.ts";
import {
  currentText,
  type FileAction,
  type FileText,
  type ImportContext,
  type Imported,
  type ImportedEvent,
  placeFor,
  schemaFor,
  stemOf,
  usualEvent,
} from "./imported.ts";

export interface ImportSelection {
  readonly observations: readonly EventObservation[];
  /** null: they are not asked for. */
  readonly webhooks: readonly Live[] | null;
  /** The folder for new files, relative to the project, with `/`; "" is the project itself. */
  readonly folder: string;
  /** Whether new events that differ only in their dates become series. */
  readonly series: boolean;
}

interface PlacedEvent {
  readonly live: Live;
  readonly file: string;
  readonly action: FileAction;
  readonly composed: ComposedEvent | null;
}

export async function composeFiles(context: ImportContext, selection: ImportSelection): Promise<Imported> {
  const texts = new Map<string, FileText>();
  const leftOut = new Map<string, string[]>();
  const silenced: Silenced[] = [];
  const templates: FileText[] = [];
  const { documents, unclear, diagnostics } = await matchDocuments(context, selection.observations);
  const lives = selection.observations.map(({ live }) => live);
  const { nameFile, nameSeries } = await makeFileNamer(context, selection.folder, lives);

  const placed: PlacedEvent[] = [];
  for (const observation of sortedBySlug(selection.observations)) {
    const { live } = observation;
    const document = documents.get(live.id);
    if (document !== undefined) placed.push(await updateFile(context, observation, document, texts));
    else if (!unclear.has(live.id)) placed.push(await createFile(context, observation, nameFile(live), texts));
  }
  const settled = selection.series ? await intoSeries(context, placed, { texts, templates }, nameSeries) : placed;
  if (selection.series) noteApart(leftOut, settled);
  const single = [...documents.values()].filter(({ own }) => own.series === undefined);
  if (selection.series && single.length >= 3 && placed.every(({ action }) => action !== "created"))
    diagnostics.push(seriesUnused());
  if (!selection.series) diagnostics.push(...seriesPossible(placed));
  const events: ImportedEvent[] = [];
  for (const { live, file, action, composed } of settled) {
    const name = String(live.fields.name ?? live.id);
    const { dateTime, timezone } = live.fields;
    events.push({
      id: live.id,
      name,
      slug: live.slug,
      status: live.status,
      dateTime: typeof dateTime === "string" ? dateTime : null,
      timezone: typeof timezone === "string" ? timezone : context.zone,
      file,
      action,
      changed: action === "updated" ? fieldsChanged(composed) : [],
    });
    diagnostics.push(...remarksOnFile(file, name, composed, documents.get(live.id)));
    if (composed !== null) silenced.push(...silencedIn(composed, file));
    if (action === "created") noteLeftOut(leftOut, composed, file);
  }
  const webhooks =
    selection.webhooks === null
      ? null
      : await addWebhooks(context, selection.webhooks, texts, { diagnostics, silenced });
  const unreached = unreachedByPlan(context, events);
  const ids = new Set(lives.map(({ id }) => idKey(id)));
  const isAll = isAllImported(context, [...documents.values()], ids, selection.webhooks);
  return {
    events,
    webhooks,
    templates,
    isSettled: settled.every(isLikeLive) && unreached.length === 0 && !hasErrors(diagnostics) && isAll,
    files: [...texts.values()].filter(({ before, text }) => before !== text),
    diagnostics: [...diagnostics, ...silencedRemarks(silenced), ...leftOutRemarks(leftOut), ...unreached],
  };
}

async function createFile(
  context: ImportContext,
  observation: EventObservation,
  file: string,
  texts: Map<string, FileText>,
): Promise<PlacedEvent> {
  const schema = await schemaFor(context, file, "event");
  const composed = await composeNew(context, observation, { file, key: stemOf(file), schema });
  texts.set(file, { file, before: null, text: composed.text });
  return { live: observation.live, file, action: "created", composed };
}

async function updateFile(
  context: ImportContext,
  observation: EventObservation,
  { address, source: { file } }: Wish,
  texts: Map<string, FileText>,
): Promise<PlacedEvent> {
  const known = await currentText(context, file, texts);
  const composed = await composeUpdate(context, observation, { file, text: known?.text ?? "", address });
  const isChanged = composed !== null && composed.text !== known?.text;
  if (isChanged) texts.set(file, { file, before: known?.before ?? null, text: composed.text });
  return { live: observation.live, file, action: isChanged ? "updated" : "unchanged", composed };
}

/** Fields of the event, and lists with an entry that differed. */
function fieldsChanged(composed: ComposedEvent | null): readonly string[] {
  const fields = composed?.before?.comparisons.flatMap(({ kind, change }) => {
    if (change === null || kind.parent !== null) return change === null ? [] : kind.plural;
    return [...change.edits.map(({ path }) => path.slice(1)), ...(change.transition ? ["status"] : [])];
  });
  return [...new Set(fields)];
}

function isLikeLive({ composed }: PlacedEvent): boolean {
  return composed?.existing?.comparisons.every(({ change }) => change === null) === true;
}

/** `document`: the one that described the event before. */
function remarksOnFile(file: string, name: string, composed: ComposedEvent | null, document: Wish | undefined) {
  if (composed?.wouldBreak !== undefined) return [cannotDescribe(file, name, composed.wouldBreak)];
  const isLeft = composed === null || composed.dateEntry !== undefined || composed.stuck !== undefined;
  if (!isLeft) return remarksOnEvent(composed, file, name);
  if (document?.own.series === undefined) return [cannotUpdate(file, name, composed?.stuck)];
  return [cannotUpdateDate(file, document.address, composed)];
}

/** Moves events of a series from their separate files into that of the series. */
async function intoSeries(
  context: ImportContext,
  placed: readonly PlacedEvent[],
  { texts, templates }: { readonly texts: Map<string, FileText>; readonly templates: FileText[] },
  nameSeries: NameSeries,
): Promise<readonly PlacedEvent[]> {
  const created = placed.flatMap(({ live, action, composed }) =>
    action === "created" && composed !== null ? [{ id: live.id, composed }] : [],
  );
  const all = await composeSeries(context, created, nameSeries);
  const moved = placed.map((one) => {
    const series = all.find(({ wishes }) => wishes.has(one.live.id));
    const wish = series?.wishes.get(one.live.id);
    if (series === undefined || wish === undefined || one.composed?.existing == null) return one;
    texts.delete(one.file);
    return {
      ...one,
      file: series.document.file,
      composed: { ...one.composed, existing: { ...one.composed.existing, wish } },
    };
  });
  for (const { document, template } of all) {
    texts.set(document.file, document);
    if (template === null) continue;
    texts.set(template.file, template);
    templates.push(template);
  }
  return moved;
}

/** By slug, so that files are named alike whatever order the service lists in. */
function sortedBySlug(observations: readonly EventObservation[]): readonly EventObservation[] {
  const rank = ({ live }: EventObservation): string => `${live.slug ?? ""} ${live.id}`;
  return [...observations].sort((one, other) => compareText(rank(one), rank(other)));
}

/** New events in a separate file, although another new one has their name. */
function noteApart(leftOut: Map<string, string[]>, placed: readonly PlacedEvent[]): void {
  const created = placed.filter(({ action }) => action === "created");
  const [names, files] = [groupBy(created, ({ live }) => live.fields.name), groupBy(created, ({ file }) => file)];
  const apart = created.filter(({ live: { fields }, file }) => names.get(fields.name)?.[1] && !files.get(file)?.[1]);
  const remark = "Not part of a series, which needs at least three dates that are alike.";
  for (const { file } of apart) leftOut.set(remark, [...(leftOut.get(remark) ?? []), file]);
}

function seriesUnused(): Diagnostic {
  const message = "`--series` had no effect: it is for new files, and every event has a file already.";
  return noticeOf("left-out", message, "To let import write a series, move the files of its dates away first.");
}

/** New files whose events have one name: they often are the dates of a series. */
function seriesPossible(placed: readonly PlacedEvent[]): readonly Diagnostic[] {
  const created = placed.filter(({ action }) => action === "created");
  const groups = [...groupBy(created, ({ live }) => live.fields.name)].filter(([, group]) => group.length >= 3);
  return groups.map(([name, group]) => {
    const message = `${formatCount(group.length)} of these events are called "${name}". If they differ only in their dates, \`import --series\` writes them as one series.`;
    return noticeOf("left-out", message, "Delete their new files, then run the same command with `--series`.");
  });
}

function noteLeftOut(leftOut: Map<string, string[]>, composed: ComposedEvent | null, file: string): void {
  const { remarks = [], lists = [] } = composed?.described ?? {};
  for (const remark of [...remarks, ...lists.flatMap((list) => list.remarks)])
    leftOut.set(remark, [...new Set([...(leftOut.get(remark) ?? []), file])]);
}

/** Whether the project contains only what was imported (these documents and ids): a plan could change nothing else. */
function isAllImported(
  { project, state }: ImportContext,
  documents: readonly Wish[],
  ids: ReadonlySet<string>,
  webhooks: readonly Live[] | null,
): boolean {
  const remembered = Object.values(state?.objects ?? {}).filter(({ kind }) => isFamilyHead(kind));
  const files = new Set(project.webhooks.map(({ source }) => source.file));
  return (
    project.events.every((wish) => documents.includes(wish)) &&
    remembered.every(({ id }) => ids.has(idKey(id))) &&
    // Only one file of webhooks is brought up to date.
    files.size <= 1 &&
    project.webhooks.every(({ fields }) => webhooks?.some((live) => live.fields.url === fields.url) === true)
  );
}

/** The document that already describes each of the events, and the events that a document may describe, by the rules of `plan`. */
async function matchDocuments(context: ImportContext, observations: readonly EventObservation[]) {
  const { project, state, remember, reader, now } = context;
  const asked = new Map(observations.map(({ live }) => [live.id, live]));
  const wasNeverApplied = neverApplied({ base: null, state }, new Map());
  const gone = formerEvents(project, state, null);
  const match = (wishes: readonly Wish[], lives: readonly Live[]) =>
    matchEvents({ wishes, lives, remember, wasNeverApplied, gone, renamesToo: true, now });
  let wishes = project.events;
  let matches = match(wishes, [...asked.values()]);
  const unclearOf = ({ address }: Wish) => {
    const { block = null, candidates = [] } = matches.get(address) ?? {};
    const ofAsked = block?.code === "ambiguous-event" ? candidates.filter(({ id }) => asked.has(id)) : [];
    return block === null || ofAsked.length === 0 ? null : { block, ids: ofAsked.map(({ id }) => id) };
  };
  const ambiguous = wishes.filter((wish) => unclearOf(wish) !== null);
  if (ambiguous.length > 0) {
    // Their own events may be among those that were not asked for.
    const circumstances = { isEmbedded: false, hasBase: false };
    const wanted = ambiguous.map((wish) => wantedByPlan(wish, remember, undefined, circumstances));
    const { events } = await findEvents(reader, wanted);
    const venues = await findVenues(
      reader,
      ambiguous.flatMap(({ own }) => own.venue ?? []),
    );
    const resolved = new Map(resolveVenues(ambiguous, venues).wishes.map((wish) => [wish.address, wish]));
    wishes = wishes.map((wish) => resolved.get(wish.address) ?? wish);
    matches = match(wishes, [...asked.values(), ...events.filter(({ id }) => !asked.has(id))]);
  }
  const documents = new Map<string, Wish>();
  const unclear = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const wish of project.events) {
    const id = matches.get(wish.address)?.live?.id;
    if (id !== undefined && !documents.has(id)) documents.set(id, wish);
    const found = unclearOf(wish);
    for (const each of found?.ids ?? []) unclear.add(each);
    if (found !== null) diagnostics.push(notImported(wish, found.block));
  }
  return { documents, unclear, diagnostics };
}

/** Files that the globs of the project do not reach. */
function unreachedByPlan(context: ImportContext, events: readonly ImportedEvent[]): readonly Diagnostic[] {
  const { settings } = context.loaded;
  const reaches = matcherOf(settings.events);
  const unreached = events.filter(({ file }) => !reaches(file));
  const [first] = unreached;
  if (first === undefined) return [];
  const message = `${first.file}${unreached.length === 1 ? " is" : ` and ${formatCount(unreached.length - 1)} more are`} not among the project's files, so \`plan\` does not read ${unreached.length === 1 ? "it" : "them"}.`;
  const other =
    placeFor(settings.events, usualEvent) === null ? "move the files to where it matches them" : "import without --out";
  const hint = `Add the folder to \`events\` in ticketing.yaml (now ${settings.events.join(", ")}), or ${other}.`;
  return [warningOf("outside-globs", message, hint)];
}

// Names of new files: by the slugs of their events, with the date if several share one, and never an existing name.

async function makeFileNamer(context: ImportContext, folder: string, lives: readonly Live[]) {
  const stemsOf = eventStems(lives);
  const { files } = await context.files.list([posix.join(folder, "*")]);
  const keys = context.project.events.flatMap(({ own: { key = "" } }) => [key, key.replace(/@.*$/, "")]);
  // In lower case: some systems do not distinguish Jazz.yaml from jazz.yaml.
  const used = new Set([...files.map(stemOf), ...keys].map((stem) => stem.toLowerCase()));
  const remembered = rememberedIds(context);
  const fileOf = (stem: string) => {
    used.add(stem);
    return posix.join(folder, `${stem}.yaml`);
  };
  return {
    nameFile(live: Live): string {
      const isFree = (stem: string) => !used.has(stem) && (remembered.get(stem) ?? live.id) === live.id;
      return fileOf(stemsOf(live).find(isFree) ?? live.id);
    },
    nameSeries(stems: readonly string[], ids: ReadonlyMap<string, string>): string | null {
      const isFree = (stem: string) =>
        !used.has(stem) &&
        [...remembered].every(([key, id]) => {
          const [name, day = ""] = key.split("@");
          return name !== stem || ids.get(day) === id;
        });
      const stem = stems.find(isFree);
      return stem === undefined ? null : fileOf(stem);
    },
  };
}

/** A key that state knows belongs to its own event, even if its document is gone. */
function rememberedIds(context: ImportContext): ReadonlyMap<string, string> {
  const events = Object.entries(context.state?.objects ?? {}).filter(([, { kind }]) => isFamilyHead(kind));
  return new Map(events.map(([address, { id }]) => [stemOf(address).toLowerCase(), id]));
}
