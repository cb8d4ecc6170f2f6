// Rows for the terminal whose columns are set beforehand, so that each can be written as it comes.
import { disarmCell } from "./disarm-cell.ts";
import { padEnd, padStart } from "./display-width.ts";
import { wrapText } from "./wrap.ts";

export interface FixedColumn {
  readonly width: number;
  /** Left where left out. */
  readonly align?: "left" | "right";
}

const between = "  ";

/** One row as lines; cells that are wider than their column go on below. The cells must be safe for a terminal already. */
export function layCells(columns: readonly FixedColumn[], cells: readonly string[]): readonly string[] {
  const wrapped = columns.map(({ width }, index) => wrapText(disarmCell(cells[index] ?? ""), width));
  const height = wrapped.reduce((most, lines) => Math.max(most, lines.length), 1);
  return Array.from({ length: height }, (_, line) => {
    const cellsOfLine = columns.map(({ width, align }, index) =>
      (align === "right" ? padStart : padEnd)(wrapped[index]?.[line]?.trimEnd() ?? "", width),
    );
    return cellsOfLine.join(between).trimEnd();
  });
}

/** The line below titles. */
export function ruleOf(columns: readonly FixedColumn[]): string {
  return columns.map(({ width }) => "-".repeat(width)).join(between);
}

/** What the others leave of the line for one more column. */
export function roomBeside(columns: readonly FixedColumn[], lineWidth: number, least: number): number {
  const taken = columns.reduce((sum, { width }) => sum + width + between.length, 0);
  return Math.max(least, lineWidth - taken);
}
