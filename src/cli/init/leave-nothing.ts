import { existsSync } from "node:fs";
import { readdir, rm, rmdir } from "node:fs/promises";
import { projectFile } from "../../config/load-settings.ts";
import { folderName, folderOf } from "../../state/folder.ts";
import { readIfThere } from "./project-files.ts";

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
