// The files checked offline: no key is sent, so no environment need be chosen.
import { type ChosenEnvironment, notChosenCode, sandboxName } from "../../config/environment.ts";
import { diskFiles, type FileSource } from "../../config/files.ts";
import { everything, type LoadOptions, loadProject, loadSettings, selectFiles } from "../../config/project.ts";
import { lint, lintEvent } from "../../lint/lint.ts";
import { rootOf } from "../../model/address.ts";
import { type Diagnostic, hasErrors, sortDiagnostics } from "../../model/diagnostic.ts";
import { groupBy } from "../../model/value.ts";
import type { Project, Settings, Wish } from "../../model/wish.ts";
import type { DiagnosticsReport, OfflineTarget } from "../../report/diagnostics.ts";
import { advise, type CommonOptions, type World } from "../world.ts";
import { noSuchFolder } from "./report-problems.ts";
import { exposedSink } from "./secret-sink.ts";
import { chooseTarget } from "./target.ts";

export interface ValidateRequest extends Pick<CommonOptions, "directory" | "env" | "baseUrl" | "verbose"> {
  /** Files, folders or globs; none: all files. */
  readonly paths: readonly string[];
  /** Warnings fail as well. */
  readonly strict: boolean;
  /** The output format; `text` by default. */
  readonly format?: string;
}

export async function validateProject(world: World, request: ValidateRequest): Promise<DiagnosticsReport> {
  const missing = noSuchFolder(world, request.directory);
  if (missing !== null) return noFolder(missing, request);
  const files = diskFiles(request.directory);
  const read = await checkProject(world, files, request, { isForAll: true });
  const { project, chosen, environment, checked: names, choice, found } = read;
  const selection =
    request.paths.length === 0
      ? everything
      : await selectFiles(files, project.settings, request.directory, request.paths, project.sheets);
  const isSaid = [...choice, ...found].some(({ code }) => code === "secrets-exposed" || code === "outside-project");
  const exposed = isSaid ? null : await exposedSink(request.directory, project.settings.secrets);
  const all = sortDiagnostics([
    ...choice,
    ...(exposed === null ? [] : [exposed]),
    ...selection.diagnostics,
    ...found.filter(({ source }) => source === undefined || selection.includes(source.file)),
  ]);
  const isForProgram = request.format !== undefined && request.format !== "text";
  const isComplete = request.verbose || request.format === "json";
  const diagnostics = all.filter(
    ({ code, severity }) =>
      severity !== "info" || isComplete || code === "event-over" || (isForProgram && code === "unused-template"),
  );
  const isSelected = (wish: Wish) => selection.includes(wish.source.file);
  const checked = new Set(project.events.filter(isSelected).map(({ address }) => address));
  const used = new Set(project.unread.flatMap(({ file, uses }) => (selection.includes(file) ? uses : [])));
  const elsewhere = found.filter(
    ({ severity, source, address = "" }) =>
      severity !== "info" &&
      source !== undefined &&
      !selection.includes(source.file) &&
      (checked.has(rootOf(address)) || (severity === "error" && used.has(source.file))),
  );
  return {
    ok: !hasErrors(all) && !(request.strict && all.some(({ severity }) => severity === "warning")),
    target: { ...targetOf(chosen, environment.name), ...(names.length > 1 ? { alsoCheckedAs: names.slice(1) } : {}) },
    files: selection.count ?? project.files,
    events: checked.size,
    webhooks: project.webhooks.filter(isSelected).length,
    diagnostics: advise(world, diagnostics),
    elsewhere: sortDiagnostics(elsewhere),
    hidden: all.length - diagnostics.length,
    strict: request.strict,
  };
}

export type CheckedProject = Awaited<ReturnType<typeof checkProject>>;

/** All files of a project with all that is wrong with them. `reading` as in `LoadOptions`; `isForAll`: in every environment, unless one is named. */
export async function checkProject(
  world: World,
  files: FileSource,
  request: Pick<ValidateRequest, "env" | "baseUrl">,
  options: Partial<Pick<LoadOptions, "now" | "reading">> & { isForAll?: boolean } = {},
) {
  const { now = world.now(), reading, isForAll = false } = options;
  const loaded = await loadSettings(files);
  const { settings } = loaded;
  const chosen = chooseTarget(world, request, settings);
  // Which vars hold is a guess then, and everything else in the files can still be checked.
  const environment = chosen.ok ? chosen.environment : { name: request.env ?? firstEnvironment(settings) };
  const groups = isForAll ? groupsOf(environment.name, chosen, settings) : [[environment.name]];
  const checked = groups.flat();
  const check = async ([name = ""]: readonly string[]) => {
    const context = { now, environment: name };
    const lintLater = (wish: Wish) => lintEvent(wish, context);
    const load = { environment: { name }, checked, env: world.env, now, loaded, reading, lintLater };
    const project = await loadProject(files, load);
    return { project, found: [...emptyIsWrong(project, loaded.found), ...lint(project, context)] };
  };
  const [first = [], ...others] = groups;
  const { project, found } = await check(first);
  const all = [{ names: first, found }];
  for (const names of others) all.push({ names, found: (await check(names)).found });
  return {
    project,
    loaded,
    chosen,
    /** The environment whose vars and ids were used. */
    environment,
    /** The names of all environments that were checked. */
    checked,
    /** What is wrong with the choice of an environment. */
    choice: choiceProblems(chosen, loaded.diagnostics),
    /** What is wrong with the files. */
    found: all.length === 1 ? found : joinFindings(all),
  };
}

