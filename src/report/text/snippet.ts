// The line of a file that a problem is in, with a caret below the place.
import type { Diagnostic, Source } from "../../model/diagnostic.ts";
import { type Page, piece, severityTones, type Tone } from "./page.ts";
import { safeText } from "./sanitize.ts";
import { cutText, displayWidth, fittingLength } from "./wrap.ts";

/** A line of a file as it is written; undefined if it is not known. */
export type LineAt = (source: Source) => string | undefined;

/** The snippet of each of these problems; nothing where the line is not known. */
export function snippetsOf(
  page: Page,
  diagnostics: readonly Diagnostic[],
  lineAt: LineAt,
): (diagnostic: Diagnostic) => readonly string[] {
  // A line that holds a secret is not shown again, not even for another problem in it.
  const secret = new Set(
    diagnostics.flatMap(({ code, source }) =>
      code === "secret-in-file" && source !== undefined ? [`${source.file}:${source.line}`] : [],
    ),
  );
  return ({ severity, source }) => {
    if (source === undefined || secret.has(`${source.file}:${source.line}`)) return [];
    const line = lineAt(source);
    return line === undefined ? [] : snippetLines(page, line, source, severityTones[severity]);
  };
}

// Further from the place than this, nothing can fit on a screen.
const reach = 300;

/** The line of a file with a caret below the place; as much of it as fits. */
function snippetLines(page: Page, line: string, { line: number, column }: Source, tone: Tone): readonly string[] {
  const gutter = `${String(number).padStart(5)} | `;
  const from = Math.max(0, column - 1 - reach);
  const near = line.slice(from, column - 1 + reach);
  const { text, caret } = windowAround(near, column - 1 - from, page.columns - gutter.length);
  return [
    page.paint([piece("quiet", gutter), piece("value", text)]),
    page.paint([piece("quiet", "      | "), piece(tone, `${" ".repeat(caret)}^`)]),
  ];
}

/** The part of a line around an offset that fits the width, and how far the offset is from its start. */
function windowAround(line: string, offset: number, width: number): { readonly text: string; readonly caret: number } {
  const text = safeText(line);
  const caret = displayWidth(safeText(line.slice(0, offset)));
  const whole = displayWidth(text);
  // Half of the width before the caret, unless the line is nearly at its end.
  const start = Math.max(0, Math.min(caret - Math.floor(width / 2), whole - width));
  if (start === 0) return { text: cutText(text, width).trimEnd(), caret };
  const rest = text.slice(fittingLength(text, start + 1));
  return { text: cutText(`…${rest}`, width).trimEnd(), caret: caret - (whole - displayWidth(rest)) + 1 };
}
