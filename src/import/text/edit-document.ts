// A document brought up to what is live, with the layout and the comments that people gave it.
import { type Document, isMap, isSeq, type Pair, parseAllDocuments, type YAMLMap } from "yaml";
import { kindOf } from "../../kinds/index.ts";
import { fieldOrder } from "../field-order.ts";
import type { DescribedList } from "../written.ts";
import { type DocumentEdit, isNewList, type ListEdit, leavesList } from "./edit.ts";
import { editList } from "./edit-list.ts";
import { editMap, keyOf, type NewLine } from "./edit-map.ts";
import { colonEnd, endOf, indentOf, type Source, shift, sourceOf, startOf } from "./extent.ts";
import { listNode, listPair, renderNode } from "./render.ts";
import { applySplices, type Splice } from "./splice.ts";

/** Where a document stands in its file, both counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

const eventKind = kindOf("event");

/** The file's text with the event at `place` changed; null where it is written in a way that cannot be changed in place. */
export function editEvent(text: string, place: Place, edit: DocumentEdit): string | null {
  const root = documentAt(text, place)?.contents;
  if (!isMap(root)) return null;
  const source = sourceOf(text);
  const order = fieldOrder(eventKind);
  const splices: Splice[] = [];
  const lines: NewLine[] = [];
  for (const [field, list] of edit.lists) {
    const pair = (root.items as Pair[]).find((candidate) => keyOf(candidate) === field);
    if (pair === undefined) {
      if (isNewList(list)) lines.push({ field, text: newList(list) });
      else if (!leavesList(list)) return null;
      continue;
    }
    const found = isNewList(list) ? [replaceList(pair, list, source)] : editListAt(pair, list, source);
    if (found === null) return null;
    splices.push(...found);
  }
  splices.push(...editMap(root as YAMLMap, edit.self, order, source, lines));
  return applySplices(text, splices);
}

/** The same for a file that holds a list of webhooks. */
export function editWebhooks(text: string, edit: ListEdit): string | null {
  const root = parseAllDocuments(text).find((document) => isSeq(document.contents))?.contents;
  if (!isSeq(root)) return null;
  if (root.items.length === 0) {
    return applySplices(text, [{ start: startOf(root), end: root.range[1], text: renderNode(listNode(edit.added)) }]);
  }
  const splices = editList(root, edit, fieldOrder(kindOf("webhook")), sourceOf(text));
  return splices === null ? null : applySplices(text, splices);
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

function editListAt(pair: Pair, edit: ListEdit, source: Source): readonly Splice[] | null {
  if (leavesList(edit)) return [];
  if (!isSeq(pair.value)) return null;
  const name = keyOf(pair);
  const policy = eventKind.fields[name ?? ""];
  return policy?.role === "children" ? editList(pair.value, edit, fieldOrder(kindOf(policy.kind)), source) : null;
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
