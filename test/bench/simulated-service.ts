// A service that does nothing but limit: a minute's and an hour's window, fixed or sliding, and headers of every kind.
import type { Clock } from "../../src/service/clock.ts";
import type { Transport, TransportOutcome } from "../../src/service/http/transport.ts";

export type ResetUnit = "seconds" | "milliseconds" | "epoch-seconds" | "epoch-milliseconds" | "iso" | "http-date";

export interface ServiceOptions {
  readonly kind: "fixed" | "sliding";
  readonly minute: number;
  readonly hour: number;
  /** Which window the headers speak of; `both` uses names with a suffix. */
  readonly speaks: "minute" | "hour" | "tighter" | "both";
  readonly unit: ResetUnit;
  readonly latencyMs: number;
  /** How far the fixed windows had run when the simulation began. */
  readonly phaseMs: number;
  /** How wrong this machine's clock is against the service's. */
  readonly clockErrorMs?: number;
  readonly retryAfter?: boolean;
}

interface Limit {
  readonly span: "minute" | "hour";
  readonly ms: number;
  readonly limit: number;
  times: number[];
}

export interface SimulatedService extends Transport {
  /** Another client's call; false where it was refused. */
  foreignCall(): boolean;
  readonly refusals: number;
  /** When the next call would be accepted. */
  roomAt(): number;
}

export function simulatedService(clock: Clock, options: ServiceOptions): SimulatedService {
  const begin = clock.now() - options.phaseMs;
  const limits: Limit[] = [
    { span: "minute", ms: 60_000, limit: options.minute, times: [] },
    { span: "hour", ms: 3_600_000, limit: options.hour, times: [] },
  ];
  let refusals = 0;

  function windowStart(limit: Limit, now: number): number {
    return options.kind === "sliding"
      ? now - limit.ms
      : begin + Math.floor((now - begin) / limit.ms) * limit.ms - 0.001;
  }

  function prune(now: number): void {
    for (const limit of limits) {
      const start = windowStart(limit, now);
      limit.times = limit.times.filter((time) => time > start);
    }
  }

  function accept(now: number): boolean {
    prune(now);
    if (limits.some((limit) => limit.times.length >= limit.limit)) return false;
    for (const limit of limits) limit.times.push(now);
    return true;
  }

  function resetAt(limit: Limit, now: number): number {
    if (options.kind === "fixed") return windowStart(limit, now) + limit.ms + 0.001;
    return (limit.times[0] ?? now) + limit.ms;
  }

  function headersAt(now: number, ok: boolean): Record<string, string> {
    const serverNow = now + (options.clockErrorMs ?? 0);
    const headers: Record<string, string> = { date: new Date(Math.floor(serverNow / 1000) * 1000).toUTCString() };
    const left = (limit: Limit) => Math.max(0, limit.limit - limit.times.length);
    const tighter = [...limits].sort((one, other) => left(one) - left(other))[0] as Limit;
    for (const limit of limits) {
      const spoken =
        options.speaks === "tighter" ? limit === tighter : options.speaks === "both" || options.speaks === limit.span;
      if (!spoken) continue;
      const suffix = options.speaks === "both" ? `-${limit.span}` : "";
      headers[`x-ratelimit-limit${suffix}`] = String(limit.limit);
      headers[`x-ratelimit-remaining${suffix}`] = String(left(limit));
      headers[`x-ratelimit-reset${suffix}`] = showReset(options.unit, resetAt(limit, now) - now, serverNow);
    }
    if (!ok && options.retryAfter === true) headers["retry-after"] = String(Math.ceil((roomAt() - now) / 1000));
    return headers;
  }

  function roomAt(): number {
    const now = clock.now();
    prune(now);
    return Math.max(
      now,
      ...limits
        .filter((limit) => limit.times.length >= limit.limit)
        .map((limit) => resetAt(limit, now) + (options.kind === "sliding" ? 0.01 : 0)),
    );
  }

  async function send(): Promise<TransportOutcome> {
    await clock.sleep(options.latencyMs / 2);
    const now = clock.now();
    const ok = accept(now);
    if (!ok) refusals++;
    const headers = headersAt(now, ok);
    await clock.sleep(options.latencyMs / 2);
    return { kind: "response", response: { status: ok ? 200 : 429, headers, body: '{"data":null}', cut: null } };
  }

  return {
    send,
    close: async () => {},
    foreignCall: () => accept(clock.now()),
    roomAt,
    get refusals() {
      return refusals;
    },
  };
}

function showReset(unit: ResetUnit, ms: number, serverNow: number): string {
  switch (unit) {
    case "seconds":
      return String(Math.ceil(ms / 1000));
    case "milliseconds":
      return String(Math.ceil(ms));
    case "epoch-seconds":
      return String(Math.ceil((serverNow + ms) / 1000));
    case "epoch-milliseconds":
      return String(Math.ceil(serverNow + ms));
    case "iso":
      return new Date(serverNow + ms).toISOString();
    case "http-date":
      return new Date(serverNow + ms).toUTCString();
  }
}
