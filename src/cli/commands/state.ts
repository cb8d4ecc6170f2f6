// Inspecting and repairing state. Nothing live is ever touched from here.
import {
  loadSavedState,
  localDataProblem,
  reportProblems,
  type SavedState,
  saveState,
  storeSetup,
} from "../../app/session.ts";
import type { CommonOptions, World } from "../../app/world.ts";
import { formatEntry, parseJournal } from "../../apply/journal.ts";
import { chooseEnvironment, type Environment } from "../../config/environment.ts";
import { diskFiles } from "../../config/files.ts";
import { loadSettings } from "../../config/project.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { State, StateEntry } from "../../model/live.ts";
import { maskUrls } from "../../model/secrets.ts";
import { pluralize } from "../../model/value.ts";
import { safeJson, safeText, targetLine } from "../../report/text.ts";
import { openStore } from "../../state/open-store.ts";
import type { SealStatus } from "../../state/seal.ts";
import { describeHolder, JournalError, type StateStore } from "../../state/store.ts";
import { ask, canAsk } from "../terminal/ask.ts";

export interface StateOptions extends CommonOptions {
  readonly address?: string;
  readonly lock?: string;
  readonly yes?: boolean;
}

export async function runStateList(world: World, options: StateOptions): Promise<number> {
  return withSavedState(world, options, async (_store, { state }) => {
    const objects = Object.entries(state?.objects ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
    if (options.format === "json") {
      return say(
        world,
        safeJson({ formatVersion: 1, objects: objects.map(([address, { kind, id }]) => ({ address, kind, id })) }),
      );
    }
    if (objects.length === 0) return say(world, "State is empty.");
    return say(world, objects.map(([address, { id }]) => `${id}  ${safeText(address)}`).join("\n"));
  });
}

export async function runStateShow(world: World, options: StateOptions): Promise<number> {
  return withSavedState(world, options, async (_store, { state }) => {
    const address = addressInState(options.address ?? "", state);
    const entry = state?.objects[address];
    if (entry === undefined) return fail(world, options, notInState(address, state));
    if (options.format === "json") return say(world, safeJson({ formatVersion: 1, address, ...entry }));
    return say(world, entryLines(address, entry).join("\n"));
  });
}

export async function runStatePull(world: World, options: StateOptions): Promise<number> {
  return withSavedState(world, options, async (_store, { state }) => say(world, safeJson(state ?? emptyState)));
}

/** The shape of a state that does not exist yet. */
const emptyState = { formatVersion: 1, lineage: null, serial: 0, organization: null, objects: {} };

export async function runStateRm(world: World, options: StateOptions): Promise<number> {
  return withSavedState(world, options, async (store) => {
    const locked = await store.lock({ command: "state rm", timeoutMs: 0, signal: world.interrupted });
    if (!locked.ok) return fail(world, options, locked.diagnostic);
    try {
      return await forget(world, options, store);
    } finally {
      await locked.lock.release();
    }
  });
}

export async function runStateUnlock(world: World, options: StateOptions): Promise<number> {
  return withStore(world, options, async (store) => {
    const question = "Remove the lock? An apply that is still running stops before its next call.";
    const refused = await approve(world, options, question);
    if (refused !== null) return fail(world, options, refused);
    const holder = await store.unlock();
    if (options.format === "json") return say(world, safeJson({ formatVersion: 1, unlocked: holder !== null, holder }));
    return say(
      world,
      holder === null ? "There is no lock." : `Removed the lock held by ${safeText(describeHolder(holder))}.`,
    );
  });
}

/** Seals what is there after somebody has seen it: after a key was rotated, an earlier version, or an edit by hand. */
export async function runStateReseal(world: World, options: StateOptions): Promise<number> {
  return withStore(world, options, async (store) => {
    const locked = await store.lock({ command: "state reseal", timeoutMs: 0, signal: world.interrupted });
    if (!locked.ok) return fail(world, options, locked.diagnostic);
    try {
      return await reseal(world, options, store);
    } catch (error) {
      if (error instanceof JournalError) return fail(world, options, error.diagnostic);
      throw error;
    } finally {
      await locked.lock.release();
    }
  });
}

async function reseal(world: World, options: StateOptions, store: StateStore): Promise<number> {
  const found = await store.seals?.inspect();
  if (found?.ok === false) return fail(world, options, found.diagnostic);
  const kept = [found?.state, found?.journal].filter((each) => each != null);
  const files = kept.filter(({ status }) => status !== "good");
  if (found === undefined || files.length === 0) {
    if (options.format === "json") return say(world, safeJson({ resealed: [] }));
    return say(world, kept.length === 0 ? "There is no local data to seal." : "All seals are valid.");
  }
  const { entries, damaged } = parseJournal(found.journal?.text ?? "");
  const lines = [
    ...files.map(({ file, status }) => `${file}: ${describeStatus[status]}`),
    ...Object.entries(found.state?.state.objects ?? {}).map(([address, { id }]) => `  state: ${id}  ${address}`),
    ...entries.flatMap((entry) =>
      entry.type === "intent"
        ? [`  journal: ${entry.verb} ${entry.address}${entry.id === null ? "" : ` (${entry.id})`}`]
        : [],
    ),
    ...(damaged.length === 0 ? [] : [`  journal: lines ${damaged.join(", ")} are unreadable and will be dropped`]),
  ];
  world.stderr.write(`${lines.map(safeText).join("\n")}\n`);
  const refused = await approve(
    world,
    options,
    "Accept all of this as written by your own runs? The next apply will rely on it.",
  );
  if (refused !== null) return fail(world, options, refused);
  const trouble = found.state === null ? null : await store.seals?.write(found.state.state);
  if (trouble != null) return fail(world, options, trouble);
  if (found.journal !== null) await store.journal.replace(entries.map(formatEntry).join(""));
  const names = files.map(({ file }) => file);
  if (options.format === "json") return say(world, safeJson({ resealed: names }));
  return say(world, `Sealed: ${names.map(safeText).join(", ")}.`);
}

const describeStatus: Readonly<Record<SealStatus, string>> = {
  good: "sealed with this key",
  foreign: "sealed with another API key",
  "no-key": "cannot be checked: no API key is set",
  unsealed: "has no seal",
  altered: "altered since it was sealed",
  future: "dated in the future",
};

async function forget(world: World, options: StateOptions, store: StateStore): Promise<number> {
  const saved = await loadSavedState(store);
  if (!saved.ok) return fail(world, options, ...saved.diagnostics);
  if (saved.unverified !== null) return fail(world, options, saved.unverified);
  const { state, stored, entries } = saved;
  const address = addressInState(options.address ?? "", state);
  const gone = Object.keys(state?.objects ?? {}).filter((each) => each === address || each.startsWith(`${address}/`));
  if (state === null || gone.length === 0) return fail(world, options, notInState(address, state));
  const refused = await approve(
    world,
    options,
    `Forget ${address}${gone.length > 1 ? ` and ${pluralize(gone.length - 1, "child", "children")}` : ""}?`,
  );
  if (refused !== null) return fail(world, options, refused);
  const { organization, objects } = state;
  if (organization === null) return fail(world, options, notInState(address, state));
  const trouble = await saveState({
    store,
    stored,
    organization,
    objects,
    forgotten: [address],
    entries,
    revision: null,
  });
  if (trouble !== null) return fail(world, options, trouble);
  if (options.format === "json") return say(world, safeJson({ formatVersion: 1, forgotten: gone }));
  return say(world, `Forgotten: ${gone.map(safeText).join(", ")}. Nothing live was touched.`);
}

async function approve(world: World, options: StateOptions, question: string): Promise<Diagnostic | null> {
  if (options.yes === true) return null;
  const said = canAsk(world) && (await ask(world, safeText(question)));
  return said
    ? null
    : problem("not-approved", "Not confirmed: nothing was changed.", "Type 'yes' when asked, or pass --yes.");
}

async function withSavedState(
  world: World,
  options: StateOptions,
  work: (store: StateStore, saved: SavedState) => Promise<number>,
): Promise<number> {
  return withStore(world, options, async (store) => {
    const saved = await loadSavedState(store);
    if (!saved.ok) return fail(world, options, ...saved.diagnostics);
    if (saved.unverified !== null)
      world.stderr.write(`warning[${saved.unverified.code}] ${safeText(saved.unverified.message)}\n`);
    return work(store, saved);
  });
}

async function withStore(
  world: World,
  options: StateOptions,
  work: (store: StateStore) => Promise<number>,
): Promise<number> {
  const { settings, diagnostics } = await loadSettings(diskFiles(options.directory));
  const broken = diagnostics.find((each) => each.severity === "error");
  if (broken !== undefined) return fail(world, options, broken);
  const chosen = chooseEnvironment(settings, { flagEnv: options.env, flagBaseUrl: options.baseUrl, env: world.env });
  const [wrong] = Array.isArray(chosen) ? chosen : [];
  if (wrong !== undefined) return fail(world, options, wrong);
  const environment = chosen as Environment;
  const unsafe = await localDataProblem(options.directory);
  if (unsafe !== null) return fail(world, options, unsafe);
  const store = openStore(settings.state, storeSetup(world, options.directory, environment));
  world.stderr.write(`${targetLine(environment.name, `state in ${store.place}`)}\n`);
  return work(store);
}

function entryLines(address: string, entry: StateEntry): readonly string[] {
  const fields = Object.entries(entry.applied).map(([field, value]) => {
    const shown = entry.returned?.[field];
    const other = shown === undefined ? "" : ` (the service shows ${JSON.stringify(shown)})`;
    return `  ${field}: ${JSON.stringify(value)}${other}`;
  });
  return [`${address}`, `  id: ${entry.id}`, ...(entry.protected === true ? ["  protected: true"] : []), ...fields].map(
    safeText,
  );
}

/** The address as it is remembered, also where it was copied from a list that masks what a URL's query says. */
function addressInState(given: string, state: State | null): string {
  const addresses = Object.keys(state?.objects ?? {});
  if (addresses.includes(given)) return given;
  const masked = addresses.filter((address) => maskUrls(address) === given);
  return masked.length === 1 && masked[0] !== undefined ? masked[0] : given;
}

function notInState(address: string, state: State | null): Diagnostic {
  const count = Object.keys(state?.objects ?? {}).length;
  return problem(
    "not-remembered",
    `State has no object '${address}'.`,
    count === 0 ? "Nothing has been applied here yet." : "`ticketing state list` shows all addresses.",
  );
}

function problem(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint };
}

function say(world: World, text: string): number {
  world.stdout.write(`${text}\n`);
  return 0;
}

function fail(world: World, options: StateOptions, ...diagnostics: readonly Diagnostic[]): number {
  return reportProblems(world, options.format, diagnostics);
}
