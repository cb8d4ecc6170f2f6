import type { Source } from "../model/source.ts";
import type { LocatedScalar } from "./located.ts";

export interface BlockText {
  readonly scalar: LocatedScalar;
  /** The number of the text's last line, counted from 1. */
  readonly last: number;
}

/**
 * The text below a `|` or `>`, or `|-` or `>-`: line by line as it stands, or in one line. `lines` are all lines of the file, `parent` is the indentation of what
 * holds the text; undefined stands for "not sure: ask the full parser".
 */
export function plainBlockText(
  header: string,
  lines: readonly string[],
  source: Source,
  parent: number,
): BlockText | undefined {
  const first = lines[source.line];
  if (first === undefined) return undefined;
  const indent = first.search(/[^ ]/);
  if (indent <= parent) return undefined;
  const texts: string[] = [];
  const marks: Source[] = [];
  let last = source.line;
  for (let number = source.line + 1; number <= lines.length; number += 1) {
    const line = lines[number - 1] as string;
    const begin = line.search(/[^ ]/);
    if (begin === -1 && line.length > indent) return undefined;
    if (begin !== -1 && begin < indent) {
      if (begin > parent) return undefined;
      break;
    }
    texts.push(line.slice(indent));
    if (begin !== -1) last = number;
    for (let at = line.indexOf("${"); at !== -1; at = line.indexOf("${", at + 2)) {
      marks.push({ file: source.file, line: number, column: at + 1 });
    }
  }
  const said = texts.slice(0, last - source.line);
  const folded = header.startsWith(">");
  // Empty lines and lines that are indented further keep their line ends within a folded text.
  if (folded && said.some((line) => line === "" || line.startsWith(" "))) return undefined;
  const value = said.join(folded ? " " : "\n") + (header.endsWith("-") ? "" : "\n");
  const scalar: LocatedScalar = { type: "scalar", value, source, plain: false };
  return { scalar: marks.length === 0 ? scalar : { ...scalar, marks }, last };
}