/** The environments to check, that of the first group first. Those without their own vars read the files alike. */
function groupsOf(name: string, chosen: ChosenEnvironment, { environments }: Settings): readonly (readonly string[])[] {
  const isOpen = chosen.ok ? chosen.environment.chosenBy === "default" : isNotChosen(chosen.diagnostics);
  const names = new Set([name, ...(isOpen ? Object.keys(environments) : [])]);
  const groups = [...groupBy([...names], (one) => (environments[one]?.hasVars ? one : "")).values()];
  return groups.length > 1 ? groups : [[name]];
}

/** What is wrong in some environments only says in which, unless it names them already. */
function joinFindings(all: readonly { readonly names: readonly string[]; readonly found: readonly Diagnostic[] }[]) {
  const idOf = ({ code, source, message }: Diagnostic) => JSON.stringify([code, source, message]);
  const groups = new Map<string, Set<readonly string[]>>();
  for (const { names, found } of all)
    for (const one of found) groups.set(idOf(one), (groups.get(idOf(one)) ?? new Set()).add(names));
  return all.flatMap(({ found }) =>
    found.map((one): Diagnostic => {
      const here = groups.get(idOf(one)) ?? new Set();
      const names = [...here].flat();
      if (here.size === all.length || names.every((name) => one.message.split(/[^\w-]+/).includes(name))) return one;
      return { ...one, message: `${one.message} (in ${names.join(", ")})` };
    }),
  );
}

function isNotChosen(problems: readonly Diagnostic[]): boolean {
  return problems.every(({ code }) => code === notChosenCode);
}

/** The vars of one environment must be taken: those of the first one in the file. */
export function firstEnvironment({ environments }: Settings): string {
  return Object.keys(environments).find((name) => name !== sandboxName) ?? sandboxName;
}

export function targetOf(chosen: ChosenEnvironment, checkedAs: string): OfflineTarget {
  if (!chosen.ok) return { ...noTarget, checkedAs: isNotChosen(chosen.diagnostics) ? checkedAs : null };
  const { name, baseUrl } = chosen.environment;
  return { environment: name, baseUrl: baseUrl ?? "embedded", checkedAs: name };
}

const noTarget = { environment: null, baseUrl: null, checkedAs: null };

/**
 * To plan for a project without files is to remove everything; to check one is to look in the wrong folder, or for files that are
 * elsewhere. A project file that names no place for events may well have none yet.
 */
export function emptyIsWrong(project: Omit<Project, "files">, found: boolean): readonly Diagnostic[] {
  if (project.events.length > 0 || project.webhooksManaged) return project.diagnostics;
  return project.diagnostics.map((diagnostic) =>
    diagnostic.code === "no-files-matched" && (!found || diagnostic.source !== undefined)
      ? { ...diagnostic, severity: "error" }
      : diagnostic,
  );
}

/** Why the named environment cannot be used; without what is already reported at its place in the file. */
export function choiceProblems(chosen: ChosenEnvironment, reported: readonly Diagnostic[]): readonly Diagnostic[] {
  if (chosen.ok || isNotChosen(chosen.diagnostics)) return [];
  const isReported = (code: string) => reported.some((other) => other.code === code || isAboutAddress(code, other));
  return chosen.diagnostics.filter(({ code }) => !isReported(code));
}

function isAboutAddress(code: string, other: Diagnostic): boolean {
  return code === "bad-base-url" && other.severity === "error" && other.source?.file === "ticketing.yaml";
}

function noFolder(missing: Diagnostic, request: ValidateRequest): DiagnosticsReport {
  return {
    ok: false,
    target: noTarget,
    files: 0,
    events: 0,
    webhooks: 0,
    diagnostics: [missing],
    hidden: 0,
    strict: request.strict,
  };
}
