// Everything that is known about the limits: our own calls, what headers said, and so how many calls may be sent now.
import type { Counts, KnownLimits } from "./ledger.ts";
import { ambiguousLimit, makeDisabledLimitCheck, type RateReading, spanMs, type Tier } from "./rate-headers.ts";
import { leastLeft, longestWait, makeLimitWindows, secondsFor, shownLimits } from "./shown-limits.ts";
import { type CallToken, makeLatestReadings, makeOtherClients, makeTally, type Peers, type Tally } from "./traffic.ts";

/** After this many calls, those of more than an hour ago are dropped. */
const forgetEvery = 1024;
/** A window looks back by an hour and a ten-thousandth for drift (window.ts): anything a hundredth older is never needed. */
const forgetAfterMs = spanMs.hour * 1.01;
/** By how much the clocks of two runs may differ still, as they count the service's time. */
const peersSlackMs = 250;

function tallyOf(counts: Counts): Tally {
  const tally = makeTally();
  for (const [at, count] of [...counts].sort(([one], [other]) => one - other)) tally.add(at, count);
  return tally;
}

export interface PeersAtWork extends Pick<Peers, "atWork" | "joining"> {
  /** How many calls were made by runs that were not in the ledger before. */
  readonly joined: number;
}

function peersOf(counted: Counts, calls: Counts, claims: Counts, work: Pick<Peers, "atWork" | "joining">): Peers {
  return {
    tally: tallyOf([...counted, ...calls, ...claims]),
    reported: tallyOf([...counted, ...calls]),
    recent: tallyOf([...calls, ...claims]),
    atWork: work.atWork,
    joining: work.joining,
  };
}

function noPeers(): Peers {
  return peersOf([], [], [], { atWork: false, joining: false });
}

export type Meter = ReturnType<typeof makeMeter>;

export function makeMeter(tier: Tier | null) {
  const ours = makeTally();
  const others = makeOtherClients();
  const latest = makeLatestReadings();
  const disabledLimit = makeDisabledLimitCheck();
  const traffic = {
    ours,
    others,
    peers: noPeers(),
    inFlight: 0,
    begun: 0,
    ended: 0,
    observedAt: 0,
    unobservedMost: 0,
    hadRoom: true,
    uncounted: 0,
  };
  const windows = makeLimitWindows(tier, traffic);

  function observe(readings: readonly RateReading[], token: CallToken, refused: boolean, now: number): void {
    const placed = readings.map(windows.place);
    if (!windows.validateLedger()) {
      traffic.peers = noPeers();
      others.disclaim(Number.POSITIVE_INFINITY);
    }
    latest.add(token, traffic.ended, placed);
    const countedUpTo = latest.countedUpTo() - peersSlackMs;
    traffic.unobservedMost = Math.min(left(traffic.observedAt), Number.MAX_SAFE_INTEGER);
    for (const reading of placed) {
      const window = windows.all().find((each) => each.span === reading.span);
      window?.observe(reading, { remaining: latest.remaining(reading.span), countedUpTo }, token, refused, now);
    }
    traffic.observedAt = now;
    traffic.uncounted = traffic.inFlight;
    const unexplained = refused && placed.every(({ remaining }) => remaining > 0);
    for (const window of windows.all()) {
      if (unexplained && !placed.some(({ span }) => span === window.span)) window.fillIfNearlyFull(now);
      window.noteRoom(now);
    }
    traffic.hadRoom = left(now) >= 1;
  }

  function left(now: number): number {
    return leastLeft(windows.all(), now);
  }

  return {
    inFlight: () => traffic.inFlight,
    observedAt: () => traffic.observedAt,
    /** To be handed to `end` with the response of a call that is sent now. */
    token: (now: number): CallToken => ({ at: now, ended: traffic.ended }),
    begin(): void {
      traffic.inFlight++;
      traffic.begun++;
    },
    /** Takes a begun call back, because none of it was sent. */
    cancel(): void {
      traffic.inFlight--;
      traffic.begun--;
    },
    /** `readings` is null if no response came; `refused` for a 429. */
    end(readings: readonly RateReading[] | null, token: CallToken, refused: boolean, now: number): void {
      traffic.inFlight--;
      traffic.ended++;
      ours.add(now, 1);
      if (traffic.ended % forgetEvery === 0) {
        ours.forget(now - forgetAfterMs);
        others.tally.forget(now - forgetAfterMs);
      }
      if (readings === null) return;
      const [first] = readings;
      if (first === undefined) {
        // No headers at all: no limit to keep, unless the tier was given.
        if (!refused && tier === null) windows.clear();
        return;
      }
      if (disabledLimit.observe(first, now) && !refused) {
        windows.clear();
        traffic.observedAt = now;
        return;
      }
      if (refused && first.limit === ambiguousLimit && first.remaining > 0 && tier === null) windows.assumeTier("free");
      observe(readings, token, refused, now);
    },
    wait: (now: number) => longestWait(windows.all(), now),
    /** True if limits are known and others use them too. */
    shared: () => windows.all().length > 0 && others.rate() > 0,
    shownLimits: (now: number) => shownLimits(windows.all(), windows.tier(), now),
    estimateSeconds: (calls: number, now: number, callMs: number) => secondsFor(calls, windows.all(), now, callMs),
    begun: () => traffic.begun,
    ended: () => traffic.ended,
    left,
    limits: windows.limits,
    hasLimits: () => windows.all().length > 0,
    tier: windows.tier,
    /** What an earlier run knew: the limits, and the calls of other clients. */
    adopt(kept: Tier | null, under: KnownLimits, theirs: Counts): void {
      windows.adopt(kept, under);
      for (const [at, count] of theirs) others.tally.add(at, count);
    },
    /**
     * What the ledger says about other runs, by our clock: the calls of those that ended before we began, which every
     * response counts; those of the others, and their claims at the end of each.
     */
    setPeers(counted: Counts, calls: Counts, claims: Counts, work: PeersAtWork): void {
      const hadJoining = traffic.peers.joining;
      traffic.peers = peersOf(counted, calls, claims, work);
      if (work.joined > 0) others.disclaim(work.joined);
      if (hadJoining && !work.joining) others.disclaim(Number.POSITIVE_INFINITY);
      for (const window of windows.all()) window.settle();
    },
    /** Our own calls and those of other clients, by our clock. */
    ownCalls: (): Counts => ours.entries(),
    othersCalls: (): Counts => others.tally.entries(),
  };
}
