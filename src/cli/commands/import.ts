// ticketing import: live events as YAML that a person would have written.
import { relative, resolve, sep } from "node:path";
import {
  gitHolds,
  type Imported,
  type ImportRequest,
  importJson,
  importLive,
  importText,
  writeFiles,
} from "../../app/import.ts";
import { openSavedState, openTarget, reportProblems, sandboxMismatch, type TargetOptions } from "../../app/session.ts";
import { interruptedCode, sameTarget, type World } from "../../app/world.ts";
import { chooseEnvironment } from "../../config/environment.ts";
import { diskFiles } from "../../config/files.ts";
import { loadProject, loadSettings } from "../../config/project.ts";
import { type Diagnostic, errorOf, hasErrors } from "../../model/diagnostic.ts";
import { openStatuses } from "../../snapshot/find-events.ts";
import { importProgress } from "../terminal/import-progress.ts";

export interface ImportOptions extends TargetOptions {
  readonly events?: readonly string[];
  readonly all?: boolean;
  readonly status?: "DRAFT" | "PUBLISHED" | "ARCHIVED";
  readonly webhooks?: boolean;
  readonly out?: string;
}

export async function runImport(world: World, options: ImportOptions): Promise<number> {
  const asked = askedFor(options);
  const folder = folderOf(options);
  if (asked === null) return reportProblems(world, options.format, [nothingAsked]);
  if (folder === null) return reportProblems(world, options.format, [outsideProject(options.out ?? "")]);
  const files = diskFiles(options.directory);
  const loaded = await loadSettings(files);
  const environment = chooseEnvironment(loaded.settings, {
    flagEnv: options.env,
    flagBaseUrl: options.baseUrl,
    env: world.env,
  });
  if (Array.isArray(environment)) return reportProblems(world, options.format, [...loaded.diagnostics, ...environment]);
  const project = await loadProject(files, { environment, env: world.env, loaded });
  const broken = project.diagnostics.filter(({ severity }) => severity === "error");
  if (broken.length > 0) return reportProblems(world, options.format, [...broken, brokenFiles]);
  const memory = await openSavedState(world, options.directory, loaded.settings, environment);
  if (!memory.ok) return reportProblems(world, options.format, memory.diagnostics);
  const progress = importProgress(world);
  const target = await openTarget(world, options, loaded.settings, progress.listener, undefined, memory.store);
  if (!target.ok) {
    await memory.store.close?.();
    return reportProblems(world, options.format, target.diagnostics);
  }
  (options.format === "text" ? world.stdout : world.stderr).write(`${target.line}\n`);
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
      onProgress: progress.onProgress,
    });
    progress.end();
    if (world.interrupted.aborted) return reportInterrupted(world, outcome.ok ? [] : outcome.diagnostics);
    if (!outcome.ok) return reportProblems(world, options.format, outcome.diagnostics);
    const imported = loaded.found ? outcome.imported : withProjectFile(outcome.imported);
    return await finish(world, options, imported, sandboxMismatch(world, environment));
  } finally {
    progress.end();
    await target.close();
  }
}

/** If nothing was imported, a folder without a project file would be no project at all. */
function withProjectFile(imported: Imported): Imported {
  if (imported.files.length > 0 || imported.events.length > 0) return imported;
  return { ...imported, files: [{ file: "ticketing.yaml", before: null, text: "version: 1\n" }] };
}

async function finish(
  world: World,
  options: ImportOptions,
  imported: Imported,
  doubt: Diagnostic | null,
): Promise<number> {
  const refused = await writeFiles(options.directory, imported.files);
  const diagnostics = [
    ...(doubt === null ? [] : [{ ...doubt, severity: "warning" as const }]),
    ...imported.diagnostics,
    ...refused.map(({ file }) => changedMeanwhile(file)),
    ...(imported.events.length === 0 && imported.webhooks === null ? [nothingLive(options, imported)] : []),
  ];
  if (options.format === "json") world.stdout.write(importJson(imported, diagnostics));
  else {
    const isSettled = imported.isSettled && refused.length === 0;
    world.stdout.write(
      importText(
        { ...imported, isSettled },
        ["ticketing plan", ...sameTarget(options)].join(" "),
        world.stdout.columns,
      ),
    );
    reportProblems(world, options.format, diagnostics);
  }
  return hasErrors(diagnostics) ? 1 : 0;
}

function askedFor({ events = [], all, status, webhooks }: ImportOptions): ImportRequest | null {
  const statuses = status !== undefined ? [status] : all === true ? openStatuses : [];
  if (events.length === 0 && statuses.length === 0 && webhooks !== true) return null;
  return { names: [...new Set(events)], statuses, webhooks: webhooks === true };
}

/** Relative to the project, with `/`; null outside of it. */
function folderOf({ directory, out = "events" }: ImportOptions): string | null {
  const folder = relative(directory, resolve(directory, out)).split(sep).join("/");
  return folder === ".." || folder.startsWith("../") || /^([a-z]:|\/)/i.test(folder) ? null : folder;
}

function reportInterrupted(world: World, diagnostics: readonly Diagnostic[]): number {
  reportProblems(world, "text", diagnostics);
  world.stderr.write("Stopped: no file was written.\n");
  return interruptedCode;
}

const nothingAsked: Diagnostic = errorOf(
  "nothing-asked",
  "Nothing to import was named.",
  "Name events by id or slug, or pass --all (and --webhooks for webhooks).",
);

const brokenFiles: Diagnostic = errorOf(
  "files-have-errors",
  "Nothing was imported: the project's files have errors, so it is unclear which events they describe.",
  "`ticketing validate` shows each error with its line. Fix them and import again.",
);

function outsideProject(out: string): Diagnostic {
  return errorOf(
    "outside-project",
    `--out ${out} is outside the project.`,
    "Name a folder inside the project, or another project with -C.",
  );
}

function changedMeanwhile(file: string): Diagnostic {
  return errorOf(
    "changed-meanwhile",
    `${file} was created or changed by someone else while the service was read, so it was not touched.`,
    "Run the command again.",
  );
}

function nothingLive({ status }: ImportOptions, { files }: Imported): Diagnostic {
  const written = files.map(({ file }) => file).join(", ");
  return {
    code: "nothing-live",
    severity: "info",
    message: `The organization has no ${status === undefined ? "published or draft" : status} event, so ${written === "" ? "no file" : `only ${written}`} was written.`,
    hint: "`ticketing init` writes a first event; archived ones are imported with --status ARCHIVED.",
  };
}
