// A scalar as text: plain if YAML reads it back as it is, else in quotes or as a block.
import { withoutEnd } from "../../model/value.ts";
import { textWidth } from "./read-layout.ts";

export type CollectionStyle = "block" | "flow";

/** Lines of a block after its header, without their indentation. */
export interface BlockText {
  readonly header: string;
  readonly lines: readonly string[];
  /** No empty line may follow it: it would be part of the text. */
  readonly isOpenEnded: boolean;
}

// What YAML 1.2 or an older reader treats as something other than text. Days and times of day are text in these files.
const otherThanText =
  /^(?:~|null|true|false|yes|no|on|off|y|n|<<|=|[-+]?(?:0x[\da-f_]+|0o?[0-7_]+|0b[01_]+|\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?|(?:\.[\d_]+|\d[\d_]*(?:\.[\d_]*)?)(?:e[-+]?\d+)?|\.inf)|\.nan|\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)?)$/i;
const dayOrTimeOfDay = /^(?:\d{4}-\d\d-\d\d|[012]\d:[0-5]\d)$/;
const meaningful = /^[\s,[\]{}#&*!|>'"%@`]|^[?:-](?:\s|$)|^(?:---|\.\.\.)|:(?:\s|$)|\s#|\s$|[\n\t]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/u;

/** Whether a text needs no quotes. */
export function isPlain(text: string, place: CollectionStyle): boolean {
  if (text === "" || meaningful.test(text) || hasInvisible(text) || unprintable.test(text)) return false;
  if (place === "flow" && /[,[\]{}]|^[?:-]/.test(text)) return false;
  return !otherThanText.test(text) || dayOrTimeOfDay.test(text);
}

/** A variable of the environment that is a whole value: without quotes it may be a number or a switch. */
export function isWholeVariable(value: unknown): boolean {
  return typeof value === "string" && /^\s*\$\{env\.[^}]*\}\s*$/.test(value);
}

export function textInLine(text: string, place: CollectionStyle): string {
  return isPlain(text, place) ? text : quoted(text);
}

export function quoted(text: string): string {
  const isSimple = !hasInvisible(text) && !unprintable.test(text) && !/[\n\t\\]/.test(text);
  if (isSimple && text.includes('"') && !text.includes("'")) return `'${text}'`;
  return escapeInvisible(JSON.stringify(text)).replace(/[\u007f-\u009f\ufffe\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

// What the runner of a workflow treats as a command: two colons at the start of a line, and this anywhere in it.
const logCommand = /(?:^|\s)::|##(?=\[|vso\[)/i;

/** A text that a CI runner would treat as a command, as one quoted line with the same value, which it ignores; else null. */
export function quotedCommand(text: string): string | null {
  if (!logCommand.test(text)) return null;
  return `"${escapeInvisible(JSON.stringify(text).slice(1, -1)).replace(/##/g, "#\\x23")}"`;
}

/** A text that reads better as a block; null for all others. `indent`: of its lines. */
export function blockText(text: string, indent: number, isLiteral: boolean): BlockText | null {
  if (hasInvisible(text) || unprintable.test(text) || text.trim() === "") return null;
  if (isLiteral || text.includes("\n")) return literal(text);
  if (text.length <= textWidth || !/\S \S/.test(text) || text !== text.trim() || text.includes("\t")) return null;
  return { header: ">-", lines: folded(text, Math.max(textWidth - indent, 40)), isOpenEnded: false };
}

function literal(text: string): BlockText {
  const body = withoutEnd(text, "\n");
  const breaks = text.length - body.length;
  const indicator = /^[ \n]/.test(text) ? "2" : "";
  const lines = [...body.split("\n"), ...Array.from({ length: Math.max(0, breaks - 1) }, () => "")];
  return { header: `|${indicator}${["-", ""][breaks] ?? "+"}`, lines, isOpenEnded: breaks > 1 };
}

/** Broken at single spaces only: of several, one would be lost. */
export function folded(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A folded block with the lines that its author gave it; null if it must be rewritten. */
export function keptFold(source: string): BlockText | null {
  const [header = "", ...rest] = source.split("\n");
  const [, chomping = ""] = /^>([-+]?)(?:\s|$)/.exec(header) ?? [];
  const [first = ""] = rest;
  if (!/^>[-+]?(?:\s|$)/.test(header) || first.trim() === "" || hasInvisible(source)) return null;
  const indent = first.length - first.trimStart().length;
  const lines = rest.map((line) => line.slice(indent));
  // The last one is what follows the last line break.
  if (lines.at(-1) === "") lines.pop();
  while (chomping !== "+" && lines.at(-1)?.trim() === "") lines.pop();
  return { header: `>${chomping}`, lines, isOpenEnded: chomping === "+" };
}

// Invisible characters that change how a line is read: in a file they are written as escapes, so that a review shows them.
// Joiners (U+200C, U+200D) belong to words and emoji and stay as they are.

export const invisible = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

export function hasInvisible(text: string): boolean {
  return text.search(invisible) !== -1;
}

/** For text in double quotes only: nowhere else does YAML know escapes. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
