// The ledger as one run reads and writes it: its own entry, and what the others' entries mean by its clock and limits.
import { randomUUID } from "node:crypto";
import {
  type Counts,
  countsStill,
  emptyLedger,
  gatherCounts,
  isAtWork,
  isSameLimits,
  type LedgerData,
  type LedgerRun,
  readLedger,
} from "./ledger.ts";
import type { Meter } from "./meter.ts";
import { spanMs } from "./rate-headers.ts";

/** Runs that start together have entered the ledger by then, also where updates are slow. */
const joiningMs = 10_000;

export type RunEntries = LedgerData["runs"];

/** How many runs have calls to send, and how many they may be sending right now. */
function rivalsAmong(runs: readonly LedgerRun[], serviceNow: number) {
  const hungry = runs.filter((run) => run.hungry && isAtWork(run, serviceNow));
  const claimed = hungry.reduce((sum, run) => sum + (run.until > serviceNow ? run.claim : 0), 0);
  return { count: hungry.length, claimed };
}

export type LedgerView = ReturnType<typeof makeLedgerView>;

export function makeLedgerView(meter: Meter) {
  const name = randomUUID();
  const service = makeServiceClock();
  /** Null: nothing was read yet. */
  let peers: ReadonlySet<string> | null = null;
  let peersAtWork = false;
  /** Runs that had ended when we first read the ledger got their last response before this instant of the service. */
  let endedBefore = Number.NEGATIVE_INFINITY;
  let joinedAt = 0;
  /** When the others had last written as we entered: a run that has written since knows us. */
  const lastWrites = new Map<string, number>();

  /** The same URL may be another service today: counts under other limits mean nothing. */
  function usable(kept: unknown): LedgerData {
    const ledger = readLedger(kept);
    return isSameLimits(ledger.limits, meter.limits()) ? ledger : emptyLedger;
  }

  function setClock(there: readonly (readonly [string, LedgerRun])[], now: number, isEntered: boolean): void {
    const isTimed = there.some(([, { timed }]) => timed);
    for (const [each, run] of there) {
      const knowsUs = isEntered && lastWrites.has(each) && lastWrites.get(each) !== run.at;
      if (run.timed === isTimed) service.read(run.at, now, knowsUs);
      if (!isEntered) lastWrites.set(each, run.at);
    }
  }

  /** Gives the meter what the ledger says about other runs; returns their entries. */
  function read(ledger: LedgerData, now: number, isEntered: boolean): RunEntries {
    const there = Object.entries(ledger.runs).filter(([each]) => each !== name);
    setClock(there, now, isEntered);
    const serviceNow = service.toService(now);
    const entries = there.filter(([, run]) => countsStill(run, serviceNow));
    const byOurClock = (counts: Counts) => counts.map(([at, count]) => [service.toOurs(at), count] as const);
    const counted = byOurClock(ledger.calls.filter(([at]) => at <= endedBefore));
    const recent = ledger.calls.filter(([at]) => at > endedBefore);
    const calls = byOurClock([...recent, ...entries.flatMap(([, run]) => run.calls)]);
    const claims = byOurClock(entries.map(([, { until, claim }]) => [until, claim] as const));
    if (peers === null || entries.some(([each]) => peers?.has(each) === false)) joinedAt = now;
    const joined = entries.filter(([each]) => peers?.has(each) === false).flatMap(([, run]) => run.calls);
    peersAtWork = entries.some(([, run]) => isAtWork(run, serviceNow));
    meter.setPeers(counted, calls, claims, {
      atWork: peersAtWork,
      joining: peersAtWork && now - joinedAt < joiningMs,
      joined: joined.reduce((sum, [, count]) => sum + count, 0),
    });
    peers = new Set(entries.map(([each]) => each));
    return Object.fromEntries(entries);
  }

  function gather(counts: Counts, now: number): Counts {
    return gatherCounts(
      counts.map(([at, count]) => [service.toService(at), count] as const),
      service.toService(now),
    );
  }

  function withRuns(runs: RunEntries, calls: Counts, now: number): LedgerData {
    return {
      version: 2,
      tier: meter.tier(),
      limits: meter.limits(),
      calls: gatherCounts(calls, service.toService(now)),
      others: gather(meter.othersCalls(), now),
      runs,
    };
  }

  return {
    service,
    usable,
    read,
    peersAtWork: () => peersAtWork,
    /** What an earlier run knew of the limits. */
    adopt(kept: unknown, now: number): void {
      const ledger = readLedger(kept);
      endedBefore = Math.max(...ledger.calls.map(([at]) => at), endedBefore);
      read(ledger, now, false);
      const since = service.toService(now) - spanMs.hour;
      const isRecent = [ledger, ...Object.values(ledger.runs)].some(({ calls }) => calls.some(([at]) => at > since));
      const others = ledger.others.map(([at, count]) => [service.toOurs(at), count] as const);
      if (isRecent) meter.adopt(ledger.tier, ledger.limits, others);
    },
    rivals: (others: RunEntries, now: number) => rivalsAmong(Object.values(others), service.toService(now)),
    /** One of them knows only its own clock yet, and waits for others to write. */
    hasUntimed: (others: RunEntries, now: number) =>
      Object.values(others).some((run) => !run.timed && isAtWork(run, service.toService(now))),
    own: (ledger: LedgerData) => ledger.runs[name],
    withOwn(ledger: LedgerData, others: RunEntries, claim: number, until: number, hungry: boolean, now: number) {
      const own: LedgerRun = {
        at: service.reached(now),
        calls: gather(meter.ownCalls(), now),
        claim,
        until: service.toService(until),
        hungry,
        timed: service.isTimed(),
      };
      return withRuns({ ...others, [name]: own }, ledger.calls, now);
    },
    /** Our calls remain; our claim does not. */
    without(kept: unknown, now: number, isEntered: boolean): LedgerData | undefined {
      const ledger = usable(kept);
      const { [name]: own, ...runs } = ledger.runs;
      // Entered and not there: an update that seemed to fail got through.
      if (isEntered && own === undefined) return undefined;
      const calls = meter.hasLimits() ? gather(meter.ownCalls(), now) : [];
      return withRuns(runs, [...ledger.calls, ...calls], now);
    },
  };
}

