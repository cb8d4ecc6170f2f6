import type { Diagnostic } from "../model/diagnostic.ts";
import type { Settings } from "../model/settings.ts";
import type { FileSource } from "./file-source.ts";
import { leadsOut } from "./globs.ts";
import { projectFile } from "./load-settings.ts";

export interface ProjectFiles {
  readonly eventFiles: readonly string[];
  readonly webhookFiles: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The files that hold wishes. A file has one meaning: webhooks before events, and the project file is neither. */
export async function findFiles(
  files: FileSource,
  { events, webhooks }: Pick<Settings, "events" | "webhooks">,
): Promise<ProjectFiles> {
  const forWebhooks = await files.list(webhooks.filter((glob) => !leadsOut(glob)));
  const forEvents = await files.list(events.filter((glob) => !leadsOut(glob)));
  const taken = new Set([projectFile, ...forWebhooks.files]);
  return {
    eventFiles: forEvents.files.filter((file) => !taken.has(file)),
    webhookFiles: forWebhooks.files.filter((file) => file !== projectFile),
    diagnostics: [...forEvents.diagnostics, ...forWebhooks.diagnostics],
  };
}
