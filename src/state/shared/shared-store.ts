// State, journal, lock and pace ledger in files that several machines share: for runners that forget everything, and for teams.
// They were written by somebody with the right to write there, and have no seal, because runners with different keys share
// them.
import { setTimeout as sleep } from "node:timers/promises";
import { type Diagnostic, errorOf, failed } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import type { StoreSetup } from "../file/folder.ts";
import { ledgerName, localCaches } from "../file/local-caches.ts";
import { parsedOnce, readState } from "../file/parse-state.ts";
import {
  describeHolder,
  type LoadResult,
  type LockOptions,
  type LockResult,
  lockLost,
  type StateStore,
  type UnlockResult,
} from "../store.ts";
import type { HeldFiles } from "./held-files.ts";
import { holdersIn, isHolderGone, type SharedHolder, withoutLock } from "./holder.ts";
import { lockFiles } from "./lock-files.ts";
import { tooSlow } from "./lock-health.ts";
import type { LockTimes } from "./lock-times.ts";
import { mergeState } from "./merge-state.ts";
import {
  type FilesVersion,
  type SharedFiles,
  type StoredFiles,
  type StoreFailure,
  type StoreResult,
  type StoreWords,
  storeProblem,
} from "./shared-files.ts";
import { type ReadFiles, sharedJournal, sharedRunLog } from "./shared-journal.ts";
import { paceFile, parsePace, sharedPace } from "./shared-pace.ts";

interface SharedStoreSetup extends StoreSetup {
  /** Nothing is read or written yet. */
  readonly open: () => Promise<StoreResult<SharedFiles>>;
  /**
   * A second place of the same kind next to the environment's, for the ledger that the runs of all projects share: the same
   * for all that use this backend with the same address and the same `name` (16 hexadecimal digits), whatever the project and
   * environment. As small as `open`'s (at most 100 KB), written up to a few times a second, without the lock. null: there can
   * be none; then each machine paces with its own ledger.
   */
  readonly openLedger: ((name: string) => Promise<StoreResult<SharedFiles>>) | null;
  readonly words: StoreWords;
  readonly times: LockTimes;
}

const stateFile = "state.json";

export function sharedStore(setup: SharedStoreSetup): StateStore {
  const { words, times } = setup;
  let opening: Promise<StoreResult<SharedFiles>> | null = null;
  let name = "";
  /** Without the lock, the files are read once: a plan is based on one state. */
  let reading: Promise<StoreResult<FilesVersion | null>> | null = null;
  let held: HeldFiles | null = null;
  /** After the lock is released, nothing more is written. */
  let isLetGo = false;
  const caches = localCaches(setup);
  /** Without the lock, only this machine's own ledger is written. */
  const ownPace = {
    async load() {
      const read = held === null ? await reading : null;
      const found = held?.files() ?? (read?.ok === true ? read.value?.files : undefined);
      return parsePace(found) ?? caches.pace.load();
    },
    async update(change: (kept: unknown) => unknown) {
      if (held === null) return caches.pace.update(change);
      const next = change(parsePace(held.files()));
      if (next !== undefined) held.set(paceFile, JSON.stringify(next), true);
    },
  };
  const { openLedger } = setup;
  const pace =
    openLedger === null
      ? { ...ownPace, note: ownPace.update, close: async () => undefined }
      : sharedPace({
          open: () => openLedger(ledgerName(setup)),
          local: ownPace,
          // A copy next to the state, for those who cannot read the ledger itself.
          onWritten: (text) => held?.set(paceFile, text, true),
        });

  function open(): Promise<StoreResult<SharedFiles>> {
    opening ??= setup.open().then((shared) => {
      if (shared.ok) name = shared.value.name;
      return shared;
    });
    return opening;
  }

  function readOnce(): Promise<StoreResult<FilesVersion | null>> {
    reading ??= open().then((files) => (files.ok ? files.value.read() : files));
    return reading;
  }

  function problem(failure: StoreFailure, doing: "read" | "written"): Diagnostic {
    return storeProblem(words, failure, doing);
  }

  async function files(): Promise<StoreResult<StoredFiles>> {
    if (held !== null) return { ok: true, value: held.files() };
    const version = await readOnce();
    return version.ok ? { ok: true, value: version.value?.files ?? new Map() } : version;
  }

  const parse = parsedOnce(readStored);

  function readStored(text: string) {
    return readState(
      text,
      `${stateFile} (${words.place})`,
      words.removal?.(name) ?? "delete it (`ticketing explain state-corrupt` says how)",
    );
  }

  async function load(): Promise<LoadResult> {
    const found = await files();
    if (!found.ok) return failed(problem(found, "read"));
    const parsed = parse(() => found.value.get(stateFile) ?? null);
    if (parsed === null) return { ok: true, state: null, unverified: null };
    return parsed.ok ? { ok: true, state: parsed.state, unverified: null } : parsed;
  }

  async function save(state: State, before: State | null): Promise<Diagnostic | null> {
    const present = await load();
    if (!present.ok) return present.diagnostics[0] ?? changedMeanwhile;
    if (held === null) return lockLost;
    if (held.holder.joint !== undefined) {
      held.set(stateFile, (text) => {
        // What another shard wrote is not overwritten if it cannot be read.
        const found = text === undefined ? null : readStored(text);
        if (found?.ok === false) return foreignFailure(found.diagnostics[0] ?? changedMeanwhile);
        return stateText(mergeState(found?.state ?? null, state, before));
      });
      return null;
    }
    if (present.state?.serial !== before?.serial || present.state?.lineage !== before?.lineage) return changedMeanwhile;
    held.set(stateFile, stateText(state));
    return null;
  }

  async function lock(options: LockOptions): Promise<LockResult> {
    const shared = await open();
    if (!shared.ok) return failed(problem(shared, "read"));
    const lastRead = (await reading) ?? undefined;
    const locked = await lockFiles(shared.value, { ...options, run: setup.run ?? null, times }, lastRead);
    if (locked.ok) {
      held = locked.held;
      isLetGo = false;
      const { holder, isHeld } = held;
      return { ok: true, lock: { holder, joint: options.joint, isHeld, release } };
    }
    return failed(locked.reason === "held" ? lockedBy(locked.holder) : problem(locked, "written"));
  }

  async function release(): Promise<Diagnostic | null> {
    const mine = held;
    if (mine === null) return null;
    const failure = await mine.release();
    reading = null;
    held = null;
    isLetGo = true;
    return failure === null ? null : notWritten(failure, words.peer);
  }

  async function unlock(): Promise<UnlockResult> {
    const shared = await open();
    if (!shared.ok) return failed(problem(shared, "read"));
    const end = performance.now() + times.patienceMs;
    for (;;) {
      const version = await shared.value.read(true);
      if (!version.ok) return failed(problem(version, "read"));
      const holders = version.value === null ? [] : holdersIn(version.value.files);
      const [holder] = holders;
      if (version.value === null || holder === undefined) return { ok: true, holders: [] };
      const written = await shared.value.write(withoutLock(version.value.files), version.value, "state unlock");
      if (written.ok) {
        // A live holder keeps relying on its last confirmation until then, on a clock that may be slightly slower.
        if (!holders.every((each) => each.isForeign === true || isHolderGone(each))) await sleep(times.staleMs * 1.1);
        return { ok: true, holders };
      }
      if (written.reason !== "moved") return failed(problem(written, "written"));
      // The holder is alive and has just written. It waits for the service between writes, so retrying out of step gets through.
      if (performance.now() > end) return failed(stillWriting(holder));
      await sleep((Math.random() * times.pollMs) / 4);
    }
  }

  const readFiles: ReadFiles = async () => {
    const found = await files();
    return found.ok ? { ok: true, files: found.value } : failed(problem(found, "read"));
  };

  return {
    place: words.place,
    prepare: () => void readOnce(),
    load,
    save,
    lock,
    unlock,
    async holders() {
      const found = await files();
      return (found.ok ? holdersIn(found.value) : []).filter((each) => !isHolderGone(each));
    },
    journal: sharedJournal(() => held, readFiles, words.peer),
    log: sharedRunLog(() => held, readFiles),
    snapshots: caches.snapshots,
    guard: {
      isOpen: () => held?.isFresh() ?? !isLetGo,
      async wait(signal) {
        if (held === null) return isLetGo ? lockLost : null;
        const failure = await confirmInTime(held, times.patienceMs, signal);
        return failure === null ? null : failure.reason === "moved" ? lockLost : unconfirmed(failure, words.peer);
      },
    },
    pace,
    async close() {
      const left = await release();
      await pace.close();
      const shared = await opening;
      if (shared?.ok === true) await shared.value.close();
      return left;
    },
  };
}