// The service's clock, by which runs on several machines agree on when a call was: their own may be minutes apart. A Date
// header is cut to whole seconds, so each response shows the difference only roughly; many together show it well.

/** Clocks that are set at all differ by minutes at most: one that is ten minutes off is wrong, and is not followed. */
const furthestApartMs = 600_000;

export function makeServiceClock() {
  /** The service's time less ours is between these. */
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  /** Before a response: what other runs wrote, they wrote before we read it. Until then our clock counts as right. */
  let behind = 0;
  let isSet = false;

  return {
    /** A response came with this Date. */
    observe(date: string | null, sentAt: number, now: number): void {
      const second = date === null ? Number.NaN : Date.parse(date);
      if (Number.isNaN(second)) return;
      const [low, high] = [second - now, second + 1000 - sentAt];
      // A clock that is set to another day may stand still as well: by it, no call would ever lapse.
      if (Math.abs(low) > furthestApartMs) return;
      // One of the clocks was changed.
      const isNew = low > most || high < least;
      least = isNew ? low : Math.max(least, low);
      most = isNew ? high : Math.min(most, high);
    },
    /** Another run has written at this instant of the service, and we have read that by now. `isFresh`: it was a moment ago. */
    read(at: number, now: number, isFresh: boolean): void {
      behind = isFresh && !isSet ? at - now : Math.max(behind, at - now);
      isSet ||= isFresh;
    },
    /** Not only by our own clock. */
    isSet: () => isSet || Number.isFinite(least),
    isTimed: () => Number.isFinite(least),
    /** The earliest instant of the service that this instant of ours can be: others may rely on that it has passed. */
    reached: (at: number) => Math.floor(at + (Number.isFinite(least) ? least : behind)),
    /** The latest instant of the service that this instant of ours can be: what counts from then on never lapses too soon. */
    toService: (at: number) => Math.ceil(at + (Number.isFinite(most) ? most : behind)),
    /** The latest instant of ours that this instant of the service can be. */
    toOurs: (at: number) => at - (Number.isFinite(least) ? least : behind),
  };
}
