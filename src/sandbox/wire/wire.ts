// A request and an answer, before and after any socket.
import { Refusal } from "../endpoints/refusal.ts";
import { messageOf } from "../errors.ts";

export const basePath = "/open-api/v1";

export interface SandboxRequest {
  readonly method: string;
  /** The whole path, with the query: /open-api/v1/events?take=10 */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | undefined;
  readonly remoteAddress?: string | undefined;
}

export interface SandboxAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What becomes of the connection in place of a whole answer. */
  readonly cut?: "closed" | "reset" | "truncated" | "hanging";
  readonly delayMs?: number;
}

export function requestHeader({ headers }: SandboxRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "object" ? value[0] : value;
}

export function isWrite(method: string): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

export const jsonHeaders = { "Content-Type": "application/json; charset=utf-8" };

/** The error envelope, also around what was not foreseen. */
export function errorAnswer(
  problem: unknown,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): SandboxAnswer {
  const { status, code, message, hint, details } = problem instanceof Refusal ? problem : unforeseen(problem);
  const body = JSON.stringify({ error: { code, message, hint, ...(details && { details }) }, requestId });
  return { status, headers: { ...jsonHeaders, ...headers }, body };
}

function unforeseen(problem: unknown): Refusal {
  const message = `Something went wrong: ${messageOf(problem)}`;
  return new Refusal(500, "INTERNAL_ERROR", message, "Try again later. If it happens again, report the requestId.");
}
