import { statSync } from "node:fs";
import { relative } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { World } from "./world.ts";

/** What is wrong with the folder that -C names: the same words from every command. Null where it is there. */
export function noSuchFolder(world: World, directory: string): Diagnostic | null {
  if (isFolder(directory)) return null;
  const shown = relative(world.cwd, directory) || directory;
  return {
    code: "no-such-folder",
    severity: "error",
    message: `There is no folder ${shown}.`,
    hint: "Name the project's folder with -C, or run the command in it.",
  };
}

/** A path through a file, in a circle of links, or too long, is no folder either. */
function isFolder(directory: string): boolean {
  try {
    return statSync(directory).isDirectory();
  } catch {
    return false;
  }
}
