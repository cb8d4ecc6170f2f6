// The production transport: a pool of keep-alive connections. It dispatches straight on the pool, because only there
// is it known whether a call had begun to be written when it failed.
import type { Dispatcher } from "undici";
import type { OutsideResponse, SendOutside } from "../../model/outside.ts";
import { formatCount } from "../../model/value.ts";
import { faultOf } from "./explain-problem.ts";
import {
  defaultTimeouts,
  type EnvVariables,
  type FaultProxy,
  proxyFor,
  proxyPlace,
  type ResponseHeaders,
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
  readonly env?: EnvVariables | undefined;
  /** Certificates (PEM) to trust in place of the system's. */
  readonly ca?: string;
}

export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  const timeouts: Timeouts = { ...defaultTimeouts, ...options.timeouts };
  const routes = new Map<string, Promise<OriginRoute>>();
  // The pool itself, once it is there: a call must not pay for a promise that is settled.
  let last: { readonly origin: string; readonly route: OriginRoute } | null = null;
  let isClosed = false;

  async function open(origin: string): Promise<OriginRoute> {
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
    if (place === null || !proxySchemes.has(place.scheme)) return { unusable };
    try {
      const pool = new ProxyAgent({ ...shared, uri: proxy.url, requestTls: connect, proxyTls: connect });
      return { pool, proxy: known };
    } catch {
      return { unusable };
    }
  }

  async function send(call: TransportCall): Promise<TransportOutcome> {
    if (last === null || last.origin !== call.origin) {
      let opening = routes.get(call.origin);
      if (opening === undefined) {
        opening = open(call.origin);
        routes.set(call.origin, opening);
      }
      last = { origin: call.origin, route: await opening };
    }
    const { route } = last;
    // It may have been closed or stopped while the route opened.
    if (isClosed || call.signal?.aborted === true) return { kind: "fault", fault: stopped };
    return "unusable" in route ? { kind: "fault", fault: route.unusable } : dispatch(route, call, timeouts);
  }

  async function close(): Promise<void> {
    isClosed = true;
    const opened = [...routes.values()];
    routes.clear();
    last = null;
    // What never opened needs no closing.
    await Promise.all(
      opened.map((opening) =>
        opening.then((route) => ("pool" in route ? route.pool.close() : undefined)).catch(() => {}),
      ),
    );
  }

  return { send, close };
}

const stopped = { code: "interrupted", detail: "stopped", sent: false } as const;

/** How an origin is reached: through a pool of connections, possibly to a proxy; or not at all. */
type OriginRoute = OpenRoute | { readonly unusable: TransportFault };

interface OpenRoute {
  readonly pool: Dispatcher;
  readonly proxy?: FaultProxy;
}

const proxySchemes: ReadonlySet<string> = new Set(["http", "https"]);

/**
 * One timer per call, which no informational response (1xx) and no single byte restarts: for the connection, then the headers of
 * the final response, then all of it. A body that really progresses gets more time, up to `totalMs`; one that trickles does not.
 */
