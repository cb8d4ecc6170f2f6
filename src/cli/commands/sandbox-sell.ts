// ticketing sandbox sell: buyers for the sandbox, running or at rest.
import { formatCount, formatMoney } from "../../model/money.ts";
import { safeJsonLine } from "../../report/safe-json.ts";
import { eventOfKey } from "../day-two/event-of-key.ts";
import { type SandboxPlace, withSandboxHands } from "../day-two/sandbox-hands.ts";
import { say } from "../say.ts";
import type { World } from "../world.ts";

export interface SandboxSellOptions extends SandboxPlace {
  /** Key in the project, id, slug or name. */
  readonly event: string;
  /** Id or name. */
  readonly ticket: string;
  readonly count: number;
}

export async function runSandboxSell(world: World, options: SandboxSellOptions): Promise<number> {
  const { directory, ticket, count, format } = options;
  return withSandboxHands(world, options, async (hands) => {
    const { events } = await hands.contents();
    const event = (await eventOfKey(world, directory, options.event, events)) ?? options.event;
    const orders = await hands.sell({ event, ticket, count });
    const numbers = orders.map(({ orderNumber }) => orderNumber).join(", ");
    const total = orders.reduce((sum, order) => sum + order.totalAmount, 0);
    const told = `Sold ${formatCount(count)} × ${ticket} for ${formatMoney(total)}: ${numbers}.`;
    if (format === "json") world.stdout.write(`${safeJsonLine({ formatVersion: 1, orders })}\n`);
    else say(world.stdout, [told]);
  });
}
