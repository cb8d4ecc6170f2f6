// Where nodes of a parsed document begin and end in its text.
import { isAlias, isCollection, isPair, isScalar, type Pair, Scalar } from "yaml";

export interface Source {
  readonly text: string;
  /** How its lines end. */
  readonly lineBreak: string;
}

export function sourceOf(text: string): Source {
  return { text, lineBreak: text.includes("\r\n") ? "\r\n" : "\n" };
}

export function startOf(node: unknown): number {
  if (isPair(node)) return startOf(node.key);
  return isScalar(node) || isAlias(node) || isCollection(node) ? (node.range?.[0] ?? -1) : -1;
}

/** Behind the node's last character, without the blank lines and comments that follow. */
export function endOf(node: unknown, { text }: Source): number {
  if (isPair(node)) {
    const end = node.value === null ? -1 : endOf(node.value, { text, lineBreak: "" });
    return Math.max(end, colonEnd(node, text));
  }
  if (isScalar(node)) {
    const end = node.range?.[1] ?? -1;
    if (!isBlock(node)) return end;
    return (node.range?.[0] ?? 0) + text.slice(node.range?.[0] ?? 0, end).trimEnd().length;
  }
  if (isCollection(node) && node.flow !== true) {
    const last = node.items[node.items.length - 1];
    if (last !== undefined) return endOf(last, { text, lineBreak: "" });
  }
  return isCollection(node) || isAlias(node) ? (node.range?.[1] ?? -1) : -1;
}

export function isBlock(node: unknown): boolean {
  return isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED);
}

/** Behind the colon of a pair. */
export function colonEnd(pair: Pair, text: string): number {
  const keyEnd = isScalar(pair.key) ? (pair.key.range?.[1] ?? -1) : -1;
  const colon = text.indexOf(":", keyEnd);
  return keyEnd === -1 || colon === -1 ? -1 : colon + 1;
}

export function lineStart(offset: number, { text }: Source): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Before the line break. */
export function lineEnd(offset: number, { text }: Source): number {
  const end = text.indexOf("\n", offset);
  if (end === -1) return text.length;
  return text[end - 1] === "\r" && end > offset ? end - 1 : end;
}

/** Where the next line begins. */
export function nextLine(offset: number, { text }: Source): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** The spaces that stand before a node, whatever else stands there. */
export function indentOf(offset: number, source: Source): string {
  return " ".repeat(offset - lineStart(offset, source));
}

/** Lines that were rendered at the left margin, moved to where they belong. */
export function shift(rendered: string, indent: string, { lineBreak }: Source): string {
  return rendered
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : indent + line))
    .join(lineBreak);
}
