// A layout as text: what is short on one line, everything else line by line.
import { Scalar } from "yaml";
import {
  type Comment,
  type DocumentLayout,
  entryWidth,
  type Layout,
  type LayoutCollection,
  type LayoutEntry,
  shortWidth,
} from "./read-layout.ts";
import {
  type BlockText,
  blockText,
  type CollectionStyle,
  isPlain,
  isWholeVariable,
  keptFold,
  quoted,
  textInLine,
} from "./scalar-text.ts";

const step = 2;

export function printDocument({ head, isHeadApart, root }: DocumentLayout): string {
  const page: string[] = [];
  printComments(head, 0, page, true);
  if (isHeadApart && head.length > 0 && root !== null) page.push("");
  if (root !== null) {
    if ((root.type === "map" || root.type === "list") && root.entries.length > 0) printEntries(root, 0, page);
    else page.push(oneLine(root, "block") ?? "");
  }
  return page.flatMap((line) => (line === openEnd ? [] : [`${line}\n`])).join("");
}

function printEntries(collection: LayoutCollection, indent: number, page: string[]): void {
  const isOnLines = collection.type === "list" && !fitOnLines(collection);
  for (const [index, entry] of collection.entries.entries()) printEntry(entry, indent, page, index === 0, isOnLines);
  printComments(collection.after, indent, page, collection.entries.length === 0);
}

/** Entries of a list in one style: a line each if all fit, else field by field. One that needs several lines does not count. */
function fitOnLines({ entries }: LayoutCollection): boolean {
  return entries.every(({ value }) => {
    if ((value.type !== "map" && value.type !== "list") || hasOwnLines(value)) return true;
    const line = oneLine(value, "block");
    return line !== null && "  - ".length + line.length <= entryWidth;
  });
}

/** Whether comments or nested entries keep it from one line. */
function hasOwnLines(value: LayoutCollection): boolean {
  if (value.after.length > 0) return true;
  return value.entries.some(({ before, behind, value: inner }) => {
    if (before.length + behind.length > 0) return true;
    if (inner.type !== "map" && inner.type !== "list") return false;
    return value.type === "list" || hasOwnLines(inner);
  });
}

function printEntry(entry: LayoutEntry, indent: number, page: string[], isFirst: boolean, isOnLines: boolean): void {
  const { key, value, before, behind } = entry;
  const line = inLine(entry, isOnLines);
  const block = line === null ? blockOf(entry, indent + step) : null;
  // An entry of a list with several lines has no separate line for a comment.
  const isLifted = key === null && line === null && block === null;
  const above = isLifted ? [...before, ...behind.map((text) => ({ text, isApart: false }))] : before;
  printComments(above, indent, page, isFirst);
  if (entry.isApart && (above.length > 0 || !isFirst)) printBlank(page);
  const start = `${" ".repeat(indent)}${key === null ? "-" : `${printKey(key)}:`}`;
  const end = isLifted ? "" : behind.map((text) => ` ${text}`).join("");
  if (line !== null) page.push(`${start}${line === "" ? "" : ` ${line}`}${end}`);
  else if (block !== null) {
    page.push(`${start} ${anchorOf(value)}${block.header}${end}`);
    for (const each of block.lines) page.push(each === "" ? "" : `${" ".repeat(indent + step)}${each}`);
    if (block.isOpenEnded) page.push(openEnd);
  } else {
    const anchor = anchorOf(value).trimEnd();
    const [first = "", ...rest] = nestedLines(entry, indent);
    if (key === null && anchor === "") page.push(`${start}${first.slice(indent + 1)}`, ...rest);
    else page.push(`${start}${anchor === "" ? "" : ` ${anchor}`}${end}`, first, ...rest);
  }
}

/** A collection, laid out one step further in. */
function nestedLines({ value }: LayoutEntry, indent: number): readonly string[] {
  const lines: string[] = [];
  printEntries(value as LayoutCollection, indent + step, lines);
  return lines;
}

function printComments(comments: readonly Comment[], indent: number, page: string[], isFirst: boolean): void {
  for (const [index, { text, isApart }] of comments.entries()) {
    if (isApart && !(isFirst && index === 0)) printBlank(page);
    page.push(`${" ".repeat(indent)}${text}`);
  }
}

