// What the service says before there is a project: whose key it is, and what is live.
import { chooseEnvironment } from "../../config/environment.ts";
import { diskFiles, withTexts } from "../../config/files.ts";
import { loadProject, loadSettings } from "../../config/project.ts";
import { failed } from "../../model/diagnostic.ts";
import { openStatuses } from "../../snapshot/find-events.ts";
import { readAccount } from "../../snapshot/read-organization.ts";
import { attemptRead, makeReader } from "../../snapshot/reader.ts";
import type { ReadingProgress } from "../planning/plan-project.ts";
import { localDataProblem } from "../session/environment-store.ts";
import { openTarget, type TargetOptions } from "../session/target.ts";
import type { World } from "../world.ts";
import { type ImportOutcome, importLive } from "./import-live.ts";
import { gitHolds } from "./imported.ts";

/** A project that is about to be made: its files, and whoever hears how far reading is. */
interface PlannedProject {
  readonly files: readonly { readonly file: string; readonly text: string | Uint8Array }[];
  /** null: the sandbox. */
  readonly environment: string | null;
  readonly openProgress: () => ReadingProgress;
}

/** Loads the project that these files describe and connects to its service; returns the problems if it cannot. */
async function openPlanned(world: World, options: TargetOptions, planned: PlannedProject) {
  const files = withTexts(diskFiles(options.directory), planned.files);
  const loaded = await loadSettings(files);
  // The address is the one that goes into the file; variables and flags have had their say before.
  const choice = { flagEnv: planned.environment ?? "sandbox", env: { ...world.env, TICKETING_BASE_URL: undefined } };
  const chosen = chooseEnvironment(loaded.settings, choice);
  if (!chosen.ok) return chosen;
  const unsafe = await localDataProblem(options.directory);
  if (unsafe !== null) return failed(unsafe);
  const { baseUrl: _, ...rest } = options;
  const progress = planned.openProgress();
  const here = { ...progress.world, env: choice.env };
  const target = await openTarget(here, { ...rest, env: choice.flagEnv }, loaded.settings, {
    listener: progress.listener,
    agreement: "typed",
  });
  if (!target.ok) return target;
  return { ok: true as const, files, loaded, environment: chosen.environment, target, progress };
}

/** Whose key it is, or the reason why that is not known. */
export async function askOwner(
  world: World,
  options: TargetOptions,
  planned: PlannedProject,
): Promise<{ readonly slug: string } | string> {
  const opened = await openPlanned(world, options, planned);
  if (!opened.ok) return opened.diagnostics[0]?.message ?? "there is no such service";
  try {
    const read = await attemptRead(() => readAccount(makeReader(opened.target.client)));
    if (!read.ok) return read.problem.message;
    const { slug } = read.value.organization;
    return slug === "" ? "it does not say whose key it is" : { slug };
  } finally {
    opened.progress.end();
    await opened.target.close();
  }
}

export async function importAll(world: World, options: TargetOptions, planned: PlannedProject): Promise<ImportOutcome> {
  const opened = await openPlanned(world, options, planned);
  if (!opened.ok) return opened;
  const { files, loaded, target, progress } = opened;
  try {
    const project = await loadProject(files, {
      environment: opened.environment,
      env: world.env,
      now: world.now(),
      loaded,
    });
    const broken = project.diagnostics.filter(({ severity }) => severity === "error");
    if (broken.length > 0) return { ok: false, diagnostics: broken };
    return await importLive(world, {
      files,
      loaded,
      project,
      environment: opened.environment,
      state: null,
      target,
      asked: { names: [], statuses: openStatuses, webhooks: true },
      folder: "events",
      isCommitted: (file) => gitHolds(options.directory, file),
      onProgress: progress.onProgress,
    });
  } finally {
    progress.end();
    await target.close();
  }
}
