// Tables for the terminal that never grow wider than it: wide cells wrap within their column.
import stringWidth from "fast-string-width";
import { disarmCell, safeText } from "./sanitize.ts";

// How wide a text is on a terminal, and lines of a limited width: broken at spaces, between wide characters, and within a word only if it must be.

/** In columns: one for a letter, two for CJK and emoji, none for a combining mark. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

// Made when the first text needs it: most need none, and making it costs a tenth of a start.
let segmenter: Intl.Segmenter | undefined;

/** How many characters of the text's beginning fit into the width, without cutting one that is made of several. */
export function fittingLength(text: string, width: number): number {
  // The segmenter needs time in proportion to the whole text that it is given.
  const start = text.slice(0, 8 * width + 32);
  if (/^[\x20-\x7e]*$/.test(start)) return Math.min(width, text.length);
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  let used = 0;
  for (const { segment, index } of segmenter.segment(start)) {
    used += displayWidth(segment);
    if (used > width) return index;
  }
  return start.length;
}

/** The text, or as much of its beginning as fits with a `…` behind it. */
export function cutText(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `${text.slice(0, fittingLength(text, width - 1)).trimEnd()}…`;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** Text that can carry more than its letters, such as a color. */
interface Piece {
  readonly text: string;
}

/** What is never broken across lines: a word, which may consist of several pieces. */
interface Cluster<Kind> {
  /** Spaces before it; dropped where a line ends before it. */
  readonly gap: string;
  readonly parts: Kind[];
}

/** Pieces in lines of at most `width` columns, the first of `firstWidth`. A word wider than that is broken. */
export function wrapPieces<Kind extends Piece>(
  pieces: readonly Kind[],
  width: number,
  firstWidth = width,
): readonly (readonly Kind[])[] {
  // Most lines are short.
  if (widthOf(pieces) <= firstWidth) return [pieces.filter((piece) => piece.text !== "")];
  const lines: Kind[][] = [[]];
  let limit = Math.max(1, firstWidth);
  let used = 0;
  const breakLine = (): void => {
    lines.push([]);
    limit = Math.max(1, width);
    used = 0;
  };
  const put = (piece: Kind, text: string): void => {
    if (text === "") return;
    const line = lines.at(-1) ?? [];
    const last = line.at(-1);
    if (last !== undefined && isAlike(last, piece)) line[line.length - 1] = { ...last, text: last.text + text };
    else line.push({ ...piece, text });
    used += displayWidth(text);
  };
  for (const { gap, parts } of clustersOf(pieces)) {
    const columns = widthOf(parts);
    const [first] = parts;
    if (used > 0 && used + gap.length + columns > limit) breakLine();
    else if (first !== undefined && gap.length + columns <= limit) put(first, gap);
    for (const part of parts) {
      let rest = part.text;
      while (columns > limit) {
        // Measuring the whole rest each time would take time in proportion to the square of its length.
        const fits = fittingLength(rest, limit - used);
        if (fits >= rest.length) break;
        if (fits === 0 && used > 0) {
          breakLine();
          continue;
        }
        // A character wider than the line is put on it anyway.
        const end = fits > 0 ? fits : (/^./su.exec(rest)?.[0].length ?? 1);
        put(part, rest.slice(0, end));
        rest = rest.slice(end);
      }
      put(part, rest);
    }
  }
  return lines;
}

export function wrapText(text: string, width: number, firstWidth = width): readonly string[] {
  return wrapPieces([{ text }], width, firstWidth).map((line) => line.map((piece) => piece.text).join(""));
}

function widthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + displayWidth(piece.text), 0);
}

function isAlike<Kind extends Piece>(one: Kind, other: Kind): boolean {
  const keys = Object.keys(one) as (keyof Kind)[];
  return keys.every((key) => key === "text" || one[key] === other[key]);
}

