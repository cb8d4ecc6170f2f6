// What the files and the state know of events and webhooks, for commands that do without them where they must.
import type { Environment } from "../../config/choose-environment.ts";
import { diskFiles } from "../../config/disk-files.ts";
import { loadProject } from "../../config/load-project.ts";
import type { LoadedSettings } from "../../config/load-settings.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { State } from "../../model/state.ts";
import type { Wish } from "../../model/wish.ts";
import { type Remember, rememberFrom } from "../../plan/memory.ts";
import { openStore } from "../../state/open-store.ts";
import { loadMemory } from "../applying/memory.ts";
import { storeSetup } from "../local-data.ts";
import type { World } from "../world.ts";

export interface ProjectWishes {
  readonly events: readonly Wish[];
  readonly webhooks: readonly Wish[];
  /** Whether there is a webhooks file at all. */
  readonly webhooksManaged: boolean;
  readonly state: State | null;
  readonly remember: Remember;
  /** Says that the files are wrong somewhere, in one sentence; `validate` says where. */
  readonly remarks: readonly Diagnostic[];
}

export async function loadProjectWishes(
  world: World,
  directory: string,
  environment: Environment,
  loaded: LoadedSettings,
): Promise<ProjectWishes> {
  const project = await loadProject(diskFiles(directory), { environment, env: world.env, loaded });
  const state = await loadState(world, directory, environment, loaded);
  return {
    events: project.events,
    webhooks: project.webhooks,
    webhooksManaged: project.webhooksManaged,
    state,
    remember: rememberFrom(state, []),
    remarks: hasErrors(project.diagnostics) ? [filesHaveErrors(project.diagnostics)] : [],
  };
}

/** State is of help and no need: without it the service itself tells what is live. */
async function loadState(
  world: World,
  directory: string,
  environment: Environment,
  loaded: LoadedSettings,
): Promise<State | null> {
  const opened = openStore(loaded.settings.state, storeSetup(world, directory, environment));
  if (!opened.ok) return null;
  const memory = await loadMemory(opened.store);
  return memory.ok ? memory.state : null;
}

function filesHaveErrors(diagnostics: readonly Diagnostic[]): Diagnostic {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return {
    code: "files-have-errors",
    severity: "warning",
    message: `The project's files have ${errors} ${errors === 1 ? "error" : "errors"}, so what they say is known in part only.`,
    hint: "`ticketing validate` shows where.",
  };
}
