// The lock that a command holds while it writes.
import { type Diagnostic, errorOf, failed } from "../../model/diagnostic.ts";
import { readParts, type Shard } from "../../model/live.ts";
import { safeText } from "../../report/text.ts";
import { describeHolder, type LockResult, type StateStore } from "../../state/store.ts";
import type { World } from "../world.ts";
import type { Checkout } from "./checkout.ts";
import { runName } from "./local-data.ts";
import { writeLines } from "./report-problems.ts";

export interface LockRequest {
  /** What the holder does, for runs that have to wait: "apply". */
  readonly command: string;
  /** How long to wait for another run, in seconds. */
  readonly lockTimeout?: number | undefined;
  /** Whether the CI host says that the run at this address has ended. */
  readonly hasEnded?: ((run: string) => Promise<boolean>) | undefined;
  /** It applies only this part. */
  readonly shard?: Shard;
}

/** Tells whoever watches that it waits, and for whom. */
export async function takeLock(
  world: World,
  store: StateStore,
  { command, lockTimeout = 0, hasEnded, shard }: LockRequest,
  checkout: Checkout | null = null,
): Promise<LockResult> {
  const run = runName(world.env);
  const isAlone = shard === undefined || readParts(shard).count === 1 || run === null;
  const joint = isAlone ? undefined : { shard, run, revision: checkout?.revision ?? null };
  const locked = await store.lock({
    command: shard === undefined ? command : `${command} --shard ${shard}`,
    timeoutMs: lockTimeout * 1000,
    signal: world.interrupted,
    ...(hasEnded === undefined ? {} : { hasEnded }),
    // Files that are not committed may differ from job to job.
    ...(joint === undefined || checkout?.dirty === true ? {} : { joint }),
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
