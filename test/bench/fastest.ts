// The fastest that anybody could have been, for comparison.
import type { ServiceOptions } from "./simulated-service.ts";

/** Alone: N calls under M per minute and H per hour, in seconds. */
export function fastestAlone(calls: number, options: ServiceOptions, concurrency: number): number {
  const rest = (calls - 1) % options.hour;
  const lastMinute = ((rest % options.minute) + 1) * (options.latencyMs / 1000);
  return (
    3600 * Math.floor((calls - 1) / options.hour) + 60 * Math.floor(rest / options.minute) + lastMinute / concurrency
  );
}

/** Beside another client: by one who knew beforehand every call that the other would make, in seconds. */
export function fastestBeside(
  calls: number,
  options: ServiceOptions,
  concurrency: number,
  start: number,
  others: readonly number[],
): number {
  const fits = options.kind === "fixed" ? fitsFixed(options, start, others) : fitsSliding(options, others);
  const step = options.latencyMs / concurrency;
  let at = start + options.latencyMs / 2;
  for (let placed = 0; placed < calls; placed++) {
    while (!fits(at)) at += 100;
    at += step;
  }
  return (at - start) / 1000;
}

type Fits = (at: number) => boolean;

function fitsFixed(options: ServiceOptions, start: number, others: readonly number[]): Fits {
  const begin = start - options.phaseMs;
  const windows = [
    { ms: 60_000, limit: options.minute, used: new Map<number, number>() },
    { ms: 3_600_000, limit: options.hour, used: new Map<number, number>() },
  ];
  const numbered = windows.map((window) => ({ window, number: (at: number) => Math.floor((at - begin) / window.ms) }));
  for (const at of others)
    for (const { window, number } of numbered) window.used.set(number(at), (window.used.get(number(at)) ?? 0) + 1);
  return (at) => {
    if (numbered.some(({ window, number }) => (window.used.get(number(at)) ?? 0) >= window.limit)) return false;
    for (const { window, number } of numbered) window.used.set(number(at), (window.used.get(number(at)) ?? 0) + 1);
    return true;
  };
}

function fitsSliding(options: ServiceOptions, others: readonly number[]): Fits {
  const ours: number[] = [];
  const windows = [
    { ms: 60_000, limit: options.minute },
    { ms: 3_600_000, limit: options.hour },
  ];
  const held = (end: number, ms: number) => between(others, end - ms, end) + between(ours, end - ms, end);
  return (at) => {
    for (const { ms, limit } of windows) {
      if (held(at, ms) >= limit) return false;
      // A call now must not push out one that the other will make.
      for (let index = firstAfter(others, at); index < others.length; index++) {
        const later = others[index] as number;
        if (later >= at + ms) break;
        if (held(later, ms) >= limit) return false;
      }
    }
    ours.push(at);
    return true;
  };
}

function between(times: readonly number[], after: number, upTo: number): number {
  return firstAfter(times, upTo) - firstAfter(times, after);
}

function firstAfter(times: readonly number[], moment: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}
