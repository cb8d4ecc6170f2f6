// From a parsed document to its layout. The parser attaches comments to the nodes before them; here a comment belongs to what
// people put it next to: behind a value on its line, else above what follows, unless indented like what came before.
import { isAlias, isMap, isPair, isScalar, isSeq, Lexer, type Pair, type Scalar } from "yaml";
import type { ParsedDocument } from "../../config/yaml.ts";
import { countBefore } from "../../model/value.ts";

/** Where the comments and the dashes of a text are. */
export type Marks = ReturnType<typeof findMarks>;

const scalarMark = "\u001f";
const otherMarks = ["\u0002", "\u0018"];

export function findMarks(text: string) {
  const comments: { offset: number; text: string }[] = [];
  const dashes: number[] = [];
  let offset = 0;
  let isScalarNext = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!isScalarNext && lexeme === scalarMark) {
      isScalarNext = true;
      continue;
    }
    if (!isScalarNext && otherMarks.includes(lexeme)) continue;
    if (!isScalarNext && lexeme.startsWith("#")) comments.push({ offset, text: lexeme.trimEnd() });
    if (!isScalarNext && lexeme === "-") dashes.push(offset);
    isScalarNext = false;
    offset += lexeme.length;
  }
  return { comments, dashes };
}

/** Its place in the text, and what it is in. */
interface Placed {
  readonly entry: LayoutEntry;
  readonly parent: PlacedCollection;
}

interface PlacedCollection {
  readonly collection: LayoutCollection;
  readonly owner: Placed | null;
  readonly column: number;
  readonly end: number;
}

interface Extent {
  readonly from: number;
  readonly to: number;
}

/** A number: where it uses what has no place in these files, such as a tag. */
export function readLayout(
  document: ParsedDocument,
  text: string,
  marks: Marks,
  { from, to }: Extent,
): DocumentLayout | number {
  const placed: Placed[] = [];
  let odd: number | null = null;

  function read(node: unknown, owner: Placed | null): Layout {
    if (isAlias(node)) return { type: "alias", name: node.source };
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.tag !== undefined) odd ??= tagBefore(node.range?.[0]);
    if (isMap(node) || isSeq(node)) return readCollection(node, owner);
    const scalar = node as Scalar;
    const [from = 0, to = from] = scalar.range ?? [];
    return { type: "scalar", anchor: anchorText(scalar), node: scalar, source: text.slice(from, to) };
  }

  function readCollection(node: Parameters<typeof isMap>[0] & object, owner: Placed | null): LayoutCollection {
    const { items, flow, range, anchor } = node as {
      items: readonly unknown[];
      flow?: boolean;
      range?: readonly number[];
      anchor?: string;
    };
    const starts = items.map((item) => startOf(item, flow === true));
    const collection: LayoutCollection = {
      type: isMap(node) ? "map" : "list",
      anchor: anchorText({ anchor }),
      isFlow: flow === true,
      entries: [],
      after: [],
      width: 0,
    };
    const parent = { collection, owner, column: columnOf(starts[0] ?? 0), end: range?.[1] ?? 0 };
    for (const [index, item] of items.entries()) {
      const at = starts[index] ?? 0;
      const pair = isPair(item) ? (item as Pair) : null;
      if (pair !== null && (!isScalar(pair.key) || pair.key.anchor !== undefined || pair.key.tag !== undefined))
        odd ??= at;
      const entry: LayoutEntry = {
        key: pair === null ? null : (pair.key as Scalar),
        value: nothing,
        before: [],
        behind: [],
        isApart: isApart(at),
        start: at,
      };
      const place = { entry, parent };
      placed.push(place);
      entry.value = pair !== null && pair.value === null ? nothing : read(pair === null ? item : pair.value, place);
      collection.entries.push(entry);
    }
    return collection;
  }

  function startOf(item: unknown, isFlow: boolean): number {
    if (isPair(item)) return (item.key as Scalar).range?.[0] ?? 0;
    const at = (item as Scalar).range?.[0] ?? 0;
    const { dashes } = marks;
    return isFlow ? at : (dashes[countBefore(dashes.length, (index) => (dashes[index] ?? 0) < at) - 1] ?? at);
  }

  /** Two signs may begin a tag, and a block has it on the line before. */
  function tagBefore(offset = 0): number {
    const sign = text.lastIndexOf("!", offset);
    return Math.max(0, text[sign - 1] === "!" ? sign - 1 : sign);
  }

  const columnOf = (offset: number): number => offset - (text.lastIndexOf("\n", offset - 1) + 1);

  /** Whether the line above it is empty; false if it does not begin its line. */
  function isApart(offset: number): boolean {
    const line = text.lastIndexOf("\n", offset - 1) + 1;
    if (line === 0 || text.slice(line, offset).trim() !== "") return false;
    return text.slice(text.lastIndexOf("\n", line - 2) + 1, line).trim() === "";
  }

  const root = document.contents === null || isNothing(document.contents) ? null : read(document.contents, null);
  const head: Comment[] = [];
  for (const { offset, text: written } of marks.comments) {
    if (offset < from || offset >= to) continue;
    const comment = { text: written, isApart: isApart(offset) };
    const before = countBefore(placed.length, (index) => (placed[index]?.entry.start ?? 0) < offset);
    const next = placed[before] ?? null;
    const last = closedBefore(placed[before - 1] ?? null, offset);
    const isBehind = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim() !== "";
    if (last === null) head.push(comment);
    else if (isBehind) last.entry.behind.push(written);
    else placeAlone(last, next, comment, offset, columnOf(offset));
  }
  return odd ?? withHead(head, root);
}

