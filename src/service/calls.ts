// What can be known about a call while it runs and after it failed. None of it contains the key or a body.
import type { AnyCode } from "../model/diagnostic.ts";
import type { Method } from "./http/transport.ts";
import type { Problem } from "./problem.ts";

export { maskSecrets } from "./http/redact.ts";

export interface CallNote {
  readonly method: Method;
  /** Relative to the base address, with the query. */
  readonly path: string;
  /** 1 for the first time, 2 for the first retry. */
  readonly attempt: number;
}

export interface ResponseNote extends CallNote {
  /** Null if no response came. */
  readonly status: number | null;
  /** Null if the call succeeded. */
  readonly code: AnyCode | null;
  readonly ms: number;
}

export interface RetryNote extends CallNote {
  readonly delayMs: number;
  readonly problem: Problem;
}

/** `minute` and `hour`: the limit of that span is used up. `asked`: the service said how long to wait. `backoff`: it did not. */
export type WaitReason = "minute" | "hour" | "asked" | "backoff";

export interface WaitNote {
  readonly reason: WaitReason;
  readonly ms: number;
  /** The reason for the wait, without its length: a part of the sentence. */
  readonly why: string;
  /** One sentence for people. */
  readonly message: string;
}

export interface Listener {
  onCall?(note: CallNote): void;
  onResponse?(note: ResponseNote): void;
  onWait?(note: WaitNote): void;
  onRetry?(note: RetryNote): void;
}

export interface RetryLimits {
  /** How often one call is sent again after a fault. */
  readonly faults: number;
  /** How often one call is sent again after a 429. */
  readonly throttles: number;
  /** Longest time for all attempts of one call together; waits between them that the service asked for do not count. */
  readonly totalMs: number;
}
