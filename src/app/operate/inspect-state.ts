// Inspecting and repairing state. Nothing live is ever touched from here.
import { formatEntry, parseJournal } from "../../apply/journal.ts";
import type { Environment } from "../../config/environment.ts";
import { diskFiles } from "../../config/files.ts";
import { type LoadedSettings, loadSettings } from "../../config/project.ts";
import { keyInAddress, rootOf } from "../../model/address.ts";
import { type Diagnostic, didYouMean, errorOf, type Fallible, failed, hasErrors } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { maskUrls } from "../../model/value.ts";
import type { LogEntry, ObjectView, SealReview } from "../../report/lists.ts";
import { targetLine } from "../../report/text.ts";
import type { RunRecord, StateStore, UnlockResult } from "../../state/store.ts";
import type { LockHolder } from "../../system/file-lock.ts";
import { localDataProblem, openEnvironmentStore, withLock } from "../session/environment-store.ts";
import { reportProblems } from "../session/report-problems.ts";
import { loadSavedState, movedAway, type SavedState, saveState } from "../session/saved-state.ts";
import { chooseTarget } from "../session/target.ts";
import type { CommonOptions, World } from "../world.ts";

/** An address as it was typed. */
type AddressRequest = CommonOptions & { readonly address: string };

/** Shows this and asks for consent; null if there is no terminal to ask at. */
type Confirm<Shown> = (shown: Shown) => Promise<boolean | null>;

export function notConfirmed(answer: false | null) {
  const why =
    answer === null ? "There is no terminal to ask for confirmation, and --yes was not given" : "Not confirmed";
  const fix = answer === null ? "Pass --yes." : "Type 'yes' when asked, or pass --yes.";
  return failed(errorOf("not-approved", `${why}: nothing was changed.`, fix));
}

export async function inspectState(world: World, request: CommonOptions): Promise<Fallible<Pick<SavedState, "state">>> {
  return withSavedState(world, request, async ({ state }) => ({ ok: true, state }));
}

export async function findInState(world: World, request: AddressRequest): Promise<Fallible<ObjectView>> {
  return withSavedState(world, request, async ({ state }) => {
    const address = addressInState(request.address, state);
    const entry = state?.objects[address];
    if (entry === undefined) return failed(notInState(address, state));
    return { ok: true, address, entry, venues: state?.venues ?? {} };
  });
}

/** Also what is below the address. */
export async function forgetObject(
  world: World,
  request: AddressRequest,
  confirm: Confirm<{ readonly address: string; readonly below: number }>,
): Promise<Fallible<{ readonly forgotten: readonly string[] }>> {
  return withSavedState(world, request, (_, store) =>
    withLock(world, store, "state rm", async () => {
      const saved = await loadSavedState(store);
      if (!saved.ok) return saved;
      const { state, stored, entries } = saved;
      const unusable = saved.unverified ?? movedAway(store, saved);
      if (unusable !== null) return failed(unusable);
      const address = addressInState(request.address, state);
      const all = Object.keys(state?.objects ?? {}).filter((one) => one === address || one.startsWith(`${address}/`));
      if (state === null || all.length === 0 || state.organization === null)
        return failed(notInState(address, state, "There is nothing to forget: check `--env` and `-C`."));
      const answer = await confirm({ address, below: all.length - 1 });
      if (answer !== true) return notConfirmed(answer);
      const { organization, objects } = state;
      const forgotten = [address];
      const problem = await saveState({ store, stored, organization, objects, forgotten, entries, run: null });
      return problem === null ? { ok: true, forgotten: all } : failed(problem);
    }),
  );
}

export async function removeLock(
  world: World,
  request: CommonOptions,
  confirm: Confirm<readonly LockHolder[]>,
): Promise<UnlockResult> {
  return withStore(world, request, async (store) => {
    const shown = await store.holders();
    const answer = await confirm(shown);
    return answer === true ? store.unlock(shown) : notConfirmed(answer);
  });
}

/** The address as state has it, even if it was copied from a list that masks a URL's query. */
function addressInState(given: string, state: State | null): string {
  const addresses = Object.keys(state?.objects ?? {});
  if (addresses.includes(given)) return given;
  const masked = addresses.filter((address) => maskUrls(address) === given);
  return masked.length === 1 && masked[0] !== undefined ? masked[0] : given;
}

function notInState(
  address: string,
  state: State | null,
  ifEmpty = "Nothing has been applied here yet: run `ticketing apply` first.",
): Diagnostic {
  const addresses = Object.keys(state?.objects ?? {});
  const nowhere = addresses.length === 0 ? ifEmpty : "`ticketing state list` shows all addresses.";
  const dates = addresses.filter((one) => one === rootOf(one) && one.startsWith(`${address}@`));
  const keyed = addresses.find((one) => one === rootOf(one) && keyInAddress(one) === address);
  const hint =
    dates[0] !== undefined
      ? `That is a series; name one of its dates, such as ${dates[0]}.`
      : keyed === undefined
        ? didYouMean(address, addresses, nowhere)
        : `Did you mean ${keyed}?`;
  return errorOf("not-remembered", `State has no object "${address}".`, hint);
}

