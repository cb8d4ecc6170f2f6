// Orders are read only as far as a planned change needs them: first how many there are, then what they are of.
import type { OrderFigures } from "../../model/sales.ts";
import type { EventCase } from "../../plan/case.ts";
import { type Court, salesNeed } from "../../plan/judge.ts";
import { soldOfEvent } from "../../plan/sold.ts";
import type { OrderReader } from "../../snapshot/read-orders.ts";

/** So many orders are read only for the number that a message names; above it, the message says "some". */
const worthCounting = 1000;

/** What the verdicts on this event need to know of its orders; undefined: nothing. */
export async function readSales(
  event: EventCase,
  court: Omit<Court, "ordersOf">,
  reader: OrderReader,
): Promise<OrderFigures | undefined> {
  const id = event.self.live?.id;
  if (id === undefined) return undefined;
  let orders: OrderFigures | undefined;
  const need = () => salesNeed(event, { ...court, ordersOf: () => orders });
  const first = need();
  if (first === null) return undefined;
  // Where a quantity proves sales, only the items of orders can say more.
  const isProven = soldOfEvent(event.lists.ticket, undefined).any === true;
  if (first === "number" || !isProven) orders = await reader.total(id);
  const left = need();
  if (left === null || orders?.total === null || orders?.tickets !== undefined) return orders;
  if (left === "number" && (orders?.total ?? 0) > worthCounting) return orders;
  const many = (orders?.total ?? 0) > worthCounting;
  return reader.byTicket(
    id,
    many ? (part) => salesNeed(event, { ...court, ordersOf: () => part }) !== "verdict" : undefined,
  );
}