/** The store may take longer for one question than a call may wait for. */
async function confirmInTime(held: HeldFiles, mostMs: number, signal?: AbortSignal): Promise<StoreFailure | null> {
  const answered = new AbortController();
  const ends = signal === undefined ? [answered.signal] : [answered.signal, signal];
  const late = sleep(mostMs, tooSlow, { signal: AbortSignal.any(ends) }).catch(() => tooSlow);
  const failure = await Promise.race([held.confirm(), late]);
  answered.abort();
  return failure;
}

function stateText(state: State): string {
  return `${JSON.stringify(state, null, 1)}\n`;
}

const changedMeanwhile = errorOf(
  "state-changed-meanwhile",
  "The state was changed by another run, so it was left as it is.",
  "Run the command again: it reads what is live first.",
);

function foreignFailure({ code, message, hint }: Diagnostic): StoreFailure {
  return { ok: false, reason: "foreign", message, code, ...(hint === undefined ? {} : { hint }) };
}

function notWritten({ reason, message, hint }: StoreFailure, peer: string): Diagnostic {
  return reason === "moved"
    ? lockLost
    : errorOf(
        "state-unusable",
        `What was done could not be written to the state: ${message}`,
        hint ?? `Run the command again when ${peer} can be reached: it looks for what was done and remembers it.`,
      );
}

function unconfirmed({ message, hint }: StoreFailure, peer: string): Diagnostic {
  return errorOf(
    "lock-unconfirmed",
    `It could not be determined whether the lock is still held, so nothing more was sent: ${message}`,
    hint ?? `Run the command again when ${peer} can be reached: it checks first and does only what is still missing.`,
  );
}

function stillWriting(holder: SharedHolder): Diagnostic {
  const message = `The lock could not be removed, because its holder keeps writing: ${describeHolder(holder)}.`;
  const hint = "Stop that run, then run `ticketing state unlock` again; or wait until it ends.";
  return errorOf("state-locked", message, hint);
}

function lockedBy(holder: SharedHolder): Diagnostic {
  if (holder.isForeign === true)
    return errorOf(
      "state-locked",
      `Another program has locked the state: ${holder.command} by ${holder.user} on ${holder.host} since ${holder.since}.`,
      "Wait for it to end, or let this run wait with --lock-timeout SECONDS. It is never taken over: if it is no longer running, remove its lock with `ticketing state unlock`.",
    );
  const message = `Another run is active in this environment: ${describeHolder(holder)}.`;
  const hint =
    "Wait for it to end, or let this one wait with --lock-timeout SECONDS. If it is no longer running, remove its lock with `ticketing state unlock`; a waiting run takes over by itself after two minutes without a sign of life.";
  return errorOf("state-locked", message, hint);
}
