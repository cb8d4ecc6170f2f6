// Why no project is written.
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PlannedFile } from "./project-files.ts";

export const nobodyToAsk: Diagnostic = {
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
