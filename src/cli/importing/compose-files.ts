// The files of an import: which event goes into which file, and what each will hold. Nothing is written here.
import type { EventSight } from "../../import/describe-event.ts";
import type { DescribedEvent } from "../../import/written.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import { idKey } from "../../model/id.ts";
import type { Live } from "../../model/live.ts";
import { addWebhooks } from "./add-webhooks.ts";
import { type Composed, composeNew, composeUpdate } from "./compose-event.ts";
import type { Desk } from "./desk.ts";
import { schemaFor, textOf } from "./file-texts.ts";
import { cannotUpdate, leftOutRemarks, remarksOnEvent, silencedIn } from "./import-remarks.ts";
import type { FileText, Imported, ImportedEvent } from "./imported.ts";
import { isSettled } from "./is-settled.ts";
import { matchDocuments } from "./match-documents.ts";
import { makeFileNamer, stemOf } from "./name-file.ts";
import { type Silenced, silencedRemarks } from "./silenced.ts";
import { unseenByPlan } from "./unseen-by-plan.ts";

export interface Order {
  readonly sights: readonly EventSight[];
  /** null: they are not asked for. */
  readonly webhooks: readonly Live[] | null;
  /** The folder for new files, relative to the project, with `/`; "" is the project itself. */
  readonly folder: string;
}

export async function composeFiles(desk: Desk, order: Order): Promise<Imported> {
  const texts = new Map<string, FileText>();
  const events: ImportedEvent[] = [];
  const diagnostics: Diagnostic[] = [];
  const leftOut = new Map<string, string[]>();
  const silenced: Silenced[] = [];
  let differs = false;
  const documents = matchDocuments(desk, order.sights);
  const nameFile = await makeFileNamer(desk, order.folder);

  for (const sight of inOrder(order.sights)) {
    const { live } = sight;
    const document = documents.get(live.id);
    const file = document?.source.file ?? nameFile(live);
    const known = document === undefined ? null : await textOf(desk, file, texts);
    const composed =
      document === undefined
        ? await composeNew(desk, sight, { file, key: stemOf(file), schema: await schemaFor(desk, file, "event") })
        : await composeUpdate(desk, sight, { file, text: known?.text ?? "", address: document.address });
    const name = String(live.fields.name ?? live.id);
    const isChanged = composed !== null && composed.text !== known?.text;
    const action = !isChanged ? "unchanged" : document === undefined ? "created" : "updated";
    events.push({ id: live.id, name, slug: live.slug, status: live.status, file, action });
    diagnostics.push(...(composed === null ? [cannotUpdate(file, name)] : remarksOnEvent(composed, file, name)));
    if (composed?.looked?.cases.every(({ change }) => change === null) !== true) differs = true;
    if (composed !== null) silenced.push(...silencedIn(composed, file));
    if (isChanged) texts.set(file, { file, before: known?.before ?? null, text: composed.text });
    if (action === "created") noteLeftOut(leftOut, composed, file);
  }
  const webhooks =
    order.webhooks === null ? null : await addWebhooks(desk, order.webhooks, texts, { diagnostics, silenced });
  const unseen = unseenByPlan(desk, events);
  const ids = new Set(order.sights.map(({ live }) => idKey(live.id)));
  const looked = { documents: [...documents.values()], ids, webhooks: order.webhooks };
  return {
    events,
    webhooks,
    isSettled: !differs && unseen.length === 0 && !hasErrors(diagnostics) && isSettled(desk, looked),
    files: [...texts.values()].filter(({ before, text }) => before !== text),
    diagnostics: [...diagnostics, ...silencedRemarks(silenced), ...leftOutRemarks(leftOut), ...unseen],
  };
}

/** By slug, so that files are named alike whatever order the service lists in. */
function inOrder(sights: readonly EventSight[]): readonly EventSight[] {
  const rank = ({ live }: EventSight): string => `${live.slug ?? ""} ${live.id}`;
  return [...sights].sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

function noteLeftOut(leftOut: Map<string, string[]>, composed: Composed | null, file: string): void {
  for (const remark of remarksIn(composed?.described)) leftOut.set(remark, [...(leftOut.get(remark) ?? []), file]);
}

function remarksIn(described: DescribedEvent | undefined): readonly string[] {
  return [...(described?.remarks ?? []), ...(described?.lists ?? []).flatMap((list) => list.remarks)];
}
