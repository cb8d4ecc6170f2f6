// The files of an import: which event goes into which file, and what each will hold. Nothing is written here.
import { posix } from "node:path";
import { matcherOf } from "../../config/files.ts";
import type { DescribedEvent, EventObservation } from "../../import/describe.ts";
import { eventStems } from "../../import/names.ts";
import { idKey } from "../../model/address.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { formatCount } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { matchEvents } from "../../plan/match.ts";
import { type ComposedEvent, composeNew, composeUpdate } from "./compose-event.ts";
import { addWebhooks } from "./compose-webhooks.ts";
import {
  cannotUpdate,
  leftOutRemarks,
  remarksOnEvent,
  type Silenced,
  silencedIn,
  silencedRemarks,
} from "./import-remarks.ts";
import {
  currentText,
  type FileText,
  type ImportContext,
  type Imported,
  type ImportedEvent,
  schemaFor,
} from "./imported.ts";

export interface Order {
  readonly observations: readonly EventObservation[];
  /** null: they are not asked for. */
  readonly webhooks: readonly Live[] | null;
  /** The folder for new files, relative to the project, with `/`; "" is the project itself. */
  readonly folder: string;
}

export async function composeFiles(context: ImportContext, order: Order): Promise<Imported> {
  const texts = new Map<string, FileText>();
  const events: ImportedEvent[] = [];
  const diagnostics: Diagnostic[] = [];
  const leftOut = new Map<string, string[]>();
  const silenced: Silenced[] = [];
  let differs = false;
  const documents = matchDocuments(context, order.observations);
  const nameFile = await makeFileNamer(context, order);

  for (const observation of inOrder(order.observations)) {
    const { live } = observation;
    const document = documents.get(live.id);
    const file = document?.source.file ?? nameFile(live);
    const known = document === undefined ? null : await currentText(context, file, texts);
    const composed =
      document === undefined
        ? await composeNew(context, observation, {
            file,
            key: stemOf(file),
            schema: await schemaFor(context, file, "event"),
          })
        : await composeUpdate(context, observation, { file, text: known?.text ?? "", address: document.address });
    const name = String(live.fields.name ?? live.id);
    const isChanged = composed !== null && composed.text !== known?.text;
    const action = !isChanged ? "unchanged" : document === undefined ? "created" : "updated";
    events.push({ id: live.id, name, slug: live.slug, status: live.status, file, action });
    diagnostics.push(...(composed === null ? [cannotUpdate(file, name)] : remarksOnEvent(composed, file, name)));
    if (composed?.existing?.comparisons.every(({ change }) => change === null) !== true) differs = true;
    if (composed !== null) silenced.push(...silencedIn(composed, file));
    if (isChanged) texts.set(file, { file, before: known?.before ?? null, text: composed.text });
    if (action === "created") noteLeftOut(leftOut, composed, file);
  }
  const webhooks =
    order.webhooks === null ? null : await addWebhooks(context, order.webhooks, texts, { diagnostics, silenced });
  const unseen = unseenByPlan(context, events);
  const ids = new Set(order.observations.map(({ live }) => idKey(live.id)));
  const existing = { documents: [...documents.values()], ids, webhooks: order.webhooks };
  return {
    events,
    webhooks,
    isSettled: !differs && unseen.length === 0 && !hasErrors(diagnostics) && isSettled(context, existing),
    files: [...texts.values()].filter(({ before, text }) => before !== text),
    diagnostics: [...diagnostics, ...silencedRemarks(silenced), ...leftOutRemarks(leftOut), ...unseen],
  };
}

