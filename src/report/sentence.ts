import { makePaint } from "./paint.ts";
import { safeText } from "./safe-text.ts";
import { type Page, paragraph, piece } from "./text-lines.ts";

/** Our own words with data in them, in lines that fit. */
export function renderSentence(text: string, options: { readonly columns: number; readonly color: boolean }): string {
  const page: Page = { columns: Math.max(40, Math.min(options.columns, 120)), paint: makePaint(options.color) };
  return `${paragraph(page, [piece("word", safeText(text))], 0, 2).join("\n")}\n`;
}