// After a text that ends with empty lines, one more would be part of it.
const openEnd = "\u0000";

function printBlank(page: string[]): void {
  if (page.length > 0 && page.at(-1) !== "" && page.at(-1) !== openEnd) page.push("");
}

/** The value on the line of its key or dash; null if it continues below. */
function inLine({ value, behind, key }: LayoutEntry, isOnLines: boolean): string | null {
  if (value.type === "alias") return `*${value.name}`;
  if (value.type === "scalar")
    return blockOf({ value, behind }, step) === null ? scalarLine(value, "block", behind) : null;
  if (value.entries.length === 0 && value.after.length === 0)
    return `${value.anchor}${value.type === "map" ? "{}" : "[]"}`;
  if (key === null) return isOnLines ? null : oneLine(value, "block");
  const line = value.width === 0 ? null : oneLine(value, "block");
  return line !== null && line.length <= value.width ? line : null;
}

/** All of it on one line; null if that does not read well, or contains a comment. */
function oneLine(value: Layout, place: CollectionStyle): string | null {
  if (value.type === "alias") return `*${value.name}`;
  if (value.type === "scalar") return isSafe(value, place) ? scalarLine(value, place, []) : null;
  if (value.after.length > 0) return null;
  const parts = value.entries.map((entry) => {
    if (entry.before.length + entry.behind.length > 0) return null;
    const { key } = entry;
    // Entries of entries have their own lines.
    if (value.type === "list" && entry.value.type !== "scalar" && entry.value.type !== "alias") return null;
    const text = oneLine(entry.value, "flow");
    const isLong = text !== null && entry.value.type === "list" && text.length > shortWidth;
    if (text === null || isLong) return null;
    return key === null ? text : `${printKey(key)}: ${text}`;
  });
  if (parts.includes(null)) return null;
  const [open, close] = value.type === "map" ? ["{ ", " }"] : ["[", "]"];
  return `${value.anchor}${parts.length === 0 ? (open + close).replaceAll(" ", "") : open + parts.join(", ") + close}`;
}

type ScalarLayout = Extract<Layout, { type: "scalar" }>;

/** Whether it can stand among others on a line: nothing, a block or a variable of the environment whose type counts cannot. */
function isSafe(layout: ScalarLayout, place: CollectionStyle): boolean {
  const { value, type, source = "" } = layout.node;
  if (typeof value !== "string") return value !== null || source !== "";
  if (place === "flow" && type === Scalar.PLAIN && isWholeVariable(value)) return false;
  const isBlock = type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL;
  return !value.includes("\n") && !(isBlock && blockOf({ value: layout, behind: [] }, step) !== null);
}

function scalarLine({ anchor, node }: ScalarLayout, place: CollectionStyle, comments: readonly string[]): string {
  const { value, source = "", type } = node;
  if (typeof value !== "string") return `${anchor}${source}`.trimEnd();
  const isPlainNow = type === Scalar.PLAIN && !value.includes("\n");
  // A comment without a space behind a plain text looks like a cut-off part of it, and would be reported as such.
  const mustQuote = !isPlainNow && (isWholeVariable(value) || comments.some((comment) => /^#\S/.test(comment)));
  if (isPlainNow && (place === "block" || !/[,[\]{}]/.test(value))) return `${anchor}${value}`;
  return `${anchor}${mustQuote ? quoted(value) : textInLine(value, place)}`;
}

function blockOf({ value, behind }: Pick<LayoutEntry, "value" | "behind">, indent: number): BlockText | null {
  if (value.type !== "scalar" || typeof value.node.value !== "string") return null;
  const { node, source } = value;
  const isCut = node.type === Scalar.PLAIN && behind.some((comment) => /^#\S/.test(comment));
  if (isWholeVariable(node.value) || isCut) return null;
  const kept = node.type === Scalar.BLOCK_FOLDED ? keptFold(source) : null;
  return kept ?? blockText(value.node.value, indent, node.type === Scalar.BLOCK_LITERAL);
}

function anchorOf(value: Layout): string {
  return value.type === "alias" ? "" : value.anchor;
}

function printKey({ value, type, source = "" }: Scalar): string {
  if (type === Scalar.PLAIN) return source;
  return isPlain(String(value), "flow") ? String(value) : quoted(String(value));
}
