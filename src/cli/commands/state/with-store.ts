// What the commands below `state` have in common: the store of an environment, and asking before a change.
import {
  loadSavedState,
  localDataProblem,
  openEnvironmentStore,
  reportProblems,
  type SavedState,
} from "../../../app/session.ts";
import type { CommonOptions, World } from "../../../app/world.ts";
import { chooseEnvironment, type Environment } from "../../../config/environment.ts";
import { diskFiles } from "../../../config/files.ts";
import { loadSettings } from "../../../config/project.ts";
import { type Diagnostic, errorOf, type Failed, failed, hasErrors } from "../../../model/diagnostic.ts";
import type { Settings } from "../../../model/wish.ts";
import { safeJson, safeText, targetLine } from "../../../report/text.ts";
import { JournalError, type StateStore } from "../../../state/store.ts";
import { ask, canAsk } from "../../terminal/ask.ts";

export interface StateOptions extends CommonOptions {
  readonly address?: string;
  readonly yes?: boolean;
}

/** What a command says: to programs, and to people in lines. */
export type Answer = Failed | { readonly ok: true; readonly json: unknown; readonly lines: readonly string[] };

export interface StatePlace {
  readonly settings: Settings;
  readonly environment: Environment;
}

export async function approve(world: World, options: StateOptions, question: string): Promise<Diagnostic | null> {
  if (options.yes === true || (canAsk(world) && (await ask(world, safeText(question))))) return null;
  const hint = "Type 'yes' when asked, or pass --yes.";
  return errorOf("not-approved", "Not confirmed: nothing was changed.", hint);
}

export async function withSavedState(
  world: World,
  options: StateOptions,
  work: (saved: SavedState, store: StateStore) => Promise<Answer>,
): Promise<number> {
  return withStore(world, options, async (store) => {
    const saved = await loadSavedState(store);
    if (!saved.ok) return saved;
    if (saved.unverified !== null)
      world.stderr.write(`warning[${saved.unverified.code}] ${safeText(saved.unverified.message)}\n`);
    return work(saved, store);
  });
}

export async function withStore(
  world: World,
  options: StateOptions,
  work: (store: StateStore, place: StatePlace) => Promise<Answer>,
): Promise<number> {
  const { directory, format, env: flagEnv, baseUrl: flagBaseUrl } = options;
  const { settings, diagnostics } = await loadSettings(diskFiles(directory));
  if (hasErrors(diagnostics)) return reportProblems(world, format, diagnostics);
  const chosen = chooseEnvironment(settings, { flagEnv, flagBaseUrl, env: world.env });
  if (!chosen.ok) return reportProblems(world, format, chosen.diagnostics);
  const { environment } = chosen;
  const unsafe = await localDataProblem(directory);
  if (unsafe !== null) return reportProblems(world, format, [unsafe]);
  const store = openEnvironmentStore(world, directory, settings.state, environment);
  world.stderr.write(`${targetLine(environment.name, `state in ${store.place}`)}\n`);
  const answer = await orFailed(() => work(store, { settings, environment })).finally(() => store.close?.());
  if (!answer.ok) return reportProblems(world, format, answer.diagnostics);
  world.stdout.write(`${format === "json" ? safeJson(answer.json) : answer.lines.map(safeText).join("\n")}\n`);
  return 0;
}

/** What a store cannot read or write is an answer as well. */
async function orFailed(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof JournalError) return failed(error.diagnostic);
    throw error;
  }
}
