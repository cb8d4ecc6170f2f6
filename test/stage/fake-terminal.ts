// A terminal in small: what a person sees after all that was written, lines that wrap included.
import type { Output } from "../../src/app/world.ts";
import { displayWidth } from "../../src/report/text/table.ts";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

export interface FakeTerminal extends Output {
  /** The lines on the screen, without empty ones at the end. */
  lines(): readonly string[];
  /** What the terminal itself shows of a key, as ^C. */
  echo(text: string): void;
}

interface Cell {
  readonly text: string;
  readonly width: number;
}

export function fakeTerminal(columns = 40): FakeTerminal {
  const rows: Cell[][] = [[]];
  let row = 0;
  let column = 0;

  function put(text: string): void {
    const width = displayWidth(text);
    if (column + width > columns) lineFeed();
    const cells = rowAt(row);
    while (widthOf(cells) < column) cells.push({ text: " ", width: 1 });
    const kept: Cell[] = [];
    let at = 0;
    for (const cell of cells) {
      if (at < column || at >= column + width) kept.push(cell);
      else if (at === column) kept.push({ text, width });
      at += cell.width;
    }
    if (at <= column) kept.push({ text, width });
    rows[row] = kept;
    column += width;
  }

  function lineFeed(): void {
    row += 1;
    column = 0;
    rowAt(row);
  }

  function rowAt(index: number): Cell[] {
    rows[index] ??= [];
    return rows[index];
  }

  function eraseLine(): void {
    let at = 0;
    rows[row] = rowAt(row).filter((cell) => {
      at += cell.width;
      return at <= column;
    });
  }

  function obey(command: string): void {
    const [, count = "", letter = ""] = /\[(\d*)([A-Za-z])$/.exec(command) ?? [];
    if (letter === "A") row = Math.max(0, row - Number(count || 1));
    else if (letter === "J" || letter === "K") {
      eraseLine();
      if (letter === "J") rows.length = row + 1;
    } else throw new Error(`the fake terminal does not know ${JSON.stringify(command)}`);
  }

  function write(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are commanded with them.
    for (const part of text.split(/(\u001b\[\d*[A-Za-z]|\r|\n)/)) {
      if (part === "\n") lineFeed();
      else if (part === "\r") column = 0;
      else if (part.startsWith("\u001b")) obey(part);
      else for (const { segment } of graphemes.segment(part)) put(segment);
    }
  }

  return {
    write,
    echo: write,
    isTerminal: true,
    columns,
    lines() {
      const texts = rows.map((cells) => cells.map((cell) => cell.text).join(""));
      while (texts.at(-1) === "") texts.pop();
      return texts;
    },
  };
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}
