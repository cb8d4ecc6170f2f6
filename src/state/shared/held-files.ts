// Shared files while their lock is held: writes are batched alongside the calls, and the holder keeps confirming that it still has the lock.
import { setTimeout as sleep } from "node:timers/promises";
import { holdersIn, lockFileOf, lockText, parseHolder, type SharedHolder } from "./holder.ts";
import { ageOf, type Instant, instant, type LockTimes } from "./lock-times.ts";
import {
  changeOnce,
  type FileEdit,
  type FilesVersion,
  isFailure,
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
  /** Whether a call may be sent now: the lock was confirmed recently, and nobody can have waited long enough to take it over. */
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
/** Longer than a busy program delays its timers, shorter than it takes to acquire and use a lock. */
const longestGapMs = 1_000;
/** A write that failed is tried again after half a second, then after twice as long each time: about ten times within a minute. */
const firstPauseMs = 500;
const longestPauseMs = 8_000;
/** Shards that collided come back at random within the time that a write takes. */
const turnMs = 250;
/** A call is waiting for the confirmation, so the store is asked again soon. */
const askAgainMs = 200;

export function holdFiles(
  shared: SharedFiles,
  taken: FilesVersion,
  first: SharedHolder,
  began: Instant,
  times: LockTimes,
): HeldFiles {
  let version = taken;
  let holder = first;
  let confirmedAt = began;
  let beatAt = instant();
  let awakeSince = 0;
  /** When the store last accepted something from us: those that wait have seen that. */
  let writtenAt = began;
  let lost: StoreFailure | null = null;
  /** The store was given enough time: calls no longer wait for it until it accepts a write. */
  let gaveUp: StoreFailure | null = null;
  let releasing: Promise<StoreFailure | null> | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let confirming: Promise<StoreFailure | null> | null = null;
  const edits = new Map<string, FileEdit>();
  const ownLock = lockFileOf(first);
  const idle = new Set<string>();
  /** All versions that we wrote or tried to: if one of them is current, nobody else has written. */
  const ours = new Map<string, FilesVersion | null>([[taken.id, taken]]);

  function files(): StoredFiles {
    const whole = new Map(version.files);
    for (const [file, edit] of edits) {
      const content = editedContent(edit, version.files.get(file));
      if (content === null) whole.delete(file);
      else if (!isFailure(content)) whole.set(file, content);
    }
    return whole;
  }

  /** A change that cannot be made to what is there. */
  function unmakeable(): StoreFailure | null {
    const contents = [...edits].map(([file, edit]) => editedContent(edit, version.files.get(file)));
    return contents.find(isFailure) ?? null;
  }

  function set(file: string, content: FileEdit, isIdle = false): void {
    edits.set(file, typeof content === "function" ? changeOnce(content, edits.get(file)) : content);
    if (isIdle) idle.add(file);
    else idle.delete(file);
  }

  function flush(end = performance.now() + times.patienceMs): Promise<StoreFailure | null> {
    const done = queue.then(() => (edits.size === 0 ? lost : write(gaveUp === null ? end : 0)));
    queue = done;
    return done;
  }

  async function write(end: number): Promise<StoreFailure | null> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const failure = lost ?? unmakeable();
      if (failure !== null) return failure;
      const sent = [...edits];
      const start = instant();
      const written = await shared.write(files(), version, commitSubject(holder, edits), (made) =>
        ours.set(made.id, made),
      );
      if (written.ok) {
        version = written.value;
        confirmedAt = writtenAt = start;
        gaveUp = null;
        for (const [file, content] of sent) if (edits.get(file) === content) edits.delete(file);
        for (const [id] of ours) ours.set(id, null);
        ours.set(version.id, version);
        return null;
      }
      const isOurs = written.reason !== "moved" || (await continueFromOwnWrite());
      if (!isOurs && !(await continueFromPeers())) {
        lost = written;
        return written;
      }
      if (isLasting(written)) return written;
      if (performance.now() + pauseMs > end) {
        gaveUp = isOurs ? written : tooBusy;
        return gaveUp;
      }
      if (isOurs) await sleep(pauseMs);
    }
  }

  /** A push of ours may have got through although its response was lost. */
  async function continueFromOwnWrite(): Promise<boolean> {
    const tip = await shared.tip();
    if (!tip.ok) return true;
    const present = tip.value === null ? undefined : ours.get(tip.value);
    if (present == null) return false;
    version = present;
    return true;
  }

  /** Another shard of the run has written, and our lock is still there: what was set is added to that. */
  async function continueFromPeers(): Promise<boolean> {
    // Wait before reading, not after: what was just read is most likely still current.
    if (first.joint !== undefined) await sleep(turnMs * Math.random());
    const read = await readWithPeers();
    if (read === null) return true;
    if (read !== false) version = read;
    return read !== false;
  }

  /** What is there now, if our lock is still in it; null: that is unknown for now; false: somebody else has the lock. */
  async function readWithPeers(): Promise<FilesVersion | false | null> {
    if (first.joint === undefined) return false;
    const read = await shared.read(true);
    if (!read.ok) return null;
    const text = read.value?.files.get(ownLock);
    if (read.value === null || text === undefined || parseHolder(text).token !== first.token) return false;
    if (!ours.has(read.value.id)) ours.set(read.value.id, null);
    return read.value;
  }

  /** Called often: a gap shows that the process was suspended, and then the last confirmation may be out of date. */
  function beat(): void {
    if (ageOf(beatAt) > longestGapMs) {
      awakeSince = performance.now();
      gaveUp = null;
    }
    beatAt = instant();
  }

  function isFresh(): boolean {
    beat();
    return (
      lost === null &&
      confirmedAt.mono >= awakeSince &&
      ageOf(confirmedAt) <= times.staleMs &&
      ageOf(writtenAt) <= Math.max(times.takeoverMs - times.renewMs, times.staleMs)
    );
  }

  function confirm(): Promise<StoreFailure | null> {
    if (lost !== null || isFresh()) return Promise.resolve(lost);
    if (gaveUp !== null) return Promise.resolve(gaveUp);
    confirming ??= waitForAnswer().finally(() => {
      confirming = null;
    });
    return confirming;
  }

  async function waitForAnswer(): Promise<StoreFailure | null> {
    const end = performance.now() + times.patienceMs;
    for (;;) {
      const failure = (await check()) ?? (isFresh() ? null : await renew(end));
      if (lost !== null || isFresh()) return lost;
      if (performance.now() + askAgainMs > end || (failure !== null && isLasting(failure))) {
        gaveUp = failure ?? tooSlow;
        return gaveUp;
      }
      await sleep(askAgainMs);
    }
  }

  async function check(): Promise<StoreFailure | null> {
    if (lost !== null) return lost;
    const start = instant();
    const tip = await shared.tip();
    if (!tip.ok) return tip;
    const found = tip.value !== null && ours.has(tip.value) ? tip : await readWithPeers();
    if (found === null) return tooSlow;
    if (found !== false) {
      if (start.mono > confirmedAt.mono) confirmedAt = start;
    } else lost ??= storeFailure("moved", `${shared.name} was written by another run.`);
    return lost;
  }

  function renew(end?: number): Promise<StoreFailure | null> {
    // A lock that is given back must not come again.
    if (releasing !== null) return releasing;
    holder = { ...holder, serial: holder.serial + 1 };
    set(ownLock, lockText(holder));
    return flush(end);
  }

  /** The more shards take turns writing, the longer each waits. */
  async function gather(): Promise<void> {
    const isWorthIt = [...edits.keys()].some((file) => !idle.has(file));
    if (isWorthIt && ageOf(writtenAt) >= times.gatherMs * (holdersIn(version.files).length - 1)) await flush();
  }

  async function letGo(): Promise<StoreFailure | null> {
    stopped.abort();
    set(ownLock, null);
    const failure = await flush();
    return failure?.reason === "moved" && (await isAllThere()) ? null : failure;
  }

  /** Another run has the lock. Nothing is lost if everything was written before that and only the response is missing. */
  async function isAllThere(): Promise<boolean> {
    const rest = [...edits].filter(([file]) => file !== ownLock);
    if (rest.length === 0) return true;
    const read = await shared.read(true);
    if (!read.ok) return false;
    const present = read.value?.files;
    return rest.every(([file, edit]) => editedContent(edit, present?.get(file)) === (present?.get(file) ?? null));
  }

  const stopped = new AbortController();
  /** Repeats work until the lock is released; failures surface when somebody waits for them. */
  async function every(ms: number, work: () => Promise<unknown>): Promise<void> {
    for (let spent = 0; lost === null; ) {
      const pauseMs = Math.max(ms - spent, ms / 10);
      await sleep(pauseMs, undefined, { ref: false, signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      const start = performance.now();
      await work();
      spent = performance.now() - start;
    }
  }
  void every(beatMs, async () => beat());
  void every(times.confirmMs, check);
  void every(times.gatherMs, gather);
  void every(times.renewMs, () => renew());

  return {
    holder: first,
    files,
    set,
    flush: () => flush(),
    isFresh,
    confirm,
    isHeld: () => lost === null && releasing === null,
    release() {
      releasing ??= letGo();
      return releasing;
    },
  };
}

function editedContent(edit: FileEdit, present: string | undefined): string | null | StoreFailure {
  return typeof edit === "function" ? edit(present) : edit;
}

/** Retrying cannot help. */
function isLasting({ reason }: StoreFailure): boolean {
  return !["moved", "refused", "unreachable"].includes(reason);
}

const tooBusy = storeFailure(
  "unreachable",
  "The other shards of this run write so often that this one never got a turn.",
);

export const tooSlow = storeFailure("unreachable", "The store takes too long to say whether the lock is still held.");

function commitSubject(holder: SharedHolder, edits: ReadonlyMap<string, FileEdit>): string {
  const files = [...edits.keys()].map((file) => file.replace(/\.jsonl?$/, ""));
  return `${holder.command}: ${edits.get(lockFileOf(holder)) === null ? "done" : files.sort().join(", ")}`;
}
