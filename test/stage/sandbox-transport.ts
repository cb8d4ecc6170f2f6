// The client's calls, handed to a sandbox in this process: no socket, and every fault that a socket could have.
import type { SandboxResponse, SandboxService } from "../../src/sandbox/index.ts";
import { TicketingClient } from "../../src/service/client.ts";
import type { Transport, TransportCall, TransportOutcome } from "../../src/service/http/transport.ts";

export interface TransportSetup {
  /** A response that takes longer than this is not waited for. */
  readonly patienceMs?: number;
  /** Called before a call leaves and after it was answered; throwing is dying there. */
  readonly before?: (call: TransportCall) => void;
  readonly after?: (call: TransportCall) => void | Promise<void>;
  /** The service's clock, shown with every response as a server does. */
  readonly now?: () => number;
}

export function sandboxTransport(service: SandboxService, setup: TransportSetup = {}): Transport {
  return {
    async send(call) {
      setup.before?.(call);
      const response = await service.handle({
        method: call.method,
        path: call.path,
        headers: { ...call.headers },
        body: call.body ?? undefined,
      });
      await setup.after?.(call);
      return outcomeOf(response, setup.patienceMs ?? 1000, new Date(setup.now?.() ?? Date.now()));
    },
    async close() {},
  };
}

/** A client of it that draws no lots. */
export function sandboxClient(
  service: SandboxService,
  options: Partial<ConstructorParameters<typeof TicketingClient>[0]> = {},
): TicketingClient {
  return new TicketingClient({
    baseUrl: "http://127.0.0.1/open-api/v1",
    apiKey: service.apiKey,
    transport: sandboxTransport(service),
    random: () => 0,
    ...options,
  });
}

function outcomeOf(response: SandboxResponse, patienceMs: number, date: Date): TransportOutcome {
  if (response.cut === "hanging" || (response.delayMs ?? 0) > patienceMs) {
    return { kind: "fault", fault: { code: "timeout", detail: "no response", sent: true } };
  }
  const lost = { code: "connection-lost", detail: "ECONNRESET", sent: true } as const;
  if (response.cut === "closed" || response.cut === "reset") return { kind: "fault", fault: lost };
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  headers.date = date.toUTCString();
  const cut = response.cut === "truncated";
  const body = cut ? response.body.slice(0, response.body.length >> 1) : response.body;
  return { kind: "response", response: { status: response.status, headers, body, cut: cut ? lost : null } };
}
