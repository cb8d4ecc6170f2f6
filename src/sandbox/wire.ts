// A request and an answer, before and after any socket.

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
