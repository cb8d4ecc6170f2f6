import type { FileSource } from "../../config/file-source.ts";
import { loadProject } from "../../config/load-project.ts";
import type { LoadedSettings } from "../../config/load-settings.ts";
import type { Project } from "../../model/project.ts";

export interface TextReading {
  readonly loaded: LoadedSettings;
  readonly environment: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One file as the project would read it if this were its text. */
export function loadText(
  file: string,
  text: string,
  kind: "events" | "webhooks",
  { loaded, environment, env }: TextReading,
): Promise<Project> {
  const files: FileSource = {
    async list(globs) {
      return { files: globs.includes(file) ? [file] : [], diagnostics: [] };
    },
    async read(path) {
      return path === file ? new TextEncoder().encode(text) : "missing";
    },
  };
  const globs = { events: [], webhooks: [], [kind]: [file] };
  const alone: LoadedSettings = { ...loaded, diagnostics: [], settings: { ...loaded.settings, ...globs } };
  return loadProject(files, { environment: { name: environment }, env, loaded: alone });
}
