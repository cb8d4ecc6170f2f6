// State, journal, lock and pace ledger in files that several machines share: for runners that forget everything, and for teams.
import { setTimeout as sleep } from "node:timers/promises";
import { type Diagnostic, errorOf, failed } from "../../model/diagnostic.ts";
import { formatMoment, standardZone } from "../../model/time.ts";
import { ledgerName, localCaches } from "../file/local-caches.ts";
import type { StoreSetup } from "../file/local-folder.ts";
import { describeHolder, type LockOptions, type LockResult, lockLost, type StateStore } from "../store.ts";
import type { HeldFiles } from "./held-files.ts";
import { holdersIn, isHolderGone, type SharedHolder } from "./holder.ts";
import { lockFiles, unlockFiles } from "./lock-files.ts";
import { type LockTimes, tooSlow } from "./lock-times.ts";
import {
  type FilesVersion,
  type SharedFiles,
  type StoreFailure,
  type StoreResult,
  type StoreWords,
  storeProblem,
} from "./shared-files.ts";
import { type ReadFiles, sharedJournal, sharedRunLog } from "./shared-journal.ts";
import { heldPace, paceFile, sharedPace } from "./shared-pace.ts";
import { sharedState } from "./shared-state.ts";

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
  const heldFiles = () => held;

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

  async function readFiles(): ReturnType<ReadFiles> {
    if (held !== null) return { ok: true, files: held.files() };
    const version = await readOnce();
    if (!version.ok) return failed(problem(version, "read"));
    return { ok: true, files: version.value?.files ?? new Map() };
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

  const { openLedger } = setup;
  const ownPace = heldPace(heldFiles, () => reading, caches.pace);
  const pace =
    openLedger === null
      ? { ...ownPace, close: async () => undefined }
      : sharedPace({
          open: () => openLedger(ledgerName(setup)),
          local: ownPace,
          // A copy next to the state, for those who cannot read the ledger itself.
          onWritten: (text) => held?.set(paceFile, text, true),
        });

  return {
    place: words.place,
    prepare: () => void readOnce(),
    ...sharedState(heldFiles, readFiles, words.place, () => words.removal?.(name) ?? usualRemoval),
    lock,
    async unlock(shown) {
      const shared = await open();
      return shared.ok ? unlockFiles(shared.value, words, times, shown) : failed(problem(shared, "read"));
    },
    async holders() {
      const found = await readFiles();
      return (found.ok ? holdersIn(found.files) : []).filter((each) => !isHolderGone(each));
    },
    journal: sharedJournal(heldFiles, readFiles, words.peer),
    log: sharedRunLog(heldFiles, readFiles),
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
  const settled = new AbortController();
  const ends = signal === undefined ? [settled.signal] : [settled.signal, signal];
  const late = sleep(mostMs, tooSlow, { signal: AbortSignal.any(ends) }).catch(() => tooSlow);
  const failure = await Promise.race([held.confirm(), late]);
  settled.abort();
  return failure;
}

const usualRemoval = "delete it (`ticketing explain state-corrupt` says how)";

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

function lockedBy(holder: SharedHolder): Diagnostic {
  if (holder.isForeign === true)
    return errorOf(
      "state-locked",
      `Another program has locked the state: ${holder.command} by ${holder.user} on ${holder.host} since ${formatMoment(holder.since, standardZone)}.`,
      "Wait for that program to end, or let this run wait with --lock-timeout SECONDS. No run takes over the lock of another program: if that program is no longer active, remove its lock with `ticketing state unlock`.",
    );
  const message = `Another run is active in this environment: ${describeHolder(holder)}.`;
  const hint =
    "Wait for that run to end, or let this one wait with --lock-timeout SECONDS. If that run is no longer active, remove its lock with `ticketing state unlock`; a waiting run takes the lock over once the other run has not renewed it for two minutes.";
  return errorOf("state-locked", message, hint);
}
