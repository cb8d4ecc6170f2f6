// The project's files, now and at a base revision, as wishes.
import { chooseEnvironment, type Environment } from "../../config/choose-environment.ts";
import { diskFiles } from "../../config/disk-files.ts";
import { gitFiles } from "../../config/git-files.ts";
import { loadProject } from "../../config/load-project.ts";
import { loadSettings } from "../../config/load-settings.ts";
import { lint } from "../../lint/index.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { Project } from "../../model/project.ts";
import type { CommonOptions } from "../options.ts";
import type { World } from "../world.ts";
import { addressChanged } from "./address-changed.ts";

export interface Wishes {
  readonly environment: Environment | null;
  readonly project: Project | null;
  /** null: no base was asked for. */
  readonly base: Project | null;
  /** Problems and remarks, sorted by place; with an error among them nothing is planned. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `base`: the revision to compare with; null: none. */
export async function loadWishes(world: World, options: CommonOptions, base: string | null): Promise<Wishes> {
  const files = diskFiles(options.directory);
  const loaded = await loadSettings(files);
  const choice = { flagEnv: options.env, flagBaseUrl: options.baseUrl, env: world.env };
  const environment = chooseEnvironment(loaded.settings, choice);
  if (Array.isArray(environment)) {
    return { environment: null, project: null, base: null, diagnostics: [...loaded.diagnostics, ...environment] };
  }
  const chosen = environment as Environment;
  const project = await loadProject(files, { environment: chosen, env: world.env });
  const remarks = lint(project, { now: world.now(), environment: chosen.name });
  const own = sortByPlace(
    [...project.diagnostics, ...remarks].filter((one) => one.severity !== "info" || options.verbose),
  );
  if (base === null || hasErrors(own)) return { environment: chosen, project, base: null, diagnostics: own };

  const former = await gitFiles(options.directory, base);
  if (!former.ok) return { environment: chosen, project, base: null, diagnostics: [...own, ...former.diagnostics] };
  const formerSettings = await loadSettings(former.files);
  const formerProject = await loadProject(former.files, { environment: chosen, env: world.env });
  const moved = addressChanged({
    now: loaded.settings,
    base: formerSettings.settings,
    baseHasProject: formerSettings.found,
    environment: chosen,
    env: world.env,
  });
  return {
    environment: chosen,
    project,
    base: formerProject,
    diagnostics: [...own, ...moved, ...brokenBase(formerProject, base)],
  };
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

function sortByPlace(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort((one, other) => {
    const [a, b] = [one.source, other.source];
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
    return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column;
  });
}