/** By slug, so that files are named alike whatever order the service lists in. */
function inOrder(observations: readonly EventObservation[]): readonly EventObservation[] {
  const rank = ({ live }: EventObservation): string => `${live.slug ?? ""} ${live.id}`;
  return [...observations].sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

function noteLeftOut(leftOut: Map<string, string[]>, composed: ComposedEvent | null, file: string): void {
  for (const remark of remarksIn(composed?.described)) leftOut.set(remark, [...(leftOut.get(remark) ?? []), file]);
}

function remarksIn(described: DescribedEvent | undefined): readonly string[] {
  return [...(described?.remarks ?? []), ...(described?.lists ?? []).flatMap((list) => list.remarks)];
}

interface ReadFile {
  /** The documents that describe what was imported. */
  readonly documents: readonly Wish[];
  /** Of the events that were imported, in one case. */
  readonly ids: ReadonlySet<string>;
  /** null: they were not asked for. */
  readonly webhooks: readonly Live[] | null;
}

/** Whether the project holds nothing beside what was imported, so that there is nothing else that a plan could change. */
function isSettled({ project, state }: ImportContext, { documents, ids, webhooks }: ReadFile): boolean {
  const remembered = Object.values(state?.objects ?? {}).filter(({ kind }) => kind === "event");
  const files = new Set(project.webhooks.map(({ source }) => source.file));
  return (
    project.events.every((wish) => documents.includes(wish)) &&
    remembered.every(({ id }) => ids.has(idKey(id))) &&
    // Only one file of webhooks is brought up to date.
    files.size <= 1 &&
    project.webhooks.every(({ fields }) => webhooks?.some((live) => live.fields.url === fields.url) === true)
  );
}

/** The document that describes each of the events already, by the rules that `plan` goes by. */
function matchDocuments(context: ImportContext, observations: readonly EventObservation[]): ReadonlyMap<string, Wish> {
  const matches = matchEvents({
    wishes: context.project.events,
    lives: observations.map(({ live }) => live),
    remember: context.remember,
    baseOf: () => undefined,
    now: context.now,
  });
  const documents = new Map<string, Wish>();
  for (const wish of context.project.events) {
    const id = matches.get(wish.address)?.live?.id;
    if (id !== undefined && !documents.has(id)) documents.set(id, wish);
  }
  return documents;
}

// New files are named by the slugs of their events, with the date where several share one, and never like anything that is there.

async function makeFileNamer(context: ImportContext, { folder, observations }: Order): Promise<(live: Live) => string> {
  const stemsOf = eventStems(observations.map(({ live }) => live));
  const { files } = await context.files.list([posix.join(folder, "*")]);
  const keys = context.project.events.map((wish) => wish.own.key ?? "");
  // In lower case: some systems do not distinguish Jazz.yaml from jazz.yaml.
  const used = new Set([...files.map(stemOf), ...keys].map((stem) => stem.toLowerCase()));
  const remembered = rememberedIds(context);
  return (live) => {
    const isFree = (stem: string) => !used.has(stem) && (remembered.get(stem) ?? live.id) === live.id;
    const stem = stemsOf(live).find(isFree) ?? live.id;
    used.add(stem);
    return posix.join(folder, `${stem}.yaml`);
  };
}

/** The file's part of an event's address, if the document gives no key. */
function stemOf(file: string): string {
  return posix.basename(file).replace(/\.ya?ml$/i, "");
}

/** A key that state knows belongs to an event of its own, even if its document is gone. */
function rememberedIds(context: ImportContext): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const [address, { kind, id }] of Object.entries(context.state?.objects ?? {})) {
    if (kind === "event") ids.set(stemOf(address).toLowerCase(), id);
  }
  return ids;
}

/** Files that the globs of the project do not reach. */
function unseenByPlan(context: ImportContext, events: readonly ImportedEvent[]): readonly Diagnostic[] {
  const { settings } = context.loaded;
  const reaches = matcherOf(settings.events);
  const unseen = events.filter(({ file }) => !reaches(file));
  const [first] = unseen;
  if (first === undefined) return [];
  return [
    {
      code: "outside-globs",
      severity: "warning",
      message: `${first.file}${unseen.length === 1 ? " is" : ` and ${formatCount(unseen.length - 1)} more are`} not among the project's files, so \`plan\` does not read ${unseen.length === 1 ? "it" : "them"}.`,
      hint: `Add the folder to \`events\` in ticketing.yaml (now ${settings.events.join(", ")}), or import without --out.`,
    },
  ];
}
