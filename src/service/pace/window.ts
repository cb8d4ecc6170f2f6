// One limit: a number of calls in a minute, or in an hour. Whether the service's window slides or resets at fixed moments is
// not known; counting our own calls as if it slid is right for both, and a fresh `Remaining` may allow more.
import { type Span, spanMs } from "./rate-headers.ts";
import { type CallToken, type SpanReading, slotOf, type Traffic } from "./traffic.ts";

// Found with the simulations of test/bench: the smallest margins at which no call is refused under any kind of window.

/** Clocks drift apart by up to 100 ppm, and a service may count the edge in. */
const driftFactor = 1.0001;
const edgeMs = 5;
/** A call's time is stored to 50 ms; a wait is computed to 5 ms. */
const waitSlackMs = 60;
const waitStepMs = 5;
/** Sums of fractions are off by less. */
const rounding = 1e-6;
/** A count below three quarters of ours, by more than three, means a reset: lost or uncounted calls do not explain it. */
const resetShare = 0.75;
const resetCalls = 3;
/** A reset is announced for a whole second, and its first call must not arrive before it. */
const resetSlackMs = 20;
/** If the hour is inferred from the minute, small errors add up to 3%. */
const inferenceFactor = 1.03;
/** Less than half a call counts as none. */
const leastCount = 0.5;
/** Other clients never get all of it: a tenth is kept for probing. */
const mostForOthers = 0.9;
/** A client that was throttled may send at once while unobserved: after 10 s, room for two more calls is reserved. */
const unobservedMs = 10_000;
const unobservedReserve = 2;
/** Within the last tenth of a window, a refusal that no header explains means that it is full. */
const nearlyFullShare = 0.1;
/** Newly found calls of others are spread over at least a second (`pieceMs`). */
const leastSpreadMs = 1000;
/** A value that the service sent less than 5 s ago is shown to people unchanged. */
const recentMs = 5000;

/** The last header that described the window. */
interface WindowObservation {
  readonly at: number;
  /** Calls with a response before this are counted. */
  readonly countedUpTo: number;
  readonly used: number;
  /** What certainly remained, with every ended call counted. */
  readonly remaining: number;
  /** The calls in it that are not ours. */
  readonly others: number;
  readonly endedThen: number;
  readonly resetAt: number | null;
}

/** An observation that has not been compared with the ledger yet. */
interface Pending {
  readonly reading: SpanReading;
  readonly used: number;
  readonly at: number;
  readonly inFlight: number;
  /** The one before it that was compared. */
  readonly since: WindowObservation | null;
}

/** How much certainly remains, and up to when calls are counted. */
export type FreshCount = Pick<WindowObservation, "remaining" | "countedUpTo">;

export type RateWindow = ReturnType<typeof makeWindow>;

