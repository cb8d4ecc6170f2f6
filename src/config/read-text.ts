import type { Diagnostic } from "../model/diagnostic.ts";
import { type FileSource, type FileTrouble, maximumFileSize } from "./file-source.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** The text of a file; null where it has none, with the reason among the problems. */
export async function readText(files: FileSource, path: string, problems: Diagnostic[]): Promise<string | null> {
  return textOf(path, await files.read(path), problems);
}

/** The same of bytes that are read already. */
export function textOf(path: string, bytes: Uint8Array | FileTrouble, problems: Diagnostic[]): string | null {
  if (typeof bytes === "string") {
    problems.push(troubleOf(path, bytes));
    return null;
  }
  if (bytes.length > maximumFileSize) {
    problems.push(troubleOf(path, "too-large"));
    return null;
  }
  return decodeText(path, bytes, problems);
}

function decodeText(path: string, bytes: Uint8Array, problems: Diagnostic[]): string | null {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    problems.push(problem("not-text", path, "is saved as UTF-16", "Save it as UTF-8: YAML files are UTF-8."));
    return null;
  }
  if (bytes.includes(0)) {
    problems.push(
      problem("not-text", path, "is not a text file", "Only YAML files belong here: move it, or narrow the globs."),
    );
    return null;
  }
  try {
    // The byte order mark that some editors write is dropped here.
    return utf8.decode(bytes);
  } catch {
    problems.push(problem("not-text", path, "is not UTF-8 text", "Save it as UTF-8: YAML files are UTF-8."));
    return null;
  }
}

function troubleOf(path: string, trouble: FileTrouble): Diagnostic {
  switch (trouble) {
    case "missing":
      return problem("unreadable-file", path, "is not there any more", "Run the command again.");
    case "folder":
      return problem("folder-for-file", path, "is a folder where a file is expected", "Rename or move the folder.");
    case "unreadable":
      return problem("unreadable-file", path, "cannot be read", "Check its permissions.");
    case "outside":
      return problem(
        "outside-project",
        path,
        "is a link that leads out of the project",
        "Put the file itself into the project, so that git holds it.",
      );
    case "too-large":
      return problem("file-too-large", path, "is larger than 1 MiB", "Split it: one event per file is best.");
  }
}

function problem(code: string, path: string, what: string, hint: string): Diagnostic {
  return { code, severity: "error", message: `${path} ${what}.`, hint, source: { file: path, line: 1, column: 1 } };
}
