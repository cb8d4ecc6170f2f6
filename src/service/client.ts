// The client of the API: every endpoint, errors as values, no call sooner or more often than is right.
import { setMaxListeners } from "node:events";
import { checkAddress } from "../model/outside.ts";
import type { Listener, RetryLimits } from "./calls.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type CallGuard, type CallSetup, makeCall, makeGate } from "./endpoints/call.ts";
import { type Caller, type Endpoints, makeEndpoints, type RequestOptions } from "./endpoints/endpoints.ts";
import { checkPath, type Query, withQuery } from "./endpoints/path.ts";
import type { EnvVariables, Method, Timeouts, Transport } from "./http/transport.ts";
import { undiciTransport } from "./http/undici-transport.ts";
import { type Claims, makeClaims } from "./pace/claims.ts";
import type { LedgerStore } from "./pace/ledger.ts";
import { type Meter, makeMeter } from "./pace/meter.ts";
import { makePace } from "./pace/pace.ts";
import type { Tier } from "./pace/rate-headers.ts";
import type { Limits } from "./pace/shown-limits.ts";
import { type ListSource, type PageOptions, readAll, readPages } from "./paging.ts";
import { failure, type Problem, problemOf, type Result } from "./problem.ts";
import type { Me } from "./records.ts";

const defaultRetryLimits: RetryLimits = { faults: 4, throttles: 8, totalMs: 120_000 };
const defaultMaxBytes = 8 * 1024 * 1024;

/** A line break in a key could inject a second header. The message never shows a character of the key. */
function checkApiKey(key: string): Problem | null {
  if (/^[\x21-\x7e]+$/.test(key)) return null;
  return key === ""
    ? problemOf(
        "refused",
        "bad-key",
        "The API key is empty.",
        "Set the variable that contains the API key of your organization.",
      )
    : problemOf(
        "refused",
        "bad-key",
        "The API key contains a space, a line break or another invalid character.",
        "Copy the API key again from the organizer dashboard (Settings, API Keys), without quotes or line breaks.",
      );
}

export class TicketingClient implements Caller {
  readonly events: Endpoints["events"];
  readonly tickets: Endpoints["tickets"];
  readonly performers: Endpoints["performers"];
  readonly schedules: Endpoints["schedules"];
  readonly brands: Endpoints["brands"];
  readonly orders: Endpoints["orders"];
  readonly venues: Endpoints["venues"];
  readonly webhooks: Endpoints["webhooks"];
  readonly me: () => Promise<Result<Me>>;
  /** Calls that reached the service so far, repeats included. */
  readonly counts: { readonly reads: number; readonly writes: number; readonly rateLimited: number };

