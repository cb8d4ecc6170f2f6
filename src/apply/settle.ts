// How long it takes until what the service did shows in what it tells.

export interface Settle {
  /** Milliseconds to wait before something that is not shown counts as not there. */
  ms(): number;
  /** A list took so long to show something that was there. */
  sawLag(ms: number): void;
}

const margin = 4;

/** How much longer than that to look for what the service itself says is there. */
export const certainMs = 5000;

export function makeSettle(leastMs: number): Settle {
  let worst = 0;
  return {
    ms: () => Math.max(leastMs, margin * worst),
    sawLag(ms) {
      worst = Math.max(worst, ms);
    },
  };
}
