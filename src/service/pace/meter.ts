// Everything that is known about the limits: our own calls, what headers said, and so how many calls may go now.
import { makeStillness } from "./disabled-limit.ts";
import { makeOverlap, type SpanReading } from "./in-flight.ts";
import type { LedgerData } from "./ledger.ts";
import { fillIfNearlyFull, observeWindow } from "./observation.ts";
import { makeForeign } from "./other-clients.ts";
import type { Reading } from "./rate-headers.ts";
import { makeTally } from "./tally.ts";
import { judgeLimit, type Span, type Tier, tiers } from "./tier.ts";
import { leftAt, makeWindow, noteRoom, shownLeftAt, spanMs, type Window, waitFor } from "./window.ts";

export interface Meter {
  readonly underWay: number;
  begin(): void;
  /** Takes a begun call back: nothing of it was sent. */
  cancel(): void;
  /** Returns how many calls had ended at this moment, to be handed to `end` with the call's answer. */
  endedSoFar(): number;
  /** `readings` is null where no answer came; `refused` for a 429. */
  end(readings: readonly Reading[] | null, endedAtSend: number, refused: boolean, now: number): void;
  /** How long until the next call may go, and which window holds it back. */
  wait(now: number): { readonly ms: number; readonly span: Span };
  /** True where limits are known and others use them too. */
  shared(): boolean;
  readonly lastSight: number;
  windows(): readonly Window[];
  /** Calls that can still go in the window, for people and estimates. */
  left(window: Window, now: number): number;
  tier(): Tier | null;
  load(data: LedgerData, now: number): void;
  dump(now: number): LedgerData;
}

export function makeMeter(tier: Tier | null): Meter {
  const ours = makeTally();
  const foreign = makeForeign();
  const overlap = makeOverlap();
  let windows: Window[] = [];
  let known = tier;
  const stillness = makeStillness();
  // The limits that an earlier run's calls were counted under, until the first answer tells today's.
  let loadedLimits: string | null = null;
  const traffic = {
    ours,
    foreign,
    underWay: 0,
    begun: 0,
    ended: 0,
    lastSight: 0,
    unseenMost: 0,
    hadRoom: true,
    unsure: 0,
  };
  if (tier !== null) setTier(tier);

  function windowOf(span: Span, limit: number): Window {
    const found = windows.find((window) => window.span === span);
    if (found?.limit === limit) return found;
    // Another limit is another window: what was seen of the former says nothing about it.
    const window = makeWindow(span, limit);
    windows = [...windows.filter((each) => each.span !== span), window];
    return window;
  }

  function setTier(which: Tier): void {
    windowOf("minute", tiers[which].minute);
    windowOf("hour", tiers[which].hour);
  }

  function limits(): readonly number[] {
    return windows.map(({ limit }) => limit).sort((one, other) => one - other);
  }

  /** The same address may be another service today, with other limits: then the earlier calls do not count there. */
  function forgetUnlessSame(now: number): void {
    if (loadedLimits !== limits().join()) {
      ours.clear();
      foreign.tally.clear();
      ours.add(now, traffic.ended);
      known = tier;
    }
    loadedLimits = null;
  }

  /** Says which window a reading speaks of, and makes the windows that follow from it. */
  function place(reading: Reading): SpanReading {
    if (reading.span !== null) {
      windowOf(reading.span, reading.limit);
      return { ...reading, span: reading.span };
    }
    const judgement = judgeLimit(reading.limit, reading.reset, known);
    if (judgement.tier === null) {
      // A limit of no known tier binds alone.
      if (windows.some((window) => window.span !== judgement.span))
        windows = windows.filter((window) => window.span === judgement.span);
      windowOf(judgement.span, reading.limit);
    } else {
      if (judgement.certain) known = judgement.tier;
      setTier(judgement.tier);
    }
    return { ...reading, span: judgement.span };
  }

  return {
    get underWay() {
      return traffic.underWay;
    },
    get lastSight() {
      return traffic.lastSight;
    },
    begin() {
      traffic.underWay++;
      traffic.begun++;
    },
    cancel() {
      traffic.underWay--;
      traffic.begun--;
    },
    endedSoFar: () => traffic.ended,
    end(readings, endedAtSend, refused, now) {
      traffic.underWay--;
      traffic.ended++;
      ours.add(now, 1);
      if ((traffic.ended & 1023) === 0) {
        ours.forget(now - spanMs.hour * 1.01);
        foreign.tally.forget(now - spanMs.hour * 1.01);
      }
      const first = readings?.[0];
      if (readings === null) return;
      if (first === undefined) {
        // No headers at all: nothing to keep to, unless the tier was given.
        if (!refused && tier === null) windows = [];
        return;
      }
      if (stillness.sees(first, now) && !refused) {
        windows = [];
        traffic.lastSight = now;
        return;
      }
      if (refused && first.limit === 1000 && first.remaining > 0 && tier === null) known = "free";
      const placed = readings.map(place);
      if (loadedLimits !== null) forgetUnlessSame(now);
      overlap.add(endedAtSend, traffic.ended, placed);
      traffic.unseenMost = Math.min(
        ...windows.map((window) => leftAt(window, traffic, traffic.lastSight)),
        Number.MAX_SAFE_INTEGER,
      );
      for (const reading of placed) {
        const window = windows.find((each) => each.span === reading.span);
        if (window === undefined) continue;
        if (refused && window.sight?.resetAt !== null) window.resetTrusted = false;
        observeWindow(window, traffic, reading, overlap.remaining(reading.span), endedAtSend, now);
      }
      traffic.lastSight = now;
      traffic.unsure = traffic.underWay;
      const unexplained = refused && placed.every(({ remaining }) => remaining > 0);
      for (const window of windows) {
        if (unexplained && !placed.some(({ span }) => span === window.span)) fillIfNearlyFull(window, traffic, now);
        noteRoom(window, traffic, now);
      }
      traffic.hadRoom = windows.every((window) => leftAt(window, traffic, now) >= 1);
    },
    wait(now) {
      let ms = 0;
      let span: Span = "minute";
      for (const window of windows) {
        const own = waitFor(window, traffic, now);
        if (own > ms) {
          ms = own;
          span = window.span;
        }
      }
      return { ms, span };
    },
    shared: () => windows.length > 0 && foreign.rate() > 0,
    windows: () => windows,
    left: (window, now) => shownLeftAt(window, traffic, now),
    tier: () => known,
    load(data, now) {
      // A tier that was learned long ago may have been changed since.
      if (data.calls.length > 0) known ??= data.tier;
      loadedLimits = data.limits.join();
      for (const [second, count] of data.calls) if (second * 1000 <= now) ours.add(second * 1000, count);
      for (const [second, count] of data.others) if (second * 1000 <= now) foreign.tally.add(second * 1000, count);
    },
    dump(now) {
      // Calls that were never counted must not hold the next run back.
      if (stillness.proven) return { version: 1, tier: known, limits: [], calls: [], others: [] };
      const since = now - spanMs.hour;
      return {
        version: 1,
        tier: known,
        limits: limits(),
        calls: bySecond(ours.entries(), since),
        others: bySecond(foreign.tally.entries(), since),
      };
    },
  };
}

function bySecond(
  entries: readonly (readonly [number, number])[],
  since: number,
): readonly (readonly [number, number])[] {
  const sums = new Map<number, number>();
  for (const [at, count] of entries) {
    if (at <= since) continue;
    const second = Math.ceil(at / 1000);
    sums.set(second, (sums.get(second) ?? 0) + count);
  }
  return [...sums].map(([second, count]) => [second, Math.round(count * 100) / 100] as const);
}
