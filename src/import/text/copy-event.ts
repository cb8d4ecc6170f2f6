// Last year's document as next year's: times are moved, and what belongs only to the former event is left out.

import { isMap, isScalar, isSeq, type Pair, parseAllDocuments, parseDocument, type Scalar, type YAMLMap } from "yaml";
import { type Calendar, moveTime } from "../../config/time.ts";
import { childKinds, fieldOrder, kindOf, kinds } from "../../kinds/index.ts";
import { weekdayNames } from "../../model/time.ts";
import { sentenceCase } from "../../model/value.ts";
import { editMap, type ObjectEdit, pairKey } from "./edit-map.ts";
import { applySplices, type Splice, sourceText, startOffset, type TextPlace, textOffset } from "./extent.ts";

export interface CopyRequest {
  /** Of the whole file. */
  readonly text: string;
  /** Where the document starts in it. */
  readonly place: TextPlace;
  readonly days: number;
  readonly zone: string;
  readonly calendar: Calendar;
  /** Where the copy starts, as a file writes it. */
  readonly start: string;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly key: string;
  readonly isNamedByKey: boolean;
}

/** A field of the document, and its line there. */
export interface CopiedField {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface CopiedEvent {
  readonly text: string;
  /** Of the original. */
  readonly leftOut: readonly CopiedField[];
  /** Times of the copy that could not be moved, such as variables. */
  readonly unmoved: readonly CopiedField[];
}

const eventKind = kindOf("event");
const lists = childKinds("event").map((kind) => kind.plural);
const leftOutOfEvent = ["status", "id", "new", "renamedFrom", "allow"];
const leftOutOfEntries = ["id", "new", "renamedFrom", "soldOut", "allow"];
const instants = new Set(
  kinds.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([field, policy]) =>
      policy.role === "value" && policy.form === "instant" ? [field] : [],
    ),
  ),
);
const labels = new Set([eventKind, ...childKinds("event")].map((kind) => kind.identity.label));

/** null: the document is a series, or written in a way that cannot be copied with its layout. */
export function copyEvent(request: CopyRequest): CopiedEvent | "series" | null {
  const found = documentIn(request);
  if (found === null) return null;
  const root = rootMap(found.text);
  if (root === null) return null;
  if (root.items.some((pair) => pairKey(pair as Pair) === "series")) return "series";
  const unmoved: CopiedField[] = [];
  const steps: readonly ((map: YAMLMap, text: string) => readonly Splice[])[] = [
    (map, text) => moved(map, text, request, unmoved),
    (map, text) => listEntries(map).flatMap((entry) => withoutOwn(entry, map, text)),
    (map, text) => editMap(map, selfEdit(map, request), fieldOrder(eventKind), sourceText(text)),
  ];
  let text = found.text;
  for (const step of steps) {
    const map = rootMap(text);
    const edited = map === null ? null : applySplices(text, step(map, text));
    if (edited === null) return null;
    text = edited;
  }
  if (rootMap(text) === null) return null;
  const ofFile = unmoved.map((field) => ({ ...field, line: found.linesBefore + field.line }));
  return { text, leftOut: leftOutOf(root, found), unmoved: ofFile };
}

interface Found {
  readonly text: string;
  readonly linesBefore: number;
}

/** The document with its comments: the whole file, unless that holds several. */
function documentIn({ text, place }: CopyRequest): Found | null {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) return null;
  if (documents.length === 1) return { text, linesBefore: 0 };
  const offset = textOffset(text, place);
  const document = documents.find(({ contents }) => startOffset(contents) === offset);
  if (document?.range === undefined) return null;
  const [, , end] = document.range;
  const start = document === documents[0] ? 0 : document.range[0];
  const marks = /^(?:\s*\n)?---[^\S\n]*\r?\n/.exec(text.slice(start, end))?.[0] ?? "";
  const body = text.slice(start + marks.length, end).replace(/\r?\n(?:---|\.\.\.)\s*$/, "\n");
  return { text: body, linesBefore: lineNumberAt(text, start + marks.length) - 1 };
}

function rootMap(text: string): YAMLMap | null {
  const { contents, errors } = parseDocument(text, { uniqueKeys: false });
  return errors.length === 0 && isMap(contents) ? (contents as YAMLMap) : null;
}

interface ListEntry {
  readonly map: YAMLMap;
  readonly list: string;
  readonly order: readonly string[];
}

function listEntries(root: YAMLMap): readonly ListEntry[] {
  return (root.items as Pair[]).flatMap((pair) => {
    const list = pairKey(pair) ?? "";
    const kind = childKinds("event").find(({ plural }) => plural === list);
    if (kind === undefined || !isSeq(pair.value)) return [];
    const order = fieldOrder(kind);
    return pair.value.items.flatMap((item) => (isMap(item) ? [{ map: item as YAMLMap, list, order }] : []));
  });
}

