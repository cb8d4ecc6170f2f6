// The only door to files of local data. A pull request can put anything into a folder of that name, so nothing there is
// believed to be what it seems: no link is followed, only plain files of this user that others cannot write are opened,
// and what is written appears under its name whole or not at all.

import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Makes a folder and those above it, one by one: Node's own way to do so at once never ends where a file system says of
 * a folder's parent that it is there, and of the folder that its parent is not, as /proc does.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder))
    missing.push(folder);
  for (const folder of missing.reverse()) makeOne(folder, mode);
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !existsSync(folder)) throw error;
  }
}

/** The folder of local data beside a project. */
export const localFolderName = ".ticketing";

/** A file or folder that must not be used, and how to put it right. */
export class UnsafeFileError extends Error {
  override readonly name = "UnsafeFileError";
  readonly path: string;
  readonly sentence: string;
  readonly hint: string;

  constructor(path: string, sentence: string, hint: string) {
    super(`${sentence} ${hint}`);
    this.path = path;
    this.sentence = sentence;
    this.hint = hint;
  }
}

/** By its name: the built program holds this file twice, and `instanceof` knows only the class of its own copy. */
export function isUnsafeFile(error: unknown): error is UnsafeFileError {
  return error instanceof Error && error.name === "UnsafeFileError" && "sentence" in error && "hint" in error;
}

const noFollow = constants.O_NOFOLLOW ?? 0;
// Opening a named pipe would otherwise wait for its other end.
const noWait = constants.O_NONBLOCK ?? 0;

