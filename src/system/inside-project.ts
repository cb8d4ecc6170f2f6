// A file whose path is in a project must really be there: a link that came with a clone must not lead a write out of it.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { unsafeError } from "./private-folder.ts";

/** Throws if writing the file would touch something outside the project. `file` may begin with `../` on purpose. */
export function assertInside(directory: string, file: string): void {
  const path = resolve(directory, file);
  const root = allowedRoot(directory, file);
  if (leaves(root, path)) return;
  const place = existingPart(path);
  if (leaves(root, place)) return;
  const real = realOf(place);
  if (real === null || leaves(realOf(root) ?? root, real)) {
    throw unsafeError(
      `${file} leads out of the project through the link ${relative(directory, linkOn(root, place))}, so it was not written.`,
      "Check where the link came from and delete it.",
    );
  }
  if (place === path && !statSync(real).isFile()) {
    throw unsafeError(`${file} is not a regular file, so it was not written.`, "Move it away first.");
  }
}

/** A path that begins above the project is meant to be there. */
function allowedRoot(directory: string, file: string): string {
  const up = /^(\.\.[/\\])*/.exec(file)?.[0] ?? "";
  return isAbsolute(file) ? resolve(directory) : resolve(directory, up);
}

/** The path, or the part of it that exists. */
function existingPart(path: string): string {
  let place = path;
  while (lstatSync(place, { throwIfNoEntry: false }) === undefined && dirname(place) !== place) place = dirname(place);
  return place;
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** The first link on the path; the place itself if there is none above it. */
function linkOn(root: string, place: string): string {
  let path = root;
  for (const part of relative(root, place).split(sep)) {
    path = join(path, part);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return path;
  }
  return place;
}

function leaves(root: string, path: string): boolean {
  return wayInside(root, path) === null;
}

/** The path below this folder, with slashes; empty for the folder itself, null outside it. */
export function wayInside(root: string, path: string): string | null {
  const way = relative(root, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way.split(sep).join("/");
}

/** Why a file of a project cannot be read. */
export type FileProblem = "missing" | "folder" | "unreadable" | "outside" | "too-large";

/** No file that people write by hand is larger; the parser's time grows with size. */
export const maximumFileSize = 1024 * 1024;

/** The content of a project's file; `plain`: it is known not to be reached through a link. */
export function readInside(root: string, path: string, plain = false): Uint8Array | FileProblem {
  const full = join(root, path);
  let descriptor: number | null = null;
  try {
    if (!plain && leaves(realpathSync.native(root), realpathSync.native(full))) return "outside";
    // Without waiting: a pipe in place of a file would wait for somebody to write into it.
    descriptor = openSync(full, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) return "folder";
    if (!stat.isFile()) return "unreadable";
    if (stat.size > maximumFileSize) return "too-large";
    return readBytes(descriptor, stat.size);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // That is about the whole run, and not about this file.
    if (code === "EMFILE" || code === "ENFILE") throw error;
    return fileProblemOf(code);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function readBytes(descriptor: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let read = 0;
  while (read < size) {
    const more = readSync(descriptor, bytes, read, size - read, null);
    if (more === 0) break;
    read += more;
  }
  return read === size ? bytes : bytes.subarray(0, read);
}

function fileProblemOf(code: string | undefined): FileProblem {
  if (code === "ENOENT" || code === "ENOTDIR") return "missing";
  return code === "EISDIR" ? "folder" : "unreadable";
}

/** Reads single lines of a project's files, for problems to show; undefined for a line that is missing or blank. */
export function openLines(root: string): (place: { file: string; line: number }) => string | undefined {
  // Problems are sorted by file, so only one is kept.
  let last: { readonly file: string; readonly lines: readonly string[] } | null = null;
  return ({ file, line }) => {
    if (last?.file !== file) last = { file, lines: linesOf(readInside(root, file)) };
    const text = last.lines[line - 1]?.replace(/\r$/, "");
    return text === undefined || text.trim() === "" ? undefined : text;
  };
}

/** Nothing, if it is not text. */
function linesOf(content: Uint8Array | FileProblem): readonly string[] {
  if (typeof content === "string" || content.includes(0)) return [];
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content).split("\n");
  } catch {
    return [];
  }
}
