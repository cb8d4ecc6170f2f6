// When the next call may go.
import type { Clock } from "../clock.ts";
import type { Listener } from "../listener.ts";
import { type Problem, problemOf } from "../problem.ts";
import { throttleBackoffMs } from "../retry.ts";
import { type AnswerHeaders, headerOf } from "../transport.ts";

export interface Pace {
  /** Null: go now. Otherwise a promise, kept when the call may go (null) or must not (the problem). */
  enter(): Promise<Problem | null> | null;
  /** An answer came: what its headers say is learned. */
  answered(status: number, headers: AnswerHeaders): void;
  /** No answer came. */
  faulted(sent: boolean): void;
}

export interface PaceOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxWaitMs: number;
  readonly signal: AbortSignal | undefined;
  readonly listener: Listener;
}

export function makePace({ clock, random, maxWaitMs, signal, listener }: PaceOptions): Pace {
  let heldUntil = 0;
  let refusals = 0;
  return {
    enter() {
      if (heldUntil === 0) return null;
      const ms = heldUntil - clock.now();
      if (ms <= 0) return null;
      if (ms > maxWaitMs) {
        return Promise.resolve(
          problemOf(
            "throttled",
            "rate-limited-too-long",
            "The service asks for a longer wait than allowed.",
            "Run again later, or raise --max-wait.",
          ),
        );
      }
      listener.onWait?.({ reason: "asked", ms, message: "Waiting as the service asks." });
      return clock.sleep(ms, signal).then(() => null);
    },
    answered(status, headers) {
      if (status !== 429) {
        refusals = 0;
        return;
      }
      const asked = Number(headerOf(headers, "retry-after") ?? Number.NaN) * 1000;
      heldUntil = clock.now() + (Number.isNaN(asked) ? throttleBackoffMs(refusals, random) : asked);
      refusals++;
    },
    faulted() {},
  };
}
