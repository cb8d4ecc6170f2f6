import type { Source } from "../model/source.ts";
import { displayWidth, graphemesOf } from "./display-width.ts";
import type { Tone } from "./paint.ts";
import { safeText } from "./safe-text.ts";
import { type Page, piece } from "./text-lines.ts";

// Further from the place than this, nothing can fit on a screen.
const reach = 300;

/** The line of a file with a caret below the place; as much of it as fits. */
export function snippetLines(page: Page, line: string, { line: number, column }: Source, tone: Tone): string[] {
  const gutter = `${String(number).padStart(5)} | `;
  const width = page.columns - gutter.length;
  const from = Math.max(0, column - 1 - reach);
  const { text, caret } = windowAround(line.slice(from, column - 1 + reach), column - 1 - from, width);
  return [
    page.paint([piece("quiet", gutter), piece("value", text)]),
    page.paint([piece("quiet", `${" ".repeat(5)} | `), piece(tone, `${" ".repeat(caret)}^`)]),
  ];
}

/** The part of a line around an offset that fits the width, and how far the offset is from its start. */
function windowAround(line: string, offset: number, width: number): { readonly text: string; readonly caret: number } {
  const text = safeText(line);
  const caret = displayWidth(safeText(line.slice(0, offset)));
  if (displayWidth(text) <= width) return { text: text.trimEnd(), caret };
  const graphemes = graphemesOf(text);
  // Half of the width before the caret, unless the line is nearly at its end.
  const start = Math.max(0, Math.min(caret - Math.floor(width / 2), displayWidth(text) - width));
  let before = 0;
  let skipped = 0;
  while (before < start && skipped < graphemes.length) {
    before += displayWidth(graphemes[skipped] as string);
    skipped += 1;
  }
  const ahead = skipped === 0 ? "" : "…";
  const rest = graphemes.slice(skipped + ahead.length);
  const tail = displayWidth(rest.join("")) > width - displayWidth(ahead) ? "…" : "";
  let shown = ahead;
  let left = width - displayWidth(ahead) - displayWidth(tail);
  for (const grapheme of rest) {
    left -= displayWidth(grapheme);
    if (left < 0) break;
    shown += grapheme;
  }
  return { text: shown.trimEnd() + tail, caret: caret - before };
}
