// A document brought up to what is live, with the layout and the comments that people gave it.
import { type Document, isMap, isSeq, type Pair, parseAllDocuments, type YAMLMap, type YAMLSeq } from "yaml";
import { kindOf } from "../../kinds/index.ts";
import type { DescribedList } from "../describe/description.ts";
import { fieldOrder } from "../describe/field-order.ts";
import { type DocumentEdit, isNewList, type ListEdit, leavesList } from "./edit.ts";
import { editEntries, editMembers } from "./edit-list.ts";
import { editMap, keyOf, type NewLine } from "./edit-map.ts";
import {
  applySplices,
  colonEnd,
  endOf,
  indentOf,
  type Source,
  type Splice,
  shift,
  sourceOf,
  startOf,
} from "./extent.ts";
import { listNode, listPair, renderNode } from "./render.ts";

/** Where a document stands in its file, both counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

const eventKind = kindOf("event");

/** The file's text with the event at `place` changed; null where it is written in a way that cannot be changed in place. */
export function editEvent(text: string, place: Place, edit: DocumentEdit): string | null {
  // One after the other, each on the text of the one before: an end that moves would not be found otherwise.
  const steps: readonly Step[] = [
    (root, source) => eachList(root, edit, (list, change, order) => editEntries(list, change, order, source)),
    (root, source) => eachList(root, edit, (list, change) => editMembers(list, change, source)),
    (root, source) => editSelf(root, edit, source),
  ];
  let result = text;
  for (const step of steps) {
    const root = documentAt(result, place)?.contents;
    const splices = isMap(root) ? step(root as YAMLMap, sourceOf(result)) : null;
    const edited = splices === null ? null : applySplices(result, splices);
    if (edited === null) return null;
    result = edited;
  }
  return result;
}

type Step = (root: YAMLMap, source: Source) => readonly Splice[] | null;

/** The same for a file that holds a list of webhooks. */
export function editWebhooks(text: string, edit: ListEdit): string | null {
  const order = fieldOrder(kindOf("webhook"));
  const root = listIn(text);
  if (root?.items.length === 0) {
    return applySplices(text, [
      { start: startOf(root), end: endOf(root, sourceOf(text)), text: renderNode(listNode(edit.added)) },
    ]);
  }
  const changes = root === null ? null : editEntries(root, edit, order, sourceOf(text));
  const changed = changes === null ? null : applySplices(text, changes);
  const list = changed === null ? null : listIn(changed);
  const members = changed === null || list === null ? null : editMembers(list, edit, sourceOf(changed));
  return changed === null || members === null ? null : applySplices(changed, members);
}

function listIn(text: string): YAMLSeq | null {
  const root = parseAllDocuments(text).find((document) => isSeq(document.contents))?.contents;
  return isSeq(root) ? root : null;
}

/** What is to be done in each list that is there and changes; null where that cannot be done. */
function eachList(
  root: YAMLMap,
  { lists }: DocumentEdit,
  edit: (list: YAMLSeq, change: ListEdit, order: readonly string[]) => readonly Splice[] | null,
): readonly Splice[] | null {
  const splices: Splice[] = [];
  for (const [field, change] of lists) {
    if (isNewList(change) || leavesList(change)) continue;
    const list = pairOf(root, field)?.value;
    const policy = eventKind.fields[field];
    if (!isSeq(list) || policy?.role !== "children") return null;
    const found = edit(list, change, fieldOrder(kindOf(policy.kind)));
    if (found === null) return null;
    splices.push(...found);
  }
  return splices;
}

function editSelf(root: YAMLMap, edit: DocumentEdit, source: Source): readonly Splice[] {
  const splices: Splice[] = [];
  const lines: NewLine[] = [];
  for (const [field, list] of edit.lists) {
    if (!isNewList(list)) continue;
    const pair = pairOf(root, field);
    if (pair === undefined) lines.push({ field, text: newList(list) });
    else splices.push(replaceList(pair, list, source));
  }
  return [...splices, ...editMap(root, edit.self, fieldOrder(eventKind), source, lines)];
}

function pairOf(root: YAMLMap, field: string): Pair | undefined {
  return (root.items as Pair[]).find((candidate) => keyOf(candidate) === field);
}

function documentAt(text: string, place: Place): Document.Parsed | undefined {
  let offset = 0;
  for (let line = 1; line < place.line; line += 1) offset = text.indexOf("\n", offset) + 1;
  offset += place.column - 1;
  const documents = parseAllDocuments(text);
  return Array.isArray(documents)
    ? documents.find((document) => document.errors.length === 0 && startOf(document.contents) === offset)
    : undefined;
}

function newList(list: DescribedList): string {
  return `\n${renderNode(listPair(list)).trimStart()}`;
}

function replaceList(pair: Pair, list: DescribedList, source: Source): Splice {
  const field = keyOf(pair) ?? "";
  const items = list.items ?? [];
  const bare: DescribedList = { ...list, remarks: [] };
  const rendered =
    items.length === 0
      ? " []"
      : renderNode(listPair(bare))
          .trimStart()
          .slice(field.length + 1);
  const start = colonEnd(pair, source.text);
  const indent = indentOf(startOf(pair), source);
  return { start, end: Math.max(start, endOf(pair, source)), text: shift(rendered, indent, source) };
}
