// Everything that is known about the limits: our own calls, what headers said, and so how many calls may be sent now.
import { type Counts, isSameLimits, type KnownLimits } from "./ledger.ts";
import {
  ambiguousLimit,
  judgeLimit,
  makeDisabledLimitCheck,
  type RateReading,
  type Span,
  spanMs,
  type Tier,
  tiers,
} from "./rate-headers.ts";
import {
  type CallToken,
  makeLatestReadings,
  makeOtherClients,
  makeTally,
  type Peers,
  type SpanReading,
  type Tally,
} from "./traffic.ts";
import { makeWindow, type RateWindow } from "./window.ts";

export interface WindowLimit {
  readonly span: Span;
  readonly limit: number;
  /** Calls that can still go in it now. */
  readonly left: number;
  /** True if the service's own headers describe it; false if it follows from the tier and is counted here. */
  readonly shown: boolean;
  /** Seconds until the service says it resets; null if it does not say. */
  readonly resetsInSeconds: number | null;
}

export interface Limits {
  readonly tier: Tier | null;
  /** Empty if the service shows no limit, counts nothing, or was not asked yet. */
  readonly windows: readonly WindowLimit[];
  /** Calls that can go at once; null if no limit is known. */
  readonly callsLeft: number | null;
}

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

function noPeers(): Peers {
  return { tally: makeTally(), reported: makeTally(), recent: makeTally(), atWork: false, joining: false };
}

export type Meter = ReturnType<typeof makeMeter>;

