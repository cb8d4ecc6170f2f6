// What the files and the state know about events and webhooks, for commands that can do without.
import type { Environment } from "../../config/environment.ts";
import { diskFiles } from "../../config/files.ts";
import { type LoadedSettings, loadProject } from "../../config/project.ts";
import { type Diagnostic, hasErrors, warningOf } from "../../model/diagnostic.ts";
import type { Account } from "../../model/live.ts";
import { pluralize } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { formerEvents } from "../../plan/compare.ts";
import { checkAccount } from "../../plan/judge.ts";
import { recallFrom, resolveVenues } from "../../plan/match.ts";
import { findVenues, readAccount } from "../../snapshot/read-organization.ts";
import { attemptRead, makeReader, type Reader } from "../../snapshot/reader.ts";
import type { StateStore } from "../../state/store.ts";
import { explainProblem, reportProblems } from "../session/report-problems.ts";
import { loadSavedState } from "../session/saved-state.ts";
import { type OpenTarget, type TargetOptions, withTarget } from "../session/target.ts";
import { interruptedCode, type World } from "../world.ts";

export type ProjectWishes = Awaited<ReturnType<typeof loadProjectWishes>>;

export async function loadProjectWishes(
  world: World,
  directory: string,
  { environment, store }: { readonly environment: Environment; readonly store: StateStore },
  loaded: LoadedSettings,
) {
  const project = await loadProject(diskFiles(directory), { environment, env: world.env, now: world.now(), loaded });
  // State helps but is not needed: without it the service itself shows what is live.
  const memory = await loadSavedState(store);
  const state = memory.ok ? memory.state : null;
  const isBroken = hasErrors(project.diagnostics);
  return {
    events: project.events,
    ended: project.ended,
    upcoming: project.upcoming,
    webhooks: project.webhooks,
    webhooksManaged: project.webhooksManaged,
    state,
    /** Events that state knows as ours and that the files, if all can be read, no longer contain. */
    former: isBroken ? [] : formerEvents(project, state, null),
    remember: recallFrom(state, null),
    /** Says that the files are wrong somewhere, in one sentence; `validate` says where. */
    remarks: isBroken ? [filesHaveErrors(project.diagnostics)] : [],
  };
}

function filesHaveErrors(diagnostics: readonly Diagnostic[]): Diagnostic {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const message = `The project's files have ${pluralize(errors, "error")}, so what they say is only partly known.`;
  const hint = "`ticketing validate` shows where.";
  return warningOf("files-have-errors", message, hint);
}

// Documents with the ids of the venues that they name, as plan has them, so that a venue can be compared.

/** `unclear`: addresses of documents whose venue was not found or matches several; plan blocks them. */
export async function withVenues(reader: Reader, wishes: readonly Wish[]) {
  const queries = wishes.flatMap(({ own }) => own.venue ?? []);
  if (queries.length === 0) return { wishes, unclear: new Set<string>(), remarks: [] };
  const found = await attemptRead(() => findVenues(reader, queries));
  if (!found.ok) return { wishes, unclear: new Set<string>(), remarks: [notCompared(found.problem.message)] };
  const resolved = resolveVenues(wishes, found.value);
  return { wishes: resolved.wishes, unclear: new Set(resolved.blocks.keys()), remarks: [] };
}

/** Sales can be shown without venues. */
function notCompared(why: string): Diagnostic {
  const message = `Venues could not be read, so they are not compared: ${why}`;
  const hint = "`ticketing plan` compares them once the service responds.";
  return warningOf("venues-not-compared", message, hint);
}

// What the daily commands have in common: the target is named first, a key of another organization is refused, and a failed
// read is explained.

export interface OperateService {
  readonly target: OpenTarget;
  readonly loaded: LoadedSettings;
  /** Whose key it is; null if the command does not need it. */
  readonly account: Account | null;
}

/** `scope`: what most of its calls require of the key; `account`: needed even if the project pins no organization. */
export async function withService(
  world: World,
  options: TargetOptions,
  needs: { readonly scope: string; readonly account?: boolean },
  work: (service: OperateService) => Promise<number>,
): Promise<number> {
  return withTarget(world, options, async (target, loaded) => {
    // Programs read only data on stdout; people find the target on stderr.
    (options.format === "text" ? world.stdout : world.stderr).write(`${target.line}\n`);
    const done = await attemptRead(async () => {
      const wanted = needs.account === true || target.environment.organization !== null;
      const account = wanted ? await readAccount(makeReader(target.client)) : null;
      const concerns = account === null ? [] : concernsOf(world, target, account);
      if (hasErrors(concerns)) return reportProblems(world, options.format, concerns);
      const exitCode = await work({ target, loaded, account });
      return world.interrupted.aborted ? interruptedCode : exitCode;
    });
    if (done.ok) return done.value;
    if (world.interrupted.aborted) return interruptedCode;
    return reportProblems(world, options.format, [explainProblem(done.problem, done.scope ?? needs.scope)]);
  });
}

function concernsOf(world: World, target: OpenTarget, account: Account): readonly Diagnostic[] {
  const found = checkAccount(account, target.environment.organization, null, world.now());
  return found.filter(({ severity }) => severity === "error");
}
