// ticketing orders show: one order, with how it was paid.
import { kindOf } from "../../kinds/index.ts";
import { readRecord } from "../../kinds/read-record.ts";
import { renderOrderText } from "../../report/order-text.ts";
import { orderRecord, paymentOf } from "../../report/order-view.ts";
import { safeJson } from "../../report/safe-json.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { Problem } from "../../service/problem.ts";
import { findOrder } from "../day-two/find-order.ts";
import { withService } from "../day-two/with-service.ts";
import { explainProblem } from "../service-problem.ts";
import type { TargetOptions } from "../target.ts";
import { tellProblems } from "../tell-problems.ts";
import type { World } from "../world.ts";

export interface OrdersShowOptions extends TargetOptions {
  readonly format: "text" | "json";
  /** Its number, or its id. */
  readonly id: string;
  readonly withBuyers: boolean;
}

export async function runOrdersShow(world: World, options: OrdersShowOptions): Promise<number> {
  const { format, withBuyers } = options;
  return withService(world, options, { scope: "orders:read" }, async ({ target }) => {
    const found = await getOrder(target.client, options.id, world.interrupted);
    if (!found.ok) {
      const { problem } = found;
      const unknown = isUnknown(problem);
      const isAnswer = problem.status !== null;
      const told = explainProblem(problem, "orders:read");
      return tellProblems(world, format, [
        unknown
          ? {
              ...told,
              code: "unknown-order",
              message: `There is no order with the number or id '${options.id}'.${isAnswer ? ` ${told.message}` : ""}`,
              hint: `${numbersHint}${isAnswer && told.hint !== undefined ? ` ${told.hint}` : ""}`,
            }
          : told,
      ]);
    }
    if (format === "json") {
      // The order's own fields at the top, as in `orders --format json`.
      const order = { ...orderRecord(found.data, withBuyers), ...paymentOf(found.data, withBuyers) };
      world.stdout.write(`${safeJson({ formatVersion: 1, ...order })}\n`);
    } else {
      const { columns } = world.stdout;
      const event = await eventOf(target.client, found.data.eventId);
      const text = renderOrderText(found.data, { columns, color: options.color, withBuyers, ...event });
      world.stdout.write(`\n${text}`);
    }
    return 0;
  });
}

const numbersHint =
  "`ticketing orders EVENT` prints the number of each order, and with --format csv or json its id as well.";

/** By its id; and where that is none, by its number. */
async function getOrder(client: TicketingClient, word: string, interrupted: AbortSignal) {
  const direct = await client.orders.get(word);
  if (direct.ok || !isUnknown(direct.problem) || uuid.test(word)) return direct;
  const id = await findOrder(client, word, interrupted);
  return id === null ? direct : client.orders.get(id);
}

/** What people call the event, and the zone of its times; a key that may not read it does without. */
async function eventOf(client: TicketingClient, id: unknown) {
  const found = typeof id === "string" ? await client.events.get(id) : null;
  const fields = found?.ok ? readRecord(kindOf("event"), found.data, null)?.fields : undefined;
  return {
    eventName: typeof fields?.name === "string" ? fields.name : null,
    zone: typeof fields?.timezone === "string" ? fields.timezone : "Asia/Manila",
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const unknownStatuses: readonly unknown[] = [400, 404, 410, 422];

function isUnknown({ code, status }: Problem): boolean {
  return code === "bad-id" || unknownStatuses.includes(status);
}
