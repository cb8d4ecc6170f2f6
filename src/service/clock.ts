// Time as the client sees it; simulations hand in their own.
import { setTimeout } from "node:timers/promises";

export interface Clock {
  /** Milliseconds since the epoch; never runs backward. */
  now(): number;
  /** Resolves after the time, or as soon as the signal is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A timer set for longer would end at once. */
const longestTimerMs = 0x7fffffff;

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) => setTimeout(Math.min(ms, longestTimerMs), undefined, { signal }).catch(() => undefined),
};
