// One limit: a number of calls in a minute, or in an hour. Whether the service's window slides or resets at fixed moments is
// not known; counting our own calls as if it slid is right for both, and a fresh `Remaining` may allow more.
import { type Span, spanMs } from "./rate-headers.ts";
import { type CallToken, type SpanReading, slotOf, type Traffic } from "./traffic.ts";

// Found with the simulations of test/bench.

/** A count below three quarters of ours, by more than three, means a reset: lost or uncounted calls do not explain it. */
const resetShare = 0.75;
const resetCalls = 3;
/** A reset is announced for a whole second, and its first call must not arrive before it. */
const resetSlackMs = 20;
/** Within the last tenth of a window, a refusal that no header explains means that it is full. */
const nearlyFullShare = 0.1;
/** Newly found calls of others are spread over at least a second (`pieceMs`). */
const leastSpreadMs = 1000;
/** A value that the service sent less than 5 s ago is shown to people unchanged. */
const recentMs = 5000;

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
  const state: WindowState = {
    span,
    limit,
    latest: null,
    start: Number.NEGATIVE_INFINITY,
    othersStart: Number.NEGATIVE_INFINITY,
    resets: false,
    roomThen: limit,
    resetTrusted: true,
  };
  let pending: Pending | null = null;
  /** Calls sent before the reset was observed may still bring counts of the time before. */
  let resetObservedAt = 0;

  /** The count fell by more than time explains: a fixed window has begun again since the last observation. */
  function noteReset(before: WindowObservation, now: number): void {
    const at = Math.min(before.resetAt ?? now, now);
    state.resets = true;
    state.start = slotOf(before.at);
    state.othersStart = at;
    resetObservedAt = traffic.ended;
    traffic.others.assumed(before.at, at, Math.max(0, limit - before.used));
  }

  /** Infers what other clients did. With other runs active, only with a fresh ledger: otherwise their calls would be counted as other clients'. */
  function settle(): void {
    if (pending !== null) learnOthers(state, traffic, pending);
    pending = null;
    if (state.latest !== null) state.latest = { ...state.latest, others: othersIn(state, traffic, state.latest) };
  }

  return {
    span,
    limit,
    left: (now: number) => roomFor(state, traffic, now),
    /** The same for people: what the service itself said a moment ago, if it did. */
    shownLeft(now: number): number {
      const { latest } = state;
      if (latest === null || now - latest.at > recentMs) return roomFor(state, traffic, now);
      return Math.max(0, latest.remaining - (traffic.begun - latest.endedThen));
    },
    isShown: () => state.latest !== null,
    resetAt: () => state.latest?.resetAt ?? null,
    /** How long until there is room for a whole window of calls: as the service says, or at most. */
    untilReset(now: number): number {
      const resetAt = state.latest?.resetAt ?? null;
      return resetAt === null ? windowMs : Math.min(windowMs, Math.max(0, resetAt - now));
    },
    wait: (now: number) => waitForRoom(state, traffic, now),
    /** What one response's headers teach. `refused`: by a 429. */
    observe(reading: SpanReading, fresh: FreshCount, token: CallToken, refused: boolean, now: number): void {
      const { latest } = state;
      if (refused && token.at >= (latest?.resetAt ?? Number.POSITIVE_INFINITY)) state.resetTrusted = false;
      const used = limit - reading.remaining;
      if (token.ended >= resetObservedAt) {
        const ours = traffic.ours.after(edgeOf(state, now));
        if (latest !== null && used < ours * resetShare - resetCalls) noteReset(latest, now);
        pending = { reading, used, at: now, inFlight: traffic.inFlight, since: pending?.since ?? latest };
      }
      const { reset } = reading;
      const resetAt = reset === null ? null : now + reset.ms + reset.coarseMs + resetSlackMs;
      state.latest = {
        at: now,
        ...fresh,
        used,
        others: latest?.others ?? 0,
        endedThen: traffic.ended,
        resetAt,
        // After a 429, its own headers decide how long to wait.
        trustedUpTo: refused ? now : Math.min(resetAt ?? Number.POSITIVE_INFINITY, now + trustedMs),
      };
      if (!traffic.peers.atWork) settle();
    },
    settle,
    /** A refusal that no header explains, when this window is nearly full by our count: then it is full. */
    fillIfNearlyFull(now: number): void {
      const room = limit - callsWithin(state, traffic, now);
      if (room > 0 && room <= limit * nearlyFullShare) traffic.others.found(room, leastSpreadMs, now);
    },
    /** How many calls the window could accept now by our own count, for the next observation. */
    noteRoom(now: number): void {
      state.roomThen = Math.max(0, limit - callsWithin(state, traffic, now)) + 1;
    },
  };
}