export function makeMeter(tier: Tier | null) {
  const ours = makeTally();
  const others = makeOtherClients();
  const latest = makeLatestReadings();
  const disabledLimit = makeDisabledLimitCheck();
  let windows: RateWindow[] = [];
  let known = tier;
  // The limits that the ledger's calls were counted under, until the first response shows today's.
  let keptLimits: KnownLimits | null = null;
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
  if (tier !== null) setTier(tier);

  function ensureWindow(span: Span, limit: number): void {
    if (windows.some((window) => window.span === span && window.limit === limit)) return;
    // Another limit is another window: what was observed of the former says nothing about it.
    windows = [...windows.filter((each) => each.span !== span), makeWindow(span, limit, traffic)];
  }

  function setTier(which: Tier): void {
    ensureWindow("minute", tiers[which].minute);
    ensureWindow("hour", tiers[which].hour);
  }

  function limits(): KnownLimits {
    return Object.fromEntries(windows.map(({ span, limit }) => [span, limit]));
  }

  /** The same URL may be another service today, with other limits: then the ledger does not count there. */
  function forgetUnlessSame(): void {
    if (keptLimits !== null && !isSameLimits(keptLimits, limits())) {
      traffic.peers = noPeers();
      others.disclaim(Number.POSITIVE_INFINITY);
      known = tier;
    }
    keptLimits = null;
  }

  /** Finds the window that a reading describes, and makes the windows that follow from it. */
  function place(reading: RateReading): SpanReading {
    if (reading.span !== null) {
      ensureWindow(reading.span, reading.limit);
      return { ...reading, span: reading.span };
    }
    const meaning = judgeLimit(reading.limit, reading.reset, known);
    if (meaning.tier === null) {
      windows = windows.filter((window) => window.span === meaning.span);
      ensureWindow(meaning.span, reading.limit);
    } else {
      if (meaning.certain) known = meaning.tier;
      setTier(meaning.tier);
    }
    return { ...reading, span: meaning.span };
  }

  function observe(readings: readonly RateReading[], token: CallToken, refused: boolean, now: number): void {
    const placed = readings.map(place);
    forgetUnlessSame();
    latest.add(token, traffic.ended, placed);
    const countedUpTo = latest.countedUpTo() - peersSlackMs;
    traffic.unobservedMost = Math.min(left(traffic.observedAt), Number.MAX_SAFE_INTEGER);
    for (const reading of placed) {
      const window = windows.find((each) => each.span === reading.span);
      window?.observe(reading, { remaining: latest.remaining(reading.span), countedUpTo }, token, refused, now);
    }
    traffic.observedAt = now;
    traffic.uncounted = traffic.inFlight;
    const unexplained = refused && placed.every(({ remaining }) => remaining > 0);
    for (const window of windows) {
      if (unexplained && !placed.some(({ span }) => span === window.span)) window.fillIfNearlyFull(now);
      window.noteRoom(now);
    }
    traffic.hadRoom = left(now) >= 1;
  }

  /** How many calls could be sent at once; infinite if no limit is known. */
  function left(now: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (const window of windows) least = Math.min(least, window.left(now));
    return least;
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
        if (!refused && tier === null) windows = [];
        return;
      }
      if (disabledLimit.observe(first, now) && !refused) {
        windows = [];
        traffic.observedAt = now;
        return;
      }
      if (refused && first.limit === ambiguousLimit && first.remaining > 0 && tier === null) known = "free";
      observe(readings, token, refused, now);
    },
    /** How long until the next call may be sent, and which window delays it. */
    wait(now: number): { readonly ms: number; readonly span: Span } {
      let longest: { readonly ms: number; readonly span: Span } = { ms: 0, span: "minute" };
      for (const window of windows) {
        const ms = window.wait(now);
        if (ms > longest.ms) longest = { ms, span: window.span };
      }
      return longest;
    },
    /** True if limits are known and others use them too. */
    shared: () => windows.length > 0 && others.rate() > 0,
    shownLimits(now: number): Limits {
      const shown = windows.map((window) => {
        const resetAt = window.resetAt();
        return {
          span: window.span,
          limit: window.limit,
          left: window.shownLeft(now),
          shown: window.isShown(),
          resetsInSeconds: resetAt === null ? null : Math.max(0, Math.round((resetAt - now) / 1000)),
        };
      });
      const callsLeft = shown.length === 0 ? null : Math.min(...shown.map(({ left }) => left));
      return { tier: known, windows: shown, callsLeft };
    },
    /**
     * How long this many more calls will take, in seconds: the wait for the limits, and then their own time. `callMs`: how
     * much each call prolongs a run; calls that run while others wait are part of the wait.
     */
    estimateSeconds(calls: number, now: number, callMs: number): number {
      let rest = calls;
      let ms = 0;
      for (const span of ["hour", "minute"] as const) {
        const window = windows.find((each) => each.span === span);
        if (window === undefined) continue;
        // What is kept for other clients is no room for ours.
        const left = ms > 0 ? window.limit : Math.min(window.shownLeft(now), window.left(now));
        if (rest <= left) continue;
        const beyond = rest - left - 1;
        ms += (ms > 0 ? spanMs[span] : window.untilReset(now)) + spanMs[span] * Math.floor(beyond / window.limit);
        rest = (beyond % window.limit) + 1;
      }
      return Math.ceil(ms / 1000) + Math.round((rest * callMs) / 1000);
    },
    begun: () => traffic.begun,
    ended: () => traffic.ended,
    left,
    /** The limits that our calls count under; empty if there are none. */
    limits,
    hasLimits: () => windows.length > 0,
    tier: () => known,
    /** Limits that were known a moment ago hold until a response shows others. */
    adopt(kept: Tier | null, under: KnownLimits, theirs: Counts): void {
      known ??= kept;
      keptLimits = under;
      if (windows.length === 0)
        for (const span of ["minute", "hour"] as const) if (under[span] !== undefined) ensureWindow(span, under[span]);
      for (const [at, count] of theirs) others.tally.add(at, count);
    },
    /**
     * What the ledger says about other runs, by our clock: the calls of those that ended before we began, which every
     * response counts; those of the others, and their claims at the end of each.
     */
    setPeers(counted: Counts, calls: Counts, claims: Counts, work: PeersAtWork): void {
      const { atWork, joining, joined } = work;
      const hadJoining = traffic.peers.joining;
      const recent = tallyOf([...calls, ...claims]);
      const reported = tallyOf([...counted, ...calls]);
      traffic.peers = { tally: tallyOf([...counted, ...calls, ...claims]), reported, recent, atWork, joining };
      if (joined > 0) others.disclaim(joined);
      if (hadJoining && !joining) others.disclaim(Number.POSITIVE_INFINITY);
      for (const window of windows) window.settle();
    },
    /** Our own calls and those of other clients, by our clock. */
    ownCalls: (): Counts => ours.entries(),
    othersCalls: (): Counts => others.tally.entries(),
  };
}
