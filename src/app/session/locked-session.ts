// The lock that a command holds while it writes.
import { type Diagnostic, errorOf, type Fallible, failed } from "../../model/diagnostic.ts";
import { safeText } from "../../report/text.ts";
import type { Listener } from "../../service/calls.ts";
import { describeHolder, type Lock, type StateStore } from "../../state/store.ts";
import type { World } from "../world.ts";
import { type NoSession, openSession, type Session, type SessionOptions } from "./open-session.ts";
import { sandboxMismatch } from "./target.ts";

export interface LockRequest {
  /** What the holder does, for runs that have to wait: "apply". */
  readonly command: string;
  /** How long to wait for another run, in seconds. */
  readonly lockTimeout?: number | undefined;
}

/** `waited`: another run held the lock before. */
export async function takeLock(
  world: World,
  store: StateStore,
  { command, lockTimeout = 0 }: LockRequest,
): Promise<Fallible<{ readonly lock: Lock; readonly waited: boolean }>> {
  let waited = false;
  const locked = await store.lock({
    command,
    timeoutMs: lockTimeout * 1000,
    signal: world.interrupted,
    onWait(holder) {
      waited = true;
      world.stderr.write(`waiting for another run: ${safeText(describeHolder(holder))}\n`);
    },
  });
  if (locked.ok) return { ...locked, waited };
  return world.interrupted.aborted ? failed(stoppedWaiting) : locked;
}

const stoppedWaiting: Diagnostic = errorOf(
  "interrupted",
  "Stopped while waiting for another run.",
  "Run the same command again when the other run has ended.",
);

export interface LockedSession extends Session {
  readonly lock: Lock;
}

/**
 * The session with the lock. If another run held it before, the session is opened again: that run left another state, and
 * `--base last` may mean another revision. Closing it releases the lock; the session that was given stays open.
 */
export async function lockSession(
  world: World,
  opened: Session,
  options: SessionOptions & LockRequest,
  listener: Listener,
): Promise<LockedSession | NoSession> {
  const mismatch = sandboxMismatch(world, opened.environment);
  const locked = mismatch === null ? await takeLock(world, opened.store, options) : failed(mismatch);
  if (!locked.ok) {
    const { environment, baseUrl, remarks } = opened;
    return { ok: false, environment: environment.name, baseUrl, diagnostics: [...locked.diagnostics, ...remarks] };
  }
  const { lock, waited } = locked;
  const session = waited ? await openSession(world, options, listener) : opened;
  async function close(): Promise<void> {
    if (session.ok && session !== opened) await session.close();
    await lock.release();
  }
  if (session.ok) return { ...session, lock, close };
  await close();
  return session;
}