/**
 * Seals what is there once somebody has seen it: after a key was rotated, an older version, or an edit by hand. `kept`: how many
 * files there are.
 */
export async function resealState(
  world: World,
  request: CommonOptions,
  confirm: Confirm<SealReview>,
): Promise<Fallible<{ readonly kept: number; readonly resealed: readonly string[] }>> {
  return withStore(world, request, (store) =>
    withLock(world, store, "state reseal", async () => {
      const found = await store.seals?.inspect();
      if (found?.ok === false) return found;
      const kept = [found?.state, found?.journal].filter((each) => each != null);
      const files = kept.filter(({ status }) => status !== "good");
      if (found === undefined || files.length === 0) return { ok: true, kept: kept.length, resealed: [] };
      const { entries, damaged } = parseJournal(found.journal?.text ?? "");
      const intents = entries.filter((entry) => entry.type === "intent");
      const answer = await confirm({ files, objects: found.state?.state.objects ?? {}, intents, damaged });
      if (answer !== true) return notConfirmed(answer);
      const problem =
        (found.state === null ? null : await store.seals?.write(found.state.state)) ??
        (found.journal === null ? null : await store.journal.replace(entries.map(formatEntry).join("")));
      if (problem !== null) return failed(problem);
      return { ok: true, kept: kept.length, resealed: files.map(({ file }) => file) };
    }),
  );
}

type Runs = { readonly runs: readonly LogEntry[]; readonly couldKeepMore: boolean };

/** Who applied which revision when, and with which result. */
export async function readRuns(world: World, request: CommonOptions): Promise<Fallible<Runs>> {
  return withSavedState(world, request, async (saved, store, environment) => {
    const log = (await store.log?.read()) ?? { ok: true, records: [] };
    if (!log.ok) return log;
    // A state copied from another backend has only its last run.
    const runs = log.records.length > 0 ? await recordedRuns(store, log.records) : await lastOnly(saved, store);
    return { ok: true, runs, couldKeepMore: store.log === undefined && environment.baseUrl !== null };
  });
}

async function recordedRuns(store: StateStore, records: readonly RunRecord[]): Promise<readonly LogEntry[]> {
  const holders = new Set((await store.holders()).map(({ token }) => token));
  return records.toReversed().map(({ at, revision, dirty, end, run, command, user, host, url }) => ({
    at,
    ended: end?.at ?? null,
    revision,
    dirty: dirty === true || end?.dirty === true,
    result: end !== null ? resultOf(end.clean) : holders.has(run) ? "running" : "cut-off",
    summary: end?.summary ?? null,
    command,
    user,
    host,
    url: url ?? null,
  }));
}

async function lastOnly({ state, stored }: SavedState, store: StateStore): Promise<readonly LogEntry[]> {
  const last = state?.lastRun;
  if (last === undefined) return [];
  const { at, revision, dirty, clean, url } = last;
  // Only the journal knows of a run that has not ended.
  const isOpen = last !== stored?.lastRun;
  const result = !isOpen ? resultOf(clean) : (await store.holders()).length > 0 ? "running" : "cut-off";
  const unknown = { ended: null, summary: null, command: null, user: null, host: null };
  return [{ at, revision, dirty: dirty === true, result, ...unknown, url: url ?? null }];
}

function resultOf(clean: boolean): "clean" | "incomplete" {
  return clean ? "clean" : "incomplete";
}

// What these commands share: the store of the environment that flags, variables and the project file name.

async function withSavedState<Value>(
  world: World,
  request: CommonOptions,
  work: (saved: SavedState, store: StateStore, environment: Environment) => Promise<Fallible<Value>>,
): Promise<Fallible<Value>> {
  return withStore(world, request, async (store, _, environment) => {
    const saved = await loadSavedState(store);
    if (!saved.ok) return saved;
    const concern = saved.unverified ?? movedAway(store, saved);
    if (concern !== null) reportProblems(world, "text", [{ ...concern, severity: "warning" }]);
    return work(saved, store, environment);
  });
}

export async function withStore<Value>(
  world: World,
  options: CommonOptions,
  work: (store: StateStore, loaded: LoadedSettings, environment: Environment) => Promise<Fallible<Value>>,
): Promise<Fallible<Value>> {
  const { directory } = options;
  const loaded = await loadSettings(diskFiles(directory));
  if (hasErrors(loaded.diagnostics)) return failed(...loaded.diagnostics);
  const chosen = chooseTarget(world, options, loaded.settings);
  if (!chosen.ok) return chosen;
  const { environment } = chosen;
  const unsafe = await localDataProblem(directory);
  if (unsafe !== null) return failed(unsafe);
  const store = openEnvironmentStore(world, directory, loaded.settings.state, environment);
  world.stderr.write(`${targetLine(environment.name, `state in ${store.place}`)}\n`);
  try {
    return await work(store, loaded, environment);
  } finally {
    await store.close?.();
  }
}
