// What is sold, from what the service shows: quantities first, orders where quantities cannot tell.
import type { Live } from "../model/live.ts";
import type { Sold } from "../model/sales.ts";

/** Orders of the event that are not cancelled; null: cannot be seen; undefined: not read (yet). */
export type OrderCount = number | null | undefined;

/** Nothing remaining proves nothing: the sold-out call causes it too. */
export function soldOfTicket(ticket: Live, orders: OrderCount): Sold {
  const quantity = ticket.fields.quantity;
  const remaining = ticket.remaining;
  if (typeof quantity === "number" && remaining !== null) {
    const count = Math.max(0, quantity - remaining);
    if (remaining > 0 || count === 0) return { count, any: count > 0 };
    if (orders === 0) return { count: 0, any: false };
    if (typeof orders === "number") return { count, any: true };
    return { count: null, any: null };
  }
  return fromOrders(orders);
}

export function soldOfEvent(tickets: readonly Live[] | undefined, orders: OrderCount): Sold {
  if (tickets === undefined) return fromOrders(orders);
  let count: number | null = 0;
  let any: boolean | null = false;
  for (const ticket of tickets) {
    const sold = soldOfTicket(ticket, orders);
    count = count === null || sold.count === null ? null : count + sold.count;
    any = any === true || sold.any === true ? true : any === null ? null : sold.any;
  }
  return { count, any };
}

function fromOrders(orders: OrderCount): Sold {
  if (orders === undefined || orders === null) return { count: null, any: null };
  return { count: orders === 0 ? 0 : null, any: orders > 0 };
}
