// What other programs use of the same limit: seen in one window, and inferred for the one that no header speaks of.
import { makeTally, type Tally } from "./tally.ts";

export interface Foreign {
  /** Others' calls, each placed where it most likely happened. */
  readonly tally: Tally;
  /** Calls per millisecond; 0 where nobody else is seen. */
  rate(): number;
  /** The first sight of a window: what it holds that is not ours happened somewhere within `elapsedMs`. */
  found(level: number, elapsedMs: number, now: number): void;
  /**
   * A later sight: `level` is what the window holds that is not ours, from `edge` on. `free`: there was room since the
   * last sight, so that what they did shows what they want.
   */
  seen(level: number, edge: number, since: number, now: number, free: boolean): void;
  /** A stretch nobody could look into: taken to be like the rest, but no more than there was room for. */
  assumed(from: number, to: number, most: number): void;
}

const memoryMs = 300_000;
const pieceMs = 1000;

export function makeForeign(): Foreign {
  const tally = makeTally();
  let calls = 0;
  let watchedMs = 0;

  function rate(): number {
    const perMs = watchedMs > 1000 ? calls / watchedMs : 0;
    // A call every few minutes needs no room kept free.
    return perMs * 60_000 < 0.3 ? 0 : perMs;
  }

  /** Nobody knows when within the stretch they happened: evenly is the best guess, and lapses evenly too. */
  function spread(from: number, to: number, count: number): void {
    const pieces = Math.min(Math.max(1, Math.ceil((to - from) / pieceMs)), 120);
    for (let piece = 1; piece <= pieces; piece++) tally.add(from + ((to - from) * piece) / pieces, count / pieces);
  }

  return {
    tally,
    rate,
    found(level, elapsedMs, now) {
      if (level > 0) spread(now - elapsedMs, now, level);
    },
    seen(level, edge, since, now, free) {
      const more = Math.max(0, level - tally.after(edge));
      const gap = Math.max(0, now - since);
      // After a long stretch without a look they are taken to be at work right now, as fast as they were ever seen.
      const pace = rate();
      if (more > 0) spread(pace === 0 ? since : Math.max(since, now - more / pace), now, more);
      if (!free) return;
      const fade = Math.exp(-gap / memoryMs);
      calls = calls * fade + more;
      watchedMs = watchedMs * fade + gap;
    },
    assumed(from, to, most) {
      const count = Math.min(rate() * Math.max(0, to - from), most);
      if (count > 0) spread(from, to, count);
    },
  };
}
