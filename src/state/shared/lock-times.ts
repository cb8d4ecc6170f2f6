// How long a lock on shared files lasts, and how often its holder shows that it is alive.
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
