// How many columns of a terminal a text takes: one for a letter, two for CJK and emoji, none for a combining mark.
import stringWidth from "fast-string-width";

export function displayWidth(text: string): number {
  return stringWidth(text);
}

// Made when the first text needs it: most need none, and making it costs a tenth of a start.
let segmenter: Intl.Segmenter | undefined;

/** How many characters of the text's beginning fit into the width, without cutting one that is made of several. */
export function fittingLength(text: string, width: number): number {
  // Finding out takes the segmenter time in proportion to the whole text that it is given.
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

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}
