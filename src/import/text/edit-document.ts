// A document updated to what is live, with the layout and the comments that people gave it.
import { Document, isAlias, isMap, isSeq, type Pair, parseAllDocuments, type YAMLMap, type YAMLSeq } from "yaml";
import type { Kind } from "../../kinds/define.ts";
import { fieldOrder, kindOf } from "../../kinds/index.ts";
import type { Wish } from "../../model/wish.ts";
import type { DescribedList, Description } from "../describe/describe-object.ts";
import { phaseFields } from "./copy-event.ts";
import { editMap, moveToZone, type NewLine, type ObjectEdit, pairKey, type Zones } from "./edit-map.ts";
import {
  applySplices,
  colonEnd,
  endOffset,
  indentOf,
  lineEnd,
  lineStart,
  nextLine,
  removeRuns,
  type Splice,
  shift,
  sourceText,
  startOffset,
  type Text,
  type TextPlace,
  textOffset,
} from "./extent.ts";
import { fitsOnOneLine, flowMap, renderFields, renderItems, renderList } from "./render.ts";

export interface ListEdit {
  /** By the entry's place in the list. */
  readonly items: ReadonlyMap<number, ObjectEdit>;
  readonly removed: ReadonlySet<number>;
  readonly added: readonly Description[];
}

export interface DocumentEdit {
  readonly self: ObjectEdit;
  /** By the name of the list: changed in place, or rewritten. */
  readonly lists: ReadonlyMap<string, ListEdit | DescribedList>;
  /** The zone of the event before and after the edit. */
  readonly zones?: Zones;
}

function isNewList(list: ListEdit | DescribedList): list is DescribedList {
  return "kind" in list;
}

export function changesNothing(edit: ObjectEdit): boolean {
  return edit.set.length === 0 && edit.remove.length === 0;
}

export function leavesList({ items, removed, added }: ListEdit): boolean {
  return removed.size === 0 && added.length === 0 && [...items.values()].every(changesNothing);
}

const eventKind = kindOf("event");

/** The file's text with the event at `place` changed; null if it is written in a way that cannot be changed in place. */
export function editEvent(text: string, place: TextPlace, edit: DocumentEdit): string | null {
  // One after the other, each on the text of the one before: an end that moves would not be found otherwise.
  const steps: readonly EditStep[] = [
    (root, source) => eachList(root, edit, (list, change, order) => editEntries(list, change, order, source)),
    (root, source) => eachList(root, edit, (list, change) => editMembers(list, change, source)),
    (root, source) => editSelf(root, edit, source),
    (root, source) => editPhases(root, edit, source),
  ];
  let result = text;
  for (const step of steps) {
    const root = documentAt(result, place)?.contents;
    const splices = isMap(root) ? step(root as YAMLMap, sourceText(result)) : null;
    const edited = splices === null ? null : applySplices(result, splices);
    if (edited === null) return null;
    result = edited;
  }
  return result;
}

/** The same for a document that inherits: it overrides its templates. null if two entries of a list that is not empty then share a name. `text`: null if nothing is written yet. */
export function overriding(text: string | null, event: Wish, whole: DocumentEdit): DocumentEdit | null {
  const root = text === null ? null : documentAt(text, event.source)?.contents;
  const own = new Map<string, ListEdit | DescribedList>();
  const inherited: string[] = [];
  for (const [field, edit] of whole.lists) {
    const policy = eventKind.fields[field];
    if (policy?.role !== "children") return null;
    const names = (event.children[policy.kind] ?? []).map(({ name }) => name);
    const isUnclear = isNewList(edit)
      ? edit.items?.length !== 0 && names.length > 0
      : new Set(names).size < names.length;
    if (isUnclear) return null;
    const list = isMap(root) ? pairOf(root as YAMLMap, field)?.value : undefined;
    const entries = isNewList(edit) ? edit : overridingEntries(kindOf(policy.kind), list, edit, names);
    if (entries === null) inherited.push(field);
    else own.set(field, entries);
  }
  const { set, remove } = clearing(whole.self);
  return { ...whole, self: { set, remove: [...remove, ...inherited] }, lists: own };
}

/** On one line everything that would override what an event says; null as above. */
export function renderOverride(event: Wish, edit: DocumentEdit): string | null {
  const own = overriding(null, event, edit);
  return own === null ? null : flowMap(own.self.set, [...own.lists.values()].filter(isNewList));
}

