// The folder of local data: private to its owner and ignored by git.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import { createPrivate, makePrivateFolder, readPrivate } from "../../system/private-files.ts";
import { codeOf, isUnsafeFile, localFolderName } from "../../system/private-folder.ts";
import { explainRefusal } from "../../system/refusal.ts";
import type { FindSealSecrets } from "../seal.ts";

/** What a store needs to store files for an environment of a project. */
export interface StoreSetup {
  readonly directory: string;
  readonly environment: string;
  /** null: the embedded sandbox. */
  readonly baseUrl: string | null;
  /** Whose rate limit its calls count against: the organization, or whatever distinguishes it. */
  readonly account?: string;
  readonly secrets: FindSealSecrets;
  /** The address of the CI run that this is. */
  readonly run?: string;
  /** The machine's clock, whatever TICKETING_NOW says. */
  readonly now?: () => number;
}

export const folderName = localFolderName;

export function folderOf(directory: string): string {
  return join(directory, folderName);
}

export function ensureFolder(directory: string): void {
  makePrivateFolder(folderOf(directory));
}

export function fileWord(environment: string): string {
  return encodeURIComponent(environment).replace(/\*/g, "%2A").replace(/^\./, "%2E");
}

/** A secret of this folder alone, created when it is first needed. */
export function ownSecret(directory: string): string {
  const folder = folderOf(directory);
  const path = join(folder, "seal.key");
  const known = readPrivate(path);
  if (known !== null) return known.trim();
  makePrivateFolder(folder);
  const made = randomBytes(32).toString("hex");
  // Another command may have been faster.
  return createPrivate(path, `${made}\n`) ? made : (readPrivate(path) ?? made).trim();
}

/** What the file system refused, with what to do about it. */
export function fileProblem(error: unknown, doing: string, file: string): Diagnostic {
  if (isUnsafeFile(error)) return errorOf("unsafe-local-data", error.message, error.hint);
  const { reason, fix } = explainRefusal(error);
  const hint = hints[codeOf(error)] ?? fix ?? "Check the file and its folder, then run the command again.";
  return errorOf("state-unusable", `${doing} ${file} failed: ${reason}.`, hint);
}

const hints: Readonly<Record<string, string>> = {
  ENOSPC: "Free some space and run the command again: it continues where this run stopped.",
  EDQUOT: "Free some space and run the command again: it continues where this run stopped.",
  EROFS: "Run in a folder that is writable, or set `state: { backend: none }` in ticketing.yaml.",
};
