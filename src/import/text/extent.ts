// Where nodes of a parsed document begin and end in its text.
import { isAlias, isCollection, isPair, isScalar, type Pair, Scalar } from "yaml";

export type Text = ReturnType<typeof sourceText>;

export function sourceText(text: string) {
  return { text, lineBreak: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** Both counted from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export function textOffset(text: string, { line, column }: TextPlace): number {
  let offset = 0;
  for (let at = 1; at < line; at += 1) offset = text.indexOf("\n", offset) + 1;
  return offset + column - 1;
}

export function startOffset(node: unknown): number {
  if (isPair(node)) return startOffset(node.key);
  return isScalar(node) || isAlias(node) || isCollection(node) ? (node.range?.[0] ?? -1) : -1;
}

/** After the node's last character, without the blank lines and comments that follow. */
export function endOffset(node: unknown, { text }: Text): number {
  if (isPair(node)) {
    const end = node.value === null ? -1 : endOffset(node.value, { text, lineBreak: "" });
    return Math.max(end, colonEnd(node, text));
  }
  if (isScalar(node)) {
    const end = node.range?.[1] ?? -1;
    if (!isBlock(node)) return end;
    return (node.range?.[0] ?? 0) + text.slice(node.range?.[0] ?? 0, end).trimEnd().length;
  }
  if (isCollection(node) && node.flow !== true) {
    const last = node.items[node.items.length - 1];
    if (last !== undefined) return endOffset(last, { text, lineBreak: "" });
  }
  return isCollection(node) || isAlias(node) ? (node.range?.[1] ?? -1) : -1;
}

export function isBlock(node: unknown): boolean {
  return isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED);
}

export function colonEnd(pair: Pair, text: string): number {
  const keyEnd = isScalar(pair.key) ? (pair.key.range?.[1] ?? -1) : -1;
  const colon = text.indexOf(":", keyEnd);
  return keyEnd === -1 || colon === -1 ? -1 : colon + 1;
}

export function lineStart(offset: number, { text }: Text): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Before the line break. */
export function lineEnd(offset: number, { text }: Text): number {
  const end = text.indexOf("\n", offset);
  if (end === -1) return text.length;
  return text[end - 1] === "\r" && end > offset ? end - 1 : end;
}

export function nextLine(offset: number, { text }: Text): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** As many spaces as there are characters before a node in its line. */
export function indentOf(offset: number, source: Text): string {
  return " ".repeat(offset - lineStart(offset, source));
}

/** Lines that were rendered at the left margin, moved to where they belong. */
export function shift(rendered: string, indent: string, { lineBreak }: Text): string {
  return rendered
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : indent + line))
    .join(lineBreak);
}

/** Removes parts of a flow collection with their commas; neighbors are removed together. */
export function removeRuns(
  nodes: readonly unknown[],
  isRemoved: (node: unknown) => boolean,
  source: Text,
): readonly Splice[] {
  const splices: Splice[] = [];
  for (let first = 0; first < nodes.length; first += 1) {
    if (!isRemoved(nodes[first])) continue;
    let last = first;
    while (last + 1 < nodes.length && isRemoved(nodes[last + 1])) last += 1;
    const next = nodes[last + 1];
    if (next !== undefined) splices.push({ start: startOffset(nodes[first]), end: startOffset(next), text: "" });
    else {
      const start = first === 0 ? startOffset(nodes[first]) : endOffset(nodes[first - 1], source);
      splices.push({ start, end: endOffset(nodes[last], source), text: "" });
    }
    first = last;
  }
  return splices;
}

// Changes of a text by place: everything else keeps its bytes.

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** null if two of them want the same place. */
export function applySplices(text: string, splices: readonly Splice[]): string | null {
  // Sorting is stable: texts inserted at one place stay in the requested order, and come before what is removed there.
  const sorted = [...splices].sort((one, other) => one.start - other.start || Number(cuts(one)) - Number(cuts(other)));
  let result = "";
  let done = 0;
  for (const splice of sorted) {
    if (splice.start < done) return null;
    result += text.slice(done, splice.start) + splice.text;
    done = splice.end;
  }
  return result + text.slice(done);
}

function cuts({ start, end }: Splice): boolean {
  return end > start;
}
