// One window of a rate limit, in milliseconds of the elapsed clock.
import type { Profile } from "./knobs.ts";

export interface Window {
  readonly limit: number;
  add(at: number): void;
  remaining(at: number): number;
  /** Until the window is new, or, where it slides, until its oldest call falls out. */
  reset(at: number): number;
  /** Until one more call fits; 0: now. */
  wait(at: number): number;
}

export function createWindow(kind: Profile["window"], length: number, limit: number): Window {
  return kind === "sliding" ? slidingWindow(length, limit) : fixedWindow(length, limit, kind === "aligned");
}

function fixedWindow(length: number, limit: number, aligned: boolean): Window {
  let start = Number.NEGATIVE_INFINITY;
  let used = 0;
  function turn(at: number): void {
    if (at < start + length && at >= start) return;
    start = aligned ? Math.floor(at / length) * length : at;
    used = 0;
  }
  return {
    limit,
    add(at) {
      turn(at);
      used++;
    },
    remaining(at) {
      turn(at);
      return Math.max(0, limit - used);
    },
    reset(at) {
      turn(at);
      return start + length - at;
    },
    wait(at) {
      turn(at);
      return used < limit ? 0 : start + length - at;
    },
  };
}

function slidingWindow(length: number, limit: number): Window {
  let calls: number[] = [];
  let head = 0;
  function turn(at: number): void {
    while (head < calls.length && (calls[head] as number) <= at - length) head++;
    if (head > 1024 && head * 2 > calls.length) {
      calls = calls.slice(head);
      head = 0;
    }
  }
  return {
    limit,
    add(at) {
      turn(at);
      calls.push(at);
    },
    remaining(at) {
      turn(at);
      return Math.max(0, limit - (calls.length - head));
    },
    reset(at) {
      turn(at);
      return head < calls.length ? (calls[head] as number) + length - at : length;
    },
    wait(at) {
      turn(at);
      const used = calls.length - head;
      return used < limit ? 0 : (calls[head + used - limit] as number) + length - at;
    },
  };
}
