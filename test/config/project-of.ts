import { chooseEnvironment } from "../../src/config/environment.ts";
import { loadProject } from "../../src/config/project.ts";
import { loadSettings } from "../../src/config/settings/load-settings.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { Project } from "../../src/model/wish.ts";
import { memoryFiles } from "../stage/memory-files.ts";

/** The project that the files describe. */
export async function projectOf(
  texts: Readonly<Record<string, string>>,
  {
    env = {},
    environment,
    now = Date.parse("2026-11-01T00:00:00Z"),
  }: { env?: Record<string, string>; environment?: string; now?: number } = {},
): Promise<Project> {
  const files = memoryFiles(texts);
  const loaded = await loadSettings(files);
  const chosen = chooseEnvironment(loaded.settings, { flagEnv: environment, env });
  if (!chosen.ok) throw new Error(chosen.diagnostics[0]?.message);
  return loadProject(files, { environment: chosen.environment, env, now, loaded });
}

/** The project of one event file. */
export function eventProject(text: string): Promise<Project> {
  return projectOf({ "events/a.yaml": text });
}

/** `file:line:column code`, which is what most tests are about. */
export function reported(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code, source }) =>
    source === undefined ? code : `${source.file}:${source.line}:${source.column} ${code}`,
  );
}
