// The limits as people see them, and what follows from all windows together.

import { isSameLimits, type KnownLimits } from "./ledger.ts";
import { judgeLimit, type RateReading, type Span, spanMs, type Tier, tiers } from "./rate-headers.ts";
import type { SpanReading, Traffic } from "./traffic.ts";
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

type Windows = readonly RateWindow[];

export function shownLimits(windows: Windows, tier: Tier | null, now: number): Limits {
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
  return { tier, windows: shown, callsLeft };
}

/** How many calls could be sent at once; infinite if no limit is known. */
export function leastLeft(windows: Windows, now: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const window of windows) least = Math.min(least, window.left(now));
  return least;
}

/** How long until the next call may be sent, and which window delays it. */
export function longestWait(windows: Windows, now: number): { readonly ms: number; readonly span: Span } {
  let longest: { readonly ms: number; readonly span: Span } = { ms: 0, span: "minute" };
  for (const window of windows) {
    const ms = window.wait(now);
    if (ms > longest.ms) longest = { ms, span: window.span };
  }
  return longest;
}

/**
 * How long this many more calls will take, in seconds: the wait for the limits, and then their own time. `callMs`: how
 * much each call prolongs a run; calls that run while others wait are part of the wait.
 */
export function secondsFor(calls: number, windows: Windows, now: number, callMs: number): number {
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
}

// Which limits apply: by the tier, by what headers show, and by what the ledger knew a moment ago.

/** `given`: the tier that the settings name. */
export function makeLimitWindows(given: Tier | null, traffic: Traffic) {
  let windows: RateWindow[] = [];
  let known = given;
  /** The limits that the ledger's calls were counted under, until the first response shows today's. */
  let kept: KnownLimits | null = null;
  if (given !== null) setTier(given);

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

  return {
    all: (): readonly RateWindow[] => windows,
    /** The limits that our calls count under; empty if there are none. */
    limits,
    tier: () => known,
    assumeTier(tier: Tier): void {
      known = tier;
    },
    clear(): void {
      windows = [];
    },
    /** Finds the window that a reading describes, and makes the windows that follow from it. */
    place(reading: RateReading): SpanReading {
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
    },
    /** Limits that were known a moment ago hold until a response shows others. */
    adopt(tier: Tier | null, under: KnownLimits): void {
      known ??= tier;
      kept = under;
      if (windows.length > 0) return;
      for (const span of ["minute", "hour"] as const) if (under[span] !== undefined) ensureWindow(span, under[span]);
    },
    /** After a response. The same URL may be another service today, with other limits: then the ledger does not count there. */
    validateLedger(): boolean {
      const isValid = kept === null || isSameLimits(kept, limits());
      kept = null;
      if (!isValid) known = given;
      return isValid;
    },
  };
}
