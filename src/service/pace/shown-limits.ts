// The limits as people see them, and what follows from all windows together.
import { type Span, spanMs, type Tier } from "./rate-headers.ts";
import type { RateWindow } from "./window.ts";

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
