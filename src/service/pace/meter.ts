// Everything that is known about the limits: our own calls, what headers said, and so how many calls may go now.
import type { LedgerData } from "./ledger.ts";
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
import { makeLatestReadings, makeOtherClients, makeTally, type SpanReading } from "./traffic.ts";
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

/** Every so many calls, those of more than an hour ago are dropped. */
const forgetEvery = 1024;
const forgetAfterMs = spanMs.hour * 1.01;

export type Meter = ReturnType<typeof makeMeter>;

export function makeMeter(tier: Tier | null) {
  const ours = makeTally();
  const others = makeOtherClients();
  const latest = makeLatestReadings();
  const disabledLimit = makeDisabledLimitCheck();
  let windows: RateWindow[] = [];
  let known = tier;
  // The limits that an earlier run's calls were counted under, until the first response shows today's.
  let loadedLimits: string | null = null;
  const traffic = {
    ours,
    others,
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

  function limits(): readonly number[] {
    return windows.map(({ limit }) => limit).sort((one, other) => one - other);
  }

  /** The same address may be another service today, with other limits: then the earlier calls do not count there. */
  function forgetUnlessSame(now: number): void {
    if (loadedLimits !== limits().join()) {
      ours.clear();
      others.tally.clear();
      ours.add(now, traffic.ended);
      known = tier;
    }
    loadedLimits = null;
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

  function observe(readings: readonly RateReading[], endedAtSend: number, refused: boolean, now: number): void {
    const placed = readings.map(place);
    if (loadedLimits !== null) forgetUnlessSame(now);
    latest.add(endedAtSend, traffic.ended, placed);
    const room = windows.map((window) => window.left(traffic.observedAt));
    traffic.unobservedMost = Math.min(...room, Number.MAX_SAFE_INTEGER);
    for (const reading of placed) {
      const window = windows.find((each) => each.span === reading.span);
      window?.observe(reading, latest.remaining(reading.span), endedAtSend, refused, now);
    }
    traffic.observedAt = now;
    traffic.uncounted = traffic.inFlight;
    const unexplained = refused && placed.every(({ remaining }) => remaining > 0);
    for (const window of windows) {
      if (unexplained && !placed.some(({ span }) => span === window.span)) window.fillIfNearlyFull(now);
      window.noteRoom(now);
    }
    traffic.hadRoom = windows.every((window) => window.left(now) >= 1);
  }

  return {
    inFlight: () => traffic.inFlight,
    observedAt: () => traffic.observedAt,
    /** How many calls have ended now, to be handed to `end` with the response of a call that is sent now. */
    endedSoFar: () => traffic.ended,
    begin(): void {
      traffic.inFlight++;
      traffic.begun++;
    },
    /** Takes a begun call back: none of it was sent. */
    cancel(): void {
      traffic.inFlight--;
      traffic.begun--;
    },
    /** `readings` is null if no response came; `refused` for a 429. */
    end(readings: readonly RateReading[] | null, endedAtSend: number, refused: boolean, now: number): void {
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
      observe(readings, endedAtSend, refused, now);
    },
    /** How long until the next call may go, and which window holds it back. */
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
    limits(now: number): Limits {
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
     * How long so many further calls will take, in seconds: the wait for the limits, and then their own time. `callMs`: how
     * much longer each call makes a run; the time of those that go while others wait is part of the wait.
     */
    estimateSeconds(calls: number, now: number, callMs: number): number {
      let rest = calls;
      let ms = 0;
      for (const span of ["hour", "minute"] as const) {
        const window = windows.find((each) => each.span === span);
        if (window === undefined) continue;
        const left = ms > 0 ? window.limit : window.shownLeft(now);
        if (rest <= left) continue;
        const beyond = rest - left - 1;
        ms += spanMs[span] * (1 + Math.floor(beyond / window.limit));
        rest = (beyond % window.limit) + 1;
      }
      return Math.ceil(ms / 1000) + Math.round((rest * callMs) / 1000);
    },
    load(data: LedgerData, now: number): void {
      // A tier that was learned long ago may have been changed since.
      if (data.calls.length > 0) known ??= data.tier;
      loadedLimits = data.limits.join();
      for (const [second, count] of data.calls) if (second * 1000 <= now) ours.add(second * 1000, count);
      for (const [second, count] of data.others) if (second * 1000 <= now) others.tally.add(second * 1000, count);
    },
    dump(now: number): LedgerData {
      // Calls that were never counted must not hold the next run back.
      if (disabledLimit.isDisabled()) return { version: 1, tier: known, limits: [], calls: [], others: [] };
      const since = now - spanMs.hour;
      const [calls, theirs] = [ours, others.tally].map((tally) => bySecond(tally.entries(), since));
      return { version: 1, tier: known, limits: limits(), calls: calls ?? [], others: theirs ?? [] };
    },
  };
}

function bySecond(entries: readonly (readonly [number, number])[], since: number): LedgerData["calls"] {
  const sums = new Map<number, number>();
  for (const [at, count] of entries) {
    if (at <= since) continue;
    const second = Math.ceil(at / 1000);
    sums.set(second, (sums.get(second) ?? 0) + count);
  }
  return [...sums].map(([second, count]) => [second, Math.round(count * 100) / 100] as const);
}
