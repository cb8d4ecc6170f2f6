import { diskFiles } from "../config/disk-files.ts";
import { type LoadedSettings, loadSettings } from "../config/load-settings.ts";
import { hasErrors } from "../model/diagnostic.ts";
import { localDataProblem } from "./local-data.ts";
import { type OpenTarget, openTarget, type TargetOptions } from "./target.ts";
import { tellProblems } from "./tell-problems.ts";
import type { World } from "./world.ts";

/** Does some work with the service that the project, flags and variables name, and ends the connection whatever happens. */
export async function withTarget(
  world: World,
  options: TargetOptions,
  work: (target: OpenTarget, loaded: LoadedSettings) => Promise<number>,
): Promise<number> {
  const loaded = await loadSettings(diskFiles(options.directory));
  if (hasErrors(loaded.diagnostics)) return tellProblems(world, options.format, loaded.diagnostics);
  const unsafe = await localDataProblem(options.directory);
  if (unsafe !== null) return tellProblems(world, options.format, [unsafe]);
  const target = await openTarget(world, options, loaded.settings);
  if (Array.isArray(target)) return tellProblems(world, options.format, target);
  try {
    return await work(target, loaded);
  } finally {
    await target.close();
  }
}
