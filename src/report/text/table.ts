// Tables for the terminal that never grow wider than it: wide cells wrap within their column.

import { disarmCell, safeText } from "./sanitize.ts";
import { displayWidth, padEnd, padStart, wrapText } from "./wrap.ts";

export interface Column {
  readonly title: string;
  /** Numbers and money are aligned right. */
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
// A narrower column cannot be read.
const narrowest = 4;

/** Titles, a rule, a row per entry. Each cell is data: it is made safe for the terminal here. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: { readonly columns: number },
): string {
  const cells = rows.map((row) => row.map(safeText));
  const widths = columns.map(({ title }, index) =>
    cells.reduce((most, row) => Math.max(most, displayWidth(disarmCell(row[index] ?? ""))), displayWidth(title)),
  );
  const room = options.columns - gap.length * (columns.length - 1);
  // From the widest column that may wrap, until all fit; from the whole ones only when nothing else is left.
  for (const isWhole of [undefined, true] as const) {
    while (widths.reduce((sum, width) => sum + width, 0) > room) {
      const widest = Math.max(...widths.filter((_, index) => columns[index]?.whole === isWhole));
      if (widest <= narrowest) break;
      widths[widths.findIndex((width, index) => width === widest && columns[index]?.whole === isWhole)] = widest - 1;
    }
  }
  const fixed = columns.map(({ align }, index) => ({ width: widths[index] ?? 0, align }));
  const titles = columns.map(({ title }) => title);
  const lines = [...layCells(fixed, titles), ruleOf(fixed), ...cells.flatMap((row) => layCells(fixed, row))];
  return `${lines.join("\n")}\n`;
}

/** One row as lines; cells that are wider than their column go on below. The cells must be safe for a terminal already. */
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

/** What the others leave of the line for one more column. */
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
  // A number is what it says; only text can be taken for a formula, and an apostrophe makes it text.
  const text = typeof cell === "string" && formula.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// A spreadsheet runs text that begins with one of these, even after spaces or invisible characters.
const formula = /^[\s\p{Default_Ignorable_Code_Point}\p{Control}]*[=+\-@＝＋－＠]/u;

/** Text of the service for a cell: what a terminal or the log of a workflow would obey is shown, not done; URLs without tokens. */
export function csvDataCell(text: string | null): CsvCell {
  return text === null ? null : disarmCell(safeText(text));
}
