// The lock that a command holds while it writes.
import { type Diagnostic, errorOf, failed } from "../../model/diagnostic.ts";
import { safeText } from "../../report/text.ts";
import { describeHolder, type LockResult, type StateStore } from "../../state/store.ts";
import type { World } from "../world.ts";
import { writeLines } from "./report-problems.ts";

export interface LockRequest {
  /** What the holder does, for runs that have to wait: "apply". */
  readonly command: string;
  /** How long to wait for another run, in seconds. */
  readonly lockTimeout?: number | undefined;
  /** Whether the CI host says that the run at this address has ended. */
  readonly hasEnded?: ((run: string) => Promise<boolean>) | undefined;
}

/** Tells whoever watches that it waits, and for whom. */
export async function takeLock(
  world: World,
  store: StateStore,
  { command, lockTimeout = 0, hasEnded }: LockRequest,
): Promise<LockResult> {
  const locked = await store.lock({
    command,
    timeoutMs: lockTimeout * 1000,
    signal: world.interrupted,
    ...(hasEnded === undefined ? {} : { hasEnded }),
    onWait(holder) {
      writeLines(world.stderr, [`waiting for another run: ${safeText(describeHolder(holder))}`]);
    },
  });
  if (locked.ok) return locked;
  return world.interrupted.aborted ? failed(stoppedWaiting) : locked;
}

const stoppedWaiting: Diagnostic = errorOf(
  "interrupted",
  "Stopped while waiting for another run.",
  "Run the same command again when the other run has ended.",
);
