// ticketing sandbox reset: an empty sandbox, to begin again.
import { formatCount } from "../../model/money.ts";
import { safeJsonLine } from "../../report/safe-json.ts";
import { type SandboxPlace, withSandboxHands } from "../day-two/sandbox-hands.ts";
import { say } from "../say.ts";
import type { World } from "../world.ts";

export async function runSandboxReset(world: World, options: SandboxPlace): Promise<number> {
  return withSandboxHands(world, options, async (hands) => {
    const { events, orders, webhooks } = await hands.contents();
    await hands.reset();
    const removed = { events: events.length, orders: orders.length, webhooks: webhooks.length };
    const gone = Object.entries(removed).map(
      ([many, count]) => `${formatCount(count)} ${count === 1 ? many.slice(0, -1) : many}`,
    );
    const told = `The sandbox is empty (it held ${gone.join(", ")}). Fill it with: ticketing apply --env sandbox`;
    if (options.format === "json") world.stdout.write(`${safeJsonLine({ formatVersion: 1, removed })}\n`);
    else say(world.stdout, [told]);
  });
}
