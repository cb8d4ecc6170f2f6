// A request and a response, before and after any socket.
import { Refusal } from "../endpoints/call.ts";
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

export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What happens to the connection instead of a whole response. */
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
export function errorResponse(
  problem: unknown,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): SandboxResponse {
  const { status, code, message, hint, details } = problem instanceof Refusal ? problem : unforeseen(problem);
  const body = JSON.stringify({ error: { code, message, hint, ...(details && { details }) }, requestId });
  return { status, headers: { ...jsonHeaders, ...headers }, body };
}

function unforeseen(problem: unknown): Refusal {
  const message = `Something went wrong: ${messageOf(problem)}`;
  return new Refusal(500, "INTERNAL_ERROR", message, "Try again later. If it happens again, report the requestId.");
}

export interface LoggedCall {
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  /** With the query, without the base path. */
  readonly path: string;
  readonly write: boolean;
  readonly body: string | undefined;
  /** 0 where the caller saw no status; undefined while the call runs. */
  status: number | undefined;
  readonly fault: string | undefined;
}

const maxLogged = 20_000;

export function logCall(log: LoggedCall[], request: SandboxRequest, at: number, fault?: string): LoggedCall {
  const { method } = request;
  const path = request.path.startsWith(basePath) ? request.path.slice(basePath.length) : request.path;
  const write = isWrite(method);
  const body = write ? request.body : undefined;
  const call = { n: (log.at(-1)?.n ?? 0) + 1, at, method, path, write, body, status: undefined, fault };
  // Long runs keep the younger half.
  if (log.push(call) > maxLogged) log.splice(0, maxLogged / 2);
  return call;
}
