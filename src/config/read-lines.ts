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
    if (typeof bytes === "string" || bytes.includes(0)) continue;
    const lines = new TextDecoder().decode(bytes).split("\n");
    for (const number of numbers) {
      const line = lines[number - 1];
      if (line !== undefined) found.set(`${file}:${number}`, line.replace(/\r$/, ""));
    }
  }
  return ({ file, line }) => found.get(`${file}:${line}`);
}
