// How many calls a window holds and how many more it can take, by what was observed of it.
import { type Span, spanMs } from "./rate-headers.ts";
import { slotOf, type Traffic } from "./traffic.ts";

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
/** Other clients never get all of it: a tenth is kept for probing. */
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
  return Math.min(Math.max(kept, grown) + 1, limit * mostForOthers);
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

/** How long until one more call may be sent; infinite if only a response still to come can show it. */
export function waitForRoom(window: KnownWindow, traffic: Traffic, now: number): number {
  if (roomFor(window, traffic, now) >= 1) return 0;
  const byReset = resetWait(window, traffic, now);
  if (byReset === Number.POSITIVE_INFINITY) return byReset;
  const hasRoom = (at: number) => callsWithin(window, traffic, at) <= window.limit - 1 + rounding;
  let low = now;
  let high = now + spanMs[window.span] * driftFactor + waitSlackMs;
  if (!hasRoom(high)) return byReset ?? Number.POSITIVE_INFINITY;
  while (high - low > waitStepMs) {
    const middle = (low + high) / 2;
    if (hasRoom(middle)) high = middle;
    else low = middle;
  }
  return Math.min(high - now, byReset ?? Number.POSITIVE_INFINITY);
}
