// The lock on a state ref, and writing while it is held. A lock is a file in the ref, with a serial that its holder renews; whoever
// waits judges by their own clock whether the holder is alive, and whoever holds it makes sure of that before every call.
import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "../../model/value.ts";
import type { LockHolder } from "../../system/file-lock.ts";
import { beganAt, isRunning } from "../../system/process-life.ts";
import type { RefFailure, RefFiles, RefVersion, StateRef } from "./state-ref.ts";

export interface RefHolder extends LockHolder {
  /** Tells machines apart, and one machine from itself before a restart; null where that cannot be known. */
  readonly machine: string | null;
  /** The address of the CI run; null elsewhere. */
  readonly run: string | null;
  readonly serial: number;
}

export interface Times {
  /** How often the holder raises the serial. */
  readonly renewMs: number;
  /** How long a waiter watches one serial before it takes the lock over. */
  readonly takeoverMs: number;
  /** How often the holder asks whether the lock is still its own. */
  readonly confirmMs: number;
  /** How old the last such answer may be when a call is sent. */
  readonly staleMs: number;
  /** How long edits that nobody waits for are gathered. */
  readonly gatherMs: number;
  /** How often a waiter looks. */
  readonly pollMs: number;
  /** How long a remote that cannot be reached is tried again. */
  readonly patienceMs: number;
}

export const standardTimes: Times = {
  renewMs: 30_000,
  takeoverMs: 120_000,
  confirmMs: 1_000,
  staleMs: 3_000,
  gatherMs: 10_000,
  pollMs: 2_000,
  patienceMs: 60_000,
};

export interface LockRequest {
  readonly command: string;
  readonly run: string | null;
  readonly timeoutMs: number;
  readonly times: Times;
  readonly signal?: AbortSignal;
  readonly onWait?: (holder: RefHolder) => void;
  /** Whether the CI host says that the holder's run is over; without an answer: false. */
  readonly hasEnded?: (holder: RefHolder) => Promise<boolean>;
}

export interface HeldRef {
  readonly holder: RefHolder;
  /** With everything that was set, on the remote or not. */
  files(): RefFiles;
  /** Goes to the remote with the next write; null removes the file. */
  set(file: string, content: string | null): void;
  /** Ends when all that was set is on the remote; gives what keeps it from getting there. */
  flush(): Promise<RefFailure | null>;
  /** Ends when it is certain that the lock was ours a moment ago; gives the reason where it is not. */
  confirm(): Promise<RefFailure | null>;
  /** False once it is known to be lost. */
  isHeld(): boolean;
  /** Writes what was set, and lets go. */
  release(): Promise<RefFailure | null>;
}

export type RefLocked =
  | { readonly ok: true; readonly held: HeldRef }
  | { readonly ok: false; readonly holder: RefHolder; readonly why: "held" }
  | { readonly ok: false; readonly failure: RefFailure; readonly why: "failure" };

const lockFile = "lock.json";

export function holderIn(files: RefFiles): RefHolder | null {
  const text = files.get(lockFile);
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && typeof value.token === "string" && typeof value.serial === "number"
      ? (value as unknown as RefHolder)
      : null;
  } catch {
    return null;
  }
}

export function withoutLock(files: RefFiles): RefFiles {
  return new Map([...files].filter(([file]) => file !== lockFile));
}

export async function lockRef(ref: StateRef, request: LockRequest): Promise<RefLocked> {
  const { times } = request;
  const end = performance.now() + request.timeoutMs;
  let watched = { serial: "", since: 0 };
  let asked: string | null = null;
  for (;;) {
    const read = await ref.read();
    if (!read.ok) return { ok: false, why: "failure", failure: read };
    const holder = read.value === null ? null : holderIn(read.value.files);
    const serial = holder === null ? null : `${holder.token} ${holder.serial}`;
    if (serial !== null && watched.serial !== serial) watched = { serial, since: performance.now() };
    const isDead =
      holder !== null &&
      (isGone(holder) ||
        performance.now() - watched.since >= times.takeoverMs ||
        (await request.hasEnded?.(holder)) === true);
    if (holder === null || isDead) {
      const taken = await take(ref, read.value, request);
      if (taken.ok || taken.failure.reason !== "moved") return taken;
      continue;
    }
    if (performance.now() >= end || request.signal?.aborted === true) return { ok: false, why: "held", holder };
    if (asked !== holder.token) request.onWait?.(holder);
    asked = holder.token;
    await sleep(Math.max(1, Math.min(times.pollMs, end - performance.now())));
  }
}

type Taken =
  | { readonly ok: true; readonly held: HeldRef }
  | { readonly ok: false; readonly why: "failure"; readonly failure: RefFailure };

async function take(ref: StateRef, before: RefVersion | null, request: LockRequest): Promise<Taken> {
  const holder = makeHolder(request);
  const files = new Map(before?.files ?? []).set(lockFile, lockText(holder));
  const began = performance.now();
  const written = await ref.write(files, before, `lock: ${request.command}`);
  if (!written.ok) return { ok: false, why: "failure", failure: written };
  return { ok: true, held: holdRef(ref, written.value, holder, began, request.times) };
}

