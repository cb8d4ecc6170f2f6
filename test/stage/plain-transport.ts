// The client's calls, handed to a sandbox in this process: no socket, the same words.
import type { SandboxService } from "../../src/sandbox/index.ts";
import type { Transport } from "../../src/service/http/transport.ts";

export function sandboxTransport(service: SandboxService): Transport {
  return {
    async send(call) {
      const answer = await service.handle({
        method: call.method,
        path: call.path,
        headers: { ...call.headers },
        body: call.body ?? undefined,
      });
      const headers = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      return { kind: "answer", answer: { status: answer.status, headers, body: answer.body, cut: null } };
    },
    async close() {},
  };
}
