// ticketing import, without a terminal: reads the project, finds what is requested on the service, and writes the files.
import { posix, relative, resolve, sep } from "node:path";
import { diskFiles } from "../../config/files.ts";
import { loadProject, loadSettings } from "../../config/project.ts";
import { type Diagnostic, errorOf, type Fallible, failed, hasErrors, noticeOf } from "../../model/diagnostic.ts";
import type { Listener } from "../../service/calls.ts";
import { openStatuses } from "../../snapshot/find-events.ts";
import { openSavedState } from "../session/saved-state.ts";
import { chooseTarget, openTarget, sandboxMismatch, type TargetOptions } from "../session/target.ts";
import { advise, type World } from "../world.ts";
import { importLive } from "./import-live.ts";
import {
  changedMeanwhile,
  gitHolds,
  type Imported,
  type ImportRequest,
  placeFor,
  usualEvent,
  writeFiles,
} from "./imported.ts";

export interface ImportOptions extends TargetOptions {
  readonly events?: readonly string[];
  readonly all?: boolean;
  readonly status?: "DRAFT" | "PUBLISHED" | "ARCHIVED";
  readonly webhooks?: boolean;
  readonly series?: boolean;
  readonly out?: string;
}

export interface ImportWatcher {
  readonly listener: Listener;
  /** Called once the service can be talked to, with the line that names it. */
  onTarget(line: string): void;
  onProgress(done: number, total: number): void;
}

type ImportEnd = Fallible<{ readonly imported: Imported; readonly diagnostics: readonly Diagnostic[] }>;

export async function importProject(world: World, options: ImportOptions, watcher: ImportWatcher): Promise<ImportEnd> {
  const asked = askedFor(options);
  if (asked === null) return failed(nothingAsked);
  const files = diskFiles(options.directory);
  const loaded = await loadSettings(files);
  const folder = outFolder(options, loaded.settings.events);
  if (folder === null) return failed(outsideProject(options.out ?? ""));
  const chosen = chooseTarget(world, options, loaded.settings);
  if (!chosen.ok) return failed(...loaded.diagnostics, ...chosen.diagnostics);
  const { environment } = chosen;
  const project = await loadProject(files, { environment, env: world.env, now: world.now(), loaded });
  const broken = project.diagnostics.filter(({ severity }) => severity === "error");
  if (broken.length > 0) return failed(...broken, brokenFiles);
  const memory = await openSavedState(world, options.directory, loaded.settings, environment);
  if (!memory.ok) return memory;
  const target = await openTarget(world, options, loaded.settings, environment, {
    listener: watcher.listener,
    store: memory.store,
    projects: [project],
  });
  if (!target.ok) {
    await memory.store.close?.();
    return target;
  }
  watcher.onTarget(target.line);
  try {
    const outcome = await importLive(world, {
      files,
      loaded,
      project,
      environment,
      state: memory.state,
      target,
      asked,
      folder,
      isCommitted: (file) => gitHolds(options.directory, file),
      onProgress: watcher.onProgress,
    });
    if (world.interrupted.aborted) return failed(stopped);
    if (!outcome.ok) return outcome;
    const imported = project.files > 0 ? outcome.imported : withProjectFile(outcome.imported);
    const written = await writeImported(options, imported, sandboxMismatch(world, environment));
    return { ...written, diagnostics: advise(world, written.diagnostics) };
  } finally {
    await target.close();
  }
}

async function writeImported({ directory, status }: ImportOptions, imported: Imported, mismatch: Diagnostic | null) {
  const refused = await writeFiles(directory, imported.files);
  const isEmpty = imported.events.length === 0 && imported.webhooks === null && !hasErrors(imported.diagnostics);
  const diagnostics = [
    ...(mismatch === null ? [] : [{ ...mismatch, severity: "warning" as const }]),
    ...imported.diagnostics,
    ...refused.map(({ file }) => changedMeanwhile(file)),
    ...(isEmpty ? [nothingLive(status, imported)] : []),
  ];
  return {
    ok: true as const,
    imported: { ...imported, isSettled: imported.isSettled && refused.length === 0 },
    diagnostics,
  };
}

/** If nothing was imported, a folder without a project file would be no project at all. */
function withProjectFile(imported: Imported): Imported {
  if (imported.files.length > 0 || imported.events.length > 0) return imported;
  return { ...imported, files: [{ file: "ticketing.yaml", before: null, text: "version: 1\n" }] };
}

function askedFor({ events = [], all, status, webhooks, series }: ImportOptions): ImportRequest | null {
  const statuses = status !== undefined ? [status] : all === true ? openStatuses : [];
  if (events.length === 0 && statuses.length === 0 && webhooks !== true) return null;
  return { names: [...new Set(events)], statuses, webhooks: webhooks === true, series: series === true };
}

/** Relative to the project, with `/`; null outside of it. */
function outFolder({ directory, out }: ImportOptions, globs: readonly string[]): string | null {
  const usual = posix.dirname(placeFor(globs, usualEvent) ?? usualEvent);
  const folder = relative(directory, resolve(directory, out ?? usual))
    .split(sep)
    .join("/");
  return folder === ".." || folder.startsWith("../") || /^([a-z]:|\/)/i.test(folder) ? null : folder;
}

const nothingAsked: Diagnostic = errorOf(
  "nothing-asked",
  "You did not say what to import.",
  "Name events by id or slug, or pass --all (and --webhooks for webhooks).",
);

const brokenFiles: Diagnostic = errorOf(
  "files-have-errors",
  "Nothing was imported: the project's files have errors, so it is unclear which events they describe.",
  "`ticketing validate` shows each error with its line. Fix them and import again.",
);

const stopped: Diagnostic = errorOf(
  "interrupted",
  "The import was stopped: no file was written.",
  "Run the same command again.",
);

function outsideProject(out: string): Diagnostic {
  const message = `--out ${out} is outside the project.`;
  const hint = "Choose a folder inside the project, or another project with -C.";
  return errorOf("outside-project", message, hint);
}

function nothingLive(status: ImportOptions["status"], { files }: Imported): Diagnostic {
  const written = files.map(({ file }) => file).join(", ");
  const message = `The organization has no ${status === undefined ? "published or draft" : status} event, so ${written === "" ? "no file" : `only ${written}`} was written.`;
  const hint =
    status === undefined
      ? "Describe a first event in a file, such as events/my-event.yaml; import archived ones with --all --status ARCHIVED."
      : "Leave out `--status` to import all events that are not archived: `ticketing import --all`.";
  return noticeOf("nothing-live", message, hint);
}
