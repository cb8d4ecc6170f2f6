import { type Dirent, readdirSync as readFolderSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import glob from "fast-glob";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Listing } from "./file-source.ts";
import type { Matcher } from "./globs.ts";

/** Folders that hold no wishes and may hold very many files. */
const skipped = ["**/.git", "**/.ticketing", "**/node_modules"];

export interface Walked extends Listing {
  /** Those of the files that were found behind a link to a folder. */
  readonly linked: readonly string[];
}

/**
 * The files below `start` that match. Each folder is read once, by its own path where that is below `start`, else through a
 * link within the project; so a circle of links ends. A link out of the project is a problem, because what it leads to is
 * not in git. `plain` takes the files that are no links.
 */
export function walkFolder(root: string, start: string, deep: boolean, matches: Matcher, plain: Set<string>): Walked {
  const linked: string[] = [];
  const files: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const realRoot = realPath(root);
  if (realRoot === null) return { files, diagnostics, linked };
  const startReal = realPath(join(root, start));
  const seen = new Set<string>();
  // Links wait until every folder that needs none is read.
  const links: string[] = [];

  function noteOdd(path: string, isFolder: boolean): void {
    const visible = path.replaceAll(controls, "_");
    if (matches(visible) || (isFolder && deep && matches(`${visible}/a.yaml`))) diagnostics.push(unprintable(path));
  }

  function walk(folder: string, real: string): void {
    if (seen.has(real)) return;
    if (!isBelow(real, realRoot as string)) {
      diagnostics.push(leadsOutside(folder));
      return;
    }
    const isLinked = real !== join(realRoot as string, folder);
    const before = seen.size === 0 ? null : new Set(seen);
    seen.add(real);
    for (const { path: name, dirent } of entriesBelow(root, folder, deep, diagnostics, noteOdd)) {
      if (before !== null && isWithin(real, name, before)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (control.test(path)) continue;
      const type = dirent.isSymbolicLink() ? typeOfTarget(join(root, path)) : dirent.isDirectory() ? "folder" : "file";
      if (type === "folder") {
        if (matches(path)) diagnostics.push(folderForFile(path));
        // The listing goes into folders by itself, and never through a link.
        if (deep && dirent.isSymbolicLink()) links.push(path);
        else if (dirent.isDirectory()) seen.add(join(real, name));
      } else if (matches(path)) {
        if (type === "dangling") diagnostics.push(leadsNowhere(path));
        else files.push(path);
        if (isLinked) linked.push(path);
        if (dirent.isFile()) plain.add(path);
      }
    }
  }

  function follow(link: string): void {
    const real = realPath(join(root, link));
    if (real !== null && !isCircle(link, real)) walk(link, real);
  }

  /** A link to a folder that it stands in itself. */
  function isCircle(link: string, real: string): boolean {
    return isBelow(real, realRoot as string) && isBelow(realPath(dirname(join(root, link))) ?? "", real);
  }

  if (startReal !== null) walk(start, startReal);
  while (links.length > 0) for (const link of links.splice(0).sort()) follow(link);
  return { files, diagnostics, linked };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, all of them
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Whether an entry lies in one of these folders. */
function isWithin(real: string, name: string, folders: ReadonlySet<string>): boolean {
  for (let at = name.lastIndexOf("/"); at !== -1; at = name.lastIndexOf("/", at - 1)) {
    if (folders.has(join(real, name.slice(0, at)))) return true;
  }
  return false;
}

/** Everything in a folder, and in those below it where `deep`. A folder that is not there holds nothing. */
function entriesBelow(
  root: string,
  folder: string,
  deep: boolean,
  diagnostics: Diagnostic[],
  noteOdd: (path: string, isFolder: boolean) => void,
): readonly glob.Entry[] {
  // A name with a line break matches no pattern: it is seen here or nowhere.
  function readdirSync(path: string, options: { withFileTypes: true }): Dirent[] {
    const entries = readFolderSync(path, options);
    for (const entry of entries) {
      if (control.test(entry.name)) noteOdd(pathBelow(root, join(path, entry.name)), entry.isDirectory());
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
    // A file that is silently not seen would be an event that is silently removed.
    diagnostics.push(unreadableFolder(path === undefined ? folder : pathBelow(root, path)));
    return [];
  }
}

function pathBelow(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

type EntryType = "file" | "folder" | "dangling";

function typeOfTarget(path: string): EntryType {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch {
    return "dangling";
  }
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
  return {
    code: "unreadable-file",
    severity: "error",
    message: `The folder ${path || "of the project"} cannot be read.`,
    hint: "Check its permissions.",
  };
}

function folderForFile(path: string): Diagnostic {
  return {
    code: "folder-for-file",
    severity: "error",
    message: `${path} is a folder where a file is expected.`,
    hint: "Rename the folder so that it does not end like a YAML file.",
    source: { file: path, line: 1, column: 1 },
  };
}

/** A name of several lines could say anything in a report, and globs do not match it: it would silently not be read. */
function unprintable(path: string): Diagnostic {
  return {
    code: "wrong-file-name",
    severity: "error",
    message: `The path ${JSON.stringify(path).replaceAll(controls, "?")} holds a line break or another control character.`,
    hint: "Rename it, with letters, digits and hyphens.",
  };
}

function leadsOutside(path: string): Diagnostic {
  return {
    code: "outside-project",
    severity: "error",
    message: `${path} is a link that leads out of the project.`,
    hint: "Put the files themselves into the project, so that git holds them.",
    source: { file: path, line: 1, column: 1 },
  };
}

function leadsNowhere(path: string): Diagnostic {
  return {
    code: "unreadable-file",
    severity: "error",
    message: `${path} is a link that leads nowhere.`,
    hint: "Remove the link, or bring back what it leads to.",
    source: { file: path, line: 1, column: 1 },
  };
}
