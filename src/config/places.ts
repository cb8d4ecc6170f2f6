import type { Source } from "../model/source.ts";

export type Places = (offset: number) => Source;

/** Turns offsets into places. Offsets come nearly in order, so the search goes on from the line of the last one. */
export function placesOf(file: string, text: string): Places {
  const starts = [0];
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  let line = 0;
  return (offset) => {
    while (line > 0 && (starts[line] as number) > offset) line -= 1;
    while (line + 1 < starts.length && (starts[line + 1] as number) <= offset) line += 1;
    return { file, line: line + 1, column: offset - (starts[line] as number) + 1 };
  };
}
