// Data in Markdown: only ever in code, where none of it counts as markup, a mention or a link.
import { safeText } from "./sanitize.ts";

/** The text as code within a line, set off by more backticks than it holds in a row. */
export function codeSpan(text: string): string {
  const shown = withoutLongRuns(text);
  const fence = "`".repeat(longestRun(shown) + 1);
  // Code that begins or ends with a backtick needs a space, and so does code that is nothing but spaces.
  const space = /^`|`$/.test(shown) || shown.trim() === "" ? " " : "";
  return `${fence}${space}${shown}${space}${fence}`;
}

export function codeBlock(lines: readonly string[], language: string): readonly string[] {
  const shown = lines.map(withoutLongRuns);
  const fence = "`".repeat(Math.max(3, longestRun(shown.join("\n")) + 1));
  return [`${fence}${language}`, ...shown, fence];
}

/** Pieces of a line of Markdown. Two pieces of code that touch would become one, so a space separates them. */
export function joinPieces(pieces: readonly string[]): string {
  const full = pieces.filter((piece) => piece !== "");
  return full
    .map((piece, index) => (piece.startsWith("`") && full[index - 1]?.endsWith("`") ? ` ${piece}` : piece))
    .join("");
}

/** A sentence with data within it: words stay as they are, anything that could be more than a word is code. */
export function escapeProse(text: string): string {
  const pieces = text.split(/(`[^`]+`)/).flatMap((part, index) => {
    if (index % 2 === 1) return [codeSpan(part.slice(1, -1))];
    return part.split(/(\s+)/).map((token, at) => escapeToken(token, index === 0 && at === 0));
  });
  return joinPieces(pieces);
}

const plainToken = /^[\p{L}\p{M}\p{N}₱%'"“”‘’(),.;:?!…·→–—+/&-]*$/u;
// Emoji codes, bare hosts, issues, commits, merge requests, milestones, epics and HTML's own signs: words to a reader, links on the host of the
// comment.
const speakingToken = /:[\w+-]+:|:\/\/|www\.|gh-\d|[0-9a-f]{7,}|[!%]["\p{L}\p{N}]|&(?:\p{N}|#?\w+;)/iu;
// At the beginning of a line these make a list or a heading.
const openingToken = /^(?:[-+]+|\d+[.)])$/;

function escapeToken(token: string, isFirst: boolean): string {
  if (token.trim() === "") return token === "" ? "" : " ";
  if (isFirst && openingToken.test(token)) return codeSpan(token);
  if (plainToken.test(token) && !speakingToken.test(token)) return token;
  // The marks of the sentence around it stay outside.
  let [start, end] = [0, token.length];
  while (token[start] === "(") start += 1;
  const closing = `.,;${token[start] === ":" ? "" : ":"}${token.includes("(", start) ? "" : ")"}`;
  while (end > start && closing.includes(token[end - 1] ?? "")) end -= 1;
  return start === end
    ? codeSpan(token)
    : `${token.slice(0, start)}${codeSpan(token.slice(start, end))}${token.slice(end)}`;
}

// Parsers give up on longer fences (the usual one at 80), and their content would become markup.
const longestFence = 16;

function withoutLongRuns(text: string): string {
  return longestRun(text) < longestFence ? text : text.replaceAll("`", "\\u{60}");
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

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

/** Data as code within a cell: none of it counts as markup, a mention or a link. */
export function markdownCell(text: string): string {
  return text === "" ? "" : codeSpan(safeText(text));
}
