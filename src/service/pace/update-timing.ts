// How often the shared ledger is updated, and how long a claim lasts: both follow from how long the store takes.

/**
 * A run at work updates every twenty times as long as an update takes, so that the store spends a twentieth of its time on it; at
 * most once a second, and often enough that others learn within one claim what was not used.
 */
const intervalsPerUpdate = 20;
const shortestIntervalMs = 1000;
const longestIntervalMs = 10_000;
/** A claim lasts for three intervals, so that one update may fail and the next still renews it; five seconds in a fast store. */
const intervalsPerClaim = 3;
export const shortestClaimMs = 5000;
/** If room is scarce, updates to get more of it are at least this far apart: four a second, however fast the store is. */
const shortestGapMs = 250;
/** Each gap is multiplied by a random factor from 0.75 to 1.25, so that runs do not all update at the same moment. */
const leastGapPart = 0.75;
const gapSpread = 0.5;
/** A request is in the store after two updates at most: one in flight, and our own. */
const updatesAhead = 2;
/** A store that fails is tried again after two seconds, then after twice as long each time, up to half a minute. */
const firstBackoffMs = 2000;
const longestBackoffMs = 30_000;
/** The weight of the latest update in the mean of how long they take: one slow update does not slow down the next ten. */
const newestPart = 0.3;

export type UpdateTiming = ReturnType<typeof makeUpdateTiming>;

export function makeUpdateTiming(hasPeers: () => boolean, random: () => number) {
  let updateMs = 0;
  let failures = 0;

  function intervalMs(): number {
    return Math.min(Math.max(updateMs * intervalsPerUpdate, shortestIntervalMs), longestIntervalMs);
  }

  return {
    /** How often a run at work updates. */
    intervalMs,
    claimMs: () => Math.max(shortestClaimMs, intervalsPerClaim * intervalMs()),
    /** How long after an update the next one may come. */
    gapMs(): number {
      if (failures > 0) return Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs);
      const gap = hasPeers() ? Math.max(shortestGapMs, updatesAhead * updateMs) : shortestGapMs;
      return gap * (leastGapPart + random() * gapSpread);
    },
    /** How far ahead room is claimed: until the next update can be in the store. */
    aheadMs: () => shortestGapMs + updatesAhead * updateMs,
    isFailing: () => failures > 0,
    /** Before the first update: how long one will probably take. */
    expect(ms: number): void {
      updateMs = ms;
    },
    /** An update came to its end; `kept`: it is in the store. */
    ended(ms: number, kept: boolean): void {
      failures = kept ? 0 : failures + 1;
      updateMs = updateMs === 0 ? ms : updateMs * (1 - newestPart) + ms * newestPart;
    },
    failed(): void {
      failures++;
    },
  };
}
