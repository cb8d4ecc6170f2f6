// Inspecting and repairing state. Nothing live is ever touched from here.
import {
  loadSavedState,
  localDataProblem,
  openEnvironmentStore,
  reportProblems,
  type SavedState,
  saveState,
  withLock,
} from "../../../app/session.ts";
import type { CommonOptions, World } from "../../../app/world.ts";
import { formatEntry, parseJournal } from "../../../apply/journal.ts";
import { chooseEnvironment, type Environment } from "../../../config/environment.ts";
import { diskFiles } from "../../../config/files.ts";
import { loadSettings } from "../../../config/project.ts";
import { idKey } from "../../../model/address.ts";
import { type Diagnostic, didYouMean, errorOf, type Failed, failed, hasErrors } from "../../../model/diagnostic.ts";
import type { State } from "../../../model/live.ts";
import { maskUrls, pluralize } from "../../../model/value.ts";
import type { Settings } from "../../../model/wish.ts";
import { safeJson, safeText, targetLine } from "../../../report/text.ts";
import type { SealStatus } from "../../../state/seal.ts";
import { describeHolder, JournalError, type StateStore } from "../../../state/store.ts";
import { ask, canAsk } from "../../terminal/watch-rounds.ts";

export async function runStateList(world: World, options: StateOptions): Promise<number> {
  return withSavedState(world, options, async ({ state }) => {
    const objects = Object.entries(state?.objects ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
    const lines = objects.map(([address, { id }]) => `${id}  ${address}`);
    return {
      ok: true,
      json: { formatVersion: 1, objects: objects.map(([address, { kind, id }]) => ({ address, kind, id })) },
      lines: lines.length === 0 ? ["State is empty."] : lines,
    };
  });
}

export async function runStateShow(world: World, options: StateOptions): Promise<number> {
  return withSavedState(world, options, async ({ state }) => {
    const address = addressInState(options.address ?? "", state);
    const entry = state?.objects[address];
    if (entry === undefined) return failed(notInState(address, state));
    const fields = Object.entries(entry.applied).map(([field, value]) => {
      const shown = entry.returned?.[field];
      const venue = typeof value === "string" ? state?.venues?.[idKey(value)] : undefined;
      const name = venue === undefined ? "" : ` (${venue})`;
      return `  ${field}: ${JSON.stringify(value)}${name}${shown === undefined ? "" : ` (the service shows ${JSON.stringify(shown)})`}`;
    });
    const isProtected = entry.protected === true ? ["  protected: true"] : [];
    const lines = [address, `  id: ${entry.id}`, ...isProtected, ...fields];
    return { ok: true, json: { formatVersion: 1, address, ...entry }, lines };
  });
}

export async function runStatePull(world: World, options: StateOptions): Promise<number> {
  const json = { ...options, format: "json" };
  const empty = { formatVersion: 1, lineage: null, serial: 0, organization: null, objects: {} };
  return withSavedState(world, json, async ({ state }) => ({ ok: true, json: state ?? empty, lines: [] }));
}

export async function runStateRm(world: World, options: StateOptions): Promise<number> {
  return withSavedState(world, options, (_, store) =>
    withLock(world, store, "state rm", async () => {
      const saved = await loadSavedState(store);
      if (!saved.ok) return saved;
      const { state, stored, entries, unverified } = saved;
      if (unverified !== null) return failed(unverified);
      const address = addressInState(options.address ?? "", state);
      const gone = Object.keys(state?.objects ?? {}).filter((one) => one === address || one.startsWith(`${address}/`));
      if (state === null || gone.length === 0 || state.organization === null) return failed(notInState(address, state));
      const children = gone.length > 1 ? ` and ${pluralize(gone.length - 1, "child", "children")}` : "";
      const refused = await approve(world, options, `Forget ${address}${children}?`);
      if (refused !== null) return failed(refused);
      const { organization, objects } = state;
      const problem = await saveState({
        store,
        stored,
        organization,
        objects,
        forgotten: [address],
        entries,
        run: null,
      });
      if (problem !== null) return failed(problem);
      const lines = [`Forgotten: ${gone.join(", ")}. Nothing live was touched.`];
      return { ok: true, json: { formatVersion: 1, forgotten: gone }, lines };
    }),
  );
}

export async function runStateUnlock(world: World, options: StateOptions): Promise<number> {
  return withStore(world, options, async (store) => {
    const question = "Remove the lock? An apply that is still running stops before its next call.";
    const refused = await approve(world, options, question);
    if (refused !== null) return failed(refused);
    const holders = await store.unlock();
    const lines = holders.map((holder) => `Removed the lock held by ${describeHolder(holder)}.`);
    const unlocked = holders.length > 0;
    return { ok: true, json: { formatVersion: 1, unlocked, holders }, lines: unlocked ? lines : ["There is no lock."] };
  });
}

/** The address as state has it, also if it was copied from a list that masks what a URL's query says. */
function addressInState(given: string, state: State | null): string {
  const addresses = Object.keys(state?.objects ?? {});
  if (addresses.includes(given)) return given;
  const masked = addresses.filter((address) => maskUrls(address) === given);
  return masked.length === 1 && masked[0] !== undefined ? masked[0] : given;
}

function notInState(address: string, state: State | null): Diagnostic {
  const addresses = Object.keys(state?.objects ?? {});
  const nowhere =
    addresses.length === 0 ? "Nothing has been applied here yet." : "`ticketing state list` shows all addresses.";
  const hint = didYouMean(address, addresses, nowhere);
  return errorOf("not-remembered", `State has no object '${address}'.`, hint);
}

// Sealing local data again.

/** Seals what is there after somebody has seen it: after a key was rotated, an earlier version, or an edit by hand. */
export async function runStateReseal(world: World, options: StateOptions): Promise<number> {
  return withStore(world, options, (store) =>
    withLock(world, store, "state reseal", () => reseal(world, options, store)),
  );
}

async function reseal(world: World, options: StateOptions, store: StateStore): Promise<Answer> {
  const found = await store.seals?.inspect();
  if (found?.ok === false) return found;
  const kept = [found?.state, found?.journal].filter((each) => each != null);
  const files = kept.filter(({ status }) => status !== "good");
  if (found === undefined || files.length === 0) {
    const lines = [kept.length === 0 ? "There is no local data to seal." : "All seals are valid."];
    return { ok: true, json: { resealed: [] }, lines };
  }
  const { entries, damaged } = parseJournal(found.journal?.text ?? "");
  const lines = [
    ...files.map(({ file, status }) => `${file}: ${sealMessages[status]}`),
    ...Object.entries(found.state?.state.objects ?? {}).map(([address, { id }]) => `  state: ${id}  ${address}`),
    ...entries.flatMap((entry) =>
      entry.type === "intent"
        ? [`  journal: ${entry.verb} ${entry.address}${entry.id === null ? "" : ` (${entry.id})`}`]
        : [],
    ),
    ...(damaged.length === 0 ? [] : [`  journal: lines ${damaged.join(", ")} are unreadable and will be dropped`]),
  ];
  world.stderr.write(`${lines.map(safeText).join("\n")}\n`);
  const question = "Accept all of this as written by your own runs? The next apply will rely on it.";
  const refused = await approve(world, options, question);
  if (refused !== null) return failed(refused);
  const problem = found.state === null ? null : await store.seals?.write(found.state.state);
  if (problem != null) return failed(problem);
  if (found.journal !== null) await store.journal.replace(entries.map(formatEntry).join(""));
  const names = files.map(({ file }) => file);
  return { ok: true, json: { resealed: names }, lines: [`Sealed: ${names.join(", ")}.`] };
}

const sealMessages: Readonly<Record<SealStatus, string>> = {
  good: "sealed with this key",
  foreign: "sealed with another API key",
  "no-key": "cannot be checked: no API key is set",
  unsealed: "has no seal",
  altered: "altered since it was sealed",
  future: "dated in the future",
};

// What the commands below `state` have in common: the store of an environment, and asking before a change.

export interface StateOptions extends CommonOptions {
  readonly address?: string;
  readonly yes?: boolean;
}

/** What a command says: to programs, and to people in lines. */
export type Answer = Failed | { readonly ok: true; readonly json: unknown; readonly lines: readonly string[] };

async function approve(world: World, options: StateOptions, question: string): Promise<Diagnostic | null> {
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
  work: (store: StateStore, place: { settings: Settings; environment: Environment }) => Promise<Answer>,
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