const nothing: Layout = { type: "scalar", anchor: "", node: { value: null, source: "" } as Scalar, source: "" };

function anchorText({ anchor }: { anchor?: string | undefined }): string {
  return anchor === undefined ? "" : `&${anchor} `;
}

function isNothing(node: unknown): boolean {
  return isScalar(node) && node.value === null && (node.source ?? "") === "";
}

/** Out of the brackets that are closed before the offset. */
function closedBefore(last: Placed | null, offset: number): Placed | null {
  let place = last;
  for (let at = last; at !== null; at = at.parent.owner) {
    if (at.parent.collection.isFlow && at.parent.end <= offset) place = at.parent.owner;
  }
  return place;
}

function placeAlone(last: Placed, next: Placed | null, comment: Comment, offset: number, column: number): void {
  const bracket = ancestors(last).find(({ collection }) => collection.isFlow);
  if (bracket !== undefined) {
    if (next !== null && next.entry.start < bracket.end) next.entry.before.push(comment);
    else bracket.collection.after.push(comment);
    return;
  }
  const { value, start } = last.entry;
  const isBetween = value.type === "scalar" && start < offset && (value.node.range?.[0] ?? 0) > offset;
  if (isBetween) {
    last.entry.before.push(comment);
    return;
  }
  const staying = next === null ? [] : ancestors(next);
  const ended = ancestors(last).filter((each) => !staying.includes(each));
  const [nextColumn] = staying.map((each) => each.column);
  if (next !== null && (ended.length === 0 || column <= (nextColumn ?? 0))) next.entry.before.push(comment);
  else (ended.find((each) => each.column <= column) ?? ended.at(-1))?.collection.after.push(comment);
}

/** The innermost first. */
function ancestors({ parent }: Placed): readonly PlacedCollection[] {
  return parent.owner === null ? [parent] : [parent, ...ancestors(parent.owner)];
}

/** A comment above the first field is about the whole document, unless another paragraph comes before it. */
function withHead(lines: readonly Comment[], root: Layout | null): DocumentLayout {
  const first = root?.type === "map" || root?.type === "list" ? root.entries[0] : undefined;
  const lastGap = lines.findLastIndex((line, index) => index > 0 && line.isApart);
  const isHeadApart = first?.isApart === true || lastGap !== -1;
  if (first === undefined || first.isApart || lastGap === -1) {
    if (first !== undefined) first.isApart = false;
    return { head: lines, isHeadApart, root };
  }
  first.before.unshift(
    ...lines.slice(lastGap).map((line, index) => (index === 0 ? { ...line, isApart: false } : line)),
  );
  return { head: lines.slice(0, lastGap), isHeadApart, root };
}

// A document as it is laid out: values with the comments and blank lines around them.

export interface Comment {
  /** With its `#`. */
  readonly text: string;
  /** Whether an empty line comes before it. */
  readonly isApart: boolean;
}

/** A field of a map, or an entry of a list. */
export interface LayoutEntry {
  /** null in a list. */
  readonly key: Scalar | null;
  value: Layout;
  /** On separate lines above it. */
  readonly before: Comment[];
  /** Behind its key, its dash or its value. */
  readonly behind: string[];
  isApart: boolean;
  readonly start: number;
}

export interface LayoutCollection {
  readonly type: "map" | "list";
  readonly anchor: string;
  readonly isFlow: boolean;
  entries: LayoutEntry[];
  readonly after: Comment[];
  /** The most columns it may take on one line; 0: it is always written line by line. */
  width: number;
}

export type Layout =
  | LayoutCollection
  | { readonly type: "alias"; readonly name: string }
  | { readonly type: "scalar"; readonly anchor: string; readonly node: Scalar; readonly source: string };

export interface DocumentLayout {
  /** Above everything, and not about the first field in particular. */
  readonly head: readonly Comment[];
  /** Whether an empty line follows the head. */
  readonly isHeadApart: boolean;
  /** null: there is nothing but comments. */
  readonly root: Layout | null;
}

/** The most columns of a value of several parts next to its key: `[a, b]`, `{ name: Palace, city: Baguio }`. */
export const shortWidth = 72;
/** As wide as an entry of a list may be on its line. */
export const entryWidth = 140;
/** As wide as a text may be before it is folded. */
export const textWidth = 100;
