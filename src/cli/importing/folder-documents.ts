// Documents in the folder that is written to, where the project's globs do not reach it: they are updated all the same.
import { posix } from "node:path";
import type { FileSource } from "../../config/file-source.ts";
import { projectFile } from "../../config/load-settings.ts";
import { readText } from "../../config/read-text.ts";
import type { Project } from "../../model/project.ts";
import type { Wish } from "../../model/wish.ts";
import { loadText, type TextReading } from "./load-text.ts";

export async function folderDocuments(
  files: FileSource,
  folder: string,
  project: Project,
  reading: TextReading,
): Promise<readonly Wish[]> {
  const { settings } = reading.loaded;
  const known = new Set([...(await files.list(settings.events)).files, ...(await files.list(settings.webhooks)).files]);
  const listed = await files.list([posix.join(folder, "*.{yaml,yml}")]);
  const addresses = new Set(project.events.map((wish) => wish.address));
  const documents: Wish[] = [];
  for (const file of listed.files) {
    if (known.has(file) || file === projectFile) continue;
    const text = await readText(files, file, []);
    if (text === null) continue;
    // What is wrong with a file that is not the project's is not the project's problem.
    const { events } = await loadText(file, text, "events", reading);
    documents.push(...events.filter((wish) => !addresses.has(wish.address)));
  }
  return documents;
}
