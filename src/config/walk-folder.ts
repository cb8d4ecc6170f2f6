import { realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import glob from "fast-glob";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Listing } from "./file-source.ts";
import type { Matcher } from "./globs.ts";

/** Folders that hold no wishes and may hold very many files. */
const skipped = ["**/.git", "**/.ticketing", "**/node_modules"];

/**
 * The files below `start` that match. Links within the project are followed, each folder once, so that a circle of links ends;
 * a link out of the project is a problem, because what it leads to is not in git. `plain` takes the files that are no links.
 */
export function walkFolder(root: string, start: string, deep: boolean, matches: Matcher, plain: Set<string>): Listing {
  const files: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const realRoot = realPath(root);
  if (realRoot === null) return { files, diagnostics };
  const seen = new Set<string>();

  function walk(folder: string): void {
    const real = realPath(join(root, folder));
    if (real === null || seen.has(real)) return;
    if (!isBelow(real, realRoot as string)) {
      diagnostics.push(leadsOutside(folder));
      return;
    }
    seen.add(real);
    for (const { path: name, dirent } of entriesBelow(root, folder, deep, diagnostics)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const type = dirent.isSymbolicLink() ? typeOfTarget(join(root, path)) : dirent.isDirectory() ? "folder" : "file";
      if (type === "folder") {
        if (matches(path)) diagnostics.push(folderForFile(path));
        // The listing goes into folders by itself, and never through a link.
        if (deep && dirent.isSymbolicLink()) walk(path);
        else if (dirent.isDirectory()) seen.add(join(real, ...name.split("/")));
      } else if (matches(path)) {
        if (type === "dangling") diagnostics.push(leadsNowhere(path));
        else files.push(path);
        if (dirent.isFile()) plain.add(path);
      }
    }
  }

  walk(start);
  return { files, diagnostics };
}

/** Everything in a folder, and in those below it where `deep`. A folder that is not there holds nothing. */
function entriesBelow(root: string, folder: string, deep: boolean, diagnostics: Diagnostic[]): readonly glob.Entry[] {
  try {
    return glob.sync(deep ? "**" : "*", {
      cwd: join(root, folder),
      objectMode: true,
      onlyFiles: false,
      dot: true,
      followSymbolicLinks: false,
      ignore: skipped,
    });
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    // A file that is silently not seen would be an event that is silently removed.
    diagnostics.push(unreadableFolder(path === undefined ? folder : relative(root, path).split(sep).join("/")));
    return [];
  }
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
