// The production transport: a pool of keep-alive connections. It dispatches straight on the pool, because only there
// is it known whether a call had begun to be written when it failed.
import type { Dispatcher } from "undici";
import { faultOf } from "./fault.ts";
import { type Environment, proxyFor, proxyPlace } from "./proxy.ts";
import {
  type AnswerHeaders,
  defaultTimeouts,
  type FaultProxy,
  type Timeouts,
  type Transport,
  type TransportCall,
  type TransportFault,
  type TransportOutcome,
} from "./transport.ts";

export interface UndiciTransportOptions {
  /** Connections kept open at most. */
  readonly connections?: number;
  readonly timeouts?: Partial<Timeouts>;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are looked up. */
  readonly env?: Environment;
  /** Certificates (PEM) to trust in place of the system's. */
  readonly ca?: string;
}

export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  const timeouts: Timeouts = { ...defaultTimeouts, ...options.timeouts };
  const ways = new Map<string, Promise<Way>>();
  // The pool itself, once it is there: a call must not pay for a promise that was kept long ago.
  let last: { readonly origin: string; readonly way: Way } | null = null;

  async function open(origin: string): Promise<Way> {
    // Bundled, the package shows its parts on `default` alone.
    const loaded = await import("undici");
    const { Pool, ProxyAgent } = loaded.default ?? loaded;
    const shared = {
      connections: options.connections ?? 8,
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.bodyMs,
      allowH2: false,
    };
    const connect = { timeout: timeouts.connectMs, ...(options.ca === undefined ? {} : { ca: options.ca }) };
    const proxy = proxyFor(origin, options.env ?? process.env);
    if (proxy === null) return { pool: new Pool(origin, { ...shared, connect }) };
    const place = proxyPlace(proxy);
    const known = { place, variable: proxy.variable };
    const unusable = { code: "bad-proxy", detail: "", sent: false, proxy: known } as const;
    if (place === null || !spoken.has(place.scheme)) return { unusable };
    try {
      const pool = new ProxyAgent({ ...shared, uri: proxy.url, requestTls: connect, proxyTls: connect });
      return { pool, proxy: known };
    } catch {
      return { unusable };
    }
  }

  async function send(call: TransportCall): Promise<TransportOutcome> {
    if (last === null || last.origin !== call.origin) {
      let opening = ways.get(call.origin);
      if (opening === undefined) {
        opening = open(call.origin);
        ways.set(call.origin, opening);
      }
      last = { origin: call.origin, way: await opening };
    }
    const { way } = last;
    return "unusable" in way ? { kind: "fault", fault: way.unusable } : dispatch(way, call, timeouts.totalMs);
  }

  async function close(): Promise<void> {
    const opened = [...ways.values()];
    ways.clear();
    last = null;
    // What never opened needs no closing.
    await Promise.all(
      opened.map((opening) => opening.then((way) => ("pool" in way ? way.pool.close() : undefined)).catch(() => {})),
    );
  }

  return { send, close };
}

/** How an origin is reached: through connections, and a proxy where one stands between; or not at all. */
type Way = OpenWay | { readonly unusable: TransportFault };

interface OpenWay {
  readonly pool: Dispatcher;
  readonly proxy?: FaultProxy;
}

/** What proxies are spoken to in. */
const spoken: ReadonlySet<string> = new Set(["http", "https"]);

function dispatch({ pool, proxy }: OpenWay, call: TransportCall, totalMs: number): Promise<TransportOutcome> {
  return new Promise((resolve) => {
    const began = performance.now();
    let sent = false;
    let status = 0;
    let headers: AnswerHeaders = {};
    let chunks: Buffer[] | null = null;
    let size = 0;

    function fail(raw: TransportFault): void {
      const fault = proxy === undefined ? raw : { ...raw, proxy };
      if (chunks === null) resolve({ kind: "fault", fault });
      else resolve({ kind: "answer", answer: { status, headers, body: textOf(chunks), cut: fault } });
    }

    try {
      pool.dispatch(
        { origin: call.origin, path: call.path, method: call.method, headers: call.headers, body: call.body },
        {
          onRequestStart() {
            sent = true;
          },
          onResponseStart(_controller, statusCode, answerHeaders) {
            if (statusCode < 200) return;
            status = statusCode;
            headers = answerHeaders;
            chunks = [];
          },
          onResponseData(controller, chunk) {
            size += chunk.length;
            if (size > call.maxBytes) {
              fail({ code: "too-large", detail: `more than ${call.maxBytes} bytes`, sent: true });
              controller.abort(new Error("answer too large"));
            } else if (performance.now() - began > totalMs) {
              fail({ code: "timeout", detail: "the answer did not end", sent: true });
              controller.abort(new Error("answer too slow"));
            } else {
              chunks?.push(chunk);
            }
          },
          onResponseEnd() {
            resolve({ kind: "answer", answer: { status, headers, body: textOf(chunks ?? []), cut: null } });
          },
          onResponseError(_controller, error) {
            fail(faultOf(error, sent));
          },
        },
      );
    } catch (error) {
      fail(faultOf(error, sent));
    }
  });
}

function textOf(chunks: readonly Buffer[]): string {
  const first = chunks[0];
  if (first === undefined) return "";
  return (chunks.length === 1 ? first : Buffer.concat(chunks)).toString("utf8");
}
