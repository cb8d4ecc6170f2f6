// ticketing sandbox refund: a buyer of the sandbox gets the money back.
import { formatMoney } from "../../model/money.ts";
import { itemsWords } from "../../report/order-words.ts";
import { safeJsonLine } from "../../report/safe-json.ts";
import { type SandboxPlace, withSandboxHands } from "../day-two/sandbox-hands.ts";
import type { World } from "../world.ts";

export interface SandboxRefundOptions extends SandboxPlace {
  /** Number or id. */
  readonly order: string;
}

export async function runSandboxRefund(world: World, options: SandboxRefundOptions): Promise<number> {
  return withSandboxHands(world, options, async (hands) => {
    const order = await hands.refund(options.order);
    const items = order.orderItems.map(({ id, quantity, price, eventTicket: { name, section } }) => {
      return { id, quantity, price, ticket: name, section };
    });
    const told = `Refunded ${order.orderNumber}: ${itemsWords(items)}, ${formatMoney(order.totalAmount)}.`;
    world.stdout.write(options.format === "json" ? `${safeJsonLine({ formatVersion: 1, order })}\n` : `${told}\n`);
  });
}
