// Calls over time: our own, those of other clients of the same limit, and those in flight.
import { countBefore } from "../../model/value.ts";
import type { RateReading, Span } from "./rate-headers.ts";

/** Calls that end within 50 ms share one entry, so that an unlimited service cannot fill the memory: at most 72,000 an hour. */
const grainMs = 50;

/** Cutting the front of the list is worth it only now and then. */
const leastForgotten = 1000;

/** Rounded up, so that a call is never thought to expire early. */
export function slotOf(at: number): number {
  return Math.ceil(at / grainMs) * grainMs;
}

export type Tally = ReturnType<typeof makeTally>;

/** How many calls happened after a moment, for moments within the last hour and a bit. */
export function makeTally() {
  let times: number[] = [];
  let sums: number[] = [];
  let dropped = 0;

  function firstAfter(moment: number): number {
    return countBefore(times.length, (index) => (times[index] as number) <= moment);
  }

  function sumBefore(index: number): number {
    return index === 0 ? dropped : (sums[index - 1] as number);
  }

  return {
    add(at: number, count: number): void {
      const last = times.length - 1;
      const slot = Math.max(slotOf(at), times[last] ?? 0);
      const sum = sumBefore(times.length) + count;
      if (times[last] === slot) {
        sums[last] = sum;
        return;
      }
      times.push(slot);
      sums.push(sum);
    },
    after: (moment: number) => sumBefore(times.length) - sumBefore(firstAfter(moment)),
    forget(before: number): void {
      const keep = firstAfter(before);
      if (keep < leastForgotten || keep < times.length / 2) return;
      dropped = sumBefore(keep);
      times = times.slice(keep);
      sums = sums.slice(keep);
    },
    clear(): void {
      times = [];
      sums = [];
      dropped = 0;
    },
    entries: () => times.map((at, index) => [at, (sums[index] as number) - sumBefore(index)] as const),
  };
}

/** How fast others call is averaged over the last five minutes: long enough for a few bursts, short enough to notice their end. */
const rateMemoryMs = 300_000;
/** Less than a second shows no rate. */
const leastWatchedMs = 1000;
/** Fewer than three calls in ten minutes need no room reserved. */
const leastPerMinute = 0.3;
/** Guessed calls are spread one per second, and over an hour one per 30 seconds. */
const pieceMs = 1000;
const mostPieces = 120;

/** How much of the limit other clients use: observed in one window, inferred for the one that no header describes. */
export function makeOtherClients() {
  /** Their calls, each placed where it most likely happened. */
  const tally = makeTally();
  let calls = 0;
  let watchedMs = 0;

  /** Calls per millisecond; 0 if there are no others. */
  function rate(): number {
    const perMs = watchedMs > leastWatchedMs ? calls / watchedMs : 0;
    return perMs * 60_000 < leastPerMinute ? 0 : perMs;
  }

  /** When within the period they happened is unknown: evenly is the best guess, and lapses evenly too. */
  function spread(from: number, to: number, count: number): void {
    const pieces = Math.min(Math.max(1, Math.ceil((to - from) / pieceMs)), mostPieces);
    for (let piece = 1; piece <= pieces; piece++) tally.add(from + ((to - from) * piece) / pieces, count / pieces);
  }

  return {
    tally,
    rate,
    /** This many calls attributed to other clients were made by a run that has since joined the ledger; infinite: all. */
    disclaim(count: number): void {
      const entries = tally.entries();
      const sum = entries.reduce((total, [, each]) => total + each, 0);
      const part = sum === 0 ? 0 : Math.max(0, 1 - count / sum);
      tally.clear();
      if (part > 0) for (const [at, each] of entries) tally.add(at, each * part);
      // Their speed has to be measured again.
      calls = 0;
      watchedMs = 0;
    },
    /** The first observation of a window: the calls in it that are not ours happened somewhere within `elapsedMs`. */
    found(count: number, elapsedMs: number, now: number): void {
      if (count > 0) spread(now - elapsedMs, now, count);
    },
    /**
     * A later observation: `count` calls in the window, from `edge` on, are not ours. `free`: there was room since the last
     * observation, so what others sent shows how much they want to send.
     */
    observed(count: number, edge: number, since: number, now: number, free: boolean): void {
      const more = Math.max(0, count - tally.after(edge));
      const gap = Math.max(0, now - since);
      // After a long gap, others are assumed to be active right now, at the rate observed so far.
      const pace = rate();
      if (more > 0) spread(pace === 0 ? since : Math.max(since, now - more / pace), now, more);
      if (!free) return;
      const fade = Math.exp(-gap / rateMemoryMs);
      calls = calls * fade + more;
      watchedMs = watchedMs * fade + gap;
    },
    /** A period that could not be observed: assumed to be like the rest, but within the room there was. */
    assumed(from: number, to: number, most: number): void {
      const count = Math.min(rate() * Math.max(0, to - from), most);
      if (count > 0) spread(from, to, count);
    },
  };
}