function holdRef(ref: StateRef, taken: RefVersion, first: RefHolder, began: number, times: Times): HeldRef {
  let version = taken;
  let holder = first;
  let confirmedAt = began;
  let lost: RefFailure | null = null;
  let released = false;
  /** Writing moves the ref, so nothing else asks about it meanwhile. */
  let queue: Promise<unknown> = Promise.resolve();
  let confirming: Promise<RefFailure | null> | null = null;
  const edits = new Map<string, string | null>();

  function files(): RefFiles {
    const whole = new Map(version.files);
    for (const [file, content] of edits) {
      if (content === null) whole.delete(file);
      else whole.set(file, content);
    }
    return whole;
  }

  function set(file: string, content: string | null): void {
    edits.set(file, content);
  }

  function inTurn(work: () => Promise<RefFailure | null>): Promise<RefFailure | null> {
    const done = queue.then(work);
    queue = done;
    return done;
  }

  function flush(): Promise<RefFailure | null> {
    return inTurn(async () => (edits.size === 0 ? lost : write()));
  }

  async function write(): Promise<RefFailure | null> {
    const end = performance.now() + times.patienceMs;
    for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 8_000)) {
      if (lost !== null) return lost;
      const sent = [...edits];
      const start = performance.now();
      const written = await ref.write(files(), version, subjectOf(holder, edits));
      if (written.ok) {
        version = written.value;
        confirmedAt = start;
        for (const [file, content] of sent) if (edits.get(file) === content) edits.delete(file);
        return null;
      }
      if (written.reason === "moved") {
        lost = written;
        return written;
      }
      if (performance.now() + pauseMs > end) return written;
      await sleep(pauseMs);
    }
  }

  function confirm(): Promise<RefFailure | null> {
    if (lost !== null || performance.now() - confirmedAt <= times.staleMs) return Promise.resolve(lost);
    confirming ??= waitForAnswer().finally(() => {
      confirming = null;
    });
    return confirming;
  }

  async function waitForAnswer(): Promise<RefFailure | null> {
    const end = performance.now() + times.patienceMs;
    for (;;) {
      const failure = await inTurn(check);
      if (lost !== null || performance.now() - confirmedAt <= times.staleMs) return lost;
      if (performance.now() > end) return failure ?? tooSlow;
      await sleep(200);
    }
  }

  async function check(): Promise<RefFailure | null> {
    if (lost !== null) return lost;
    const start = performance.now();
    const tip = await ref.tip();
    if (!tip.ok) return tip;
    if (tip.value === version.commit) confirmedAt = start;
    else lost = { ok: false, reason: "moved", message: `${ref.name} was written by another run.` };
    return lost;
  }

  const confirmTimer = setInterval(() => {
    if (performance.now() - confirmedAt >= times.confirmMs) void inTurn(check);
  }, times.confirmMs);
  const gatherTimer = setInterval(() => {
    if (edits.size > 0) void flush();
  }, times.gatherMs);
  const renewTimer = setInterval(() => {
    holder = { ...holder, serial: holder.serial + 1 };
    set(lockFile, lockText(holder));
    void flush();
  }, times.renewMs);
  const timers = [confirmTimer, gatherTimer, renewTimer];
  for (const timer of timers) timer.unref();

  return {
    holder: first,
    files,
    set,
    flush,
    confirm,
    isHeld: () => lost === null && !released,
    async release() {
      if (released) return null;
      released = true;
      for (const timer of timers) clearInterval(timer);
      set(lockFile, null);
      const failure = await flush();
      // Somebody took it over: there is nothing left to give back.
      return failure?.reason === "moved" && edits.size === 1 ? null : failure;
    },
  };
}

const tooSlow: RefFailure = {
  ok: false,
  reason: "unreachable",
  message: "The remote takes too long to say whether the lock is still held.",
};

function subjectOf({ command }: RefHolder, edits: ReadonlyMap<string, string | null>): string {
  const files = [...edits.keys()].map((file) => file.replace(/\.jsonl?$/, ""));
  return `${command}: ${edits.get(lockFile) === null ? "done" : files.sort().join(", ")}`;
}

function makeHolder({ command, run }: LockRequest): RefHolder {
  return {
    token: randomBytes(16).toString("hex"),
    command,
    pid: process.pid,
    began: beganAt(process.pid),
    host: hostname(),
    machine: thisMachine(),
    user: userName(),
    since: new Date().toISOString(),
    run,
    serial: 1,
  };
}

/** Certain only on one machine since one start of it, where process numbers mean the same to both. */
function isGone(holder: RefHolder): boolean {
  return holder.machine !== null && holder.machine === thisMachine() && !isRunning(holder);
}

function thisMachine(): string | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return null;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}

function lockText(holder: RefHolder): string {
  return `${JSON.stringify(holder, null, 1)}\n`;
}
