import { relative, sep } from "node:path";
import { noSuchFolder } from "../../app/session.ts";
import { version, type World } from "../../app/world.ts";
import { chooseEnvironment, type Environment, notChosenCode, sandboxName } from "../../config/environment.ts";
import { diskFiles, readSourceLines } from "../../config/files.ts";
import { everything, loadProject, loadSettings, type Selection, selectFiles } from "../../config/project.ts";
import { lint, sortDiagnostics } from "../../lint/lint.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { Project, Settings } from "../../model/wish.ts";
import {
  type DiagnosticsReport,
  renderDiagnosticsGithub,
  renderDiagnosticsJson,
  renderDiagnosticsSarif,
  renderDiagnosticsText,
} from "../../report/diagnostics.ts";
import { targetLine } from "../../report/text.ts";

export interface ValidateOptions {
  readonly directory: string;
  readonly paths: readonly string[];
  readonly env?: string;
  readonly baseUrl?: string;
  readonly format: "text" | "json" | "github" | "sarif";
  readonly strict: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

/** Checks the files offline, and reports all problems at once. */
export async function runValidate(world: World, options: ValidateOptions): Promise<number> {
  const missing = noSuchFolder(world, options.directory);
  const report = missing === null ? await checkProject(world, options) : noFolder(missing, options);
  world.stdout.write(await render(report, world, options));
  return report.ok ? 0 : 1;
}

async function checkProject(world: World, options: ValidateOptions): Promise<DiagnosticsReport> {
  const files = diskFiles(options.directory);
  const loaded = await loadSettings(files);
  const { settings } = loaded;
  const choice = { flagEnv: options.env, flagBaseUrl: options.baseUrl, env: world.env };
  const chosen = chooseEnvironment(settings, choice);
  // Which vars hold is a guess then, and everything else in the files can still be checked.
  const environment = Array.isArray(chosen) ? { name: options.env ?? firstOf(settings) } : chosen;
  const project = await loadProject(files, { environment, env: world.env, loaded });
  const selection =
    options.paths.length === 0 ? everything : await selectFiles(files, settings, options.directory, options.paths);
  const found = [
    // No key is sent, so no environment need be chosen.
    ...(Array.isArray(chosen) && !isNotChosen(chosen) ? withoutReported(chosen, loaded.diagnostics) : []),
    ...selection.diagnostics,
    ...[
      ...emptyIsWrong(project, loaded.found),
      ...lint(project, { now: world.now(), environment: environment.name }),
    ].filter(({ source }) => source === undefined || selection.includes(source.file)),
  ];
  return reportOf(sortDiagnostics(found), project, selection, targetOf(chosen, environment.name), options);
}

function reportOf(
  found: readonly Diagnostic[],
  project: Project,
  selection: Selection,
  target: string,
  options: ValidateOptions,
): DiagnosticsReport {
  const diagnostics = found.filter(({ severity }) => severity !== "info" || options.verbose);
  const isSelected = (wish: { source: { file: string } }) => selection.includes(wish.source.file);
  return {
    ok: !hasErrors(found) && !(options.strict && found.some(({ severity }) => severity === "warning")),
    target,
    files: selection.count ?? project.files,
    events: project.events.filter(isSelected).length,
    webhooks: project.webhooks.filter(isSelected).length,
    diagnostics,
    hidden: found.length - diagnostics.length,
    strict: options.strict,
  };
}

function isNotChosen(problems: readonly Diagnostic[]): boolean {
  return problems.every(({ code }) => code === notChosenCode);
}

/** The vars of one environment must be taken: those of the first one in the file. */
function firstOf({ environments }: Settings): string {
  return Object.keys(environments).find((name) => name !== sandboxName) ?? sandboxName;
}

function targetOf(chosen: Environment | readonly Diagnostic[], checkedAs: string): string {
  if (!("name" in chosen)) {
    return isNotChosen(chosen) ? `Target: none, offline (checked as for ${checkedAs})` : "Target: none, offline";
  }
  return `${targetLine(chosen.name, chosen.baseUrl)}, offline`;
}

/**
 * To plan for a project without files is to remove everything; to check one is to look in the wrong folder, or for files that are
 * elsewhere. A project file that names no place for events may well have none yet.
 */
function emptyIsWrong(project: Project, found: boolean): readonly Diagnostic[] {
  if (project.events.length > 0 || project.webhooksManaged) return project.diagnostics;
  return project.diagnostics.map((diagnostic) =>
    diagnostic.code === "no-files-matched" && (!found || diagnostic.source !== undefined)
      ? { ...diagnostic, severity: "error" }
      : diagnostic,
  );
}

/** Without problems of an address in the file, which are already reported at their place. */
function withoutReported(problems: readonly Diagnostic[], reported: readonly Diagnostic[]): readonly Diagnostic[] {
  return problems.filter(({ code }) => !reported.some((other) => other.code === code || isAboutAddress(code, other)));
}

function isAboutAddress(code: string, other: Diagnostic): boolean {
  return code === "bad-base-url" && other.severity === "error" && other.source?.file === "ticketing.yaml";
}

async function render(report: DiagnosticsReport, world: World, options: ValidateOptions): Promise<string> {
  switch (options.format) {
    case "json":
      return renderDiagnosticsJson(report);
    case "github":
      return renderDiagnosticsGithub(report, prefixOf(world, options));
    case "sarif":
      return renderDiagnosticsSarif(report, { prefix: prefixOf(world, options), version });
    case "text": {
      const places = report.diagnostics.flatMap(({ source }) => (source === undefined ? [] : [source]));
      const lineAt = await readSourceLines(diskFiles(options.directory), places);
      const { color, verbose } = options;
      return renderDiagnosticsText(report, { columns: world.stdout.columns, color, lineAt, full: verbose });
    }
  }
}

/** The project's folder as the repository sees it: annotations name files from there. */
function prefixOf(world: World, options: ValidateOptions): string {
  const path = relative(world.env.GITHUB_WORKSPACE || world.cwd, options.directory)
    .split(sep)
    .join("/");
  return path === "" || path.startsWith("../") || path.includes(":") ? "" : `${path}/`;
}

function noFolder(missing: Diagnostic, options: ValidateOptions): DiagnosticsReport {
  return {
    ok: false,
    target: "Target: none, offline",
    files: 0,
    events: 0,
    webhooks: 0,
    diagnostics: [missing],
    hidden: 0,
    strict: options.strict,
  };
}
