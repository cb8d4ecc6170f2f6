// A project that is about to be created: what its folder already contains, whose key it is, and what is live.
import { existsSync } from "node:fs";
import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { sandboxName } from "../../../config/environment.ts";
import { diskFiles, withTexts } from "../../../config/files.ts";
import { loadProject, loadSettings, projectFile } from "../../../config/project.ts";
import { failed } from "../../../model/diagnostic.ts";
import { openStatuses } from "../../../snapshot/find-events.ts";
import { readAccount } from "../../../snapshot/read-organization.ts";
import { attemptRead, makeReader } from "../../../snapshot/reader.ts";
import { folderName, folderOf } from "../../../state/folder.ts";
import type { ReadingProgress } from "../../planning/plan-project.ts";
import { localDataProblem } from "../../session/environment-store.ts";
import { chooseTarget, openTarget, type TargetOptions } from "../../session/target.ts";
import type { World } from "../../world.ts";
import { type ImportOutcome, importLive } from "../import-live.ts";
import { gitHolds } from "../imported.ts";

/** `broken`: why its settings cannot be read; `hasPhases`: something in its files changes at a time; `sheets`: what its series read. */
export async function readPresent(world: World, directory: string) {
  const disk = diskFiles(directory);
  const loaded = await loadSettings(disk);
  const { settings, diagnostics } = loaded;
  const broken = diagnostics.filter(({ severity }) => severity === "error");
  const hasEvents = (await disk.list(settings.events)).files.length > 0;
  // Read as of the year 1970, so that every phase is still in the future.
  const all = await loadProject(disk, { environment: { name: sandboxName }, env: world.env, now: 0, loaded });
  return { settings, broken, hasEvents, hasPhases: all.upcoming.length > 0, sheets: all.sheets ?? [] };
}

/** Whether this machine has applied to the environment. */
export function isRememberedHere(directory: string, environment: string): boolean {
  return existsSync(join(folderOf(directory), `state.${environment}.json`));
}

/** If no project is made, the local data and the folder created for it are removed. */
export async function leaveNothing<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  const wasThere = existsSync(directory);
  const hadData = existsSync(folderOf(directory));
  const result = await work();
  if (hadData || existsSync(join(directory, projectFile))) return result;
  const data = await folderNames(folderOf(directory));
  // The next run continues from what an interrupted one has read.
  if (data.some((name) => name.startsWith("snapshot."))) return result;
  if (data.length > 0) await rm(folderOf(directory), { recursive: true, force: true });
  if (!wasThere && (await folderNames(directory)).every((name) => name === folderName))
    await rmdir(directory).catch(() => undefined);
  return result;
}

async function folderNames(folder: string): Promise<readonly string[]> {
  return existsSync(folder) ? readdir(folder) : [];
}

/** A project that is about to be created: its files, and a listener for the progress of reading. */
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
  const progress = planned.openProgress();
  // The URL is the one that goes into the file; variables and flags were considered before.
  const here = { ...progress.world, env: { ...world.env, TICKETING_BASE_URL: undefined } };
  const chosen = chooseTarget(here, { env: planned.environment ?? "sandbox" }, loaded.settings);
  if (!chosen.ok) return chosen;
  const unsafe = await localDataProblem(options.directory);
  if (unsafe !== null) return failed(unsafe);
  const { environment } = chosen;
  const context = { listener: progress.listener, agreement: "typed" } as const;
  const target = await openTarget(here, options, loaded.settings, environment, context);
  if (!target.ok) return target;
  return { ok: true as const, files, loaded, environment, target, progress };
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
    return slug === "" ? "the service does not say whose key it is" : { slug };
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