/** The other runs of the ledger. */
export interface Peers {
  /** Their calls and, at the end of each claim, the claimed ones: as if all were sent at the last moment. */
  readonly tally: Tally;
  /** Their calls alone, as far as they have reported them. */
  readonly reported: Tally;
  /** Without the calls of runs that ended before we began. */
  readonly recent: Tally;
  /** True if one of them is active: then only the ledger distinguishes its calls from those of other clients. */
  readonly atWork: boolean;
  /** True if one has joined a moment ago: others may have begun as well and not be in the ledger yet. */
  readonly joining: boolean;
}

/** What the whole meter knows, as a window needs it. */
export interface Traffic {
  readonly ours: Tally;
  readonly peers: Peers;
  readonly others: ReturnType<typeof makeOtherClients>;
  /** Calls begun and not ended. */
  readonly inFlight: number;
  readonly begun: number;
  readonly ended: number;
  /** When headers were last observed. */
  readonly observedAt: number;
  /** Calls in flight at that time: counted already or not. */
  readonly uncounted: number;
  /** True if the last observation left room in every window. */
  readonly hadRoom: boolean;
  /** The most calls that others can have made unobserved, by the other windows. */
  readonly unobservedMost: number;
}

export interface SpanReading extends RateReading {
  readonly span: Span;
}

/** Taken when a call is sent. */
export interface CallToken {
  readonly at: number;
  /** How many calls had ended. */
  readonly ended: number;
}

interface EndedCall {
  readonly ended: number;
  readonly sentAt: number;
  readonly readings: readonly SpanReading[];
}

/**
 * Responses to calls in flight together arrive in any order, so the latest response need not hold the latest count. Of those
 * that may be the latest, the smallest `Remaining` counts.
 */
export function makeLatestReadings() {
  let calls: EndedCall[] = [];
  let latestSend = 0;
  return {
    /** `ended`: how many calls have ended now, with this one. */
    add(token: CallToken, ended: number, readings: readonly SpanReading[]): void {
      latestSend = Math.max(latestSend, token.ended);
      calls.push({ ended, sentAt: token.at, readings });
      // A response to a call that ended before the latest was sent cannot hold the latest count.
      if ((calls[0] as EndedCall).ended <= latestSend) calls = calls.filter((call) => call.ended > latestSend);
    },
    /** All calls that got a response before this moment are counted. */
    countedUpTo: () => calls.reduce((earliest, { sentAt }) => Math.min(earliest, sentAt), Number.POSITIVE_INFINITY),
    /** What certainly remains once every ended call is counted. */
    remaining(span: Span): number {
      let least = Number.POSITIVE_INFINITY;
      let silent = 0;
      for (const { readings } of calls) {
        const reading = readings.find((each) => each.span === span);
        if (reading === undefined) silent++;
        else least = Math.min(least, reading.remaining);
      }
      return least - silent;
    },
  };
}
