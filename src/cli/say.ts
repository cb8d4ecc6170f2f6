import { wrapPieces } from "../report/wrap.ts";
import type { Output } from "./world.ts";

/** Writes lines. A terminal would break long ones within words: there they are broken between them and go on indented. */
export function say(out: Output, lines: readonly string[]): void {
  const text = out.isTerminal ? lines.flatMap((line) => brokenLine(line, Math.max(40, out.columns))) : lines;
  if (text.length > 0) out.write(`${text.join("\n")}\n`);
}

function brokenLine(line: string, columns: number): readonly string[] {
  const indent = line.length - line.trimStart().length;
  const lines = wrapPieces([{ text: line.trimStart() }], columns - indent - 2, columns - indent);
  const [first = "", ...others] = lines.map((pieces) => pieces.map(({ text }) => text).join(""));
  return [" ".repeat(indent) + first, ...others.map((other) => " ".repeat(indent + 2) + other.trimStart())];
}