function withoutOwn({ map, list, order }: ListEntry, root: YAMLMap, text: string): readonly Splice[] {
  const set = map.has("soldOut") && fallsBack(map, list, root) ? [{ field: "soldOut", value: false }] : [];
  const remove = leftOutOfEntries.filter((field) => map.has(field) && !set.some((entry) => entry.field === field));
  return set.length + remove.length === 0 ? [] : editMap(map, { set, remove }, order, sourceText(text));
}

/** Whether a phase that ends sets `soldOut` of the entry: then the value to fall back to must be there. */
function fallsBack(map: YAMLMap, list: string, root: YAMLMap): boolean {
  const phases = root.get("phases");
  return (isSeq(phases) ? phases.items : []).some(
    (phase) =>
      isMap(phase) &&
      phase.has("until") &&
      listEntries(phase as YAMLMap).some(
        (entry) => entry.list === list && labelIn(entry.map) === labelIn(map) && entry.map.has("soldOut"),
      ),
  );
}

function selfEdit(root: YAMLMap, { start, key, isNamedByKey }: CopyRequest): ObjectEdit {
  const set = [
    ...(isNamedByKey && !root.has("key") ? [] : [{ field: "key", value: key }]),
    ...(hasOwnStart(root) ? [] : [{ field: "dateTime", value: start }]),
  ];
  return { set, remove: leftOutOfEvent.filter((field) => root.has(field)) };
}

/** A start that comes from elsewhere, such as a variable, would come from there again. */
function hasOwnStart(root: YAMLMap): boolean {
  const written = root.get("dateTime", true);
  return isScalar(written) && !String(written.value).includes("${");
}

/** Times of the event, of its lists and of its phases, and its weekday. */
function moved(root: YAMLMap, text: string, request: CopyRequest, unmoved: CopiedField[]): readonly Splice[] {
  const splices: Splice[] = [];
  const weekday = root.get("weekday", true);
  if (isScalar(weekday)) {
    splices.push({ ...extentOf(weekday), text: sameStyle(String(weekday.value), request.weekday) });
  }
  for (const { scalar, path } of timesIn(root, "", instants)) {
    if (path === "/dateTime" && !hasOwnStart(root)) continue;
    const { start, end } = extentOf(scalar);
    const written = String(scalar.value);
    const later = moveTime(written, request.days, request.zone, request.calendar);
    if (later === null) unmoved.push({ path, line: lineNumberAt(text, start), text: written });
    else if (later !== written)
      splices.push({ start, end, text: text.slice(start, end).replace(written.trimEnd(), () => later) });
  }
  return splices;
}

interface TimeScalar {
  readonly scalar: Scalar;
  readonly path: string;
}

function timesIn(map: YAMLMap, path: string, fields: ReadonlySet<string>): readonly TimeScalar[] {
  return (map.items as Pair[]).flatMap((pair): readonly TimeScalar[] => {
    const field = pairKey(pair) ?? "";
    const place = `${path}/${field}`;
    const { value } = pair;
    if (isScalar(value))
      return fields.has(field) && typeof value.value === "string" ? [{ scalar: value, path: place }] : [];
    const inner = field === "phases" ? phaseFields : lists.includes(field) ? instants : null;
    if (inner === null || !isSeq(value)) return [];
    return value.items.flatMap((item, index) =>
      isMap(item) ? timesIn(item as YAMLMap, `${place}/${index}`, inner) : [],
    );
  });
}

/** The times in a phase, and in the lists that it changes. */
export const phaseFields: ReadonlySet<string> = new Set([...instants, "from", "until"]);

function extentOf(scalar: Scalar): { start: number; end: number } {
  return { start: scalar.range?.[0] ?? 0, end: scalar.range?.[1] ?? 0 };
}

/** `Fri` becomes `Sat`, `friday` becomes `saturday`. */
function sameStyle(written: string, weekday: number): string {
  const name = weekdayNames[weekday] ?? "";
  const cut = written.trim().length === 3 ? name.slice(0, 3) : name;
  return /^\s*[A-Z]/.test(written) ? sentenceCase(cut) : cut;
}

function leftOutOf(root: YAMLMap, { text, linesBefore }: Found): readonly CopiedField[] {
  const objects = [
    { map: root, fields: leftOutOfEvent, path: "" },
    ...listEntries(root).map(({ map, list }) => ({ map, fields: leftOutOfEntries, path: `/${list}/${labelIn(map)}` })),
  ];
  return objects.flatMap(({ map, fields, path }) =>
    (map.items as Pair[]).flatMap((pair) => {
      const field = pairKey(pair) ?? "";
      if (!fields.includes(field)) return [];
      const value = isScalar(pair.value) ? String(pair.value.value) : "";
      return [{ path: `${path}/${field}`, line: linesBefore + lineNumberAt(text, startOffset(pair)), text: value }];
    }),
  );
}

function labelIn(map: YAMLMap): string {
  const label = [...labels].find((field) => map.has(field));
  return label === undefined ? "" : String(map.get(label));
}

function lineNumberAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
