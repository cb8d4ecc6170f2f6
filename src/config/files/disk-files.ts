import { type Dirent, readdirSync as readFolderSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import glob from "fast-glob";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import { type FileProblem, readInside } from "../../system/inside-project.ts";
import { baseOf, type Matcher, matcherOf } from "./globs.ts";
import { type FileSource, fileError, type Listing } from "./read-text.ts";

/** Folders that hold no wishes and may hold very many files. */
const skipped = ["**/.git", "**/.ticketing", "**/node_modules"];

export interface Walked extends Listing {
  /** Those of the files that were found through a link to a folder. */
  readonly linked: readonly string[];
}

/**
 * The files below `start` that match. Each folder is read once, by its own path if that is below `start`, else through a
 * link within the project, so a circle of links ends. A link out of the project is a problem, because what it leads to is
 * not in git. `plain` collects the files that are not links.
 */
export function walkFolder(root: string, start: string, deep: boolean, matches: Matcher, plain: Set<string>): Walked {
  const linked: string[] = [];
  const files: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const found = { files, diagnostics, linked };
  const realRoot = realPath(root);
  const startReal = realPath(join(root, start));
  if (realRoot === null || startReal === null) return found;
  const isInside = (real: string) => isBelow(real, realRoot);
  const isOwnPath = (folder: string, real: string) => real === join(realRoot, folder);
  const visited = new Set<string>();
  // Links wait until every folder that needs none is read.
  const links: string[] = [];

  function noteOdd(path: string, entry: Dirent): void {
    const visible = path.replaceAll(controls, "_");
    const mayHoldFiles = deep && entry.isDirectory() && matches(`${visible}/a.yaml`);
    if (matches(visible) || mayHoldFiles) diagnostics.push(unprintable(path));
  }

  function addFolder(path: string, real: string, isLink: boolean): void {
    if (matches(path)) diagnostics.push(folderForFile(path));
    // The listing enters folders on its own, and never follows a link.
    if (!isLink) visited.add(real);
    else if (deep) links.push(path);
  }

  function addFile(path: string, type: EntryType, isPlain: boolean, isLinked: boolean): void {
    if (type === "dangling") diagnostics.push(leadsNowhere(path));
    else files.push(path);
    if (isLinked) linked.push(path);
    if (isPlain) plain.add(path);
  }

  function walk(folder: string, real: string): void {
    if (visited.has(real)) return;
    if (!isInside(real)) {
      diagnostics.push(leadsOutside(folder));
      return;
    }
    const isLinked = !isOwnPath(folder, real);
    const before = new Set(visited);
    visited.add(real);
    for (const { path: name, dirent } of entriesBelow(root, folder, deep, diagnostics, noteOdd)) {
      if (isWithin(real, name, before)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (control.test(path)) continue;
      const type = typeOfEntry(dirent, () => join(root, path));
      if (type === "folder") addFolder(path, join(real, name), dirent.isSymbolicLink());
      else if (matches(path)) addFile(path, type, dirent.isFile(), isLinked);
    }
  }

  walk(start, startReal);
  while (links.length > 0) {
    for (const link of links.splice(0).sort()) {
      const real = realPath(join(root, link));
      const isCircle = real !== null && isInside(real) && isBelow(realPath(dirname(join(root, link))) ?? "", real);
      if (real !== null && !isCircle) walk(link, real);
    }
  }
  return found;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, all of them
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Whether an entry lies in one of these folders. */
function isWithin(real: string, name: string, folders: ReadonlySet<string>): boolean {
  if (folders.size === 0) return false;
  for (let at = name.lastIndexOf("/"); at !== -1; at = name.lastIndexOf("/", at - 1)) {
    if (folders.has(join(real, name.slice(0, at)))) return true;
  }
  return false;
}

/** Everything in a folder, and with `deep` in those below it. A folder that does not exist contains nothing. */
function entriesBelow(
  root: string,
  folder: string,
  deep: boolean,
  diagnostics: Diagnostic[],
  noteOdd: (path: string, entry: Dirent) => void,
): readonly glob.Entry[] {
  // A name with a line break matches no pattern: it is seen here or nowhere.
  function readdirSync(path: string, options: { withFileTypes: true }): Dirent[] {
    const entries = readFolderSync(path, options);
    for (const entry of entries) {
      if (control.test(entry.name)) noteOdd(pathBelow(root, join(path, entry.name)), entry);
    }
    return entries;
  }
  try {
    return glob.sync(deep ? "**" : "*", {
      cwd: join(root, folder),
      objectMode: true,
      onlyFiles: false,
      dot: true,
      followSymbolicLinks: false,
      ignore: skipped,
      fs: { readdirSync: readdirSync as typeof readFolderSync },
    });
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    if (code === "EMFILE" || code === "ENFILE") throw error;
    // A file that silently goes unseen would be an event that is silently deleted.
    diagnostics.push(unreadableFolder(path === undefined ? folder : pathBelow(root, path)));
    return [];
  }
}

function pathBelow(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

type EntryType = "file" | "folder" | "dangling";

function typeOfEntry(entry: Pick<Dirent, "isSymbolicLink" | "isDirectory">, pathOf: () => string): EntryType {
  if (!entry.isSymbolicLink()) return entry.isDirectory() ? "folder" : "file";
  try {
    return statSync(pathOf()).isDirectory() ? "folder" : "file";
  } catch {
    return "dangling";
  }
}

/** Where files are if links lead to them: paths below the folder. */
export function realPlaces(root: string, files: readonly string[]): readonly string[] {
  const realRoot = realPath(root) ?? root;
  return files.flatMap((file) => {
    const real = realPath(join(root, file));
    return real === null ? [] : relative(realRoot, real).split(sep).join("/");
  });
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** Both are real paths. */
export function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function unreadableFolder(path: string): Diagnostic {
  const message = `The folder ${path || "of the project"} cannot be read.`;
  return errorOf("unreadable-file", message, "Check its permissions.");
}

function folderForFile(path: string): Diagnostic {
  const hint = "Rename the folder so that its name does not end in .yaml or .yml.";
  return fileError("folder-for-file", path, "is a folder where a file is expected", hint);
}

/** A name of several lines could say anything in a report, and globs do not match it: it would silently not be read. */
function unprintable(path: string): Diagnostic {
  const name = JSON.stringify(path).replaceAll(controls, "?");
  const message = `The path ${name} contains a line break or another control character.`;
  return errorOf("wrong-file-name", message, "Rename it, with letters, digits and hyphens.");
}

function leadsOutside(path: string): Diagnostic {
  const hint = "Put the files themselves in the project, so that git has them.";
  return fileError("outside-project", path, "is a link to outside the project", hint);
}

function leadsNowhere(path: string): Diagnostic {
  return fileError("unreadable-file", path, "is a broken link", "Remove the link, or restore its target.");
}

/** The files of the project in a folder, read synchronously: fastest for many small files. `compared`: they will be compared with a git revision. */
export function diskFiles(root: string, { compared = false }: { readonly compared?: boolean } = {}): FileSource {
  const folder = resolve(root);
  const ids = new Map<string, string | undefined>();
  // Plain files in folders of the project, as a listing found them: where they lead need not be checked again.
  const plain = new Set<string>();
  return {
    async list(globs) {
      return listFiles(folder, globs, plain);
    },
    async read(path) {
      const bytes = readInside(folder, path, plain.has(path));
      if (compared) ids.set(path, contentIdOf(bytes));
      return bytes;
    },
    ...(compared ? { contentId: (path: string) => ids.get(path) } : {}),
  };
}

/** As git names a blob; repositories of another hash than SHA-1 have none that is the same. */
function contentIdOf(content: Uint8Array | FileProblem): string | undefined {
  if (typeof content === "string") return content === "missing" ? undefined : content;
  // Most commands compare nothing, and would take 3 ms to load it.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
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
  // A file that one glob finds through a link may have been found by another glob under its own path.
  for (const file of linked) {
    const own = ownPath(root, file);
    if (own !== file && files.has(own)) files.delete(file);
  }
  return { files: [...files].sort(), diagnostics };
}

/** The path of a file without links in it, relative to the project. */
function ownPath(root: string, file: string): string {
  const [realRoot, real] = [realPath(root), realPath(join(root, file))];
  return realRoot === null || real === null ? file : pathBelow(realRoot, real);
}
