// The lines of a plain file.
import type { Source } from "../../model/diagnostic.ts";
import type { LocatedScalar } from "./located.ts";

export interface Line {
  readonly text: string;
  readonly number: number;
  readonly indent: number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const beyond = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;

/** Every line; null where there is a character that has no place in a plain file, such as a tab. */
export function linesOf(text: string): readonly string[] | null {
  if (beyond.test(text)) return null;
  if (!text.includes("\r")) return text.split("\n");
  return /\r(?!\n)/.test(text) ? null : text.split("\r\n").flatMap((line) => line.split("\n"));
}

/** Lines that say something, by document; null where a line begins with a marker that is not a simple `---`. */
export function splitDocuments(all: readonly string[]): Line[][] | null {
  let lines: Line[] = [];
  const documents = [lines];
  let number = 0;
  for (const whole of all) {
    number += 1;
    const indent = indentOf(whole);
    if (indent === whole.length || whole.charAt(indent) === "#") continue;
    if (whole === "---") {
      lines = [];
      documents.push(lines);
      continue;
    }
    if (indent === 0 && /^(?:---|\.\.\.|%)/.test(whole)) return null;
    lines.push({ text: whole, number, indent });
  }
  return documents;
}

function indentOf(text: string): number {
  let indent = 0;
  while (text.charAt(indent) === " ") indent += 1;
  return indent;
}

export function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === " ") end -= 1;
  return text.slice(0, end);
}

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
