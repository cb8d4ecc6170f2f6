// ticketing orders show: one order, with how it was paid.

import { renderOrderText } from "../../report/order-text.ts";
import { orderRecord, paymentOf } from "../../report/order-view.ts";
import { safeJson } from "../../report/safe-json.ts";
import { withService } from "../day-two/with-service.ts";
import { explainProblem } from "../service-problem.ts";
import type { TargetOptions } from "../target.ts";
import { tellProblems } from "../tell-problems.ts";
import type { World } from "../world.ts";

export interface OrdersShowOptions extends TargetOptions {
  readonly format: "text" | "json";
  readonly id: string;
  readonly withBuyers: boolean;
}

export async function runOrdersShow(world: World, options: OrdersShowOptions): Promise<number> {
  const { format, withBuyers } = options;
  return withService(world, options, { scope: "orders:read" }, async ({ target }) => {
    const found = await target.client.orders.get(options.id);
    if (!found.ok) {
      const { problem } = found;
      const unknown = problem.code === "bad-id" || problem.status === 404;
      const told = explainProblem(problem, "orders:read");
      return tellProblems(world, format, [
        unknown
          ? {
              ...told,
              code: "unknown-order",
              message: `There is no order with the id '${options.id}'. ${told.message}`,
              hint: `\`ticketing orders EVENT\` prints the id of each order below its number. ${told.hint ?? ""}`.trim(),
            }
          : told,
      ]);
    }
    if (format === "json") {
      // The order itself, as each line of `orders --format json` is one.
      const order = { ...orderRecord(found.data, withBuyers), ...paymentOf(found.data, withBuyers) };
      world.stdout.write(`${safeJson(order)}\n`);
    } else {
      const { columns } = world.stdout;
      const text = renderOrderText(found.data, { columns, color: options.color, zone: "Asia/Manila", withBuyers });
      world.stdout.write(`\n${text}`);
    }
    return 0;
  });
}
