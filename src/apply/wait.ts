import type { Address } from "../model/address.ts";
import type { Run } from "./run.ts";

/** Ends when `since` is so long ago that what was done by then must show; false where the run was stopped meanwhile. */
export async function waitUntilSettled(run: Run, since: number, address: Address, why: string): Promise<boolean> {
  const now = run.clock.now();
  // A time in the future is another clock's: then it counts from now.
  const left = Math.min(since, now) + run.settle.ms() - now;
  if (left > 0) {
    run.listener.onWait?.(address, `${why}; looking in ${seconds(left)}`);
    await run.clock.sleep(left, run.signal);
  }
  return run.signal?.aborted !== true;
}

/** How long a call may have been under way when its run was cut off. */
const underWayMs = 60_000;

/** When a call of an earlier run must have had its effect: nobody knows more than that it was begun, and that it is over now. */
export function effectOf(run: Run, begun: number): number {
  const now = run.clock.now();
  return now - begun > underWayMs + run.settle.ms() ? begun : now;
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
}
