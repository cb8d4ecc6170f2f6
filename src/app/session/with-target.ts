import { diskFiles } from "../../config/files.ts";
import { type LoadedSettings, loadSettings } from "../../config/project.ts";
import { hasErrors } from "../../model/diagnostic.ts";
import type { World } from "../world.ts";
import { localDataProblem } from "./local-data.ts";
import { reportProblems } from "./report-problems.ts";
import { type OpenTarget, openTarget, type TargetOptions } from "./target.ts";

/** Does some work with the service that the project, flags and variables name, and ends the connection whatever happens. */
export async function withTarget(
  world: World,
  options: TargetOptions,
  work: (target: OpenTarget, loaded: LoadedSettings) => Promise<number>,
): Promise<number> {
  const loaded = await loadSettings(diskFiles(options.directory));
  if (hasErrors(loaded.diagnostics)) return reportProblems(world, options.format, loaded.diagnostics);
  const unsafe = await localDataProblem(options.directory);
  if (unsafe !== null) return reportProblems(world, options.format, [unsafe]);
  const target = await openTarget(world, options, loaded.settings);
  if (Array.isArray(target)) return reportProblems(world, options.format, target);
  try {
    return await work(target, loaded);
  } finally {
    await target.close();
  }
}

/** In whose name a sandbox serves: the project's organization, so that its files can be applied there. */
export async function projectOrganization(directory: string): Promise<{ readonly slug: string }> {
  const { settings } = await loadSettings(diskFiles(directory));
  return { slug: settings.organization ?? "sandbox" };
}
