// Taking the lock on shared files. A waiting run judges by its own clock whether the holder is alive.
import { setTimeout as sleep } from "node:timers/promises";
import { type Diagnostic, errorOf, failed, type ResultOr } from "../../model/diagnostic.ts";
import type { LockHolder } from "../../system/file-lock.ts";
import { describeHolder, heldByOther, type LockOptions, type UnlockResult } from "../store.ts";
import { type HeldFiles, holdFiles } from "./held-files.ts";
import {
  holdersIn,
  isHolderGone,
  isPeer,
  lockFileOf,
  lockText,
  makeHolder,
  type SharedHolder,
  withoutLock,
} from "./holder.ts";
import { instant, type LockTimes } from "./lock-times.ts";
import {
  type FilesVersion,
  type SharedFiles,
  type StoreFailure,
  type StoreResult,
  type StoreWords,
  storeProblem,
} from "./shared-files.ts";

export interface SharedLockRequest extends LockOptions {
  /** The address of the CI run that asks; null elsewhere. */
  readonly run: string | null;
  readonly times: LockTimes;
}

export type SharedLocked = ResultOr<
  { readonly held: HeldFiles },
  StoreFailure | { readonly ok: false; readonly reason: "held"; readonly holder: SharedHolder }
>;

/** `lastRead`: what was just read, if anything. If it is out of date, the attempt to take the lock shows that. */
export async function lockFiles(
  shared: SharedFiles,
  request: SharedLockRequest,
  lastRead?: StoreResult<FilesVersion | null>,
): Promise<SharedLocked> {
  const { times, signal, joint } = request;
  const end = performance.now() + request.timeoutMs;
  const isDead = deathWatch(shared, request);
  const mayRetry = retryLimit(joint !== undefined);
  const own = makeHolder(request.command, request.run, joint);
  const began = instant();
  let announced: string | null = null;
  let known = lastRead?.ok === true ? lastRead : null;
  for (;;) {
    const read: StoreResult<FilesVersion | null> = known ?? (await shared.read(true));
    known = null;
    if (!read.ok) return read;
    const version = read.value;
    const holders = version === null ? [] : holdersIn(version.files);
    // We have the lock already, and only the response was lost.
    const ourLock = holders.find(({ token }) => token === own.token);
    if (version !== null && ourLock !== undefined)
      return { ok: true, held: holdFiles(shared, version, ourLock, began, times) };
    const others = holders.filter((each) => !isPeer(each, joint));
    const dead = await Promise.all(others.map((each) => version === null || isDead(each, version)));
    const holder = others.find((_, index) => dead[index] === false);
    if (holder === undefined) {
      const written = await take(shared, version, others, own, times);
      if (written.ok || !mayRetry(written)) return written;
      // Another one was faster, and may release it at once. Shards that begin together do not all retry together.
      await pauseForLock(times.pollMs * retryPart * (joint === undefined ? 1 : 0.5 + Math.random()), signal);
      continue;
    }
    if (performance.now() >= end || signal?.aborted === true) return { ok: false, reason: "held", holder };
    if (announced !== holder.token) request.onWait?.(holder);
    announced = holder.token;
    await pauseForLock(Math.max(1, Math.min(times.pollMs, end - performance.now())), signal);
  }
}

/** After losing a race, we retry in a tenth of the usual time: by then the lock may be free again. */
const retryPart = 0.1;
/** Twenty lost races in a row, all within four seconds, are no coincidence: the store itself must be at fault. */
const mostLost = 20;
/** Shards keep writing under their lock, so one that joins loses races until all have started: up to 40 seconds. */
const mostLostJointly = 200;

/** Whether to try again after such a failure to take the lock: a store that did not respond is asked once more. */
function retryLimit(isJoint: boolean): (failure: StoreFailure) => boolean {
  let left = isJoint ? mostLostJointly : mostLost;
  let isUnheard = false;
  return ({ reason }) => {
    if (reason === "moved") return --left >= 0;
    if (reason !== "unreachable" || isUnheard) return false;
    isUnheard = true;
    return true;
  };
}

/** How often the host is asked about a run: 240 times an hour, of the 1,000 calls that GitHub allows the jobs of a repository. */
const askEveryMs = 15_000;

/** True once its process is known to be gone, its run to be over, or its serial has stood still for long enough. */
function deathWatch(
  shared: SharedFiles,
  { times, hasEnded }: SharedLockRequest,
): (holder: SharedHolder, version: FilesVersion) => Promise<boolean> {
  const watched = new Map<string, { readonly serial: number; readonly since: number; askedAt: number }>();
  return async (holder, version) => {
    const known = watched.get(holder.token);
    const askedAt = known?.askedAt ?? Number.NEGATIVE_INFINITY;
    const watch =
      known?.serial === holder.serial ? known : { serial: holder.serial, since: performance.now(), askedAt };
    watched.set(holder.token, watch);
    if (isHolderGone(holder) || performance.now() - watch.since >= times.takeoverMs) return true;
    if ((await shared.claimAbandoned?.(version, times.staleMs)) === true) return true;
    if (holder.run === null || hasEnded === undefined || performance.now() - watch.askedAt < askEveryMs) return false;
    watch.askedAt = performance.now();
    return hasEnded(holder.run);
  };
}

async function pauseForLock(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

async function take(
  shared: SharedFiles,
  before: FilesVersion | null,
  dead: readonly SharedHolder[],
  own: SharedHolder,
  times: LockTimes,
): Promise<Exclude<SharedLocked, { reason: "held" }>> {
  const holder = { ...own, since: new Date().toISOString() };
  const files = new Map(before?.files ?? []);
  for (const each of dead) files.delete(lockFileOf(each));
  files.set(lockFileOf(holder), lockText(holder));
  const began = instant();
  const written = await shared.write(files, before, `${holder.command}: lock`);
  if (!written.ok) return written;
  return { ok: true, held: holdFiles(shared, written.value, holder, began, times) };
}

// Taking the lock on shared files away from those that hold it, whether they are alive or not.

export async function unlockFiles(
  shared: SharedFiles,
  words: StoreWords,
  times: LockTimes,
  shown?: readonly LockHolder[],
): Promise<UnlockResult> {
  const end = performance.now() + times.patienceMs;
  for (;;) {
    const version = await shared.read(true);
    if (!version.ok) return failed(storeProblem(words, version, "read"));
    const holders = version.value === null ? [] : holdersIn(version.value.files);
    const [holder] = holders;
    if (version.value === null || holder === undefined) return { ok: true, holders: [] };
    const active = holders.filter((each) => !isHolderGone(each));
    const problem = heldByOther(active, shown);
    if (problem !== null) return failed(problem);
    const written = await shared.write(withoutLock(version.value.files), version.value, "state unlock");
    if (written.ok) {
      // A live holder keeps relying on its last confirmation until then, on a clock that may be slightly slower.
      if (active.some((each) => each.isForeign !== true)) await sleep(times.staleMs * 1.1);
      return { ok: true, holders };
    }
    if (written.reason !== "moved") return failed(storeProblem(words, written, "written"));
    // The holder is alive and has just written. It waits for the service between writes, so retrying out of step gets through.
    if (performance.now() > end) return failed(stillWriting(holder));
    await sleep((Math.random() * times.pollMs) / 4);
  }
}

function stillWriting(holder: SharedHolder): Diagnostic {
  const message = `The lock could not be removed, because its holder keeps writing: ${describeHolder(holder)}.`;
  const hint = "Stop that run, then run `ticketing state unlock` again; or wait until it ends.";
  return errorOf("state-locked", message, hint);
}
