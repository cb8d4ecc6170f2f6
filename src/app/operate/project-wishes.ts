// What the files and the state know of events and webhooks, for commands that can do without.
import type { Environment } from "../../config/environment.ts";
import { diskFiles } from "../../config/files.ts";
import { type LoadedSettings, loadProject } from "../../config/project.ts";
import { type Diagnostic, hasErrors, warningOf } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { pluralize } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { type Former, formerEvents } from "../../plan/compare.ts";
import { type Recall, recallFrom, resolveVenues } from "../../plan/match.ts";
import { findVenues } from "../../snapshot/read-organization.ts";
import { type Reader, ReadFailure } from "../../snapshot/reader.ts";
import type { StateStore } from "../../state/store.ts";
import { loadSavedState } from "../session/saved-state.ts";
import type { World } from "../world.ts";

export interface ProjectWishes {
  readonly events: readonly Wish[];
  /** Dates of series that are over: no longer managed, and still called by their keys. */
  readonly ended: readonly Wish[];
  readonly webhooks: readonly Wish[];
  /** Whether there is a webhooks file at all. */
  readonly webhooksManaged: boolean;
  readonly state: State | null;
  /** Events that state knows as ours and that the files, if all of them can be read, no longer name. */
  readonly former: readonly Former[];
  readonly remember: Recall;
  /** Says that the files are wrong somewhere, in one sentence; `validate` says where. */
  readonly remarks: readonly Diagnostic[];
}

export async function loadProjectWishes(
  world: World,
  directory: string,
  { environment, store }: { readonly environment: Environment; readonly store: StateStore },
  loaded: LoadedSettings,
): Promise<ProjectWishes> {
  const project = await loadProject(diskFiles(directory), { environment, env: world.env, now: world.now(), loaded });
  // State helps but is not needed: without it the service itself shows what is live.
  const memory = await loadSavedState(store);
  const state = memory.ok ? memory.state : null;
  const isBroken = hasErrors(project.diagnostics);
  return {
    events: project.events,
    ended: project.ended,
    webhooks: project.webhooks,
    webhooksManaged: project.webhooksManaged,
    state,
    former: isBroken ? [] : formerEvents(project, state, null),
    remember: recallFrom(state, null),
    remarks: isBroken ? [filesHaveErrors(project.diagnostics)] : [],
  };
}

function filesHaveErrors(diagnostics: readonly Diagnostic[]): Diagnostic {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return warningOf(
    "files-have-errors",
    `The project's files have ${pluralize(errors, "error")}, so what they say is only partly known.`,
    "`ticketing validate` shows where.",
  );
}

// Documents with the ids of the venues that they name, as plan has them, so that a venue can be compared.

export interface WithVenues {
  readonly wishes: readonly Wish[];
  /** Addresses of documents whose venue was not found or matches several; plan blocks them. */
  readonly unclear: ReadonlySet<string>;
  readonly remarks: readonly Diagnostic[];
}

export async function withVenues(reader: Reader, wishes: readonly Wish[]): Promise<WithVenues> {
  const queries = wishes.flatMap(({ own }) => own.venue ?? []);
  if (queries.length === 0) return { wishes, unclear: new Set(), remarks: [] };
  try {
    const resolved = resolveVenues(wishes, await findVenues(reader, queries));
    return { wishes: resolved.wishes, unclear: new Set(resolved.blocks.keys()), remarks: [] };
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
    return { wishes, unclear: new Set(), remarks: [notCompared(error.problem.message)] };
  }
}

/** Sales can be shown without venues. */
function notCompared(why: string): Diagnostic {
  return warningOf(
    "venues-not-compared",
    `Venues could not be read, so they are not compared: ${why}`,
    "`ticketing plan` compares them once the service answers.",
  );
}