function learnOthers(
  window: KnownWindow,
  traffic: Traffic,
  { reading, used, at: now, inFlight, since }: Pending,
): void {
  const { others } = traffic;
  const { othersStart } = window;
  const windowMs = spanMs[window.span];
  const edge = edgeOf(window, now);
  const othersEdge = Math.max(edge, othersStart);
  // Calls in flight may be counted in already: only what cannot be ours is theirs.
  const count = used - ownBetween(traffic, edge, now) - inFlight - claimedOrReported(traffic, edge);
  if (since === null) {
    const elapsed = windowMs - (reading.reset?.ms ?? 0);
    others.found(count - others.tally.after(othersEdge), Math.min(Math.max(elapsed, leastSpreadMs), windowMs), now);
    return;
  }
  if (now - since.at > windowMs) others.assumed(since.at, now - windowMs, traffic.unobservedMost);
  others.observed(count, othersEdge, Math.max(since.at, othersStart, now - windowMs), now, traffic.hadRoom);
}

/** How many calls of an observation are other clients'. */
function othersIn(window: KnownWindow, traffic: Traffic, { at, remaining }: WindowObservation): number {
  const edge = edgeOf(window, at);
  const notOurs = window.limit - remaining - ownBetween(traffic, edge, at);
  // How much of their claims the other runs had used is unknown, so what was known of other clients decides.
  const most = notOurs - traffic.peers.reported.after(edge);
  const least = notOurs - claimedOrReported(traffic, edge);
  const known = traffic.others.tally.after(Math.max(edge, window.othersStart));
  return Math.max(0, least, Math.min(known, most));
}

function ownBetween({ ours }: Traffic, edge: number, upTo: number): number {
  return ours.after(edge) - ours.after(slotOf(upTo));
}

/** The other runs' part of a count: at most (with their claims); at least (as reported) while runs may be joining that the ledger does not show yet. */
function claimedOrReported({ peers: { reported, tally, joining } }: Traffic, edge: number): number {
  return (joining ? reported : tally).after(edge);
}

// How many calls a window holds and how many more it can take, by what was observed of it.

// Found with the simulations of test/bench: the smallest margins at which no call is refused under any kind of window.

/** Clocks drift apart by up to 100 ppm, and a service may count the edge in. */
const driftFactor = 1.0001;
const edgeMs = 5;
/** A call's time is stored to 50 ms; a wait is computed to 5 ms. */
const waitSlackMs = 60;
const waitStepMs = 5;
/** Sums of fractions are off by less. */
const rounding = 1e-6;
/** If the hour is inferred from the minute, small errors add up to 3%. */
const inferenceFactor = 1.03;
/** Less than half a call counts as none. */
const leastCount = 0.5;
/** A count stays true this long, unless its reset comes first. After that, other clients never get all of the limit: a tenth is kept for probing. */
const trustedMs = 60_000;
const mostForOthers = 0.9;
/** A client that was throttled may send at once while unobserved: after 10 s, room for two more calls is reserved. */
const unobservedMs = 10_000;
const unobservedReserve = 2;

/** The last header that described the window. */
export interface WindowObservation {
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
  readonly trustedUpTo: number;
}

/** What is known of one limit. */
export interface WindowState {
  readonly span: Span;
  readonly limit: number;
  latest: WindowObservation | null;
  /** Calls of ours that ended at or before this moment no longer count: the window has reset since. */
  start: number;
  /** The same for others' calls, which are placed by guess. */
  othersStart: number;
  /** True once it was observed to reset as a whole. */
  resets: boolean;
  /** How many calls it could have accepted when last observed, including the one reserved for others' next call. */
  roomThen: number;
  /** False once a call at the announced reset was refused. */
  resetTrusted: boolean;
}

export type KnownWindow = Readonly<WindowState>;

/** Calls at or before this moment no longer count. */
export function edgeOf({ span, start }: KnownWindow, now: number): number {
  return Math.max(now - spanMs[span] * driftFactor - edgeMs, start);
}

function reserveFor(unobserved: number): number {
  return unobserved > unobservedMs ? unobservedReserve : 0;
}

