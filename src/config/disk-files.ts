import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type FileSource, type FileTrouble, type Listing, maximumFileSize } from "./file-source.ts";
import { baseOf, matcherOf } from "./globs.ts";
import { isBelow, walkFolder } from "./walk-folder.ts";

/** The files of the project in a folder. Calls are synchronous within: for many small files that is the fastest way. */
export function diskFiles(root: string): FileSource {
  const folder = resolve(root);
  return {
    async list(globs) {
      return listFiles(folder, globs);
    },
    async read(path) {
      return readBytes(folder, path);
    },
  };
}

function listFiles(root: string, globs: readonly string[]): Listing {
  const files = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const glob of globs) {
    const { folder, deep } = baseOf(glob);
    const found = walkFolder(root, folder, deep, matcherOf([glob]));
    for (const file of found.files) files.add(file);
    diagnostics.push(...found.diagnostics);
  }
  return { files: [...files].sort(), diagnostics };
}

function readBytes(root: string, path: string): Uint8Array | FileTrouble {
  const full = join(root, path);
  try {
    const stat = statSync(full);
    if (stat.isDirectory()) return "folder";
    if (!stat.isFile()) return "unreadable";
    if (stat.size > maximumFileSize) return "too-large";
    if (!isBelow(realpathSync.native(full), realpathSync.native(root))) return "outside";
    return readFileSync(full);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "unreadable";
  }
}
