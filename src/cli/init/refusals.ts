// Why no project is written.
import { existsSync } from "node:fs";
import { readdir, rm, rmdir } from "node:fs/promises";
import { projectFile } from "../../config/project.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { folderName, folderOf } from "../../state/folder.ts";
import { type PlannedFile, readIfThere } from "./project-files.ts";

export const initNeedsTerminal: Diagnostic = {
  code: "nobody-to-ask",
  severity: "error",
  message: "There is no terminal to ask on, and --yes was not given.",
  hint: "Run `ticketing init --yes --organization SLUG` (and --base-url URL for your service).",
};

export function notAFolder(path: string): Diagnostic {
  return {
    code: "not-a-folder",
    severity: "error",
    message: `${path} is a file, and a project is a folder.`,
    hint: "Name a folder; it is made where it is not there yet.",
  };
}

/** Nothing is written where anything would be lost. */
export function wouldOverwrite(files: readonly PlannedFile[]): readonly Diagnostic[] {
  return files.map(({ file }) => ({
    code: "would-overwrite",
    severity: "error",
    message: `${file} is there already and says something else, so nothing was written.`,
    hint: "Move it aside, choose another folder, or run without --yes to be asked about each file.",
  }));
}

export function changedMeanwhile(file: string): Diagnostic {
  return {
    code: "changed-meanwhile",
    severity: "error",
    message: `${file} was made or changed by somebody else just now, so it was left as it is.`,
    hint: "Run the command again.",
  };
}

/** Where no project comes of it, the local data of asking the service goes again, and the folder that was made for it. */
export async function leaveNothing(directory: string, work: () => Promise<number>): Promise<number> {
  const wasThere = existsSync(directory);
  const hadData = existsSync(folderOf(directory));
  const exitCode = await work();
  if (exitCode === 0 || hadData || readIfThere(directory, projectFile) !== null) return exitCode;
  const data = await namesIn(folderOf(directory));
  // What a run that was cut short has read is what the next one goes on from.
  if (data.some((name) => name.startsWith("snapshot."))) return exitCode;
  if (data.length > 0) await rm(folderOf(directory), { recursive: true, force: true });
  if (!wasThere && (await namesIn(directory)).every((name) => name === folderName)) {
    await rmdir(directory).catch(() => undefined);
  }
  return exitCode;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return existsSync(folder) ? readdir(folder) : [];
}
