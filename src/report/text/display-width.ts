// How many columns of a terminal a text takes: one for a letter, two for CJK and emoji, none for a combining mark.

// East Asian wide and fullwidth characters outside emoji, which have a property of their own.
const wide =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
const emoji = /^\p{Emoji_Presentation}|^\p{Emoji}\ufe0f|^\p{Regional_Indicator}{2}/u;
const invisible = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Control}]/u;
const plain = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff]*$/;
// Characters that join others: only with them is a character more than one code point, and finding out is slow.
const joining = /\u200d|[\p{Mark}\p{Regional_Indicator}\p{Emoji_Modifier}\u1160-\u11ff\u{e0020}-\u{e007f}]/u;

// Made when the first text needs it: most need none, and making it costs a tenth of a start.
let segmenter: Intl.Segmenter | undefined;

/** The text in pieces that a reader takes for one character each. */
export function graphemesOf(text: string): readonly string[] {
  if (!joining.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const graphemes: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfChunk(text, at);
    for (const { segment } of segmenter.segment(text.slice(at, end))) graphemes.push(segment);
    at = end;
  }
  return graphemes;
}

// For each character the segmenter takes time in proportion to the whole text that it was given.
const chunk = 1_000;
const plainSign = /[\x20-\x7e]/;

/** Where a piece of the text may end: before a plain sign, which joins nothing before it; anywhere if none comes. */
function endOfChunk(text: string, start: number): number {
  const last = Math.min(text.length, start + 2 * chunk);
  for (let end = start + chunk; end < last; end += 1) if (plainSign.test(text.charAt(end))) return end;
  return last;
}

/** Columns that the text takes on a terminal. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemesOf(text)) width += graphemeWidth(grapheme);
  return width;
}

/** The text, or as much of its beginning as fits with a `…` behind it. */
export function cutText(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let taken = 1;
  for (const grapheme of graphemesOf(text)) {
    taken += graphemeWidth(grapheme);
    if (taken > width) break;
    kept += grapheme;
  }
  return `${kept.trimEnd()}…`;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}

export function graphemeWidth(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  return emoji.test(grapheme) || wide.test(grapheme) ? 2 : 1;
}
