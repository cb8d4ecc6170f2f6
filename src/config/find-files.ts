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
  const eventFiles = forEvents.files.filter((file) => !taken.has(file));
  const webhookFiles = forWebhooks.files.filter((file) => file !== projectFile);
  const diagnostics = [...forEvents.diagnostics, ...forWebhooks.diagnostics];
  return { eventFiles, webhookFiles, diagnostics: [...diagnostics, ...twinsByCase([...eventFiles, ...webhookFiles])] };
}

/** Two files that a disk of Windows or macOS takes for one: a checkout there holds one of them, and the other event is gone. */
function twinsByCase(files: readonly string[]): readonly Diagnostic[] {
  const seen = new Map<string, string>();
  return files.flatMap((file): Diagnostic[] => {
    const other = seen.get(file.toLowerCase());
    if (other === undefined) seen.set(file.toLowerCase(), file);
    if (other === undefined || other === file) return [];
    return [
      {
        code: "wrong-file-name",
        severity: "error",
        message: `${other} and ${file} differ by upper and lower case only, and are one file on many machines.`,
        hint: "Rename one of them.",
        source: { file, line: 1, column: 1 },
        related: [{ message: "the other one", source: { file: other, line: 1, column: 1 } }],
      },
    ];
  });
}