function othersAt(window: KnownWindow, traffic: Traffic, now: number): number {
  const { latest, othersStart, span, limit, roomThen } = window;
  const { tally, rate } = traffic.others;
  // Until the next observation, others are assumed to keep their level: as one of their calls expires, they make another.
  const observed = Math.min(now, traffic.observedAt);
  const inferred = tally.after(Math.max(edgeOf(window, observed), othersStart));
  const perMs = rate();
  const kept =
    latest === null
      ? inferred * inferenceFactor + (inferred < leastCount && perMs === 0 ? 0 : traffic.uncounted)
      : latest.others + tally.after(slotOf(latest.at));
  if (perMs === 0 && kept < leastCount) return kept;
  // They may also have grown, but only into the room there was.
  const lapsed = tally.after(Math.max(edgeOf(window, now), othersStart));
  // If other runs are active, they observe as well, and leave room for what they find.
  const unobserved = Math.min(now - observed, spanMs[traffic.peers.atWork ? "minute" : span]);
  const grown = Math.min(Math.max(lapsed + perMs * unobserved, kept + reserveFor(unobserved)), kept + roomThen);
  const most = latest !== null && now < latest.trustedUpTo ? limit : limit * mostForOthers;
  return Math.min(Math.max(kept, grown) + 1, most);
}

/** How many calls the window contains, as far as known without asking, with room for what others may do unobserved. */
export function callsWithin(window: KnownWindow, traffic: Traffic, now: number): number {
  const edge = edgeOf(window, now);
  const known = traffic.ours.after(edge) + traffic.peers.tally.after(edge);
  return known + traffic.inFlight + othersAt(window, traffic, now);
}

/** What the last header allows, minus what was sent since and what others may have sent. */
function creditAt({ latest }: KnownWindow, traffic: Traffic, now: number): number {
  if (latest === null) return 0;
  const rate = traffic.others.rate();
  const unobserved = Math.max(0, now - traffic.observedAt);
  const reserve = rate > 0 || latest.others >= 1 ? 1 + Math.max(rate * unobserved, reserveFor(unobserved)) : 0;
  const sinceThen = traffic.begun - latest.endedThen + traffic.others.tally.after(slotOf(latest.at));
  return latest.remaining - sinceThen - traffic.peers.recent.after(latest.countedUpTo) - reserve;
}

/** How many calls could go now. */
export function roomFor(window: KnownWindow, traffic: Traffic, now: number): number {
  const room = Math.max(window.limit - callsWithin(window, traffic, now), creditAt(window, traffic, now));
  return Math.max(0, Math.floor(room + rounding));
}

/** At the announced moment a single call may find out whether the window has reset; null if it may not. */
function resetWait({ latest, resetTrusted, resets }: KnownWindow, traffic: Traffic, now: number): number | null {
  const resetAt = latest?.resetAt ?? null;
  if (latest === null || resetAt === null || !resetTrusted) return null;
  // Another run may have used what became free, or another client may take the next free place of a sliding window.
  const isAlone = traffic.peers.recent.after(latest.countedUpTo) === 0 && (resets || traffic.others.rate() === 0);
  if (!isAlone) return null;
  return now >= resetAt && traffic.inFlight > 0 ? Number.POSITIVE_INFINITY : Math.max(0, resetAt - now);
}

/** How long until one more call may be sent, or until it is worth looking again; infinite if only a response still to come can show it. */
export function waitForRoom(window: KnownWindow, traffic: Traffic, now: number): number {
  if (roomFor(window, traffic, now) >= 1) return 0;
  const byReset = resetWait(window, traffic, now);
  if (byReset === Number.POSITIVE_INFINITY) return byReset;
  const hasRoom = (at: number) => callsWithin(window, traffic, at) <= window.limit - 1 + rounding;
  let low = now;
  let high = now + spanMs[window.span] * driftFactor + waitSlackMs;
  // By the service's clock, calls of an earlier run may be a moment ahead of ours, so that they lapse only after that.
  if (!hasRoom(high)) return byReset ?? (traffic.inFlight > 0 ? Number.POSITIVE_INFINITY : high - now);
  while (high - low > waitStepMs) {
    const middle = (low + high) / 2;
    if (hasRoom(middle)) high = middle;
    else low = middle;
  }
  return Math.min(high - now, byReset ?? Number.POSITIVE_INFINITY);
}
