// The folder of local data: private to its owner, and ignored by git without anybody having to remember it.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createPrivate, localFolderName, makePrivateFolder, readPrivate } from "../system/private-files.ts";

export const folderName = localFolderName;

export function folderOf(directory: string): string {
  return join(directory, folderName);
}

export async function ensureFolder(directory: string): Promise<string> {
  const folder = folderOf(directory);
  makePrivateFolder(folder);
  return folder;
}

/** The name of an environment as a part of a file name. */
export function fileWord(environment: string): string {
  return encodeURIComponent(environment).replace(/\*/g, "%2A").replace(/^\./, "%2E");
}

/** A secret of this folder alone, made when it is first asked for. */
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