function dispatch({ pool, proxy }: OpenRoute, call: TransportCall, timeouts: Timeouts): Promise<TransportOutcome> {
  return new Promise((resolve) => {
    let sent = false;
    let settled = false;
    let controller: Dispatcher.DispatchController | null = null;
    let status = 0;
    let headers: ResponseHeaders = {};
    let chunks: Buffer[] | null = null;
    let size = 0;
    let writtenAt = 0;
    const mostMs = Math.min(timeouts.totalMs, call.mostMs ?? timeouts.totalMs);
    const connectMs = Math.min(timeouts.connectMs + timeouts.headersMs, mostMs);
    let timer: NodeJS.Timeout | undefined;
    const stop = () => giveUp("interrupted", "stopped");

    function settle(outcome: TransportOutcome): void {
      settled = true;
      clearTimeout(timer);
      call.signal?.removeEventListener("abort", stop);
      resolve(outcome);
    }

    function fail(raw: TransportFault): void {
      if (settled) return;
      const fault = proxy === undefined ? raw : { ...raw, proxy };
      if (chunks === null) settle({ kind: "fault", fault });
      else settle({ kind: "response", response: { status, headers, body: decodeChunks(chunks), cut: fault } });
    }

    function failWith(error: unknown): void {
      const fault = faultOf(error, sent);
      // Nothing passes a proxy that refused its tunnel.
      fail(fault.code === "proxy" ? { ...fault, sent: false } : fault);
    }

    function giveUp(code: TransportFault["code"], detail: string): void {
      fail({ code, detail, sent });
      controller?.abort(new Error(detail));
    }

    function restart(ms: number, then: () => void): void {
      clearTimeout(timer);
      timer = setTimeout(then, ms);
    }

    /** Comes back when the try has had its time: a body that brought too little since the last time is given up. */
    function awaitBody(ms: number): void {
      const before = size;
      const since = performance.now();
      const left = mostMs - (since - writtenAt);
      restart(Math.min(ms, left), () => {
        const now = performance.now();
        const isProgressing = size - before >= leastBytesPerMs * (now - since) && now - writtenAt < mostMs;
        if (isProgressing) awaitBody(timeouts.bodyMs);
        else giveUp("timeout", `the response did not end within ${formatMs(now - writtenAt)}`);
      });
    }

    call.signal?.addEventListener("abort", stop);
    try {
      pool.dispatch(
        { origin: call.origin, path: call.path, method: call.method, headers: call.headers, body: call.body },
        {
          onRequestStart(given) {
            // A call that was given up while it waited for a connection must not be written later.
            if (settled) return given.abort(new Error("given up"));
            controller = given;
            if (call.mayLeave?.() === false) return giveUp("timeout", "the connection came too late");
            sent = true;
            writtenAt = performance.now();
            const headersMs = Math.min(timeouts.headersMs, mostMs);
            restart(headersMs, () => giveUp("timeout", `no final response within ${formatMs(headersMs)}`));
          },
          onResponseStart(_controller, statusCode, responseHeaders) {
            if (statusCode < 200 || settled) return;
            status = statusCode;
            headers = responseHeaders;
            chunks = [];
            // The time for the headers is part of it; a body that follows late still gets a moment.
            awaitBody(Math.max(timeouts.bodyMs - (performance.now() - writtenAt), timeouts.bodyMs / 10));
          },
          onResponseData(_controller, chunk) {
            size += chunk.length;
            if (size > call.maxBytes) giveUp("too-large", `more than ${formatCount(call.maxBytes)} bytes`);
            else chunks?.push(chunk);
          },
          onResponseEnd() {
            if (!settled)
              settle({ kind: "response", response: { status, headers, body: decodeChunks(chunks ?? []), cut: null } });
          },
          onResponseError: (_controller, error) => failWith(error),
        },
      );
      // Most calls find a connection that is open.
      if (!sent && !settled)
        timer = setTimeout(() => giveUp("timeout", `no connection within ${formatMs(connectMs)}`), connectMs);
    } catch (error) {
      failWith(error);
    }
  });
}

/** One KiB a second: far below any working connection, and far above one byte now and then. */
const leastBytesPerMs = 1.024;

function formatMs(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`;
}

function decodeChunks(chunks: readonly Buffer[]): string {
  const text = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString("utf8") ?? "";
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

// Calls to other servers than the service: hosts of repositories, and stores of state.

const mostOutsideBytes = 64 * 2 ** 20;

/** The program's own transport; made with the first call. */
export function outsideCalls(env: EnvVariables): { readonly send: SendOutside; readonly close: () => Promise<void> } {
  let transport: Transport | null = null;
  return {
    async send({ url, ...call }) {
      transport ??= undiciTransport({ env });
      const { origin, host, pathname, search } = new URL(url);
      const outcome = await transport.send({
        ...call,
        origin,
        path: `${pathname}${search}`,
        maxBytes: mostOutsideBytes,
      });
      if (outcome.kind === "fault")
        return noResponse(`${host} cannot be reached (${outcome.fault.detail || outcome.fault.code}).`);
      const { status, headers: given, body: text, cut } = outcome.response;
      if (cut !== null) return noResponse(`The response from ${host} was cut off.`);
      const headers: Record<string, string | undefined> = {};
      for (const [name, value] of Object.entries(given))
        headers[name] = Array.isArray(value) ? value.join(", ") : value;
      return { status, headers, body: text };
    },
    close: async () => transport?.close(),
  };
}

function noResponse(body: string): OutsideResponse {
  return { status: 0, headers: {}, body };
}
