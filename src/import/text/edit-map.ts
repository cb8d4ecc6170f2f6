// Changes within one map: a value replaced, a line added, a line taken out.
import { isScalar, type Pair, type YAMLMap } from "yaml";
import { commentText } from "../comment-text.ts";
import type { Entry } from "../written.ts";
import type { ObjectEdit } from "./edit.ts";
import {
  colonEnd,
  endOf,
  indentOf,
  isBlock,
  lineEnd,
  lineStart,
  nextLine,
  type Source,
  shift,
  startOf,
} from "./extent.ts";
import { pairNode, type Style, valueNode } from "./nodes.ts";
import { renderNode } from "./render.ts";
import type { Splice } from "./splice.ts";

/** A line to be put into a map: rendered, and the field whose place in the order it has. */
export interface NewLine {
  readonly field: string;
  readonly text: string;
}

export function editMap(
  map: YAMLMap,
  edit: ObjectEdit,
  order: readonly string[],
  source: Source,
  furtherLines: readonly NewLine[] = [],
): readonly Splice[] {
  const style: Style = map.flow === true ? "flow" : "block";
  const pairs = map.items as Pair[];
  const splices: Splice[] = [];
  const lines: NewLine[] = [];
  for (const entry of edit.set) {
    const pair = pairs.find((candidate) => keyOf(candidate) === entry.field);
    if (pair === undefined) lines.push({ field: entry.field, text: renderLine(entry, style) });
    else splices.push(replaceValue(pair, entry, style, source));
  }
  const removed = pairs.filter((pair) => edit.remove.includes(keyOf(pair) ?? ""));
  for (const pair of removed) splices.push(removePair(pair, pairs, removed, style, source));
  const staying = pairs.filter((pair) => !removed.includes(pair));
  const added = [...lines, ...furtherLines].sort((one, other) => order.indexOf(one.field) - order.indexOf(other.field));
  for (const line of added) splices.push(addLine(line, staying, map, order, style, source));
  return splices;
}

export function keyOf(pair: Pair): string | null {
  return isScalar(pair.key) ? String(pair.key.value) : null;
}

function renderLine(entry: Entry, style: Style): string {
  const text = renderNode(pairNode(entry, style));
  if (style === "block") return text;
  return `${entry.field}: ${renderNode(valueNode(entry.value, "flow"))}`;
}

function replaceValue(pair: Pair, entry: Entry, style: Style, source: Source): Splice {
  const rendered = renderNode(pairNode({ field: entry.field, value: entry.value }, "block")).slice(
    entry.field.length + 1,
  );
  const after = style === "flow" ? ` ${renderNode(valueNode(entry.value, "flow"))}` : rendered;
  const end = endOf(pair, source);
  const value = pair.value;
  const inline = isScalar(value) && !isBlock(value) && startOf(value) < end && !after.includes("\n");
  const comment = style === "flow" ? null : commentAt(end, pair, source);
  const words = commentFor(entry, comment?.words ?? null);
  // The gap before a value on the same line is kept: people align values.
  if (inline && words === comment?.words) return { start: startOf(value), end, text: after.slice(1) };
  const start = inline ? startOf(value) : colonEnd(pair, source.text);
  const text = withComment(inline ? after.slice(1) : after, words);
  return { start, end: comment?.end ?? end, text: shift(text, indentOf(startOf(pair), source), source) };
}

/** The comment on the line of a value, or on the first line of a text of several lines. */
function commentAt(end: number, pair: Pair, source: Source): { readonly words: string; readonly end: number } | null {
  const from = isBlock(pair.value) ? startOf(pair.value) : end;
  const found = /^[^\S\n]+#[^\S\n]?([^\r\n]*)|^[|>][^\s#]*[^\S\n]+#[^\S\n]?([^\r\n]*)/.exec(source.text.slice(from));
  if (found === null) return null;
  return { words: found[1] ?? found[2] ?? "", end: isBlock(pair.value) ? end : from + found[0].length };
}

/** A remark that does not hold any more is said to be former; what a person wrote stays. */
function commentFor({ remark }: Entry, former: string | null): string | null {
  const words = remark === undefined ? null : commentText(remark);
  if (words === null || former === null || former.startsWith(words)) return former ?? words;
  return `${words} (before: ${former})`;
}

function withComment(text: string, words: string | null): string {
  if (words === null) return text;
  // Behind the last line of a block it would belong to the text.
  const [first = "", ...rest] = text.split("\n");
  return [`${first} # ${words}`, ...rest].join("\n");
}

function removePair(
  pair: Pair,
  pairs: readonly Pair[],
  removed: readonly Pair[],
  style: Style,
  source: Source,
): Splice {
  const start = startOf(pair);
  const end = endOf(pair, source);
  const index = pairs.indexOf(pair);
  const next = pairs[index + 1];
  const former = pairs.slice(0, index).findLast((candidate) => !removed.includes(candidate));
  if (style === "flow") {
    if (next !== undefined) return { start, end: startOf(next), text: "" };
    return { start: former === undefined ? start : endOf(former, source), end, text: "" };
  }
  // What a person remarked on the line stays.
  const comment = /^[^\S\n]+(?=#)/.exec(source.text.slice(end));
  if (comment !== null) return { start, end: end + comment[0].length, text: "" };
  const isAlone = source.text.slice(lineStart(start, source), start).trim() === "";
  if (isAlone) return { start: lineStart(start, source), end: nextLine(end, source), text: "" };
  return next === undefined ? { start, end, text: "{}" } : { start, end: startOf(next), text: "" };
}

function addLine(
  line: NewLine,
  staying: readonly Pair[],
  map: YAMLMap,
  order: readonly string[],
  style: Style,
  source: Source,
): Splice {
  const former = nearestBefore(line.field, staying, order);
  const [first] = staying;
  if (first === undefined) {
    const end = endOf(map, source);
    return { start: startOf(map), end, text: `{ ${line.text} }` };
  }
  if (style === "flow") {
    if (former === undefined) return { start: startOf(first), end: startOf(first), text: `${line.text}, ` };
    const at = endOf(former, source);
    return { start: at, end: at, text: `, ${line.text}` };
  }
  const indent = indentOf(startOf(first), source);
  const text = shift(line.text, indent, source);
  if (former === undefined) {
    return { start: startOf(first), end: startOf(first), text: `${text}${source.lineBreak}${indent}` };
  }
  const at = lineEnd(endOf(former, source), source);
  return { start: at, end: at, text: `${source.lineBreak}${indent}${text}` };
}

/** The pair that stands before the field in the order, as near as there is one. */
function nearestBefore(field: string, pairs: readonly Pair[], order: readonly string[]): Pair | undefined {
  let nearest: Pair | undefined;
  for (const pair of pairs) {
    const rank = rankOf(keyOf(pair), order);
    const isNearer = nearest === undefined || rank > rankOf(keyOf(nearest), order);
    if (rank < rankOf(field, order) && isNearer) nearest = pair;
  }
  return nearest;
}

/** Fields that have no place in the order, such as `<<`, come first. */
function rankOf(field: string | null, order: readonly string[]): number {
  return field === null ? -1 : order.indexOf(field);
}
