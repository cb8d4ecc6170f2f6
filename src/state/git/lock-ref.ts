// Taking the lock on a state ref. Whoever waits judges by their own clock whether the holder is alive.
import { setTimeout as sleep } from "node:timers/promises";
import { type HeldRef, holdRef, type Times } from "./held-ref.ts";
import type { RefFailure, RefResult } from "./ref-failure.ts";
import { holderIn, isHolderGone, lockFile, lockText, makeHolder, type RefHolder } from "./ref-holder.ts";
import type { RefVersion, StateRef } from "./state-ref.ts";

export interface RefLockRequest {
  readonly command: string;
  /** The address of the CI run that asks; null elsewhere. */
  readonly run: string | null;
  readonly timeoutMs: number;
  readonly times: Times;
  readonly signal?: AbortSignal;
  readonly onWait?: (holder: RefHolder) => void;
  /** Whether the CI host says that the run at this address is over; without an answer: false. */
  readonly hasEnded?: (run: string) => Promise<boolean>;
}

export type RefLocked =
  | { readonly ok: true; readonly held: HeldRef }
  | { readonly ok: false; readonly why: "held"; readonly holder: RefHolder }
  | { readonly ok: false; readonly why: "failure"; readonly failure: RefFailure };

/** `seen`: what was read a moment ago, if anything was. If it is out of date, the attempt to take the lock shows that. */
export async function lockRef(
  ref: StateRef,
  request: RefLockRequest,
  seen?: RefResult<RefVersion | null>,
): Promise<RefLocked> {
  const { times, signal } = request;
  const end = performance.now() + request.timeoutMs;
  const isDead = deathWatch(request);
  let announced: string | null = null;
  let known = seen?.ok === true ? seen : null;
  for (let lost = 0; ; ) {
    const read: RefResult<RefVersion | null> = known ?? (await ref.read(true));
    known = null;
    if (!read.ok) return { ok: false, why: "failure", failure: read };
    const holder = read.value === null ? null : holderIn(read.value.files);
    if (holder === null || (await isDead(holder))) {
      const taken = await take(ref, read.value, request);
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
function deathWatch({ times, hasEnded }: RefLockRequest): (holder: RefHolder) => Promise<boolean> {
  let watched = { serial: "", since: 0 };
  let askedAt = Number.NEGATIVE_INFINITY;
  return async (holder) => {
    const serial = `${holder.token} ${holder.serial}`;
    if (watched.serial !== serial) watched = { serial, since: performance.now() };
    if (isHolderGone(holder) || performance.now() - watched.since >= times.takeoverMs) return true;
    if (holder.run === null || hasEnded === undefined || performance.now() - askedAt < askEveryMs) return false;
    askedAt = performance.now();
    return hasEnded(holder.run);
  };
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

async function take(
  ref: StateRef,
  before: RefVersion | null,
  { command, run, times }: RefLockRequest,
): Promise<Exclude<RefLocked, { why: "held" }>> {
  const holder = makeHolder(command, run);
  const files = new Map(before?.files ?? []).set(lockFile, lockText(holder));
  const began = { mono: performance.now(), wall: Date.now() };
  const written = await ref.write(files, before, `${command}: lock`);
  if (!written.ok) return { ok: false, why: "failure", failure: written };
  return { ok: true, held: holdRef(ref, written.value, holder, began, times) };
}
