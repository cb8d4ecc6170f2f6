// A call that did not bring what was asked for, as a value. The class says what a caller may do next.

/**
 * - `refused`: the service understood and said no, or the call can never work as it is. Nothing was changed.
 * - `throttled`: too many calls. Nothing was changed; the same call may be sent later.
 * - `not-sent`: not a byte of the call reached the service. It may be sent again without a look.
 * - `ambiguous`: nobody can tell from here whether a write took effect. Look before sending it again.
 */
export type ProblemClass = "refused" | "throttled" | "not-sent" | "ambiguous";

export interface ProblemDetail {
  readonly field: string;
  readonly message: string;
}

export interface Problem {
  readonly class: ProblemClass;
  /** The HTTP status; null where no answer came. */
  readonly status: number | null;
  /** The service's own `error.code`, or a lower-case word of ours for what happened on the way. */
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly details: readonly ProblemDetail[];
  readonly requestId: string | null;
}

/** The words of ours that can stand in `Problem.code` (the service's own codes stand there too, in capitals). */
export type OwnCode =
  | "bad-base-url"
  | "bad-key"
  | "bad-path"
  | "bad-id"
  | "bad-proxy"
  | "unreachable"
  | "dns"
  | "tls"
  | "proxy"
  | "timeout"
  | "connection-lost"
  | "protocol"
  | "not-json"
  | "too-large"
  | "redirect"
  | "unexpected-answer"
  | "rate-limited"
  | "rate-limited-too-long"
  | "interrupted";

export function problemOf(
  problemClass: ProblemClass,
  code: OwnCode,
  message: string,
  hint: string | null,
  status: number | null = null,
): Problem {
  return { class: problemClass, status, code, message, hint, details: [], requestId: null };
}
