// Which calls may be sent once more, by their meaning and not by hope.
import type { Problem } from "../problem.ts";
import type { Method } from "./transport.ts";

export interface RetryLimits {
  /** How often one call is sent again after a fault. */
  readonly faults: number;
  /** How often one call is sent again after a 429. */
  readonly throttles: number;
  /** Longest time for all tries of one call together; waits between them that the service asked for do not count. */
  readonly totalMs: number;
}

export const defaultRetryLimits: RetryLimits = { faults: 4, throttles: 8, totalMs: 120_000 };

/** True where sending the same call again can neither double nor lose anything, and may help. */
export function mayRepeat(method: Method, problem: Problem): boolean {
  switch (problem.class) {
    case "throttled":
      return problem.code !== "rate-limited-too-long";
    case "not-sent":
      return passing.has(problem.code);
    case "ambiguous":
      return (method === "GET" || method === "DELETE") && problem.code !== "redirect" && problem.code !== "too-large";
    case "refused":
      return false;
  }
}

// A wrong name, a bad certificate or a bad key stay wrong.
const passing: ReadonlySet<string> = new Set(["unreachable", "timeout", "connection-lost", "dns"]);

/** Doubles from 250 ms; the jitter keeps many runners from coming back in step. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.min(250 * 2 ** attempt, 8000) * (0.5 + random() / 2);
}

/** After a 429 that does not say how long: slower, because refused calls may count too. */
export function throttleBackoffMs(attempt: number, random: () => number): number {
  return Math.min(1000 * 2 ** attempt, 300_000) * (1 + random() / 4);
}
