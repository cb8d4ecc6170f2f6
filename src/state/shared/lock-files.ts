// Taking the lock on shared files. Whoever waits judges by their own clock whether the holder is alive.
import { setTimeout as sleep } from "node:timers/promises";
import { type HeldFiles, holdFiles, type LockTimes } from "./held-files.ts";
import { holderIn, isHolderGone, lockFile, lockText, makeHolder, type SharedHolder } from "./holder.ts";
import type { FilesVersion, SharedFiles, StoreFailure, StoreResult } from "./shared-files.ts";

export interface SharedLockRequest {
  readonly command: string;
  /** The address of the CI run that asks; null elsewhere. */
  readonly run: string | null;
  readonly timeoutMs: number;
  readonly times: LockTimes;
  readonly signal?: AbortSignal;
  readonly onWait?: (holder: SharedHolder) => void;
  /** Whether the CI host says that the run at this address is over; without an answer: false. */
  readonly hasEnded?: (run: string) => Promise<boolean>;
}

export type SharedLocked =
  | { readonly ok: true; readonly held: HeldFiles }
  | { readonly ok: false; readonly why: "held"; readonly holder: SharedHolder }
  | { readonly ok: false; readonly why: "failure"; readonly failure: StoreFailure };

/** `seen`: what was read a moment ago, if anything was. If it is out of date, the attempt to take the lock shows that. */
export async function lockFiles(
  shared: SharedFiles,
  request: SharedLockRequest,
  seen?: StoreResult<FilesVersion | null>,
): Promise<SharedLocked> {
  const { times, signal } = request;
  const end = performance.now() + request.timeoutMs;
  const isDead = deathWatch(shared, request);
  let announced: string | null = null;
  let known = seen?.ok === true ? seen : null;
  for (let lost = 0; ; ) {
    const read: StoreResult<FilesVersion | null> = known ?? (await shared.read(true));
    known = null;
    if (!read.ok) return { ok: false, why: "failure", failure: read };
    const holder = read.value === null ? null : holderIn(read.value.files);
    if (holder === null || read.value === null || (await isDead(holder, read.value))) {
      const taken = await take(shared, read.value, request);
      if (taken.ok || taken.failure.reason !== "moved" || ++lost > 20) return taken;
      // Another one was faster, and may let go at once.
      await pause(times.pollMs / 10, signal);
      continue;
    }
    if (performance.now() >= end || signal?.aborted === true) return { ok: false, why: "held", holder };
    if (announced !== holder.token) request.onWait?.(holder);
    announced = holder.token;
    await pause(Math.max(1, Math.min(times.pollMs, end - performance.now())), signal);
  }
}

/** How often the host is asked about a run. */
const askEveryMs = 15_000;

/** True once its process is known to be gone, its run to be over, or its serial has stood still for long enough. */
function deathWatch(
  shared: SharedFiles,
  { times, hasEnded }: SharedLockRequest,
): (holder: SharedHolder, version: FilesVersion) => Promise<boolean> {
  let watched = { serial: "", since: 0 };
  let askedAt = Number.NEGATIVE_INFINITY;
  return async (holder, version) => {
    const serial = `${holder.token} ${holder.serial}`;
    if (watched.serial !== serial) watched = { serial, since: performance.now() };
    if (isHolderGone(holder) || performance.now() - watched.since >= times.takeoverMs) return true;
    if ((await shared.hasLeft?.(version, times.staleMs)) === true) return true;
    if (holder.run === null || hasEnded === undefined || performance.now() - askedAt < askEveryMs) return false;
    askedAt = performance.now();
    return hasEnded(holder.run);
  };
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

async function take(
  shared: SharedFiles,
  before: FilesVersion | null,
  { command, run, times }: SharedLockRequest,
): Promise<Exclude<SharedLocked, { why: "held" }>> {
  const holder = makeHolder(command, run);
  const files = new Map(before?.files ?? []).set(lockFile, lockText(holder));
  const began = { mono: performance.now(), wall: Date.now() };
  const written = await shared.write(files, before, `${command}: lock`);
  if (!written.ok) return { ok: false, why: "failure", failure: written };
  return { ok: true, held: holdFiles(shared, written.value, holder, began, times) };
}
