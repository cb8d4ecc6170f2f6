// One limit: so many calls in a minute, or in an hour. Whether the service's window slides or turns at fixed moments
// is not known; counting our own calls as if it slid is right for both, and a fresh `Remaining` may allow more.
import type { Foreign } from "./other-clients.ts";
import { slotOf, type Tally } from "./tally.ts";
import type { Span } from "./tier.ts";

/** What the whole meter knows, as a window needs it. */
export interface Traffic {
  readonly ours: Tally;
  readonly foreign: Foreign;
  /** Calls begun and not ended. */
  readonly underWay: number;
  readonly begun: number;
  readonly ended: number;
  /** The latest moment at which any header was seen. */
  readonly lastSight: number;
  /** Calls that were under way at the last look: counted in already or not. */
  readonly unsure: number;
  /** True where the last look left room in every window. */
  readonly hadRoom: boolean;
  /** How many calls others can have made unseen at most, by the other windows. */
  readonly unseenMost: number;
}

export interface Window {
  readonly span: Span;
  readonly spanMs: number;
  readonly limit: number;
  /** The last header that spoke of this window. */
  sight: Sight | null;
  /** What of ours ended at or before this moment no longer counts: the window has turned since. */
  start: number;
  /** The same for others' calls, which are placed by guess. */
  othersStart: number;
  /** True once it was seen to turn as a whole. */
  turns: boolean;
  /** Calls sent before the turn was seen may still bring counts of the time before. */
  turnedAt: number;
  /** How many calls it could have taken when last looked at. */
  roomThen: number;
  /** False once a call at the announced reset was refused. */
  resetTrusted: boolean;
}

interface Sight {
  readonly at: number;
  readonly used: number;
  /** What certainly remained, with every ended call counted. */
  readonly remaining: number;
  /** What it held that is not ours. */
  readonly level: number;
  readonly endedThen: number;
  readonly resetAt: number | null;
}

export const spanMs: Readonly<Record<Span, number>> = { minute: 60_000, hour: 3_600_000 };

export function makeWindow(span: Span, limit: number): Window {
  return {
    span,
    spanMs: spanMs[span],
    limit,
    sight: null,
    start: Number.NEGATIVE_INFINITY,
    othersStart: Number.NEGATIVE_INFINITY,
    turns: false,
    turnedAt: 0,
    roomThen: limit,
    resetTrusted: true,
  };
}

/** Clocks drift apart a little, and a service may count the edge in. */
export function edgeOf(window: Window, now: number): number {
  return Math.max(now - window.spanMs * 1.0001 - 5, window.start);
}

/** How many calls the window holds, as far as can be known without asking, with room for what others may do unseen. */
export function usedAt(window: Window, traffic: Traffic, now: number): number {
  return traffic.ours.after(edgeOf(window, now)) + traffic.underWay + othersAt(window, traffic, now);
}

export function othersAt(window: Window, traffic: Traffic, now: number): number {
  const { tally, rate } = traffic.foreign;
  const { sight } = window;
  // Until the next look others are taken to keep what they have: as one of their calls lapses, they make another.
  const looked = Math.min(now, traffic.lastSight);
  const inferred = tally.after(Math.max(edgeOf(window, looked), window.othersStart));
  const kept =
    sight === null
      ? inferred * 1.03 + (inferred < 0.5 && rate() === 0 ? 0 : traffic.unsure)
      : sight.level + tally.after(slotOf(sight.at));
  const perMs = rate();
  if (perMs === 0 && kept < 0.5) return kept;
  // They may also have grown, but only into the room there was.
  const lapsed = tally.after(Math.max(edgeOf(window, now), window.othersStart));
  const grown = Math.min(
    Math.max(lapsed + perMs * Math.min(now - looked, window.spanMs), kept + restless(now - looked)),
    kept + window.roomThen,
  );
  return Math.min(Math.max(kept, grown) + 1, window.limit * 0.9);
}

/** Who was held back before may come at once when nobody looks: after a while, room for two more is kept. */
function restless(unseenMs: number): number {
  return unseenMs > 10_000 ? 2 : 0;
}

/** What the last header allows, less what was sent since and what others may have sent. */
function creditAt(window: Window, traffic: Traffic, now: number): number {
  const { sight } = window;
  if (sight === null) return 0;
  const rate = traffic.foreign.rate();
  const unseen = Math.max(0, now - traffic.lastSight);
  const reserve = rate > 0 || sight.level >= 1 ? 1 + Math.max(rate * unseen, restless(unseen)) : 0;
  return sight.remaining - (traffic.begun - sight.endedThen) - traffic.foreign.tally.after(slotOf(sight.at)) - reserve;
}

/** How many calls could go now. */
export function leftAt(window: Window, traffic: Traffic, now: number): number {
  const byCount = window.limit - usedAt(window, traffic, now);
  return Math.max(0, Math.floor(Math.max(byCount, creditAt(window, traffic, now)) + 1e-6));
}

/** The same for people: what the service itself said a moment ago, where it did. */
export function shownLeftAt(window: Window, traffic: Traffic, now: number): number {
  const { sight } = window;
  if (sight === null || now - sight.at > 5000) return leftAt(window, traffic, now);
  return Math.max(0, sight.remaining - (traffic.begun - sight.endedThen));
}

/** How long until one more call may go; infinite where only an answer that is still to come can tell. */
export function waitFor(window: Window, traffic: Traffic, now: number): number {
  if (leftAt(window, traffic, now) >= 1) return 0;
  const byReset = resetWait(window, traffic, now);
  let low = now;
  let high = now + window.spanMs * 1.0001 + 60;
  if (!hasRoom(window, traffic, high)) return byReset;
  while (high - low > 5) {
    const middle = (low + high) / 2;
    if (hasRoom(window, traffic, middle)) high = middle;
    else low = middle;
  }
  return Math.min(high - now, byReset);
}

function hasRoom(window: Window, traffic: Traffic, at: number): boolean {
  return usedAt(window, traffic, at) <= window.limit - 1 + 1e-6;
}

/** When the announced moment is there, a single call may look whether the window has turned. */
function resetWait(window: Window, traffic: Traffic, now: number): number {
  const { sight } = window;
  if (sight === null || sight.resetAt === null || !window.resetTrusted || traffic.underWay > 0) {
    return Number.POSITIVE_INFINITY;
  }
  // Beside others a sliding window's next free place may be taken by them.
  if (!window.turns && traffic.foreign.rate() > 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, sight.resetAt - now);
}

/** How many calls the window could take now by our own count, kept for the next look. */
export function noteRoom(window: Window, traffic: Traffic, now: number): void {
  // With the one place that is kept for others' next call.
  window.roomThen = Math.max(0, window.limit - usedAt(window, traffic, now)) + 1;
}
