// A call that did not return what was requested, as a value. The class says what a caller may do next.
import type { AnyCode, ResultOr } from "../model/diagnostic.ts";
import { asSentence } from "../model/value.ts";

/**
 * - `refused`: the service understood and said no, or the call can never work as it is. Nothing was changed.
 * - `throttled`: too many calls. Nothing was changed; the same call may be sent later.
 * - `not-sent`: not a byte of the call reached the service. It may be sent again.
 * - `ambiguous`: it is unknown whether a write took effect. Read before sending it again.
 */
export type ProblemClass = "refused" | "throttled" | "not-sent" | "ambiguous";

export interface ProblemDetail {
  readonly field: string;
  readonly message: string;
}

export interface Problem {
  readonly class: ProblemClass;
  /** The HTTP status; null if no response came. */
  readonly status: number | null;
  /** The service's own `error.code`, or a lower-case code of ours for a failure on the way. */
  readonly code: AnyCode;
  readonly message: string;
  readonly hint: string | null;
  readonly details: readonly ProblemDetail[];
  readonly requestId: string | null;
}

/** Our own values of `Problem.code`; the service's codes are in capitals. */
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
  | "unexpected-response"
  | "no-id"
  | "rate-limited-too-long"
  | "lock-lost"
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

// The result of every call of the client: data, or a problem. Failures of the service are never thrown.

/** The `meta` of a paginated response; null if the service does not send it. */
export interface PageMeta {
  readonly page: number | null;
  readonly take: number | null;
  readonly total: number | null;
  readonly totalPages: number | null;
  /** A value that cannot be a number of items or pages, for people. */
  readonly malformed?: string;
}

export interface Success<T> {
  readonly ok: true;
  readonly data: T;
  readonly meta: PageMeta | null;
  readonly status: number;
}

export interface Failure {
  readonly ok: false;
  readonly problem: Problem;
}

export type Result<T> = ResultOr<Success<T>, Failure>;

export function failure(problem: Problem): Failure {
  return { ok: false, problem };
}

/** What the details add to the message, each with its field; a service may say the same in both. */
export function describeDetails({ message, details }: Problem): readonly string[] {
  const said = comparableMessage(message);
  const lines = details
    .filter((each) => !(said.includes(comparableMessage(each.message)) && said.includes(comparableMessage(each.field))))
    .map(withField);
  return [...new Set(lines)];
}

function withField({ field, message }: ProblemDetail): string {
  const named = field === "" || comparableMessage(message).startsWith(comparableMessage(field));
  return named ? message : `${field}: ${message}`;
}

function comparableMessage(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/(?<![.!])[.!]+$/, "");
}

/** What went wrong, as part of our own sentences. Our words for a response name its status; the service's are quoted. */
export function attributed({ code, status, message }: Problem): string {
  // Its own message is about one call, which need not be the one that the sentence is about.
  if (code === "interrupted") return "The run was stopped.";
  const isOurs = code === code.toLowerCase() || message.includes(`(${status})`) || message.startsWith(serviceSaid);
  return isOurs ? asSentence(message) : `${serviceSaid}"${asSentence(message)}"`;
}

const serviceSaid = "The service said: ";

/** What was asked for does not exist, or no longer. Only the code of that is documented, not its status. */
export function isGone({ status, code, class: problemClass }: Problem): boolean {
  return status === 404 || status === 410 || (problemClass === "refused" && code === "NOT_FOUND");
}
