// What the holder of a lock knows about it: whether it was confirmed recently enough for a call to be sent, given up on, or lost.
import { ageOf, type Instant, instant, type LockTimes } from "./lock-times.ts";
import { type StoreFailure, storeFailure } from "./shared-files.ts";

/** Longer than a busy program delays its timers, shorter than it takes to acquire and use a lock. */
const longestGapMs = 1_000;

export const tooSlow = storeFailure("unreachable", "The store takes too long to say whether the lock is still held.");

export function lockHealth(began: Instant, times: LockTimes) {
  let confirmedAt = began;
  /** When the store last accepted something from us: those that wait have seen that. */
  let writtenAt = began;
  let beatAt = instant();
  let awakeSince = 0;
  let lost: StoreFailure | null = null;
  /** The store was given enough time: calls no longer wait for it until it accepts a write. */
  let gaveUp: StoreFailure | null = null;

  /** Called often: a gap shows that the process was suspended, and then the last confirmation may be out of date. */
  function beat(): void {
    if (ageOf(beatAt) > longestGapMs) {
      awakeSince = performance.now();
      gaveUp = null;
    }
    beatAt = instant();
  }

  return {
    beat,
    lost: () => lost,
    gaveUp: () => gaveUp,
    sinceWritten: () => ageOf(writtenAt),
    /** Confirmed recently, and nobody can have waited long enough to take the lock over. */
    isFresh(): boolean {
      beat();
      return (
        lost === null &&
        confirmedAt.mono >= awakeSince &&
        ageOf(confirmedAt) <= times.staleMs &&
        ageOf(writtenAt) <= Math.max(times.takeoverMs - times.renewMs, times.staleMs)
      );
    },
    noteConfirmed(at: Instant): void {
      if (at.mono > confirmedAt.mono) confirmedAt = at;
    },
    noteWritten(at: Instant): void {
      confirmedAt = writtenAt = at;
      gaveUp = null;
    },
    noteLost(failure: StoreFailure): StoreFailure {
      lost = failure;
      return failure;
    },
    giveUp(failure: StoreFailure): StoreFailure {
      gaveUp = failure;
      return failure;
    },
  };
}
