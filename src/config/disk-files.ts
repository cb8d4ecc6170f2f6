import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type FileSource, type FileTrouble, type Listing, maximumFileSize } from "./file-source.ts";
import { baseOf, matcherOf } from "./globs.ts";
import { isBelow, walkFolder } from "./walk-folder.ts";

/** The files of the project in a folder. Calls are synchronous within: for many small files that is the fastest way. */
export function diskFiles(root: string): FileSource {
  const folder = resolve(root);
  // Plain files in folders of the project, as a listing found them: they need no second look at where they lead.
  const plain = new Set<string>();
  return {
    async list(globs) {
      return listFiles(folder, globs, plain);
    },
    async read(path) {
      return readBytes(folder, path, plain.has(path));
    },
  };
}

function listFiles(root: string, globs: readonly string[], plain: Set<string>): Listing {
  const files = new Set<string>();
  const linked = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const glob of globs) {
    const { folder, deep } = baseOf(glob);
    const found = walkFolder(root, folder, deep, matcherOf([glob]), plain);
    for (const file of found.files) files.add(file);
    diagnostics.push(...found.diagnostics);
    for (const file of found.linked) linked.add(file);
  }
  // What one glob finds through a link, another may have found by its own path.
  for (const file of linked) {
    const own = ownPath(root, file);
    if (own !== file && files.has(own)) files.delete(file);
  }
  return { files: [...files].sort(), diagnostics };
}

/** The path of a file without links in it, relative to the project. */
function ownPath(root: string, file: string): string {
  try {
    return relative(realpathSync.native(root), realpathSync.native(join(root, file)))
      .split(sep)
      .join("/");
  } catch {
    return file;
  }
}

function readBytes(root: string, path: string, plain: boolean): Uint8Array | FileTrouble {
  const full = join(root, path);
  let descriptor: number | null = null;
  try {
    if (!plain && !isBelow(realpathSync.native(full), realpathSync.native(root))) return "outside";
    // Without waiting: a pipe in place of a file would wait for somebody to write into it.
    descriptor = openSync(full, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) return "folder";
    if (!stat.isFile()) return "unreadable";
    if (stat.size > maximumFileSize) return "too-large";
    return readWhole(descriptor, stat.size);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // That is about the whole run, and not about this file.
    if (code === "EMFILE" || code === "ENFILE") throw error;
    return troubleOf(code);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function readWhole(descriptor: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let read = 0;
  while (read < size) {
    const more = readSync(descriptor, bytes, read, size - read, null);
    if (more === 0) break;
    read += more;
  }
  return read === size ? bytes : bytes.subarray(0, read);
}

function troubleOf(code: string | undefined): FileTrouble {
  if (code === "ENOENT" || code === "ENOTDIR") return "missing";
  return code === "EISDIR" ? "folder" : "unreadable";
}
