// Answers to calls that were under way together arrive in any order, so the latest answer need not hold the latest
// count. Of those that may be the latest, the smallest `Remaining` counts.
import type { Reading } from "./rate-headers.ts";
import type { Span } from "./tier.ts";

export interface SpanReading extends Reading {
  readonly span: Span;
}

export interface Overlap {
  /** `endedAtSend`: how many calls had ended when this one was sent; `ended`: how many have now, with this one. */
  add(endedAtSend: number, ended: number, readings: readonly SpanReading[]): void;
  /** What certainly remains once every ended call is counted. */
  remaining(span: Span): number;
}

interface Entry {
  readonly ended: number;
  readonly readings: readonly SpanReading[];
}

export function makeOverlap(): Overlap {
  let entries: Entry[] = [];
  let latestSend = 0;
  return {
    add(endedAtSend, ended, readings) {
      latestSend = Math.max(latestSend, endedAtSend);
      entries.push({ ended, readings });
      // What had ended before the latest of them was even sent cannot hold the latest count.
      if ((entries[0] as Entry).ended <= latestSend) entries = entries.filter((entry) => entry.ended > latestSend);
    },
    remaining(span) {
      let least = Number.POSITIVE_INFINITY;
      let silent = 0;
      for (const { readings } of entries) {
        const reading = readings.find((each) => each.span === span);
        if (reading === undefined) silent++;
        else least = Math.min(least, reading.remaining);
      }
      return least - silent;
    },
  };
}
