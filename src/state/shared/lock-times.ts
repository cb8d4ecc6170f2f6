// How long a lock on shared files lasts, and how often its holder shows that it is alive.
import { type StoreFailure, storeFailure } from "./shared-files.ts";

export interface LockTimes {
  /** How often the holder raises the serial. */
  readonly renewMs: number;
  /** How long a waiter watches one serial before it takes the lock over. */
  readonly takeoverMs: number;
  /** How often the holder asks whether the lock is still its own. */
  readonly confirmMs: number;
  /** How old the last such confirmation may be when a call is sent. */
  readonly staleMs: number;
  /** How long edits that no call waits for are gathered. */
  readonly gatherMs: number;
  /** How often a waiter polls. */
  readonly pollMs: number;
  /** How long to retry a store that cannot be reached. */
  readonly patienceMs: number;
}

/**
 * Four renewals fit into the time after which a silent holder loses the lock, so one or two may fail. A confirmation that is three
 * seconds old has missed two that come every second. A minute is enough for a store to restart, or to be replaced.
 */
export const standardTimes: LockTimes = {
  renewMs: 30_000,
  takeoverMs: 120_000,
  confirmMs: 1_000,
  staleMs: 3_000,
  gatherMs: 10_000,
  pollMs: 2_000,
  patienceMs: 60_000,
};

/** A machine that sleeps stops one of its clocks; somebody may set the other. */
export interface Instant {
  readonly mono: number;
  readonly wall: number;
}

export function instant(): Instant {
  return { mono: performance.now(), wall: Date.now() };
}

export function ageOf({ mono, wall }: Instant): number {
  return Math.max(performance.now() - mono, Math.abs(Date.now() - wall));
}

// What the holder of a lock knows about it: whether it was confirmed recently enough for a call to be sent, given up on, or lost.

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
    /** Confirmed recently, and no other run can have waited long enough to take the lock over. */
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
