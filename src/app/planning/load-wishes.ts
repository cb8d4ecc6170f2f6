// The project's files, now and at a base revision, as wishes.
import { chooseEnvironment, type Environment } from "../../config/environment.ts";
import { diskFiles, gitFiles } from "../../config/files.ts";
import { type LoadedSettings, loadProject, loadSettings } from "../../config/project.ts";
import { lint, sortDiagnostics } from "../../lint/lint.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { Project, Settings } from "../../model/wish.ts";
import type { Agreed } from "../session/guarded-settings.ts";
import type { CommonOptions, World } from "../world.ts";

export interface Wishes {
  readonly environment: Environment | null;
  readonly project: Project | null;
  /** null: no base was asked for. */
  readonly base: Project | null;
  /** The commit that the base is. */
  readonly baseRevision: string | null;
  /** The project file at the base. */
  readonly agreed: Agreed | null;
  /** Problems and remarks, sorted by place; with an error among them nothing is planned. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ResolvedBase {
  readonly base: string | null;
  /** It is the revision that state records, not one that somebody named. */
  readonly isOwnRecord?: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Which revision to compare with, once it is known where state is kept; null: none. */
export type ResolveBase = (environment: Environment, settings: Settings) => Promise<ResolvedBase>;

export async function loadWishes(world: World, options: CommonOptions, resolveBase: ResolveBase): Promise<Wishes> {
  const files = diskFiles(options.directory);
  const loaded = await loadSettings(files);
  const choice = { flagEnv: options.env, flagBaseUrl: options.baseUrl, env: world.env };
  const environment = chooseEnvironment(loaded.settings, choice);
  if (Array.isArray(environment)) {
    return {
      environment: null,
      project: null,
      base: null,
      baseRevision: null,
      agreed: null,
      diagnostics: withoutTwice([...loaded.diagnostics, ...environment]),
    };
  }
  const chosen = environment as Environment;
  const project = await loadProject(files, { environment: chosen, env: world.env, loaded });
  const remarks = lint(project, { now: world.now(), environment: chosen.name });
  const found = sortDiagnostics([...project.diagnostics, ...remarks]);
  const resolved = await resolveBase(chosen, loaded.settings);
  // What is worth a line only to the curious does not crowd a plan.
  const own = [...found.filter((one) => one.severity !== "info" || options.verbose), ...resolved.diagnostics];
  const base =
    resolved.base === null || hasErrors(own)
      ? nothing
      : await loadBase(world, options, chosen, resolved.base, resolved.isOwnRecord === true);
  // That there are no files goes without saying where there is no project.
  const missing = noProject(options.directory, loaded, project, base.project);
  const diagnostics = missing.length > 0 ? missing : [...own, ...base.diagnostics];
  const { revision: baseRevision, agreed } = base;
  return { environment: chosen, project, base: base.project, baseRevision, agreed, diagnostics };
}

/** A default environment that does not exist is an error of the file and of the choice. */
function withoutTwice(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(
    (one, index) =>
      !diagnostics.slice(0, index).some(({ code, message }) => code === one.code && message === one.message),
  );
}

interface LoadedBase {
  readonly project: Project | null;
  readonly revision: string | null;
  readonly agreed: Agreed | null;
  readonly diagnostics: readonly Diagnostic[];
}

const nothing: LoadedBase = { project: null, revision: null, agreed: null, diagnostics: [] };

/**
 * A folder without a project file and without a document is most likely the wrong folder: nothing to do there is no success.
 * Where the base had documents, it is the right one, and all of them were taken away.
 */
function noProject(
  directory: string,
  loaded: LoadedSettings,
  project: Project,
  base: Project | null,
): readonly Diagnostic[] {
  const documents = [project, base].flatMap((each) => [...(each?.events ?? []), ...(each?.webhooks ?? [])]);
  if (loaded.found || documents.length > 0 || hasErrors(project.diagnostics)) return [];
  return [
    {
      code: "no-project",
      severity: "error",
      message: `There is no project in ${directory}: neither a ticketing.yaml nor a file of events.`,
      hint: "Go to the project's folder or name it with -C; `ticketing init` begins a new one.",
    },
  ];
}

async function loadBase(
  world: World,
  options: CommonOptions,
  environment: Environment,
  revision: string,
  isOwnRecord: boolean,
): Promise<LoadedBase> {
  const found = await gitFiles(options.directory, revision);
  if (!found.ok) return { ...nothing, diagnostics: found.diagnostics };
  const { files } = found;
  const loaded = await loadSettings(files);
  const project = await loadProject(files, { environment, env: world.env, loaded });
  const where = isOwnRecord ? "at the revision that was applied last" : "at the base revision";
  const agreed = { where, settings: loaded.settings, found: loaded.found };
  return { project, revision: found.commit, agreed, diagnostics: brokenBase(project, revision) };
}

/** The project as a commit holds it; null where that commit cannot be read here. */
export async function loadProjectAt(
  world: World,
  directory: string,
  environment: Environment,
  revision: string,
): Promise<Project | null> {
  const found = await gitFiles(directory, revision);
  return found.ok ? loadProject(found.files, { environment, env: world.env }) : null;
}

/** A base with errors may hide what was there; its documents are still good for what they say. */
function brokenBase(base: Project, revision: string): readonly Diagnostic[] {
  const errors = base.diagnostics.filter((one) => one.severity === "error").length;
  if (errors === 0) return [];
  return [
    {
      code: "base-has-errors",
      severity: "warning",
      message: `The files at ${revision} have ${errors} ${errors === 1 ? "error" : "errors"}, so what they describe is known in part only.`,
      hint: "Choose a revision that validates, or plan without --base.",
    },
  ];
}
