// When the next call may go. Calls pass one by one; who must wait stands in line, and the reason is told once.

import type { Clock } from "../clock.ts";
import type { Listener, WaitNote, WaitReason } from "../http/listener.ts";
import { throttleBackoffMs } from "../http/retry.ts";
import { type AnswerHeaders, headerOf } from "../http/transport.ts";
import { type Problem, problemOf } from "../problem.ts";
import type { Meter } from "./meter.ts";
import { readRateHeaders, readRetryAfter } from "./rate-headers.ts";

// A wait in words.

export interface Hold {
  readonly ms: number;
  readonly reason: WaitReason;
}

export function waitNote(hold: Hold): WaitNote {
  const because = why(hold.reason);
  return {
    reason: hold.reason,
    ms: hold.ms,
    why: because,
    message: `Waiting ${lengthOf(hold.ms)}: ${because}.`,
  };
}

export function tooLong(hold: Hold, maxWaitMs: number): Problem {
  return problemOf(
    "throttled",
    "rate-limited-too-long",
    `The next call must wait ${lengthOf(hold.ms)}: ${why(hold.reason)}. That is longer than the longest wait allowed (${lengthOf(maxWaitMs)}).`,
    `Run the command again in ${lengthOf(hold.ms)}: it goes on where it stopped. Or allow a longer wait with --max-wait ${Math.ceil(hold.ms / 1000)}.`,
  );
}

export function interrupted(): Problem {
  return problemOf(
    "not-sent",
    "interrupted",
    "The run was stopped before this call was sent.",
    "Run the command again to go on.",
  );
}

function why(reason: WaitReason): string {
  switch (reason) {
    case "minute":
      return "the calls that the service allows per minute are used up";
    case "hour":
      return "the calls that the service allows per hour are used up";
    case "asked":
      return "the service asks for a pause";
    case "backoff":
      return "the service refused a call as one too many and does not say for how long";
  }
}

function lengthOf(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export interface Pace {
  /** Null: go now. Otherwise a promise, kept when the call may go (null) or must not (the problem). */
  enter(): Promise<Problem | null> | null;
  /** Taken right before a call is sent and handed back with its answer. */
  token(): number;
  /** An answer came: what its headers say is learned. */
  answered(status: number, headers: AnswerHeaders, token: number): void;
  /** No answer came. */
  faulted(sent: boolean): void;
  close(): void;
}

export interface PaceOptions {
  readonly meter: Meter;
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxWaitMs: number;
  readonly signal: AbortSignal | undefined;
  readonly listener: Listener;
}

/** Beside other users a look that is older than this is followed by a single call before many go. */
const staleMs = 10_000;
const tellFromMs = 200;

export function makePace({ meter, clock, random, maxWaitMs, signal, listener }: PaceOptions): Pace {
  const line: ((problem: Problem | null) => void)[] = [];
  let answers = 0;
  let refusals = 0;
  let heldUntil = 0;
  let heldBecause: "asked" | "backoff" = "backoff";
  let pumping = false;
  let alarm: AbortController | null = null;
  let toldUntil = 0;

  function holdAt(now: number): Hold {
    if (heldUntil > now) return { ms: heldUntil - now, reason: heldBecause };
    // The first call, and the first after a refusal, go alone: their answers tell how many may follow.
    const alone = answers === 0 || refusals > 0 || (meter.shared() && now - meter.lastSight > staleMs);
    if (alone && meter.underWay > 0) return { ms: Number.POSITIVE_INFINITY, reason: "minute" };
    const { ms, span } = meter.wait(now);
    return { ms, reason: span };
  }

  function enter(): Promise<Problem | null> | null {
    if (line.length === 0 && holdAt(clock.now()).ms <= 0) {
      meter.begin();
      return null;
    }
    return new Promise((resolve) => {
      line.push(resolve);
      if (!pumping) void pump();
    });
  }

  async function pump(): Promise<void> {
    pumping = true;
    for (let next = line[0]; next !== undefined; next = line[0]) {
      const now = clock.now();
      const hold = holdAt(now);
      if (signal?.aborted === true) {
        line.shift();
        next(interrupted());
      } else if (hold.ms <= 0) {
        line.shift();
        meter.begin();
        next(null);
      } else if (hold.ms > maxWaitMs && Number.isFinite(hold.ms)) {
        line.shift();
        next(tooLong(hold, maxWaitMs));
      } else {
        tell(hold, now);
        alarm = new AbortController();
        await clock.sleep(hold.ms, alarm.signal);
        alarm = null;
      }
    }
    pumping = false;
  }

  function tell(hold: Hold, now: number): void {
    const until = now + hold.ms;
    if (!Number.isFinite(until) || hold.ms < tellFromMs || until - toldUntil < tellFromMs) return;
    toldUntil = until;
    listener.onWait?.(waitNote(hold));
  }

  function wake(): void {
    alarm?.abort();
  }

  function holdBack(headers: AnswerHeaders, now: number): void {
    const asked = readRetryAfter(headerOf(headers, "retry-after"), headerOf(headers, "date"), now);
    const turns = readRateHeaders(headers, now)
      .filter((reading) => reading.remaining === 0)
      .map((reading) => (reading.reset === null ? 0 : reading.reset.ms + reading.reset.coarseMs));
    const guess = Math.max(...turns, throttleBackoffMs(refusals, random));
    // A little later than asked, and not all runners at the same moment.
    const ms =
      asked === null ? guess : Math.max(asked, 50 * 2 ** refusals) + random() * Math.min(1000, 50 + asked / 20);
    heldBecause = asked === null ? "backoff" : "asked";
    heldUntil = Math.max(heldUntil, now + ms);
    refusals++;
  }

  signal?.addEventListener("abort", wake);
  return {
    enter,
    token: () => meter.endedSoFar(),
    answered(status, headers, token) {
      const now = clock.now();
      answers++;
      meter.end(readRateHeaders(headers, now), token, status === 429, now);
      if (status === 429) holdBack(headers, now);
      else refusals = 0;
      wake();
    },
    faulted(sent) {
      answers++;
      if (sent) meter.end(null, 0, false, clock.now());
      else meter.cancel();
      wake();
    },
    close() {
      signal?.removeEventListener("abort", wake);
    },
  };
}
