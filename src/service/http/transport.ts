// How one call travels. The client reaches the network only through this interface, so tests and simulations can hand in another.
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
