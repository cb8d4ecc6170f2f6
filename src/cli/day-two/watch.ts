// Again and again, no faster than the rate limit allows and leaving half of it to others.
import { setTimeout as sleep } from "node:timers/promises";
import type { Limits } from "../../service/pace/limits.ts";
import type { World } from "../world.ts";

const shortestSeconds = 10;
const spanSeconds = { minute: 60, hour: 3600 } as const;

/** How long to wait between rounds of so many calls. */
export function watchSeconds(limits: Limits, calls: number): number {
  const paces = limits.windows.map(({ span, limit }) => (calls * 2 * spanSeconds[span]) / Math.max(1, limit));
  return Math.ceil(Math.max(shortestSeconds, ...paces));
}

/** Ends after the time, or as soon as somebody stops it. */
export async function pause(world: World, seconds: number): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal: world.interrupted }).catch(() => undefined);
}
