// The client's calls, handed to a sandbox in this process: no socket, and every fault that a socket could have.
import type { SandboxAnswer, SandboxService } from "../../src/sandbox/index.ts";
import { TicketingClient } from "../../src/service/client.ts";
import type { Transport, TransportCall, TransportOutcome } from "../../src/service/http/transport.ts";

export interface TransportSetup {
  /** An answer that takes longer than this is not waited for. */
  readonly patienceMs?: number;
  /** Called before a call leaves and after it was answered; throwing is dying there. */
  readonly before?: (call: TransportCall) => void;
  readonly after?: (call: TransportCall) => void | Promise<void>;
  /** The service's clock, shown with every answer as a server does. */
  readonly now?: () => number;
}

export function sandboxTransport(service: SandboxService, setup: TransportSetup = {}): Transport {
  return {
    async send(call) {
      setup.before?.(call);
      const answer = await service.handle({
        method: call.method,
        path: call.path,
        headers: { ...call.headers },
        body: call.body ?? undefined,
      });
      await setup.after?.(call);
      return outcomeOf(answer, setup.patienceMs ?? 1000, new Date(setup.now?.() ?? Date.now()));
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

function outcomeOf(answer: SandboxAnswer, patienceMs: number, date: Date): TransportOutcome {
  if (answer.cut === "hanging" || (answer.delayMs ?? 0) > patienceMs) {
    return { kind: "fault", fault: { code: "timeout", detail: "no answer", sent: true } };
  }
  const lost = { code: "connection-lost", detail: "ECONNRESET", sent: true } as const;
  if (answer.cut === "closed" || answer.cut === "reset") return { kind: "fault", fault: lost };
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  headers.date = date.toUTCString();
  const cut = answer.cut === "truncated";
  const body = cut ? answer.body.slice(0, answer.body.length >> 1) : answer.body;
  return { kind: "answer", answer: { status: answer.status, headers, body, cut: cut ? lost : null } };
}
