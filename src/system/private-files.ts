// Reading and writing files of local data: no link is followed, a file is checked again once it is open, and what is written
// appears under its name whole or not at all.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  checkEntry,
  checkPlace,
  checkStats,
  codeOf,
  localFolderName,
  makeFolder,
  symlinkError,
} from "./private-folder.ts";

// Opening a named pipe would otherwise wait for its other end.
const safely = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Creates the folder for local data if it does not exist: private to this user, and ignored by git. */
export function makePrivateFolder(folder: string): void {
  const ignore = join(folder, ".gitignore");
  checkPlace(ignore);
  makeFolder(dirname(folder));
  // The umask can only narrow the mode.
  makeFolder(folder, 0o700);
  // A full disk or a power cut may have left one that ignores nothing.
  if (!ignoresAll(readPrivate(ignore) ?? "")) replacePrivate(ignore, "*\n");
}

function ignoresAll(text: string): boolean {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  const all = lines.findLastIndex((line) => /^\/?\*\*?$/.test(line));
  return all >= 0 && !lines.slice(all).some((line) => line.startsWith("!") && !/^!\/?\.gitignore$/.test(line));
}

export function makeFolderOf(path: string): void {
  const folder = dirname(path);
  if (basename(folder) === localFolderName) makePrivateFolder(folder);
  else makeFolder(folder, 0o700);
}

/** The text of a file; null if there is none. */
export function readPrivate(path: string): string | null {
  if (checkEntry(path) === null) return null;
  try {
    return withHandle(path, constants.O_RDONLY, (handle) => readFileSync(handle, "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

export function appendPrivate(path: string, content: string): void {
  checkEntry(path);
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  withHandle(path, flags, (handle) => writeFileSync(handle, content));
}

function withHandle<Result>(path: string, flags: number, work: (handle: number) => Result): Result {
  let handle: number;
  try {
    handle = openSync(path, flags | safely, 0o600);
  } catch (error) {
    throw linkError(path, error);
  }
  try {
    // It may have been exchanged since it was checked.
    checkStats(path, fstatSync(handle));
    return work(handle);
  } finally {
    closeSync(handle);
  }
}

function linkError(path: string, error: unknown): unknown {
  return codeOf(error) === "ELOOP" || codeOf(error) === "EMLINK" ? symlinkError(path) : error;
}

/** How long ago a file was last written, in ms; 0 if there is none. */
export function ageOfPrivate(path: string): number {
  const found = checkEntry(path);
  return found === null ? 0 : Date.now() - found.mtimeMs;
}

/** False if there is a file of that name already. */
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

/** A new file next to `path` under a name that cannot be foreseen. */
export function draftPrivate(path: string, content: string): string {
  const draft = `${path}.${randomBytes(12).toString("hex")}.tmp`;
  checkPlace(draft);
  writeFileSync(draft, content, { flag: "wx", mode: 0o600 });
  return draft;
}

/** Afterwards either the whole text is there, or the former one. */
export function replacePrivate(path: string, content: string): void {
  checkEntry(path);
  const draft = `${path}.${randomBytes(12).toString("hex")}.tmp`;
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

/** The same, and the name survives a power cut, too. */
export async function writePrivate(path: string, content: string): Promise<void> {
  replacePrivate(path, content);
  await syncFolder(dirname(path));
}

export async function removePrivate(path: string): Promise<void> {
  checkPlace(path);
  await rm(path, { force: true });
}

/** To read it and to append to it; created if there is none. */
export async function openPrivateToAppend(path: string): Promise<FileHandle> {
  checkEntry(path);
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
  const handle = await open(path, flags | safely, 0o600).catch((error) => {
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

/** Makes names in a folder durable. Not every system can open a folder; there the rename itself has to be enough. */
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