/** The document with more in the entry of one date of its series: only to be read, because it loses its layout. */
export function withDateEntry(text: string, place: TextPlace, date: string, entry: string): string | null {
  const [root, added] = [documentAt(text, place), documentAt(entry, { line: 1, column: 1 })].map((one) => one?.toJS());
  if (root === undefined || added === undefined) return null;
  const own = { ...root.series?.dates?.[date] };
  for (const field of Object.keys(added)) own[field] = withEntries(field, own[field], added[field]);
  const series = { ...root.series, dates: { ...root.series?.dates, [date]: own } };
  // Quoted, so that every text stays one.
  const edited = new Document({ ...root, series }, { aliasDuplicateObjects: false });
  return edited.toString({ lineWidth: 0, defaultKeyType: "PLAIN", defaultStringType: "QUOTE_DOUBLE" });
}

/** Adds entries to a list as a person would: what belongs to an existing entry is added to that entry. */
function withEntries(field: string, list: unknown, added: unknown): unknown {
  const policy = eventKind.fields[field];
  if (!Array.isArray(list) || !Array.isArray(added) || policy?.role === "value") return added;
  const label = policy?.role === "children" ? kindOf(policy.kind).identity.label : "";
  const entries = new Map<unknown, object>();
  for (const one of [...list, ...added]) entries.set(one[label] ?? one, { ...entries.get(one[label]), ...one });
  return [...entries.values()];
}

/** null: only inherited entries are left, so the list is removed; an empty one would remove them. */
function overridingEntries(
  { name: kind, identity: { label } }: Kind,
  list: unknown,
  { items, removed, added }: ListEdit,
  names: readonly string[],
): ListEdit | DescribedList | null {
  const written = isSeq(list) ? writtenEntries(list).map((entry) => isMap(entry) && String(entry.get(label))) : [];
  const own = { items: new Map<number, ObjectEdit>(), removed: new Set<number>(), added: [...added] };
  const override = (index: number, { set, remove }: ObjectEdit) => {
    const name = names[index] ?? "";
    const at = written.indexOf(name);
    if (at === -1) own.added.push({ id: name, entries: [{ field: label, value: name }, ...set] });
    else own.items.set(at, { set, remove });
  };
  const gone = new Set(removed);
  for (const [index, edit] of items) {
    const isRenamed = edit.set.some(({ field }) => field === label) && !written.includes(names[index] ?? "");
    // An entry overrides the inherited one of its name, so no line of the document renames that.
    if (isRenamed && edit.whole !== undefined) {
      own.added.push(edit.whole);
      gone.add(index);
    } else if (!changesNothing(edit)) override(index, clearing(edit));
  }
  // Taken out of the document, an entry may still be inherited: the next reading shows it.
  for (const index of gone) {
    const at = written.indexOf(names[index] ?? "");
    if (at === -1) override(index, { set: [{ field: "remove", value: true }], remove: [] });
    else own.removed.add(at);
  }
  if (own.removed.size < written.length) return own;
  const isLeft = written.length > 0 && own.added.length === 0 && gone.size < names.length;
  return isLeft ? null : { kind, items: own.added, remarks: [] };
}

/** Removing a line of the document does not remove what is inherited. */
function clearing({ set, remove }: ObjectEdit): ObjectEdit {
  return { set: [...set, ...remove.map((field) => ({ field, value: null }))], remove: [] };
}

type EditStep = (root: YAMLMap, source: Text) => readonly Splice[] | null;

/** The same for a file that holds a list of webhooks. */
export function editWebhooks(text: string, edit: ListEdit): string | null {
  const order = fieldOrder(kindOf("webhook"));
  const root = listIn(text);
  if (root?.items.length === 0) {
    return applySplices(text, [
      { start: startOffset(root), end: endOffset(root, sourceText(text)), text: renderItems(edit.added) },
    ]);
  }
  const changes = root === null ? null : editEntries(root, edit, order, sourceText(text));
  const changed = changes === null ? null : applySplices(text, changes);
  const list = changed === null ? null : listIn(changed);
  const members = changed === null || list === null ? null : editMembers(list, edit, sourceText(changed));
  return changed === null || members === null ? null : applySplices(changed, members);
}

function listIn(text: string): YAMLSeq | null {
  const root = parseAllDocuments(text).find((document) => isSeq(document.contents))?.contents;
  return isSeq(root) ? root : null;
}

/** The edits of each existing list that changes; null if they cannot be made. */
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

function editSelf(root: YAMLMap, edit: DocumentEdit, source: Text): readonly Splice[] {
  const splices: Splice[] = [];
  const lines: NewLine[] = [];
  for (const [field, list] of edit.lists) {
    if (!isNewList(list)) continue;
    const pair = pairOf(root, field);
    if (pair === undefined) lines.push({ field, text: `\n${renderList(list)}` });
    else splices.push(replaceList(pair, list, source));
  }
  return [...splices, ...editMap(root, edit.self, fieldOrder(eventKind), source, lines)];
}

