// Orders for a spreadsheet, a row each, written as they come.
import { type Cell, csvLine } from "./csv.ts";
import type { OrderView } from "./order-view.ts";
import { itemsWords, madeWords } from "./order-words.ts";

const first = ["orderNumber", "status", "made", "quantity", "totalAmount", "currency", "tickets"];
const buyers = ["buyerName", "buyerEmail"];
const last = ["id", "createdAt", "updatedAt", "eventId"];

export function ordersCsvTitles(withBuyers: boolean): string {
  return csvLine([...first, ...(withBuyers ? buyers : []), ...last]);
}

/** `made` is local time in the event's zone, in a form that spreadsheets take for a time. */
export function ordersCsvRow(order: OrderView, zone: string, withBuyers: boolean): string {
  const cells: readonly Cell[] = [
    order.orderNumber,
    order.status,
    madeWords(order, zone),
    order.quantity,
    order.totalAmount,
    order.currency,
    itemsWords(order.items),
    ...(withBuyers ? [order.buyerName, order.buyerEmail] : []),
    order.id,
    order.createdAt,
    order.updatedAt,
    order.eventId,
  ];
  return csvLine(cells);
}
