import { codeSpan } from "./markdown-escape.ts";
import { safeText } from "./safe-text.ts";

/** A table whose cells are Markdown already; `:` at the right of a title's rule puts numbers there. */
export function markdownTable(
  columns: readonly { readonly title: string; readonly align?: "right" }[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(withoutBars).join(" | ")} |`;
  return [
    line(columns.map(({ title }) => title)),
    `|${columns.map(({ align }) => (align === "right" ? " ---: " : " --- ")).join("|")}|`,
    ...rows.map(line),
  ];
}

// A bar is escaped even within code; but after a backslash the escape would be the backslash's, and the bar end the cell.
function withoutBars(cell: string): string {
  return cell.replace(/\\?\|/g, (bar) => (bar === "|" ? "\\|" : "\\\\u{7c}"));
}

/** Data as code within a cell: nothing of it is taken for markup, a mention or a link. */
export function dataCell(text: string): string {
  return text === "" ? "" : codeSpan(safeText(text));
}
