import type { Diagnostic } from "../../model/diagnostic.ts";
import { safeJson } from "../../report/safe-json.ts";
import { safeText } from "../../report/safe-text.ts";
import type { Imported } from "../importing/imported.ts";

export type Action = "created" | "updated" | "unchanged" | "kept";

export interface WrittenFile {
  readonly file: string;
  readonly action: Action;
}

const signs: Readonly<Record<Action, string>> = { created: "+", updated: "~", unchanged: "=", kept: "!" };

export function initText(files: readonly WrittenFile[], steps: readonly string[]): string {
  const lines = files.map(
    ({ file, action }) => `${signs[action]} ${safeText(file)}${action === "kept" ? " (left as it is)" : ""}`,
  );
  return `${lines.join("\n")}\n\nNext:\n${steps.map((step) => `  ${step}`).join("\n")}\n`;
}

export function initJson(
  directory: string,
  files: readonly WrittenFile[],
  imported: Imported | null,
  diagnostics: readonly Diagnostic[],
): string {
  return `${safeJson({ formatVersion: 1, ok: true, directory, files, events: imported?.events ?? [], diagnostics })}\n`;
}