export function makeWindow(span: Span, limit: number, traffic: Traffic) {
  const windowMs = spanMs[span];
  let latest: WindowObservation | null = null;
  let pending: Pending | null = null;
  /** Calls of ours that ended at or before this moment no longer count: the window has reset since. */
  let start = Number.NEGATIVE_INFINITY;
  /** The same for others' calls, which are placed by guess. */
  let othersStart = Number.NEGATIVE_INFINITY;
  /** True once it was observed to reset as a whole. */
  let resets = false;
  /** Calls sent before the reset was observed may still bring counts of the time before. */
  let resetObservedAt = 0;
  /** How many calls it could have accepted when last observed, including the one reserved for others' next call. */
  let roomThen = limit;
  /** False once a call at the announced reset was refused. */
  let resetTrusted = true;

  function edgeAt(now: number): number {
    return Math.max(now - windowMs * driftFactor - edgeMs, start);
  }

  /** Calls of ours and of the other runs of the ledger. */
  function knownAfter(edge: number): number {
    return traffic.ours.after(edge) + traffic.peers.tally.after(edge);
  }

  function ownAfter(edge: number, upTo: number): number {
    return traffic.ours.after(edge) - traffic.ours.after(slotOf(upTo));
  }

  /** The other runs' part of a count: at most (with their claims); at least (as reported) while runs may be joining that the ledger does not show yet. */
  function claimedOrReported(edge: number): number {
    const { reported, tally, joining } = traffic.peers;
    return (joining ? reported : tally).after(edge);
  }

  function reserveFor(unobserved: number): number {
    return unobserved > unobservedMs ? unobservedReserve : 0;
  }

  function othersAt(now: number): number {
    const { tally, rate } = traffic.others;
    // Until the next observation, others are assumed to keep their level: as one of their calls expires, they make another.
    const observed = Math.min(now, traffic.observedAt);
    const inferred = tally.after(Math.max(edgeAt(observed), othersStart));
    const perMs = rate();
    const kept =
      latest === null
        ? inferred * inferenceFactor + (inferred < leastCount && perMs === 0 ? 0 : traffic.uncounted)
        : latest.others + tally.after(slotOf(latest.at));
    if (perMs === 0 && kept < leastCount) return kept;
    // They may also have grown, but only into the room there was.
    const lapsed = tally.after(Math.max(edgeAt(now), othersStart));
    // If other runs are active, they observe as well, and leave room for what they find.
    const unobserved = Math.min(now - observed, traffic.peers.atWork ? spanMs.minute : windowMs);
    const grown = Math.min(Math.max(lapsed + perMs * unobserved, kept + reserveFor(unobserved)), kept + roomThen);
    return Math.min(Math.max(kept, grown) + 1, limit * mostForOthers);
  }

  /** How many calls the window contains, as far as known without asking, with room for what others may do unobserved. */
  function usedAt(now: number): number {
    return knownAfter(edgeAt(now)) + traffic.inFlight + othersAt(now);
  }

  /** What the last header allows, minus what was sent since and what others may have sent. */
  function creditAt(now: number): number {
    if (latest === null) return 0;
    const rate = traffic.others.rate();
    const unobserved = Math.max(0, now - traffic.observedAt);
    const reserve = rate > 0 || latest.others >= 1 ? 1 + Math.max(rate * unobserved, reserveFor(unobserved)) : 0;
    const sinceThen = traffic.begun - latest.endedThen + traffic.others.tally.after(slotOf(latest.at));
    return latest.remaining - sinceThen - traffic.peers.recent.after(latest.countedUpTo) - reserve;
  }

  /** How many calls could go now. */
  function left(now: number): number {
    return Math.max(0, Math.floor(Math.max(limit - usedAt(now), creditAt(now)) + rounding));
  }

  function hasRoom(at: number): boolean {
    return usedAt(at) <= limit - 1 + rounding;
  }

  /** At the announced moment a single call may find out whether the window has reset; null if it may not. */
  function resetWait(now: number): number | null {
    const resetAt = latest?.resetAt ?? null;
    if (latest === null || resetAt === null || !resetTrusted) return null;
    // Another run may have used what became free, or another client may take the next free place of a sliding window.
    const isAlone = traffic.peers.recent.after(latest.countedUpTo) === 0 && (resets || traffic.others.rate() === 0);
    if (!isAlone) return null;
    return now >= resetAt && traffic.inFlight > 0 ? Number.POSITIVE_INFINITY : Math.max(0, resetAt - now);
  }

  /** The count fell by more than time explains: a fixed window has begun again since the last observation. */
  function noteReset(before: WindowObservation, now: number): void {
    const at = Math.min(before.resetAt ?? now, now);
    resets = true;
    start = slotOf(before.at);
    othersStart = at;
    resetObservedAt = traffic.ended;
    traffic.others.assumed(before.at, at, Math.max(0, limit - before.used));
  }

  function learnOthers({ reading, used, at: now, inFlight }: Pending, latest: WindowObservation | null): void {
    const { others } = traffic;
    const edge = edgeAt(now);
    const othersEdge = Math.max(edge, othersStart);
    // Calls in flight may be counted in already: only what cannot be ours is theirs.
    const count = used - ownAfter(edge, now) - inFlight - claimedOrReported(edge);
    if (latest === null) {
      const elapsed = windowMs - (reading.reset?.ms ?? 0);
      others.found(count - others.tally.after(othersEdge), Math.min(Math.max(elapsed, leastSpreadMs), windowMs), now);
      return;
    }
    if (now - latest.at > windowMs) others.assumed(latest.at, now - windowMs, traffic.unobservedMost);
    others.observed(count, othersEdge, Math.max(latest.at, othersStart, now - windowMs), now, traffic.hadRoom);
  }

  /** Infers what other clients did. With other runs active, only with a fresh ledger: otherwise their calls would be counted as other clients'. */
  function settle(): void {
    if (pending !== null) learnOthers(pending, pending.since);
    pending = null;
    if (latest === null) return;
    const edge = edgeAt(latest.at);
    const notOurs = limit - latest.remaining - ownAfter(edge, latest.at);
    // How much of their claims the other runs had used is unknown, so what was known of other clients decides.
    const most = notOurs - traffic.peers.reported.after(edge);
    const least = notOurs - claimedOrReported(edge);
    const known = traffic.others.tally.after(Math.max(edge, othersStart));
    latest = { ...latest, others: Math.max(0, least, Math.min(known, most)) };
  }

  return {
    span,
    limit,
    left,
    /** The same for people: what the service itself said a moment ago, if it did. */
    shownLeft(now: number): number {
      if (latest === null || now - latest.at > recentMs) return left(now);
      return Math.max(0, latest.remaining - (traffic.begun - latest.endedThen));
    },
    isShown: () => latest !== null,
    resetAt: () => latest?.resetAt ?? null,
    /** How long until there is room for a whole window of calls: as the service says, or at most. */
    untilReset(now: number): number {
      return latest?.resetAt == null ? windowMs : Math.min(windowMs, Math.max(0, latest.resetAt - now));
    },
    /** How long until one more call may be sent; infinite if only a response still to come can show it. */
    wait(now: number): number {
      if (left(now) >= 1) return 0;
      const byReset = resetWait(now);
      if (byReset === Number.POSITIVE_INFINITY) return byReset;
      let low = now;
      let high = now + windowMs * driftFactor + waitSlackMs;
      if (!hasRoom(high)) return byReset ?? Number.POSITIVE_INFINITY;
      while (high - low > waitStepMs) {
        const middle = (low + high) / 2;
        if (hasRoom(middle)) high = middle;
        else low = middle;
      }
      return Math.min(high - now, byReset ?? Number.POSITIVE_INFINITY);
    },
    /** What one response's headers teach. `refused`: by a 429. */
    observe(reading: SpanReading, fresh: FreshCount, token: CallToken, refused: boolean, now: number): void {
      if (refused && token.at >= (latest?.resetAt ?? Number.POSITIVE_INFINITY)) resetTrusted = false;
      const used = limit - reading.remaining;
      if (token.ended >= resetObservedAt) {
        if (latest !== null && used < traffic.ours.after(edgeAt(now)) * resetShare - resetCalls) noteReset(latest, now);
        pending = { reading, used, at: now, inFlight: traffic.inFlight, since: pending?.since ?? latest };
      }
      const { reset } = reading;
      const others = latest?.others ?? 0;
      latest = {
        at: now,
        ...fresh,
        used,
        others,
        endedThen: traffic.ended,
        resetAt: reset === null ? null : now + reset.ms + reset.coarseMs + resetSlackMs,
      };
      if (!traffic.peers.atWork) settle();
    },
    settle,
    /** A refusal that no header explains, when this window is nearly full by our count: then it is full. */
    fillIfNearlyFull(now: number): void {
      const room = limit - usedAt(now);
      if (room > 0 && room <= limit * nearlyFullShare) traffic.others.found(room, leastSpreadMs, now);
    },
    /** How many calls the window could accept now by our own count, for the next observation. */
    noteRoom(now: number): void {
      roomThen = Math.max(0, limit - usedAt(now)) + 1;
    },
  };
}
