// The folder of local data. A pull request can put anything into a folder of that name, so nothing in it is trusted by its
// looks: only plain files of this user that others cannot write are used, and never through a link.
import { existsSync, lstatSync, mkdirSync, readdirSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

export const localFolderName = ".ticketing";

/** An error with a code, as those of the system are: a file or folder must not be used. `hint`: what to do about it. */
type UnsafeFile = Error & { readonly code: "EUNSAFE"; readonly hint: string };

export function unsafeError(message: string, hint: string): UnsafeFile {
  return Object.assign(new Error(message), { code: "EUNSAFE" as const, hint });
}

export function isUnsafeFile(error: unknown): error is UnsafeFile {
  return codeOf(error) === "EUNSAFE";
}

/**
 * Makes a folder and those above it, one by one: Node's recursive mkdir never ends on a file system that says first
 * that a folder's parent exists, and then that it does not, as /proc does.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder))
    missing.push(folder);
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another process may have made it meanwhile.
      if (codeOf(error) !== "EEXIST" || !existsSync(folder)) throw error;
    }
  }
}

/** The entry, if there is one and it may be used; null if there is none. */
export function checkEntry(path: string): Stats | null {
  checkPlace(path);
  const found = lstatSync(path, { throwIfNoEntry: false }) ?? null;
  if (found !== null) checkStats(path, found);
  return found;
}

/** Only the folder of local data has to be private; a file elsewhere is in a folder of the user's choice. */
export function checkPlace(path: string): void {
  if (basename(dirname(path)) === localFolderName) checkPrivateFolder(dirname(path));
}

/** Throws if the folder exists and must not be used. */
function checkPrivateFolder(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw symlinkError(folder);
  if (!found.isDirectory()) throw unsafeError(`${shownPath(folder)} is not a folder.`, moveAway);
  checkOwner(folder, found);
}

/** Throws if the folder or anything in it must not be used, folders within included. */
export function checkPrivateEntries(folder: string): void {
  checkPrivateFolder(folder);
  for (const name of fileNamesIn(folder)) {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // Another command may have removed it meanwhile.
    if (found === undefined) continue;
    // A file for secrets may have its own folder; none of our own files is named like one.
    if (found.isDirectory() && !name.includes(".")) checkPrivateEntries(path);
    else checkStats(path, found);
  }
}

function fileNamesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

export function checkStats(path: string, found: Stats): void {
  if (found.isSymbolicLink()) throw symlinkError(path);
  if (!found.isFile()) {
    throw unsafeError(`${shownPath(path)} is ${describeType(found)}, not a regular file.`, moveAway);
  }
  checkOwner(path, found);
}

function checkOwner(path: string, found: Stats): void {
  const user = process.geteuid?.();
  // Windows has no such owners and modes.
  if (user === undefined) return;
  if (found.uid !== user) {
    throw unsafeError(
      `${shownPath(path)} belongs to another user (${found.uid}).`,
      "If it is yours, take it over with `chown`; otherwise move it away.",
    );
  }
  if ((found.mode & 0o022) !== 0) {
    throw unsafeError(
      `${shownPath(path)} can be written by other users.`,
      `Check what is in it, then run \`chmod go-w ${shownPath(path)}\`.`,
    );
  }
}

const moveAway = "Move it away and run the command again.";

export function symlinkError(path: string): UnsafeFile {
  return unsafeError(
    `${shownPath(path)} is a symbolic link, and local data is never read or written through one.`,
    "Check where it came from and delete it.",
  );
}

function describeType(found: Stats): string {
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a named pipe";
  if (found.isSocket()) return "a socket";
  return "a device";
}

/** ".ticketing/state.json"; elsewhere only the name. */
function shownPath(path: string): string {
  const folder = basename(dirname(path));
  return folder === localFolderName ? `${folder}/${basename(path)}` : basename(path);
}

export function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}
