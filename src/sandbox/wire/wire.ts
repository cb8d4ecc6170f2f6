// A request and an answer, before and after any socket.
import { Refusal } from "../endpoints/refusal.ts";

export const basePath = "/open-api/v1";

export interface SandboxRequest {
  readonly method: string;
  /** The whole path, with the query: /open-api/v1/events?take=10 */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | undefined;
  readonly remoteAddress?: string | undefined;
}

/** What becomes of the connection in place of a whole answer. */
export type Cut = "closed" | "reset" | "truncated" | "hanging";

export interface SandboxAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly cut?: Cut;
  readonly delayMs?: number;
}

export function headerOf(request: SandboxRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "object" ? value[0] : value;
}

export function isWrite(method: string): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

// The error envelope, also around what nobody expected.

export function envelope(problem: unknown, requestId: string): { readonly status: number; readonly body: string } {
  const refusal =
    problem instanceof Refusal
      ? problem
      : new Refusal(
          500,
          "INTERNAL_ERROR",
          `Something went wrong: ${problem instanceof Error ? problem.message : String(problem)}`,
          "Try again later; if it stays, report the requestId.",
        );
  const { status, code, message, hint, details } = refusal;
  return { status, body: JSON.stringify({ error: { code, message, hint, ...(details && { details }) }, requestId }) };
}
