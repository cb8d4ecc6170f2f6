import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** The git repository that a folder is in. */
export interface Repository {
  readonly root: string;
  /** The folder as the repository sees it, with `/`; "" where it is the root. */
  readonly folder: string;
  readonly branch: string;
}

const mainBranches = ["main", "master", "trunk"];

/** null outside of any repository. */
export function findRepository(directory: string): Repository | null {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) {
      return { root: folder, folder: relative(folder, directory).split(sep).join("/"), branch: branchOf(folder) };
    }
    if (dirname(folder) === folder) return null;
  }
}

/** The branch that is checked out where it is a main one; somebody may be on another one just now. */
function branchOf(root: string): string {
  try {
    const head = readFileSync(join(root, ".git", "HEAD"), "utf8")
      .trim()
      .replace("ref: refs/heads/", "");
    return mainBranches.includes(head) ? head : "main";
  } catch {
    return "main";
  }
}
