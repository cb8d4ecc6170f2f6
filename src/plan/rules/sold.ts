// Sales, from what the service shows: quantities first, orders if quantities do not show them.
import { soldKind } from "../../kinds/index.ts";
import { idKey } from "../../model/address.ts";
import type { Live, LiveLists, OrderFigures, Sold } from "../../model/live.ts";

/** Nothing remaining proves nothing: the sold-out call causes it too. `orders` undefined: not read (yet). */
export function soldOfTicket(ticket: Live, orders: OrderFigures | undefined): Sold {
  const quantity = ticket.fields.quantity;
  const remaining = ticket.remaining;
  if (typeof quantity === "number" && remaining !== null) {
    const count = Math.max(0, quantity - remaining);
    if (remaining > 0 || count === 0) return { count, any: count > 0 };
  }
  if (!orders?.tickets) return fromOrders(orders);
  const any = (orders.tickets.notCanceled.get(idKey(ticket.id)) ?? 0) > 0;
  if (orders.isPart) return { count: null, any: any || null };
  const count = orders.tickets.completed.get(idKey(ticket.id)) ?? 0;
  return { count: any && count === 0 ? null : count, any };
}

export function soldOfEvent(lists: LiveLists, orders: OrderFigures | undefined): Sold {
  const tickets = lists[soldKind.name];
  if (tickets === undefined) return fromOrders(orders);
  let count: number | null = 0;
  let any: boolean | null = false;
  let unknown: string | undefined;
  for (const ticket of tickets) {
    const sold = soldOfTicket(ticket, orders);
    unknown ??= sold.unknown;
    count = count === null || sold.count === null ? null : count + sold.count;
    any = any === true || sold.any === true ? true : any === null ? null : sold.any;
  }
  return { count, any, ...(unknown === undefined ? {} : { unknown }) };
}

/** Orders prove that something is sold; what, and how much, only their items show. */
function fromOrders(orders: OrderFigures | undefined): Sold {
  if (orders === undefined || orders.total === null) {
    return { count: null, any: null, ...(orders?.unread === undefined ? {} : { unknown: orders.unread }) };
  }
  return orders.total === 0 ? { count: 0, any: false } : { count: null, any: true, ofEvent: true };
}
