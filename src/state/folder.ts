// The folder of local data: private to its owner, and ignored by git without anybody having to remember it.
import { existsSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../system/make-folder.ts";

export const folderName = ".ticketing";

export function folderOf(directory: string): string {
  return join(directory, folderName);
}

export async function ensureFolder(directory: string): Promise<string> {
  const folder = folderOf(directory);
  if (!existsSync(folder)) {
    makeFolder(folder, 0o700);
    await chmod(folder, 0o700);
  }
  const ignore = join(folder, ".gitignore");
  if (!existsSync(ignore)) await writeFile(ignore, "*\n", { flag: "wx", mode: 0o600 }).catch(() => undefined);
  return folder;
}

/** The name of an environment as a part of a file name. */
export function fileWord(environment: string): string {
  return encodeURIComponent(environment).replace(/\*/g, "%2A").replace(/^\./, "%2E");
}
