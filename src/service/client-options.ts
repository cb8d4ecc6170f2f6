import type { Clock } from "./clock.ts";
import type { Listener } from "./listener.ts";
import type { LedgerStore } from "./pace/ledger-store.ts";
import type { Tier } from "./pace/tier.ts";
import type { Environment } from "./proxy.ts";
import type { RetryLimits } from "./retry.ts";
import type { Timeouts, Transport } from "./transport.ts";

export interface ClientOptions {
  /** Ends in `/open-api/v1`, with or without a slash. https only, http for this machine. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Where the key is from, for people: told where the service does not accept it. */
  readonly keyOrigin?: string;
  /** How calls travel; left out: a pool of connections, through the proxy that the environment names. */
  readonly transport?: Transport;
  /** Calls under way at once, at most; 8. */
  readonly concurrency?: number;
  readonly timeouts?: Partial<Timeouts>;
  readonly retries?: Partial<RetryLimits>;
  /** The longest single wait for the rate limit; 300. A longer one ends the call with `rate-limited-too-long`. */
  readonly maxWaitSeconds?: number;
  /** The tier of the key's organization, where it is known: its limits then hold from the first call on. */
  readonly tier?: Tier;
  /** Keeps our calls of the last hour between runs. */
  readonly ledger?: LedgerStore;
  /** The largest answer that is read; 8 MiB. */
  readonly maxBytes?: number;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are looked up; left out: the process's environment. */
  readonly env?: Environment;
  readonly listener?: Listener;
  /** Once aborted, no further call starts, and every wait and every read under way ends; writes under way end in their own time. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** What measures how long calls take, in milliseconds, for estimates; left out: the clock. One that stands still foretells waits alone. */
  readonly stopwatch?: () => number;
  readonly random?: () => number;
}
