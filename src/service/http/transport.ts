// How one call travels. The client reaches the network only through this interface, so tests and simulations can hand in another.

import { parseUrl } from "../../model/value.ts";
import type { OwnCode } from "../problem.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface TransportCall {
  readonly method: Method | "PUT" | "LOCK" | "UNLOCK";
  readonly origin: string;
  /** Path with query, as on the request line. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** A response longer than this is cut off. */
  readonly maxBytes: number;
  /** Longest time for this try, if less is left than the transport would give it. */
  readonly mostMs?: number;
  /** Ends the call at once; only reads carry it, because a write that is given up halfway may still take effect. */
  readonly signal?: AbortSignal | undefined;
  /** Called once there is a connection and before the first byte is sent; false: nothing is sent. */
  readonly mayLeave?: (() => boolean) | undefined;
}

/** Names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface TransportResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string;
  /** Why the body is not whole; null if it is. */
  readonly cut: TransportFault | null;
}

export interface TransportFault {
  readonly code: OwnCode;
  /** The system's own word for it, such as ECONNREFUSED. */
  readonly detail: string;
  /** False only if it is certain that nothing of the call was written to the socket. */
  readonly sent: boolean;
  /** The proxy in between, if any, without its credentials. */
  readonly proxy?: FaultProxy;
}

export interface FaultProxy {
  /** null: its address cannot be read. */
  readonly place: { readonly scheme: string; readonly host: string } | null;
  readonly variable: string;
}

export type TransportOutcome =
  | { readonly kind: "response"; readonly response: TransportResponse }
  | { readonly kind: "fault"; readonly fault: TransportFault };

export interface Transport {
  /** Follows no redirect and never rejects for what a network can do. */
  send(call: TransportCall): Promise<TransportOutcome>;
  close(): Promise<void>;
}

export interface Timeouts {
  readonly connectMs: number;
  /** Longest time from the first byte of the request to the headers of the final response, whatever comes before them. */
  readonly headersMs: number;
  /** The longest time for a whole response, unless its body brings 1 KiB a second; also the longest silence in a body. */
  readonly bodyMs: number;
  /** The longest time for a whole response, however well it progresses. */
  readonly totalMs: number;
}

export const defaultTimeouts: Timeouts = { connectMs: 10_000, headersMs: 30_000, bodyMs: 30_000, totalMs: 120_000 };

export function headerOf(headers: ResponseHeaders, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return typeof value === "string" ? value : (value[0] ?? null);
}

// Which proxy, if any, is used to reach an address, by the variables that CI runners set.

export type EnvVariables = Readonly<Record<string, string | undefined>>;

export interface Proxy {
  readonly url: string;
  readonly variable: string;
}

/** The proxy, or null for a direct call. This machine itself is never reached through a proxy. */
export function proxyFor(origin: string, env: EnvVariables): Proxy | null {
  const url = new URL(origin);
  const hostname = bareHost(url.hostname);
  if (hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "::1" || hostname.startsWith("127."))
    return null;
  const secure = url.protocol === "https:";
  const own = secure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const named = own.find((name) => env[name] !== undefined);
  const variable = [named ?? "", "all_proxy", "ALL_PROXY"].find((name) => (env[name] ?? "") !== "");
  const proxy = variable === undefined ? "" : (env[variable] ?? "");
  if (
    variable === undefined ||
    isExempt(hostname, url.port || (secure ? "443" : "80"), env.no_proxy ?? env.NO_PROXY ?? "")
  )
    return null;
  return { url: proxy.includes("://") ? proxy : `http://${proxy}`, variable };
}

/** Where a proxy is, for people: without its credentials. null if its URL is invalid. */
export function proxyPlace({ url }: Proxy): { readonly scheme: string; readonly host: string } | null {
  const { protocol, host } = parseUrl(url) ?? { protocol: "", host: "" };
  return host === "" ? null : { scheme: protocol.slice(0, -1), host };
}

function isExempt(hostname: string, port: string, list: string): boolean {
  return list.split(/[,\s]+/).some((entry) => {
    if (entry === "") return false;
    if (entry === "*") return true;
    const withPort = /^(.+):(\d+)$/.exec(entry);
    if (withPort !== null && !entry.includes("::") && withPort[2] !== port) return false;
    const name = bareHost(
      (withPort !== null && !entry.includes("::") ? (withPort[1] ?? "") : entry).replace(/^\*?\./, ""),
    );
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}

function bareHost(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$/g, "");
}
