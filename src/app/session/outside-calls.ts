// Calls to others than the service: hosts of repositories, and places where state is kept.
import type { Transport } from "../../service/transport.ts";
import type { Outside } from "../../state/open-store.ts";
import type { World } from "../world.ts";

const maxBytes = 64 * 2 ** 20;

/** The program's own transport; made with the first call. */
export function outsideCalls(world: Pick<World, "env">): Pick<Outside, "send" | "close"> {
  let opening: Promise<Transport> | null = null;
  const open = async () => (await import("../../service/transport.ts")).undiciTransport({ env: world.env });
  return {
    async send({ url, ...call }) {
      opening ??= open();
      const { origin, pathname, search } = new URL(url);
      const outcome = await (await opening).send({ ...call, origin, path: `${pathname}${search}`, maxBytes });
      if (outcome.kind === "fault")
        return noAnswer(`It cannot be reached (${outcome.fault.detail || outcome.fault.code}).`);
      const { status, headers: given, body: text, cut } = outcome.answer;
      if (cut !== null) return noAnswer("Its answer broke off.");
      const single = Object.entries(given).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(", ") : value,
      ]);
      return { status, headers: Object.fromEntries(single) as Record<string, string | undefined>, body: text };
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

function noAnswer(body: string) {
  return { status: 0, headers: {}, body };
}
