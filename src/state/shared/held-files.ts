// Shared files while their lock is held: writes are batched alongside the calls, and the holder keeps confirming that it still has the lock.
import { setTimeout as sleep } from "node:timers/promises";
import { editFiles, type FileEdit } from "./edited-files.ts";
import { lockFileOf, lockText, type SharedHolder } from "./holder.ts";
import { type Instant, instant, type LockTimes, lockHealth, tooSlow } from "./lock-times.ts";
import {
  type FilesVersion,
  type SharedFiles,
  type StoredFiles,
  type StoreFailure,
  storeFailure,
} from "./shared-files.ts";

export interface HeldFiles {
  readonly holder: SharedHolder;
  /** With everything that was set, in the store or not. */
  files(): StoredFiles;
  /** Written with the next write; null removes the file. `idle`: not a reason to write by itself. */
  set(file: string, content: FileEdit, idle?: boolean): void;
  /** Resolves when everything that was set is in the store, or with what keeps it from getting there. */
  flush(): Promise<StoreFailure | null>;
  /** Whether a call may be sent now: the lock was confirmed recently, and no other run can have waited long enough to take it over. */
  isFresh(): boolean;
  /** Resolves when it is fresh, or with the reason why it is not. */
  confirm(): Promise<StoreFailure | null>;
  /** False once it is known to be lost. */
  isHeld(): boolean;
  /** Writes what was set, and releases the lock; returns what was lost. */
  release(): Promise<StoreFailure | null>;
}

/** How often the process checks that it is running: several times within the longest gap. */
const beatMs = 250;
/** A write that failed is tried again after half a second, then after twice as long each time: about ten times within a minute. */
const firstPauseMs = 500;
const longestPauseMs = 8_000;
/** A call is waiting for the confirmation, so the store is asked again soon. */
const askAgainMs = 200;

export function holdFiles(
  shared: SharedFiles,
  taken: FilesVersion,
  first: SharedHolder,
  began: Instant,
  times: LockTimes,
): HeldFiles {
  const edited = editFiles(shared, taken, first);
  const health = lockHealth(began, times);
  const { lost, isFresh } = health;
  const ownLock = lockFileOf(first);
  const stopped = new AbortController();
  let holder = first;
  let releasing: Promise<StoreFailure | null> | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let confirming: Promise<StoreFailure | null> | null = null;

  function flush(end = performance.now() + times.patienceMs): Promise<StoreFailure | null> {
    const done = queue.then(() => (edited.hasEdits() ? write(health.gaveUp() === null ? end : 0) : lost()));
    queue = done;
    return done;
  }

  async function write(end: number): Promise<StoreFailure | null> {
    for (let pauseMs = firstPauseMs; lost() === null; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const start = instant();
      const failure = await edited.write();
      if (failure === null) {
        health.noteWritten(start);
        return null;
      }
      const base = failure.reason === "moved" ? await edited.catchUp() : "own";
      if (base === null) return lose(failure);
      if (isLasting(failure)) return failure;
      if (performance.now() + pauseMs > end) return health.giveUp(base === "own" ? failure : tooBusy);
      if (base === "own") await sleep(pauseMs);
    }
    return lost();
  }

  function lose(failure: StoreFailure): StoreFailure {
    stopped.abort();
    return health.noteLost(failure);
  }

  function confirm(): Promise<StoreFailure | null> {
    if (lost() !== null || isFresh()) return Promise.resolve(lost());
    if (health.gaveUp() !== null) return Promise.resolve(health.gaveUp());
    confirming ??= waitForResponse().finally(() => {
      confirming = null;
    });
    return confirming;
  }

  async function waitForResponse(): Promise<StoreFailure | null> {
    const end = performance.now() + times.patienceMs;
    for (;;) {
      const failure = (await check()) ?? (isFresh() ? null : await renew(end));
      if (lost() !== null || isFresh()) return lost();
      if (performance.now() + askAgainMs > end || (failure !== null && isLasting(failure)))
        return health.giveUp(failure ?? tooSlow);
      await sleep(askAgainMs);
    }
  }

  async function check(): Promise<StoreFailure | null> {
    if (lost() !== null) return lost();
    const start = instant();
    const isOurs = await edited.isStillOurs();
    if (isOurs === null) return tooSlow;
    if (typeof isOurs === "object") return isOurs;
    if (isOurs) health.noteConfirmed(start);
    return lost() ?? (isOurs ? null : lose(storeFailure("moved", `${shared.name} was written by another run.`)));
  }

  function renew(end?: number): Promise<StoreFailure | null> {
    // A released lock must not be written again.
    if (releasing !== null) return releasing;
    holder = { ...holder, serial: holder.serial + 1 };
    edited.set(ownLock, lockText(holder));
    return flush(end);
  }

  /** The more shards take turns writing, the longer each waits. */
  async function gather(): Promise<void> {
    const isTurn = health.sinceWritten() >= times.gatherMs * (edited.holderCount() - 1);
    if (isTurn && edited.isWorthWriting()) await flush();
  }

  async function letGo(): Promise<StoreFailure | null> {
    stopped.abort();
    edited.set(ownLock, null);
    const failure = await flush();
    // Another run has the lock. Nothing is lost if everything was written before that and only the response is missing.
    return failure?.reason === "moved" && (await edited.isAllThere()) ? null : failure;
  }

  void repeat(beatMs, stopped.signal, async () => health.beat());
  void repeat(times.confirmMs, stopped.signal, check);
  void repeat(times.gatherMs, stopped.signal, gather);
  void repeat(times.renewMs, stopped.signal, () => renew());

  return {
    holder: first,
    files: edited.files,
    set: edited.set,
    flush: () => flush(),
    isFresh,
    confirm,
    isHeld: () => lost() === null && releasing === null,
    release() {
      releasing ??= letGo();
      return releasing;
    },
  };
}

/** Until the lock is released or lost. Failures surface when somebody waits for them. */
async function repeat(ms: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  for (let spent = 0; ; ) {
    const pauseMs = Math.max(ms - spent, ms / 10);
    await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
    if (signal.aborted) return;
    const start = performance.now();
    await work();
    spent = performance.now() - start;
  }
}

/** Retrying cannot help. */
function isLasting({ reason }: StoreFailure): boolean {
  return !["moved", "refused", "unreachable"].includes(reason);
}

const tooBusy = storeFailure(
  "unreachable",
  "The other shards of this run write so often that this one never got a turn.",
);
