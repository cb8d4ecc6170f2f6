import type { Source } from "../model/source.ts";
import type { FileSource } from "./file-source.ts";

/** The lines that places stand in, read once more from the files: only these are kept. */
export async function readLines(
  files: FileSource,
  places: Iterable<Source>,
): Promise<(place: Source) => string | undefined> {
  const wanted = new Map<string, Set<number>>();
  for (const { file, line } of places) {
    const lines = wanted.get(file);
    if (lines === undefined) wanted.set(file, new Set([line]));
    else lines.add(line);
  }
  const found = new Map<string, string>();
  for (const [file, numbers] of wanted) {
    const bytes = await files.read(file);
    const lines = typeof bytes === "string" ? [] : linesOf(bytes);
    for (const number of numbers) {
      const line = lines[number - 1];
      if (line !== undefined && line.trim() !== "") found.set(`${file}:${number}`, line.replace(/\r$/, ""));
    }
  }
  return ({ file, line }) => found.get(`${file}:${line}`);
}

/** Nothing of a file that is no text. */
function linesOf(bytes: Uint8Array): readonly string[] {
  if (bytes.includes(0)) return [];
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).split("\n");
  } catch {
    return [];
  }
}
