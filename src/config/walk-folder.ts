import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Listing } from "./file-source.ts";
import type { Matcher } from "./globs.ts";

/** Folders that hold no wishes and may hold very many files. */
const skipped = new Set([".git", ".ticketing", "node_modules"]);

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
    const entries = entriesOf(join(root, folder));
    if (entries === null) diagnostics.push(unreadableFolder(folder));
    for (const entry of entries ?? []) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const type = entry.isSymbolicLink() ? typeOfTarget(join(root, path)) : typeOf(entry);
      if (type === "folder") {
        if (matches(path)) diagnostics.push(folderForFile(path));
        if (deep && !skipped.has(entry.name)) walk(path);
      } else if (matches(path)) {
        if (type === "dangling") diagnostics.push(leadsNowhere(path));
        else files.push(path);
        if (entry.isFile()) plain.add(path);
      }
    }
  }

  walk(start);
  return { files, diagnostics };
}

type EntryType = "file" | "folder" | "dangling";

function typeOf(entry: Dirent): EntryType {
  return entry.isDirectory() ? "folder" : "file";
}

function typeOfTarget(path: string): EntryType {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch {
    return "dangling";
  }
}

/** null where the folder is there and cannot be read; one that is not there holds nothing. */
function entriesOf(folder: string): readonly Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : null;
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
