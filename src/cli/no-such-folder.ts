import { statSync } from "node:fs";
import { relative } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { World } from "./world.ts";

/** What is wrong with the folder that -C names: the same words from every command. Null where it is there. */
export function noSuchFolder(world: World, directory: string): Diagnostic | null {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return null;
  const shown = relative(world.cwd, directory) || directory;
  return {
    code: "no-such-folder",
    severity: "error",
    message: `There is no folder ${shown}.`,
    hint: "Name the project's folder with -C, or run the command in it.",
  };
}
