// What is known about the limits now, for people and for estimates.
import type { Meter } from "./meter.ts";
import type { Span, Tier } from "./tier.ts";
import { spanMs } from "./window.ts";

export interface WindowLimit {
  readonly span: Span;
  readonly limit: number;
  /** Calls that can still go in it now. */
  readonly left: number;
  /** True where the service's own headers speak of it; false where it follows from the tier and is counted here. */
  readonly shown: boolean;
  /** Seconds until the service says it turns; null where it does not say. */
  readonly resetsInSeconds: number | null;
}

export interface Limits {
  readonly tier: Tier | null;
  /** Empty where the service shows no limit, counts nothing, or was not asked yet. */
  readonly windows: readonly WindowLimit[];
  /** Calls that can go at once; null where no limit is known. */
  readonly callsLeft: number | null;
}

export function limitsOf(meter: Meter, now: number): Limits {
  const windows = meter.windows().map((window) => {
    const resetAt = window.sight?.resetAt ?? null;
    return {
      span: window.span,
      limit: window.limit,
      left: meter.left(window, now),
      shown: window.sight !== null,
      resetsInSeconds: resetAt === null ? null : Math.max(0, Math.round((resetAt - now) / 1000)),
    };
  });
  return {
    tier: meter.tier(),
    windows,
    callsLeft: windows.length === 0 ? null : Math.min(...windows.map(({ left }) => left)),
  };
}

/**
 * How long so many further calls will take, in seconds: what they wait for the limits, and then their own time. `callMs`: how
 * much longer each call makes a run; the time of those that go while others wait is in the wait already.
 */
export function estimateSeconds(meter: Meter, calls: number, now: number, callMs: number): number {
  let rest = calls;
  let ms = 0;
  for (const span of ["hour", "minute"] as const) {
    const window = meter.windows().find((each) => each.span === span);
    if (window === undefined) continue;
    const left = ms > 0 ? window.limit : meter.left(window, now);
    if (rest <= left) continue;
    const beyond = rest - left - 1;
    ms += spanMs[span] * (1 + Math.floor(beyond / window.limit));
    rest = (beyond % window.limit) + 1;
  }
  return Math.ceil(ms / 1000) + Math.round((rest * callMs) / 1000);
}
