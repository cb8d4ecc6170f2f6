// A client that tests talk through: no pauses between repeats, and a key that must never be shown again.
import { type ClientOptions, TicketingClient } from "../../src/service/client.ts";
import type { Clock } from "../../src/service/clock.ts";
import type { Transport, TransportCall, TransportFault, TransportResponse } from "../../src/service/http/transport.ts";

export const apiKey = "tk_secret_4711_never_to_be_seen";
export const id = "3f0c9a52-1111-4222-8333-444455556666";
export const otherId = "3f0c9a52-9999-4222-8333-444455556666";

/** Real time, but every sleep is over at once; it remembers how long they would have been. */
export function hastyClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  let ahead = 0;
  return {
    slept,
    now: () => performance.timeOrigin + performance.now() + ahead,
    async sleep(ms, signal) {
      if (!Number.isFinite(ms))
        await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      else if (signal?.aborted !== true) {
        slept.push(ms);
        ahead += ms;
      }
    },
  };
}

export function clientOf(options: Partial<ClientOptions> & Pick<ClientOptions, "baseUrl">): TicketingClient {
  return new TicketingClient({ apiKey, clock: hastyClock(), random: () => 0.5, env: {}, ...options });
}

export type Scripted = Partial<TransportResponse> | { readonly fault: TransportFault };

/** A transport that answers from a script, the last line forever, and keeps the calls. */
export function scripted(
  ...script: readonly [Scripted, ...Scripted[]]
): Transport & { readonly calls: TransportCall[] } {
  const calls: TransportCall[] = [];
  return {
    calls,
    async send(call) {
      const line = script[Math.min(calls.length, script.length - 1)] as Scripted;
      calls.push(call);
      if ("fault" in line) return { kind: "fault", fault: line.fault };
      return { kind: "response", response: { status: 200, headers: {}, body: '{"data":null}', cut: null, ...line } };
    },
    close: async () => {},
  };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Scripted {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}
