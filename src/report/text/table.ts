// A table for the terminal that never grows wider than it: wide cells wrap within their column.

import { displayWidth, padEnd, padStart } from "./display-width.ts";
import { disarmCell, safeText } from "./sanitize.ts";
import { wrapText } from "./wrap.ts";

export interface Column {
  readonly title: string;
  /** Numbers and money stand at the right; left where left out. */
  readonly align?: "left" | "right";
  /** Never wrapped, such as an id that is copied: the other columns give way as long as they can. */
  readonly whole?: true;
}

const between = "  ";
// Below this a column cannot be read any more.
const narrowest = 4;

/** Lines of the table: titles, a rule, a row per entry. Each cell is data: it is made safe for the terminal here. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: { readonly columns: number },
): string {
  const cells = rows.map((row) => columns.map((_, index) => disarmCell(safeText(row[index] ?? ""))));
  const wished = columns.map((column, index) =>
    cells.reduce((most, row) => Math.max(most, displayWidth(row[index] ?? "")), displayWidth(column.title)),
  );
  const widths = shrink(columns, wished, options.columns - between.length * (columns.length - 1));
  const lines = [
    ...layRow(
      columns,
      columns.map((column) => column.title),
      widths,
    ),
    widths.map((width) => "-".repeat(width)).join(between),
    ...cells.flatMap((row) => layRow(columns, row, widths)),
  ];
  return `${lines.join("\n")}\n`;
}

// Takes from the widest column that may wrap, until all fit; from the whole ones only when nothing else is left.
function shrink(columns: readonly Column[], wished: readonly number[], room: number): readonly number[] {
  const widths = [...wished];
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  for (const wrapsWhole of [false, true]) {
    while (excess > 0) {
      const index = widestOf(
        widths,
        (at) => (columns[at]?.whole !== true || wrapsWhole) && (widths[at] ?? 0) > narrowest,
      );
      if (index === -1) break;
      widths[index] = (widths[index] ?? 0) - 1;
      excess -= 1;
    }
  }
  return widths;
}

function widestOf(widths: readonly number[], isAllowed: (index: number) => boolean): number {
  let widest = -1;
  for (const [index, width] of widths.entries()) {
    if (isAllowed(index) && (widest === -1 || width > (widths[widest] ?? 0))) widest = index;
  }
  return widest;
}

function layRow(columns: readonly Column[], row: readonly string[], widths: readonly number[]): readonly string[] {
  const wrapped = columns.map((_, index) => wrapText(row[index] ?? "", widths[index] ?? 0));
  const height = wrapped.reduce((most, lines) => Math.max(most, lines.length), 1);
  return Array.from({ length: height }, (_, line) => {
    const cells = columns.map((column, index) => {
      const pad = column.align === "right" ? padStart : padEnd;
      return pad(wrapped[index]?.[line] ?? "", widths[index] ?? 0);
    });
    return cells.join(between).trimEnd();
  });
}

// Rows for the terminal whose columns are set beforehand, so that each can be written as it comes.

export interface FixedColumn {
  readonly width: number;
  /** Left where left out. */
  readonly align?: "left" | "right";
}

const columnGap = "  ";

/** One row as lines; cells that are wider than their column go on below. The cells must be safe for a terminal already. */
export function layCells(columns: readonly FixedColumn[], cells: readonly string[]): readonly string[] {
  const wrapped = columns.map(({ width }, index) => wrapText(disarmCell(cells[index] ?? ""), width));
  const height = wrapped.reduce((most, lines) => Math.max(most, lines.length), 1);
  return Array.from({ length: height }, (_, line) => {
    const cellsOfLine = columns.map(({ width, align }, index) =>
      (align === "right" ? padStart : padEnd)(wrapped[index]?.[line]?.trimEnd() ?? "", width),
    );
    return cellsOfLine.join(columnGap).trimEnd();
  });
}

/** The line below titles. */
export function ruleOf(columns: readonly FixedColumn[]): string {
  return columns.map(({ width }) => "-".repeat(width)).join(columnGap);
}

/** What the others leave of the line for one more column. */
export function roomBeside(columns: readonly FixedColumn[], lineWidth: number, least: number): number {
  const taken = columns.reduce((sum, { width }) => sum + width + columnGap.length, 0);
  return Math.max(least, lineWidth - taken);
}

// CSV as RFC 4180 has it, and safe to open in a spreadsheet.

export type Cell = string | number | boolean | null;

/** Rows under their titles. Lines end in CRLF, the last one too. */
export function renderCsv(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [titles, ...rows].map(csvLine).join("");
}

/** One row, for output that is written as it comes. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  // A number is what it says; only text can be taken for a formula.
  const text = typeof cell === "string" ? disarm(cell) : String(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Text of the service for a cell: what a terminal or the log of a workflow would obey is shown, not done; URLs without tokens. */
export function csvDataCell(text: string | null): Cell {
  return text === null ? null : disarmCell(safeText(text));
}

// A spreadsheet runs text that begins with one of these, whichever spaces or invisible characters stand before it;
// the apostrophe makes it text.
const formula = /^[\s\p{Default_Ignorable_Code_Point}\p{Control}]*[=+\-@＝＋－＠]/u;

function disarm(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}
