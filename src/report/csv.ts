// CSV as RFC 4180 has it, and safe to open in a spreadsheet.
import { disarmCell } from "./disarm-cell.ts";
import { safeText } from "./safe-text.ts";

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
export function dataCell(text: string | null): Cell {
  return text === null ? null : disarmCell(safeText(text));
}

// A spreadsheet runs text that begins with one of these, whichever spaces or invisible characters stand before it;
// the apostrophe makes it text.
const formula = /^[\s\p{Default_Ignorable_Code_Point}\p{Control}]*[=+\-@＝＋－＠]/u;

function disarm(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}
