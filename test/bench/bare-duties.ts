// What any program of this kind has to do besides its calls: read its files, and write down what it is about to create.
// The yardsticks do it on request, to show how near to bare calls such a program can come at all.
import { closeSync, fdatasyncSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { LineCounter, parseAllDocuments } from "yaml";

/** Parses the files of a project, so many at a time; none where no folder is given. */
export function makeParser(folder: string | undefined): (count: number) => void {
  const files = folder === undefined ? [] : readdirSync(join(folder, "events"));
  let next = 0;
  return (count) => {
    for (const file of files.slice(next, next + count))
      parseAllDocuments(readFileSync(join(String(folder), "events", file), "utf8"), {
        lineCounter: new LineCounter(),
      });
    next += count;
  };
}

/** Resolves once the line is on disk. Lines that come together share a sync. */
export function openLog(folder: string | undefined) {
  if (folder === undefined) return { write: async (_line: string) => undefined, close: () => undefined };
  const file = openSync(join(folder, "journal"), "a");
  let lines = "";
  let written: Promise<void> | null = null;
  return {
    write(line: string): Promise<void> {
      lines += `${line}\n`;
      written ??= new Promise((resolve) =>
        setImmediate(() => {
          written = null;
          writeSync(file, lines);
          lines = "";
          fdatasyncSync(file);
          resolve();
        }),
      );
      return written;
    },
    close: () => closeSync(file),
  };
}
