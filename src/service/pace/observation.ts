// What one answer's headers teach about one window: how full it is, whether it has turned, and what others do in it.
import type { SpanReading } from "./in-flight.ts";
import { slotOf } from "./tally.ts";
import { edgeOf, type Traffic, usedAt, type Window } from "./window.ts";

/** `remaining` is what is certainly left, `endedAtSend` as in Overlap. */
export function observeWindow(
  window: Window,
  traffic: Traffic,
  reading: SpanReading,
  remaining: number,
  endedAtSend: number,
  now: number,
): void {
  const before = window.sight;
  const used = window.limit - reading.remaining;
  if (endedAtSend >= window.turnedAt) {
    if (before !== null && used < traffic.ours.after(edgeOf(window, now)) * 0.75 - 3) turn(window, traffic, now);
    learnOthers(window, traffic, reading, used, now);
  }
  const { reset } = reading;
  window.sight = {
    at: now,
    used,
    remaining,
    level: Math.max(0, window.limit - remaining - traffic.ours.after(edgeOf(window, now))),
    endedThen: traffic.ended,
    resetAt: reset === null ? null : now + reset.ms + reset.coarseMs + 20,
  };
}

/** The count fell by more than time explains: a window of fixed moments has begun anew since the last look. */
function turn(window: Window, traffic: Traffic, now: number): void {
  const before = window.sight;
  if (before === null) return;
  const turned = Math.min(before.resetAt ?? now, now);
  window.turns = true;
  window.start = slotOf(before.at);
  window.othersStart = turned;
  window.turnedAt = traffic.ended;
  traffic.foreign.assumed(before.at, turned, Math.max(0, window.limit - before.used));
}

function learnOthers(window: Window, traffic: Traffic, reading: SpanReading, used: number, now: number): void {
  const { foreign } = traffic;
  const before = window.sight;
  const edge = edgeOf(window, now);
  const othersEdge = Math.max(edge, window.othersStart);
  // Calls still under way may be counted in already: only what cannot be ours is theirs.
  const level = used - traffic.ours.after(edge) - traffic.underWay;
  if (before === null) {
    const elapsed = window.spanMs - (reading.reset?.ms ?? 0);
    foreign.found(level - foreign.tally.after(othersEdge), Math.min(Math.max(elapsed, 1000), window.spanMs), now);
    return;
  }
  if (now - before.at > window.spanMs) foreign.assumed(before.at, now - window.spanMs, traffic.unseenMost);
  foreign.seen(level, othersEdge, Math.max(before.at, window.othersStart, now - window.spanMs), now, traffic.hadRoom);
}

/** A refusal that no header explains, when this window is nearly full by our count: then it is full. */
export function fillIfNearlyFull(window: Window, traffic: Traffic, now: number): void {
  const left = window.limit - usedAt(window, traffic, now);
  if (left > 0 && left <= window.limit * 0.1) traffic.foreign.found(left, 1000, now);
}
