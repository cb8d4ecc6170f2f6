import { expect } from "vitest";

/** How much more the larger piece of work is. */
const factor = 8;
/** Linear work takes 8 times as long, quadratic work 64 times: this is as far from the one as from the other. */
const limit = 22;
/** Less than this says nothing. */
const floorMs = 20;

/** Processor time, so that other programs on the machine do not count. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Eight times the size must take about eight times the time. A pause or a cold compiler makes single runs slow, so that the
 * fastest run of each size counts, and runs alternate until the verdict is good: only what is slow every time fails.
 */
export async function expectLinear(work: (size: number) => unknown, size: number): Promise<void> {
  await work(size / factor);
  let small = Number.POSITIVE_INFINITY;
  let large = Number.POSITIVE_INFINITY;
  let growth = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5 && growth >= limit; run += 1) {
    large = Math.min(large, await cpuMs(() => work(size)));
    small = Math.min(small, await cpuMs(() => work(size / factor)));
    growth = large / Math.max(floorMs, small);
  }
  expect(growth, `${Math.round(large)} ms`).toBeLessThan(limit);
}