/** Nothing live shows the times of phases: if the zone changes, they keep their instants. */
function editPhases(root: YAMLMap, { self, zones }: DocumentEdit, source: Text): readonly Splice[] {
  const isMoved = zones !== undefined && self.set.some(({ field }) => field === "timezone");
  return isMoved ? moveToZone(pairOf(root, "phases")?.value, phaseFields, zones, source) : [];
}

function pairOf(root: YAMLMap, field: string): Pair | undefined {
  return (root.items as Pair[]).find((candidate) => pairKey(candidate) === field);
}

function documentAt(text: string, place: TextPlace): Document.Parsed | undefined {
  const offset = textOffset(text, place);
  const documents = parseAllDocuments(text);
  return Array.isArray(documents)
    ? documents.find((document) => document.errors.length === 0 && startOffset(document.contents) === offset)
    : undefined;
}

function replaceList(pair: Pair, list: DescribedList, source: Text): Splice {
  const field = pairKey(pair) ?? "";
  const items = list.items ?? [];
  const bare: DescribedList = { ...list, remarks: [] };
  const rendered = items.length === 0 ? " []" : renderList(bare).slice(field.length + 1);
  const start = colonEnd(pair, source.text);
  const indent = indentOf(startOffset(pair), source);
  return { start, end: Math.max(start, endOffset(pair, source)), text: shift(rendered, indent, source) };
}

/** Changes within the entries; null if an entry is written in a way that cannot be changed. */
function editEntries(list: YAMLSeq, edit: ListEdit, order: readonly string[], source: Text): readonly Splice[] | null {
  const entries = writtenEntries(list);
  const splices: Splice[] = [];
  for (const [index, change] of edit.items) {
    const item = entries[index];
    if (changesNothing(change)) continue;
    if (!isMap(item)) return null;
    splices.push(...editMap(item, change, order, source));
  }
  return splices;
}

/** Entries to add and remove; null if none would stay as an example of how entries are written. */
function editMembers(list: YAMLSeq, edit: ListEdit, source: Text): readonly Splice[] | null {
  if (edit.removed.size === 0 && edit.added.length === 0) return [];
  const removed = writtenEntries(list).filter((_, index) => edit.removed.has(index));
  const isRemoved = (node: unknown): boolean => removed.includes(node as YAMLMap);
  const last = list.items.findLast((item) => !isRemoved(item));
  if (last === undefined) return null;
  const going =
    list.flow === true ? removeRuns(list.items, isRemoved, source) : removed.map((item) => removeItem(item, source));
  return [...going, ...edit.added.map((added) => addItem(added, last, list, source))];
}

function writtenEntries(list: YAMLSeq): readonly unknown[] {
  return list.items.filter((item) => isMap(item) || isAlias(item));
}

/** With the comments that belong to it: directly above it, and further in below it. */
function removeItem(item: unknown, source: Text): Splice {
  const dash = source.text.lastIndexOf("-", startOffset(item) - 1);
  const indent = indentOf(dash, source);
  let start = lineStart(dash, source);
  while (start > 0) {
    const above = lineStart(start - 1, source);
    if (!source.text.slice(above, start).startsWith(`${indent}#`)) break;
    start = above;
  }
  let end = nextLine(endOffset(item, source), source);
  while (end < source.text.length) {
    const below = nextLine(end, source);
    const line = source.text.slice(end, below);
    if (!line.startsWith(indent) || !/^[ \t]+#/.test(line.slice(indent.length))) break;
    end = below;
  }
  return { start, end, text: "" };
}

function addItem(added: Description, last: unknown, list: YAMLSeq, source: Text): Splice {
  if (list.flow === true) {
    const at = endOffset(last, source);
    return { start: at, end: at, text: `, ${flowMap(added.entries)}` };
  }
  const dash = source.text.lastIndexOf("-", startOffset(last) - 1);
  const indent = indentOf(dash, source);
  const isShort = isMap(last) && last.flow === true && fitsOnOneLine(added);
  const item = isShort ? flowMap(added.entries) : renderFields(added.entries);
  const text = shift(`- ${shift(item, "  ", { ...source, lineBreak: "\n" })}`, indent, source);
  const at = lineEnd(endOffset(last, source), source);
  return { start: at, end: at, text: `${source.lineBreak}${indent}${text}` };
}
