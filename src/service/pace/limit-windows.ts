// Which limits apply: by the tier, by what headers show, and by what the ledger knew a moment ago.
import { isSameLimits, type KnownLimits } from "./ledger.ts";
import { judgeLimit, type RateReading, type Span, type Tier, tiers } from "./rate-headers.ts";
import type { SpanReading, Traffic } from "./traffic.ts";
import { makeWindow, type RateWindow } from "./window.ts";

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
