// One limit: a number of calls in a minute, or in an hour. Whether the service's window slides or resets at fixed moments is
// not known; counting our own calls as if it slid is right for both, and a fresh `Remaining` may allow more.
import { type Span, spanMs } from "./rate-headers.ts";
import { type CallToken, type SpanReading, slotOf, type Traffic } from "./traffic.ts";
import {
  callsWithin,
  edgeOf,
  type KnownWindow,
  roomFor,
  type WindowObservation,
  type WindowState,
  waitForRoom,
} from "./window-room.ts";

// Found with the simulations of test/bench, as those of window-room.ts.

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
      state.latest = {
        at: now,
        ...fresh,
        used,
        others: latest?.others ?? 0,
        endedThen: traffic.ended,
        resetAt: reset === null ? null : now + reset.ms + reset.coarseMs + resetSlackMs,
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
