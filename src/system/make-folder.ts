import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

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
