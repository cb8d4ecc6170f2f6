// Decides when the next call may go. Calls are released one at a time; the others queue, and the reason is reported once.

import type { Listener, WaitReason } from "../calls.ts";
import type { Clock } from "../clock.ts";
import { headerOf, type ResponseHeaders } from "../http/transport.ts";
import { type Problem, problemOf } from "../problem.ts";
import type { Claims } from "./claims.ts";
import type { Meter } from "./meter.ts";
import { readRateHeaders, readRetryAfter } from "./rate-headers.ts";
import type { CallToken } from "./traffic.ts";

/** With other clients active, an observation older than this is refreshed by a single call; from then on room is reserved for them (`unobservedMs`). */
const staleMs = 10_000;
/** Shorter waits are not worth a line. */
const reportFromMs = 200;
/** After a 429 that does not say how long: slower than after a fault, because refused calls may count too. */
const firstBackoffMs = 1000;
/** As long as a single wait may be by default (`maxWaitSeconds`). */
const longestBackoffMs = 300_000;
/** Up to a quarter later, so that runs which were refused together do not come back together. */
const backoffJitter = 1 / 4;
/** After a 429 that says how long: at least 50 ms, doubled with each refusal, plus a little jitter so that runners do not all return at once. */
const shortestPauseMs = 50;
const longestJitterMs = 1000;
/** A twentieth of what was asked for, so that a short pause stays short: 20 seconds and more get the whole second. */
const askedPerJitter = 20;

interface Wait {
  readonly ms: number;
  readonly reason: WaitReason;
  /** The limits would allow a call, but no call is claimed yet. */
  readonly lacksClaim?: boolean;
}

function waitTooLong(wait: Wait, maxWaitMs: number): Problem {
  const length = formatLength(wait.ms);
  return problemOf(
    "throttled",
    "rate-limited-too-long",
    `This call must wait ${length}: ${reasons[wait.reason]}. That is longer than the longest wait allowed (${formatLength(maxWaitMs)}).`,
    `Run the command again in ${length}, or allow a longer wait with --max-wait ${Math.ceil(wait.ms / 1000)}.`,
  );
}

export function interrupted(): Problem {
  return problemOf(
    "not-sent",
    "interrupted",
    "The run was stopped before this call was sent.",
    "Run the command again to continue.",
  );
}

const reasons: Readonly<Record<WaitReason, string>> = {
  minute: "the calls that the service allows per minute are used up",
  hour: "the calls that the service allows per hour are used up",
  asked: "the service asks for a pause",
  backoff: "the service refused a call because of the rate limit and did not say how long to wait",
};