  /** Makes every call impossible, such as a bad URL; null: nothing does. */
  readonly #problem: Problem | null;
  readonly #setup: CallSetup;
  readonly #concurrency: number;
  readonly #transport: Transport;
  readonly #meter: Meter;
  readonly #claims: Claims | null;
  readonly #closed = new AbortController();
  readonly #lists: ListSource = {
    read: (path, query) => this.request("GET", path, { query }),
    memory: { take: 100 },
    pause: (ms) => this.pause(ms),
  };
  /** The service's own time in its latest response, as it wrote it and as it was understood. */
  #date = { text: "", at: Number.NaN };

  constructor(options: ClientOptions) {
    const wrong = checkAddress(options.baseUrl);
    const base = wrong === null ? new URL(options.baseUrl) : null;
    this.#problem =
      wrong === null ? checkApiKey(options.apiKey) : problemOf("refused", "bad-base-url", wrong.message, wrong.hint);
    const clock = options.clock ?? systemClock;
    const listener = options.listener ?? {};
    const concurrency = Math.max(1, Math.floor(options.concurrency ?? 8));
    this.#concurrency = concurrency;
    const signal = AbortSignal.any([this.#closed.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    // Every call in flight listens for it: that is not a leak to warn about.
    setMaxListeners(0, signal);
    const headers = {
      "api-key": options.apiKey,
      accept: "application/json",
      // Without it, any encoding would be allowed, and none is decoded here.
      "accept-encoding": "identity",
      "user-agent": "ticketing",
    };
    const counts = { reads: 0, writes: 0, rateLimited: 0 };
    this.counts = counts;
    this.#transport =
      options.transport ??
      undiciTransport({ connections: concurrency, timeouts: options.timeouts ?? {}, env: options.env });
    this.#meter = makeMeter(options.tier ?? null);
    const random = options.random ?? Math.random;
    const { ledger: store } = options;
    this.#claims = store === undefined ? null : makeClaims({ store, meter: this.#meter, clock, random });
    const pace = makePace({
      meter: this.#meter,
      claims: this.#claims,
      clock,
      random,
      maxWaitMs: (options.maxWaitSeconds ?? 300) * 1000,
      signal,
      listener,
    });
    this.#setup = {
      origin: base?.origin ?? "",
      basePath: base?.pathname.replace(/(?<!\/)\/+$/, "") ?? "",
      apiKey: options.apiKey,
      secrets: options.secrets ?? [],
      keyOrigin: options.keyOrigin ?? null,
      headers,
      headersWithBody: { ...headers, "content-type": "application/json" },
      transport: this.#transport,
      gate: makeGate(concurrency),
      pace,
      clock,
      random,
      retries: { ...defaultRetryLimits, ...options.retries },
      maxBytes: options.maxBytes ?? defaultMaxBytes,
      listener,
      signal,
      guard: options.guard ?? { isOpen: () => true, wait: async () => null },
      counts,
      pastCalls: { count: 0, ms: 0 },
      stopwatch: options.stopwatch ?? clock.now,
      onResponse: (date) => {
        // Within one second, all responses show the same.
        if (date !== null && date !== this.#date.text) this.#date = { text: date, at: Date.parse(date) };
      },
    };
    const endpoints = makeEndpoints(this);
    this.events = endpoints.events;
    this.tickets = endpoints.tickets;
    this.performers = endpoints.performers;
    this.schedules = endpoints.schedules;
    this.brands = endpoints.brands;
    this.orders = endpoints.orders;
    this.venues = endpoints.venues;
    this.webhooks = endpoints.webhooks;
    this.me = endpoints.me;
  }

  /** Any call, by its path relative to the base address. A POST or PATCH whose effect is unknown is never sent again. */
  async request(method: Method, path: string, options?: RequestOptions): Promise<Result<unknown>> {
    const problem = this.#problem ?? checkPath(path);
    if (problem !== null) return failure(problem);
    const ledger = this.#claims?.ready() ?? null;
    if (ledger !== null) await ledger;
    return makeCall(this.#setup, method, withQuery(path, options?.query), options?.body);
  }

  /** Every item of a list, on however many pages; items seen twice are dropped. */
  listAll(path: string, query: Query = {}, options: PageOptions = {}): Promise<Result<readonly unknown[]>> {
    return readAll({ source: this.#lists, path, query, options });
  }

  pages(
    path: string,
    query: Query = {},
    options: PageOptions = {},
  ): AsyncGenerator<Result<readonly unknown[]>, void, undefined> {
    return readPages({ source: this.#lists, path, query, options });
  }

  /** Waits, unless the run is stopped. */
  pause(ms: number): Promise<void> {
    return this.#setup.clock.sleep(ms, this.#setup.signal);
  }

  /** The service's own time in its latest response; null before the first one that shows it. */
  get serverDate(): Date | null {
    return Number.isNaN(this.#date.at) ? null : new Date(this.#date.at);
  }

  /** What is known about the rate limits now. */
  get limits(): Limits {
    return this.#meter.shownLimits(this.#setup.clock.now());
  }

  /** How long this many more calls will take: the wait for the known rate limits, and the calls' own time. */
  estimateSeconds(calls: number): number {
    const { count, ms } = this.#setup.pastCalls;
    const callMs = count === 0 ? 0 : ms / count / this.#concurrency;
    return this.#meter.estimateSeconds(calls, this.#setup.clock.now(), callMs);
  }

  /** Writes the ledger and closes the connections. Writes in flight finish; nothing else is sent or retried. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#claims?.flush();
    await this.#transport.close();
  }
}

export interface ClientOptions {
  /** Ends in `/open-api/v1`, with or without a slash. https only, http for this machine. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Others that no problem and no response may show; read at each response. */
  readonly secrets?: Iterable<string> | undefined;
  /** Where the key is from, for people: shown if the service does not accept it. */
  readonly keyOrigin?: string | undefined;
  /** How calls travel; left out: a pool of connections, through the proxy that the environment names. */
  readonly transport?: Transport;
  /** The most calls in flight at once; 8. */
  readonly concurrency?: number | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  readonly retries?: Partial<RetryLimits>;
  /** The longest single wait for the rate limit; 300. A longer one ends the call with `rate-limited-too-long`. */
  readonly maxWaitSeconds?: number | undefined;
  /** The tier of the key's organization, if it is known: its limits then hold from the first call on. */
  readonly tier?: Tier | undefined;
  /** Keeps our calls of the last hour between runs. */
  readonly ledger?: LedgerStore | undefined;
  /** The largest response that is read; 8 MiB. */
  readonly maxBytes?: number;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are looked up; left out: the process's environment. */
  readonly env?: EnvVariables | undefined;
  readonly listener?: Listener;
  /** Once aborted, no further call starts, and every wait and every read in flight ends; writes in flight finish. */
  readonly signal?: AbortSignal | undefined;
  /** Whether writes may be sent at this moment; left out: always. */
  readonly guard?: CallGuard | undefined;
  readonly clock?: Clock;
  /** Measures how long calls take, in milliseconds, for estimates; left out: the clock. If it is stopped, only waits count. */
  readonly stopwatch?: () => number;
  readonly random?: () => number;
}

export type { EventFilter, OrderFilter, RequestOptions } from "./endpoints/endpoints.ts";
