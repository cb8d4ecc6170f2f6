import type { Diagnostic } from "../model/diagnostic.ts";

/** Why a file cannot be read. */
export type FileTrouble = "missing" | "folder" | "unreadable" | "outside" | "too-large";

/** What globs match: paths relative to the project, with `/`, sorted; and what matched and is no file of the project. */
export interface Listing {
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The files of a project, wherever they are: in a folder, or in a revision of a git repository. */
export interface FileSource {
  list(globs: readonly string[]): Promise<Listing>;
  read(path: string): Promise<Uint8Array | FileTrouble>;
}

/** No file that people write by hand is larger; the parser's time grows with size. */
export const maximumFileSize = 1024 * 1024;
