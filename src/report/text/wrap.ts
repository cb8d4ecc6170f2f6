// Lines of at most so many columns, broken at spaces, between wide characters, and within a word only where it must be.
import { displayWidth, graphemesOf, graphemeWidth } from "./display-width.ts";

/** Text that can carry more than its letters, such as a colour. */
export interface Piece {
  readonly text: string;
}

/** What no line is broken within: a word, which may be made of several pieces. */
interface Cluster<Kind> {
  /** Spaces before it; dropped where a line ends before it. */
  readonly gap: string;
  readonly parts: Kind[];
}

/** Pieces in lines of at most `width` columns, the first of `firstWidth`. A word wider than that is broken. */
export function wrapPieces<Kind extends Piece>(
  pieces: readonly Kind[],
  width: number,
  firstWidth = width,
): readonly (readonly Kind[])[] {
  // Most lines are short.
  if (widthOf(pieces) <= firstWidth) return [pieces.filter((piece) => piece.text !== "")];
  const lines: Kind[][] = [[]];
  let limit = Math.max(1, firstWidth);
  let used = 0;
  const breakLine = (): void => {
    lines.push([]);
    limit = Math.max(1, width);
    used = 0;
  };
  for (const { gap, parts } of clustersOf(pieces)) {
    const columns = widthOf(parts);
    const first = parts[0];
    if (used > 0 && used + gap.length + columns > limit) breakLine();
    else if (first !== undefined && gap.length + columns <= limit) {
      put(lines, { ...first, text: gap });
      used += gap.length;
    }
    if (columns <= limit) {
      for (const part of parts) put(lines, part);
      used += columns;
      continue;
    }
    for (const part of parts) {
      for (const grapheme of graphemesOf(part.text)) {
        const own = graphemeWidth(grapheme);
        if (used > 0 && used + own > limit) breakLine();
        put(lines, { ...part, text: grapheme });
        used += own;
      }
    }
  }
  return lines;
}

/** Text in lines of at most `width` columns. */
export function wrapText(text: string, width: number): readonly string[] {
  return wrapPieces([{ text }], width).map((line) => line.map((piece) => piece.text).join(""));
}

function widthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + displayWidth(piece.text), 0);
}

function put<Kind extends Piece>(lines: Kind[][], piece: Kind): void {
  if (piece.text === "") return;
  const line = lines.at(-1) ?? [];
  const last = line.at(-1);
  if (last !== undefined && isAlike(last, piece)) line[line.length - 1] = { ...last, text: last.text + piece.text };
  else line.push(piece);
}

function isAlike<Kind extends Piece>(one: Kind, other: Kind): boolean {
  const keys = Object.keys(one) as (keyof Kind)[];
  return keys.every((key) => key === "text" || one[key] === other[key]);
}

// Text in wide characters is written without spaces: a line may end before each of them, but not before closing marks.
const token =
  /( *)([\u2e80-\u3000\u3003-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff][、。」』）！？]*|[^ \u2e80-\u3000\u3003-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff]+|$)/gu;
const startsWide = /^[\u2e80-\u3000\u3003-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff]/u;

function clustersOf<Kind extends Piece>(pieces: readonly Kind[]): readonly Cluster<Kind>[] {
  const clusters: Cluster<Kind>[] = [];
  for (const piece of pieces) {
    for (const [whole, gap = "", word = ""] of piece.text.matchAll(token)) {
      if (whole === "") continue;
      const part = { ...piece, text: word };
      const last = clusters.at(-1);
      if (last === undefined || gap !== "" || startsWide.test(word)) clusters.push({ gap, parts: [part] });
      else last.parts.push(part);
    }
  }
  return clusters;
}
