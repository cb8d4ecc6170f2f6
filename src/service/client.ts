// The client of the API: every endpoint, errors as values, no call sooner or oftener than is right.
import { setMaxListeners } from "node:events";
import { checkApiKey } from "./api-key.ts";
import { parseBaseUrl } from "./base-url.ts";
import { type CallSetup, makeCall } from "./call.ts";
import type { ClientOptions } from "./client-options.ts";
import { systemClock } from "./clock.ts";
import type { Caller, RequestOptions } from "./endpoints/caller.ts";
import { eventEndpoints } from "./endpoints/events.ts";
import { readMe } from "./endpoints/me.ts";
import { orderEndpoints } from "./endpoints/orders.ts";
import { brandEndpoints, performerEndpoints, scheduleEndpoints } from "./endpoints/parts.ts";
import { ticketEndpoints } from "./endpoints/tickets.ts";
import { venueEndpoints } from "./endpoints/venues.ts";
import { webhookEndpoints } from "./endpoints/webhooks.ts";
import { makeGate } from "./gate.ts";
import { keepLedger, type LedgerKeeper } from "./pace/ledger-keeper.ts";
import { estimateSeconds, type Limits, limitsOf } from "./pace/limits.ts";
import { type Meter, makeMeter } from "./pace/meter.ts";
import { makePace } from "./pace/pace.ts";
import { type ListSource, type PageOptions, readAll, readPages } from "./pages.ts";
import { checkPath, type Query, withQuery } from "./path.ts";
import type { Problem } from "./problem.ts";
import type { Me } from "./records.ts";
import { failure, type Result } from "./result.ts";
import { defaultRetryLimits } from "./retry.ts";
import type { Method, Transport } from "./transport.ts";
import { undiciTransport } from "./undici-transport.ts";

const mebibyte = 1024 * 1024;

export class TicketingClient implements Caller {
  readonly events: ReturnType<typeof eventEndpoints>;
  readonly tickets: ReturnType<typeof ticketEndpoints>;
  readonly performers: ReturnType<typeof performerEndpoints>;
  readonly schedules: ReturnType<typeof scheduleEndpoints>;
  readonly brands: ReturnType<typeof brandEndpoints>;
  readonly orders: ReturnType<typeof orderEndpoints>;
  readonly venues: ReturnType<typeof venueEndpoints>;
  readonly webhooks: ReturnType<typeof webhookEndpoints>;
  /** Calls that reached the service so far, repeats included. */
  readonly counts: { readonly reads: number; readonly writes: number; readonly rateLimited: number };

  /** What makes every call impossible, such as a bad address; null where nothing does. */
  readonly #hindrance: Problem | null;
  readonly #setup: CallSetup;
  readonly #concurrency: number;
  readonly #transport: Transport;
  readonly #meter: Meter;
  readonly #ledger: LedgerKeeper | null;
  readonly #lists: ListSource = {
    read: (path, query) => this.request("GET", path, { query }),
    memory: { take: 100 },
    pause: (ms) => this.pause(ms),
  };
  #date: string | null = null;

  constructor(options: ClientOptions) {
    const base = parseBaseUrl(options.baseUrl);
    this.#hindrance = base.ok ? checkApiKey(options.apiKey) : base.problem;
    const clock = options.clock ?? systemClock;
    const listener = options.listener ?? {};
    const concurrency = Math.max(1, Math.floor(options.concurrency ?? 8));
    this.#concurrency = concurrency;
    // Every call under way listens for it: that is no leak to warn of.
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
    const headers = { "api-key": options.apiKey, accept: "application/json", "user-agent": "ticketing" };
    const counts = { reads: 0, writes: 0, rateLimited: 0 };
    this.counts = counts;
    this.#transport =
      options.transport ??
      undiciTransport({
        connections: concurrency,
        timeouts: options.timeouts ?? {},
        ...(options.env === undefined ? {} : { env: options.env }),
      });
    this.#meter = makeMeter(options.tier ?? null);
    this.#ledger = options.ledger === undefined ? null : keepLedger(options.ledger, this.#meter, clock);
    const pace = makePace({
      meter: this.#meter,
      clock,
      random: options.random ?? Math.random,
      maxWaitMs: (options.maxWaitSeconds ?? 300) * 1000,
      signal: options.signal,
      listener,
    });
    this.#setup = {
      origin: base.ok ? base.url.origin : "",
      basePath: base.ok ? base.url.path : "",
      apiKey: options.apiKey,
      keyOrigin: options.keyOrigin ?? null,
      headers,
      headersWithBody: { ...headers, "content-type": "application/json" },
      transport: this.#transport,
      gate: makeGate(concurrency),
      pace,
      clock,
      random: options.random ?? Math.random,
      retries: { ...defaultRetryLimits, ...options.retries },
      maxBytes: options.maxBytes ?? 8 * mebibyte,
      listener,
      signal: options.signal,
      counts,
      pastCalls: { count: 0, ms: 0 },
      stopwatch: options.stopwatch ?? clock.now,
      onAnswer: (date) => {
        if (date !== null) this.#date = date;
        this.#ledger?.touch();
      },
    };
    this.events = eventEndpoints(this);
    this.tickets = ticketEndpoints(this);
    this.performers = performerEndpoints(this);
    this.schedules = scheduleEndpoints(this);
    this.brands = brandEndpoints(this);
    this.orders = orderEndpoints(this);
    this.venues = venueEndpoints(this);
    this.webhooks = webhookEndpoints(this);
  }

  /** Any call, by its path relative to the base address. A POST or PATCH whose effect is unknown is never sent again. */
  async request(method: Method, path: string, options?: RequestOptions): Promise<Result<unknown>> {
    const hindrance = this.#hindrance ?? checkPath(path);
    if (hindrance !== null) return failure(hindrance);
    const ledger = this.#ledger?.ready() ?? null;
    if (ledger !== null) await ledger;
    return makeCall(this.#setup, method, withQuery(path, options?.query), options?.body);
  }

  /** Every item of a list, on however many pages; items seen twice are dropped. */
  listAll(path: string, query: Query = {}, options: PageOptions = {}): Promise<Result<readonly unknown[]>> {
    return readAll(this.#lists, path, query, options);
  }

  /** A list page by page. */
  pages(
    path: string,
    query: Query = {},
    options: PageOptions = {},
  ): AsyncGenerator<Result<readonly unknown[]>, void, undefined> {
    return readPages(this.#lists, path, query, options);
  }

  /** Waits, unless the run is stopped. */
  pause(ms: number): Promise<void> {
    return this.#setup.clock.sleep(ms, this.#setup.signal);
  }

  me(): Promise<Result<Me>> {
    return readMe(this);
  }

  /** The service's own time in its latest answer; null before the first one that shows it. */
  get serverDate(): Date | null {
    const date = new Date(this.#date ?? Number.NaN);
    return Number.isNaN(date.getTime()) ? null : date;
  }

  /** What is known about the rate limits now. */
  get limits(): Limits {
    return limitsOf(this.#meter, this.#setup.clock.now());
  }

  /** How long so many further calls will take: the wait for the rate limits, as far as they are known, and their own time. */
  estimateSeconds(calls: number): number {
    const { count, ms } = this.#setup.pastCalls;
    const callMs = count === 0 ? 0 : ms / count / this.#concurrency;
    return estimateSeconds(this.#meter, calls, this.#setup.clock.now(), callMs);
  }

  /** Keeps the ledger and ends the connections. Calls under way end first. */
  async close(): Promise<void> {
    this.#setup.pace.close();
    await this.#ledger?.flush();
    await this.#transport.close();
  }
}
