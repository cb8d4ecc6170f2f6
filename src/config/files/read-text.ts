import { type Code, type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import { type FileProblem, maximumFileSize } from "../../system/inside-project.ts";
import { matcherOf } from "./globs.ts";

/** What globs match: paths relative to the project, with `/`, sorted; and matches that are not files of the project. */
export interface Listing {
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The files of a project, wherever they are: in a folder, or in a revision of a git repository. */
export interface FileSource {
  list(globs: readonly string[]): Promise<Listing>;
  read(path: string): Promise<Uint8Array | FileProblem>;
  /** The id that git gives to a file's content, in a revision or as last read; undefined if it has none. Left out: unknown. */
  contentId?(path: string): string | undefined;
  /** Files that are about to be read, all at once. */
  prepare?(paths: readonly string[]): Promise<void>;
}

/** These files, with the texts as if they were already written. */
export function withTexts(
  all: FileSource,
  written: readonly { readonly file: string; readonly text: string | Uint8Array }[],
): FileSource {
  const texts = new Map(written.map(({ file, text }) => [file, text]));
  return {
    async list(globs) {
      const listed = await all.list(globs);
      const further = [...texts.keys()].filter(matcherOf(globs));
      return { ...listed, files: [...new Set([...listed.files, ...further])].sort() };
    },
    async read(path) {
      const text = texts.get(path);
      if (text === undefined) return all.read(path);
      return typeof text === "string" ? new TextEncoder().encode(text) : text;
    },
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** The text of a file; null if it has none, with the reason among the problems. */
export async function readText(files: FileSource, path: string, problems: Diagnostic[]): Promise<string | null> {
  return decodeFile(path, await files.read(path), problems);
}

/** The same for bytes that are already read. */
export function decodeFile(path: string, bytes: Uint8Array | FileProblem, problems: Diagnostic[]): string | null {
  if (typeof bytes === "string") {
    problems.push(explainFileProblem(path, bytes));
    return null;
  }
  if (bytes.length > maximumFileSize) {
    problems.push(explainFileProblem(path, "too-large"));
    return null;
  }
  return decodeText(path, bytes, problems);
}

function decodeText(path: string, bytes: Uint8Array, problems: Diagnostic[]): string | null {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    problems.push(fileError("not-text", path, "is saved as UTF-16", "Save it as UTF-8: YAML files are UTF-8."));
    return null;
  }
  if (bytes.includes(0)) {
    problems.push(
      fileError(
        "not-text",
        path,
        "is not a text file",
        "Only YAML files belong here: move it, or narrow the file patterns in ticketing.yaml.",
      ),
    );
    return null;
  }
  try {
    // The byte order mark that some editors write is dropped here.
    return utf8.decode(bytes);
  } catch {
    problems.push(fileError("not-text", path, "is not UTF-8 text", "Save it as UTF-8: YAML files are UTF-8."));
    return null;
  }
}

function explainFileProblem(path: string, problem: FileProblem): Diagnostic {
  switch (problem) {
    case "missing":
      return fileError("unreadable-file", path, "no longer exists", "Run the command again.");
    case "folder":
      return fileError("folder-for-file", path, "is a folder where a file is expected", "Rename or move the folder.");
    case "unreadable":
      return fileError("unreadable-file", path, "cannot be read", "Check its permissions.");
    case "outside":
      return fileError(
        "outside-project",
        path,
        "is a link to outside the project",
        "Put the file itself in the project, so that git has it.",
      );
    case "too-large":
      return fileError(
        "file-too-large",
        path,
        "is larger than 1 MiB",
        "Split it into several files, ideally one event per file.",
      );
  }
}

/** A problem of a file as a whole: `what` follows its name. */
export function fileError(code: Code, path: string, what: string, hint: string): Diagnostic {
  return errorAt(code, { file: path, line: 1, column: 1 }, `${path} ${what}.`, hint);
}
