// Faults that can be injected: which call each one hits, and what then happens to it.
import { randomUUID } from "node:crypto";
import { Refusal } from "../endpoints/handler.ts";
import { messageOf } from "../errors.ts";

export const faultKinds = [
  "request-lost",
  "response-lost",
  "error-before",
  "error-after",
  "html-502",
  "rate-limited",
  "slow",
  "truncated",
  "reset",
  "late",
  "redirect",
  "huge",
  "kill",
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** The n-th matching call from now on, counted from 1; the next by default. */
  readonly at?: number;
  /** For how many calls in a row; 0: until cleared. */
  readonly times?: number;
  /** Count only calls that write. */
  readonly writes?: boolean;
  readonly method?: string;
  /** Text that must be in the path. */
  readonly path?: string;
  /** reset, html-502, redirect, huge, kill: whether the effect happens first. Each kind has its own default. */
  readonly moment?: "before" | "after";
  /** slow: until the response; late: until the effect. */
  readonly delayMs?: number;
  /** rate-limited: seconds or a date; null: no header. */
  readonly retryAfter?: number | string | null;
  /** error-before, error-after, late: 500 by default; late also accepts "lost". */
  readonly status?: number | "lost";
  /** request-lost, response-lost: the connection stays open without a response, instead of being closed. */
  readonly hang?: boolean;
  /** redirect: where to. */
  readonly location?: string;
  /** Called by a kill fault; only for those who run the sandbox in their own process. */
  readonly onKill?: () => void;
}

export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  let waiting: { fault: Fault; matched: number; left: number }[] = [];
  return {
    take(request: SandboxRequest): Fault | undefined {
      let due: Fault | undefined;
      for (const entry of waiting) {
        if (!matchesCall(entry.fault, request)) continue;
        entry.matched++;
        if (due !== undefined || entry.matched < (entry.fault.at ?? 1)) continue;
        due = entry.fault;
        entry.left--;
      }
      if (due !== undefined) waiting = waiting.filter((entry) => entry.left > 0);
      return due;
    },
    add(fault: Fault): void {
      const { times = 1 } = fault;
      waiting.push({ fault, matched: 0, left: times === 0 ? Number.POSITIVE_INFINITY : times });
    },
    clear(): void {
      waiting = [];
    },
    pending: (): Fault[] => waiting.map(({ fault }) => fault),
  };
}

function matchesCall(fault: Fault, { method, path }: SandboxRequest): boolean {
  if (fault.writes === true && !isWrite(method)) return false;
  if (fault.method !== undefined && fault.method !== method) return false;
  return fault.path === undefined || path.includes(fault.path);
}

const lost: SandboxResponse = { status: 0, headers: {}, body: "", cut: "closed" };
const hugeSize = 10 * 1024 * 1024;

/** `effect` does what the request asks for; `cutShort`: its response is cut off. `later` does it after a while. */
export async function injectFault(
  fault: Fault,
  effect: (cutShort: boolean) => SandboxResponse | Promise<SandboxResponse>,
  later: (effect: () => void, ms: number) => void,
): Promise<SandboxResponse> {
  switch (fault.kind) {
    case "request-lost":
      return vanish(fault);
    case "response-lost":
      await effect(true);
      return vanish(fault);
    case "error-before":
      return failWith(fault);
    case "error-after":
      await effect(true);
      return failWith(fault);
    case "html-502":
      if (fault.moment === "after") await effect(true);
      return { status: 502, headers: { "Content-Type": "text/html" }, body: badGateway };
    case "rate-limited": {
      const { retryAfter = 1 } = fault;
      const refusal = new Refusal(429, "RATE_LIMITED", "Too many requests.", "Wait, then try again.");
      return errorResponse(refusal, randomUUID(), retryAfter === null ? {} : { "Retry-After": String(retryAfter) });
    }
    case "slow":
      return { ...(await effect(false)), delayMs: fault.delayMs ?? 60_000 };
    case "truncated":
      return { ...(await effect(true)), cut: "truncated" };
    case "reset":
      if (fault.moment !== "before") await effect(true);
      return { ...lost, cut: "reset" };
    case "late":
      later(() => void effect(true), fault.delayMs ?? 1000);
      return fault.status === "lost" ? vanish(fault) : failWith(fault);
    case "redirect":
      if (fault.moment === "after") await effect(true);
      return { status: 307, headers: { Location: fault.location ?? "https://elsewhere.invalid/" }, body: "" };
    case "huge":
      if (fault.moment !== "before") await effect(true);
      return { status: 200, headers: jsonHeaders, body: `{"data":"${"x".repeat(hugeSize)}"}` };
    case "kill":
      if (fault.moment === "after") await effect(true);
      fault.onKill?.();
      return lost;
  }
}

const badGateway = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";

function vanish(fault: Fault): SandboxResponse {
  return fault.hang === true ? { ...lost, cut: "hanging" } : lost;
}

function failWith({ status }: Fault): SandboxResponse {
  const code = typeof status === "number" ? status : 500;
  return errorResponse(new Refusal(code, "INTERNAL_ERROR", "Something went wrong.", "Try again later."), randomUUID());
}

// A request and a response, before and after any socket.

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
