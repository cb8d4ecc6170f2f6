// Progress, told while it happens. Nothing in it carries the key or a body.
import type { Problem } from "../problem.ts";
import type { Method } from "./transport.ts";

export interface CallNote {
  readonly method: Method;
  /** Relative to the base address, with the query. */
  readonly path: string;
  /** 1 for the first time, 2 for the first repeat. */
  readonly attempt: number;
}

export interface AnswerNote extends CallNote {
  /** Null where no answer came. */
  readonly status: number | null;
  /** Null where the call succeeded. */
  readonly code: string | null;
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
  /** What is waited for, without how long: a part of the sentence. */
  readonly why: string;
  /** One sentence for people. */
  readonly message: string;
}

export interface Listener {
  onCall?(note: CallNote): void;
  onAnswer?(note: AnswerNote): void;
  onWait?(note: WaitNote): void;
  onRetry?(note: RetryNote): void;
}