function formatLength(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How long the service wants no calls after a 429, the last of so many refusals. */
function pauseAskedFor(headers: ResponseHeaders, refusals: number, now: number, random: () => number): Wait {
  const asked = readRetryAfter(headerOf(headers, "retry-after"), headerOf(headers, "date"), now);
  if (asked !== null) {
    const jitter = random() * Math.min(longestJitterMs, shortestPauseMs + asked / askedPerJitter);
    return { ms: Math.max(asked, shortestPauseMs * 2 ** (refusals - 1)) + jitter, reason: "asked" };
  }
  const resets = readRateHeaders(headers, now)
    .filter(({ remaining }) => remaining === 0)
    .map(({ reset }) => (reset === null ? 0 : reset.ms + reset.coarseMs));
  const backoff = Math.min(firstBackoffMs * 2 ** (refusals - 1), longestBackoffMs) * (1 + random() * backoffJitter);
  const ms = Math.max(...resets, backoff);
  return { ms, reason: ms > backoff ? "asked" : "backoff" };
}

export interface PaceOptions {
  readonly meter: Meter;
  /** Null: the limits are not shared by a ledger. */
  readonly claims: Claims | null;
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
  readonly listener: Listener;
}

export type Pace = ReturnType<typeof makePace>;

export function makePace({ meter, claims, clock, random, maxWaitMs, signal, listener }: PaceOptions) {
  const line: ((problem: Problem | null) => void)[] = [];
  let responses = 0;
  let refusals = 0;
  let pausedUntil = 0;
  let pauseReason: WaitReason = "backoff";
  let pumping = false;
  let alarm: AbortController | null = null;
  let reportedUntil = 0;

  function waitAt(now: number): Wait {
    if (pausedUntil > now) return { ms: pausedUntil - now, reason: pauseReason };
    // The first call, and the first after a refusal, are sent alone: their responses show how many may follow.
    const alone = responses === 0 || refusals > 0 || (meter.shared() && now - meter.observedAt() > staleMs);
    if (alone && meter.inFlight() > 0) return { ms: Number.POSITIVE_INFINITY, reason: "minute" };
    const { ms, span } = meter.wait(now);
    const lacksClaim = ms <= 0 && claims?.permits(now) === false;
    return { ms: lacksClaim ? Number.POSITIVE_INFINITY : ms, reason: span, lacksClaim };
  }

  async function pump(): Promise<void> {
    pumping = true;
    for (let next = line[0]; next !== undefined; next = line[0]) {
      const now = clock.now();
      const wait = waitAt(now);
      if (signal.aborted) {
        line.shift();
        next(interrupted());
      } else if (wait.ms <= 0 || mayAsk(wait)) {
        line.shift();
        begin(now);
        next(null);
      } else if (wait.ms > maxWaitMs && Number.isFinite(wait.ms)) {
        line.shift();
        next(waitTooLong(wait, maxWaitMs));
      } else {
        reportWait(wait, now);
        alarm = new AbortController();
        claims?.wait(line.length, wait.lacksClaim === true);
        await clock.sleep(wait.ms, alarm.signal);
        alarm = null;
      }
    }
    pumping = false;
    claims?.wait(0, false);
  }

  /** Counts from an earlier run are no reason to wait without asking the service once: its windows may have reset. */
  function mayAsk({ ms }: Wait): boolean {
    return Number.isFinite(ms) && responses + meter.inFlight() === 0 && claims?.hasPeers() !== true;
  }

  function begin(now: number): void {
    meter.begin();
    claims?.spend(now);
  }

  function reportWait({ ms, reason }: Wait, now: number): void {
    const until = now + ms;
    if (!Number.isFinite(until) || ms < reportFromMs || until - reportedUntil < reportFromMs) return;
    reportedUntil = until;
    const isShared = claims?.hasPeers() === true && (reason === "minute" || reason === "hour");
    const why = isShared ? `${reasons[reason]}, in part by another run` : reasons[reason];
    listener.onWait?.({ reason, ms, why, message: `Waiting ${formatLength(ms)}: ${why}.` });
  }

  function wake(): void {
    alarm?.abort();
  }

  function pauseAfterRefusal(headers: ResponseHeaders, now: number): void {
    // Calls in flight when the pause began were refused together with the first, so they do not count again.
    if (now >= pausedUntil) refusals++;
    const { ms, reason } = pauseAskedFor(headers, refusals, now, random);
    pausedUntil = Math.max(pausedUntil, now + ms);
    pauseReason = reason;
  }

  signal.addEventListener("abort", wake, { once: true });
  claims?.listen(wake);
  return {
    /** null: go now. Otherwise a promise that resolves when the call may go (null) or must not (the problem). */
    enter(): Promise<Problem | null> | null {
      const now = clock.now();
      if (line.length === 0 && waitAt(now).ms <= 0) {
        begin(now);
        return null;
      }
      return new Promise((resolve) => {
        line.push(resolve);
        if (!pumping) void pump();
      });
    },
    /** Taken right before a call is sent and handed back with its response. */
    token: () => meter.token(clock.now()),
    /** A response came: what its headers say is learned. */
    responded(status: number, headers: ResponseHeaders, token: CallToken): void {
      const now = clock.now();
      responses++;
      meter.end(readRateHeaders(headers, now), token, status === 429, now);
      if (status === 429) pauseAfterRefusal(headers, now);
      else refusals = 0;
      claims?.ended(headerOf(headers, "date"), token.at, now);
      wake();
    },
    /** No response came. */
    faulted(sent: boolean): void {
      responses++;
      const now = clock.now();
      if (sent) meter.end(null, meter.token(now), false, now);
      else meter.cancel();
      claims?.ended(null, now, now);
      wake();
    },
  };
}