// Chinese, Japanese and Korean are written without spaces: a line may end before each letter, and before what opens a
// bracket around it; every other mark stays with the letter before it.
const token =
  /( *)(\p{Ps}?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|(?:(?!\p{Ps}?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[^ ])+|$)/gu;
const startsWide = /^\p{Ps}?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function clustersOf<Kind extends Piece>(pieces: readonly Kind[]): readonly Cluster<Kind>[] {
  const clusters: Cluster<Kind>[] = [];
  for (const piece of pieces) {
    for (const [whole, gap = "", word = ""] of piece.text.matchAll(token)) {
      if (whole === "") continue;
      const part = { ...piece, text: word };
      const last = clusters.at(-1);
      if (last === undefined || gap !== "" || startsWide.test(word)) clusters.push({ gap, parts: [part] });
      else last.parts.push(part);
    }
  }
  return clusters;
}

interface TableColumn {
  readonly title: string;
  readonly align?: "right";
  /** Never wrapped, such as an id that is copied: the other columns give way as long as they can. */
  readonly whole?: true;
}

/** A column whose width is set beforehand, so that each row can be written as it comes. */
export interface FixedColumn {
  readonly width: number;
  readonly align?: "right" | undefined;
}

const gap = "  ";
/** Names can be read in as many columns, and in no fewer than the least. */
const readable = 12;
const least = 4;

/** Titles, a rule, a row per entry, each with its note below it. Each cell is data: it is made safe for the terminal here. */
export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  options: { readonly columns: number; readonly notes?: readonly string[] },
): string {
  const cells = rows.map((row) => row.map(safeText));
  const widths = columns.map(({ title }, index) =>
    cells.reduce((most, row) => Math.max(most, displayWidth(disarmCell(row[index] ?? ""))), displayWidth(title)),
  );
  const room = options.columns - gap.length * (columns.length - 1);
  // From the widest column that may wrap, until all fit; from the whole ones before the others cannot be read.
  for (const [isWhole, narrowest] of [
    [undefined, readable],
    [true, readable],
    [undefined, least],
  ] as const) {
    while (widths.reduce((sum, width) => sum + width, 0) > room) {
      const widest = Math.max(...widths.filter((_, index) => columns[index]?.whole === isWhole));
      if (widest <= narrowest) break;
      widths[widths.findIndex((width, index) => width === widest && columns[index]?.whole === isWhole)] = widest - 1;
    }
  }
  const fixed = columns.map(({ align }, index) => ({ width: widths[index] ?? 0, align }));
  const titles = columns.map(({ title }) => title);
  const noteLines = (note = "") =>
    wrapText(disarmCell(safeText(note)), options.columns - 2).flatMap((line) => (line === "" ? [] : `  ${line}`));
  const entries = cells.flatMap((row, index) => [...layCells(fixed, row), ...noteLines(options.notes?.[index])]);
  const lines = [...layCells(fixed, titles), ruleOf(fixed), ...entries];
  return `${lines.join("\n")}\n`;
}

/** One row as lines; cells wider than their column continue below. The cells must already be safe for a terminal. */
export function layCells(columns: readonly FixedColumn[], cells: readonly string[]): readonly string[] {
  const wrapped = columns.map(({ width }, index) => wrapText(disarmCell(cells[index] ?? ""), width));
  const height = wrapped.reduce((most, lines) => Math.max(most, lines.length), 1);
  return Array.from({ length: height }, (_, line) => {
    const parts = columns.map(({ width, align }, index) =>
      (align === "right" ? padStart : padEnd)(wrapped[index]?.[line]?.trimEnd() ?? "", width),
    );
    return parts.join(gap).trimEnd();
  });
}

/** The line below titles. */
export function ruleOf(columns: readonly FixedColumn[]): string {
  return columns.map(({ width }) => "-".repeat(width)).join(gap);
}

export function roomBeside(columns: readonly FixedColumn[], lineWidth: number, least: number): number {
  const used = columns.reduce((sum, { width }) => sum + width + gap.length, 0);
  return Math.max(least, lineWidth - used);
}

// CSV as RFC 4180 has it, and safe to open in a spreadsheet.

export type CsvCell = string | number | boolean | null;

/** Rows under their titles. Lines end in CRLF, the last one too. */
export function renderCsv(titles: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [titles, ...rows].map(csvLine).join("");
}

/** One row, for output that is written as it comes. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  // A number is what it says; only text can look like a formula, and an apostrophe makes it text.
  const text = typeof cell === "string" && formula.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// A spreadsheet runs text that begins with one of these, even after spaces or invisible characters.
const formula = /^[\s\p{Default_Ignorable_Code_Point}\p{Control}]*[=+\-@＝＋－＠]/u;

/** Text of the service for a cell: what a terminal or the log of a workflow would execute is only shown; URLs without tokens. */
export function csvDataCell(text: string | null): CsvCell {
  return text === null ? null : disarmCell(safeText(text));
}