/** Makes the folder where there is none, private to this user and ignored by git. */
export function makePrivateFolder(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) {
    makeFolder(dirname(folder));
    try {
      // The mode that is asked for can only be narrowed by the umask.
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
  checkPrivateFolder(folder);
  const ignore = join(folder, ".gitignore");
  if (lstatSync(ignore, { throwIfNoEntry: false }) === undefined) createPrivate(ignore, "*\n");
}

/** Makes the folder that a file is to be in. */
export function makeFolderOf(path: string): void {
  const folder = dirname(path);
  if (basename(folder) === localFolderName) makePrivateFolder(folder);
  else makeFolder(folder, 0o700);
}

/** The text of a file; null where there is none. */
export function readPrivate(path: string): string | null {
  const handle = openIfThere(path, constants.O_RDONLY);
  if (handle === null) return null;
  try {
    return readFileSync(handle, "utf8");
  } finally {
    closeSync(handle);
  }
}

/** How long ago a file was last written; 0 where there is none. */
export function ageOfPrivate(path: string): number {
  const found = checkEntry(path);
  return found === null ? 0 : Date.now() - found.mtimeMs;
}

/** False where there is a file of that name already. */
export function createPrivate(path: string, content: string): boolean {
  checkPlace(path);
  try {
    writeFileSync(path, content, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** A new file beside `path` under a name that cannot be foreseen. */
export function draftPrivate(path: string, content: string): string {
  const draft = draftName(path);
  checkPlace(draft);
  writeFileSync(draft, content, { flag: "wx", mode: 0o600 });
  return draft;
}

export function appendPrivate(path: string, content: string): void {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  checkEntry(path);
  const handle = opened(path, () => openSync(path, flags | noFollow | noWait, 0o600));
  try {
    checkStats(path, fstatSync(handle));
    writeFileSync(handle, content);
  } finally {
    closeSync(handle);
  }
}

/** Either the whole text is there afterwards, or what was there before. */
export function replacePrivate(path: string, content: string): void {
  checkEntry(path);
  const draft = draftName(path);
  try {
    const handle = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The same without holding up everything else while the disk works; the name survives a power cut, too. */
export async function writePrivate(path: string, content: string): Promise<void> {
  checkEntry(path);
  const draft = draftName(path);
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(content, "utf8");
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

export async function removePrivate(path: string): Promise<void> {
  checkPlace(path);
  await rm(path, { force: true });
}

/** To read it and to append to it; made where there is none. */
export async function openPrivateToAppend(path: string): Promise<FileHandle> {
  checkEntry(path);
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | noFollow | noWait;
  const handle = await open(path, flags, 0o600).catch((error) => {
    throw linkError(path, error);
  });
  try {
    checkStats(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Makes names in a folder durable. Not every system lets a folder be opened; there the rename itself must do. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Nothing more can be done here.
  }
}

/** What the file is, where there is one that may be used; null where there is none. */
export function checkEntry(path: string): Stats | null {
  checkPlace(path);
  const found = lstatSync(path, { throwIfNoEntry: false }) ?? null;
  if (found !== null) checkStats(path, found);
  return found;
}

function openIfThere(path: string, flags: number): number | null {
  if (checkEntry(path) === null) return null;
  let handle: number;
  try {
    handle = opened(path, () => openSync(path, flags | noFollow | noWait));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
  try {
    // It may have been exchanged since it was looked at.
    checkStats(path, fstatSync(handle));
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function opened(path: string, open: () => number): number {
  try {
    return open();
  } catch (error) {
    throw linkError(path, error);
  }
}

function linkError(path: string, error: unknown): unknown {
  return codeOf(error) === "ELOOP" || codeOf(error) === "EMLINK" ? isLink(path) : error;
}

/** Only the folder of local data has to be private; a file that somebody keeps elsewhere is in a folder of their choice. */
function checkPlace(path: string): void {
  if (basename(dirname(path)) === localFolderName) checkPrivateFolder(dirname(path));
}

/** Throws where the folder must not be used; where there is none, there is nothing wrong. */
export function checkPrivateFolder(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw isLink(folder);
  if (!found.isDirectory()) {
    throw new UnsafeFileError(folder, `${nameOf(folder)} is not a folder.`, "Move it away and run the command again.");
  }
  checkOwner(folder, found);
}

/** Throws where the folder or anything in it must not be used. Folders within are looked into as well. */
export function checkPrivateEntries(folder: string): void {
  checkPrivateFolder(folder);
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // Another command may have removed it meanwhile.
    if (found === undefined) continue;
    // A file for secrets may have a folder of its own; none of our own files is called like one.
    if (found.isDirectory() && !name.includes(".")) checkPrivateEntries(path);
    else checkStats(path, found);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

function checkStats(path: string, found: Stats): void {
  if (found.isSymbolicLink()) throw isLink(path);
  if (!found.isFile()) {
    throw new UnsafeFileError(
      path,
      `${nameOf(path)} is ${sortOf(found)}, not a regular file.`,
      "Move it away and run the command again.",
    );
  }
  checkOwner(path, found);
}

function checkOwner(path: string, found: Stats): void {
  const user = process.geteuid?.();
  // Windows has no such owners and modes.
  if (user === undefined) return;
  if (found.uid !== user) {
    throw new UnsafeFileError(
      path,
      `${nameOf(path)} belongs to another user (${found.uid}).`,
      `If it is yours, take it over with \`chown\`; otherwise move it away.`,
    );
  }
  if ((found.mode & 0o022) !== 0) {
    throw new UnsafeFileError(
      path,
      `${nameOf(path)} can be written by other users.`,
      `Check what is in it, then run \`chmod go-w ${nameOf(path)}\`.`,
    );
  }
}

function isLink(path: string): UnsafeFileError {
  return new UnsafeFileError(
    path,
    `${nameOf(path)} is a symbolic link, and local data is never read or written through one.`,
    "Check where it came from and delete it.",
  );
}

function sortOf(found: Stats): string {
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a named pipe";
  if (found.isSocket()) return "a socket";
  return "a device";
}

/** As people know it: within the folder of local data by both names. */
function nameOf(path: string): string {
  const folder = basename(dirname(path));
  return folder === localFolderName ? `${folder}/${basename(path)}` : basename(path);
}

function draftName(path: string): string {
  return `${path}.${randomBytes(12).toString("hex")}.tmp`;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
