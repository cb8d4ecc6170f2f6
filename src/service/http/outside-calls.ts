// Calls to others than the service: hosts of repositories, and places where state is kept.
import type { OutsideResponse, SendOutside } from "../../model/outside.ts";
import type { EnvVariables } from "./proxy.ts";
import type { Transport } from "./transport.ts";
import { undiciTransport } from "./undici-transport.ts";

const maxBytes = 64 * 2 ** 20;

/** The program's own transport; made with the first call. */
export function outsideCalls(env: EnvVariables): {
  readonly send: SendOutside;
  readonly close: () => Promise<void>;
} {
  let transport: Transport | null = null;
  return {
    async send({ url, ...call }) {
      transport ??= undiciTransport({ env });
      const { origin, host, pathname, search } = new URL(url);
      const outcome = await transport.send({ ...call, origin, path: `${pathname}${search}`, maxBytes });
      if (outcome.kind === "fault")
        return noResponse(`${host} cannot be reached (${outcome.fault.detail || outcome.fault.code}).`);
      const { status, headers: given, body: text, cut } = outcome.answer;
      if (cut !== null) return noResponse(`The response of ${host} broke off.`);
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
