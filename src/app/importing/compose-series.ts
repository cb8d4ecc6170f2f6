// New events that differ only in their dates, as a template and a series, if that is read as their own files would be.
import { posix } from "node:path";
import { baseOf, matcherOf, withTexts } from "../../config/files.ts";
import type { DescribedEvent } from "../../import/describe.ts";
import { fileStem } from "../../import/file-names.ts";
import { draftSeries, type RelativeEvent, relativeEvent, renderSeries, type SeriesDraft } from "../../import/text.ts";
import { makeAddress } from "../../model/address.ts";
import { compareText, groupBy } from "../../model/value.ts";
import type { Project, Wish } from "../../model/wish.ts";
import type { ComposedEvent } from "./compose-event.ts";
import { loadText } from "./existing-text.ts";
import { type FileText, type ImportContext, schemaFor, stemOf } from "./imported.ts";

/** A new event with the document that its own file would contain. */
export interface NewEvent {
  readonly id: string;
  readonly composed: ComposedEvent;
}

export interface WrittenSeries {
  readonly document: FileText;
  /** null: what the dates share is in the document. */
  readonly template: FileText | null;
  /** By the id of the event: the wish of its date. */
  readonly wishes: ReadonlyMap<string, Wish>;
}

/** Uses the first of the names that is free for a file and for the keys of the dates. */
export type NameSeries = (stems: readonly string[], ids: ReadonlyMap<string, string>) => string | null;

interface Member extends RelativeEvent {
  readonly id: string;
  readonly wish: Wish;
}

export async function composeSeries(
  context: ImportContext,
  events: readonly NewEvent[],
  nameSeries: NameSeries,
): Promise<readonly WrittenSeries[]> {
  const groups = groupBy(events.flatMap(memberOf), ({ event, clock }) =>
    JSON.stringify([clock, fieldIn(event, "name"), fieldIn(event, "timezone")]),
  );
  const written: WrittenSeries[] = [];
  for (const group of groups.values()) {
    const series = await composeGroup(context, group, nameSeries);
    if (series !== null) written.push(series);
  }
  return written;
}

function memberOf({ id, composed: { described, existing } }: NewEvent): readonly Member[] {
  const relative = relativeEvent(described);
  if (relative === null || existing === null || existing.errors.length > 0) return [];
  return typeof fieldIn(described, "name") === "string" ? [{ ...relative, id, wish: existing.wish }] : [];
}

function fieldIn({ entries }: DescribedEvent, name: string): unknown {
  return entries.find(({ field }) => field === name)?.value ?? null;
}

async function composeGroup(context: ImportContext, group: readonly Member[], nameSeries: NameSeries) {
  let members = group;
  let file: string | null = null;
  for (;;) {
    const draft = draftSeries(members);
    if (draft === null) return null;
    const name = String(fieldIn(draft.shared, "name"));
    const stem = fileStem([name], "series");
    const ids = new Map(draft.members.map(({ member }) => [member.day, member.id]));
    file ??= nameSeries([stem, `${stem}-${draft.clock.replace(":", "")}`, `${stem}-series`], ids);
    if (file === null) return null;
    const { document, template, project } = await writeDraft(context, file, draft);
    const wishes = agreeing(draft, file, project);
    const failed = draft.members.filter(({ member }) => !wishes.has(member.id)).map(({ member }) => member);
    const isClean = project.diagnostics.every(({ severity }) => severity === "info");
    if (failed.length === 0)
      return isClean && project.events.length === wishes.size ? { document, template, wishes } : null;
    // A date that is read differently keeps its own file; the others may still be a series.
    members = draft.members.map(({ member }) => member).filter((member) => !failed.includes(member));
  }
}

async function writeDraft(context: ImportContext, file: string, draft: SeriesDraft) {
  const path = await templateFor(context, file);
  const template = path === null ? null : { name: stemOf(file), schema: await schemaFor(context, path, "template") };
  const schema = await schemaFor(context, file, "event");
  const write = async (keepEnded: boolean) => {
    const rendered = renderSeries(draft, { schema, template, keepEnded });
    const document = { file, before: null, text: rendered.document };
    const shared = path === null ? null : { file: path, before: null, text: rendered.template ?? "" };
    const files = shared === null ? context.files : withTexts(context.files, [shared]);
    const project = await loadText(file, document.text, "events", { ...context, files });
    return { document, template: shared, project };
  };
  const written = await write(false);
  // What was asked for is managed, even where it is over.
  return written.project.ended.length === 0 ? written : write(true);
}

/** The path of a new template of the same name; null if the project has no place for it. */
async function templateFor({ loaded, files }: ImportContext, file: string): Promise<string | null> {
  const { templates, events } = loaded.settings;
  for (const glob of templates) {
    const path = posix.join(baseOf(glob).folder, `${stemOf(file)}.yaml`);
    if (!matcherOf([glob])(path) || matcherOf(events)(path)) continue;
    if ((await files.read(path)) === "missing") return path;
  }
  return null;
}

/** The dates that are read as their own files would be. */
function agreeing(draft: SeriesDraft<Member>, file: string, { events }: Project): ReadonlyMap<string, Wish> {
  const byAddress = new Map(events.map((wish) => [wish.address, wish]));
  const wishes = new Map<string, Wish>();
  for (const { member } of draft.members) {
    const wish = byAddress.get(makeAddress(null, "events", `${stemOf(file)}@${member.day}`));
    if (wish !== undefined && plannedContent(wish) === plannedContent(member.wish)) wishes.set(member.id, wish);
  }
  return wishes;
}

/** Everything that a plan depends on, whatever the address, the place and the order in the file. */
function plannedContent(event: Wish): string {
  const plain = (wish: Wish): unknown => {
    const { key: _key, composed: _composed, series: _series, ignore = [], ...own } = wish.own;
    const children = Object.entries(wish.children).map(([kind, list]) => [
      kind,
      list.map((child) => JSON.stringify(plain(child))).sort(),
    ]);
    return [wish.kind, wish.name, sorted(wish.fields), sorted({ ...own, ignore: [...ignore].sort() }), children.sort()];
  };
  return JSON.stringify(plain(event)).replaceAll(event.address, "");
}

function sorted(record: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(record).sort(([one], [other]) => compareText(one, other));
}
