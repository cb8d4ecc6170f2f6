// Orders for a spreadsheet, a row each, written as they come.
import { type Cell, csvLine, dataCell } from "./csv.ts";
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
    dataCell(order.orderNumber),
    dataCell(order.status),
    dataCell(toTheSecond(madeWords(order, zone))),
    order.quantity,
    order.totalAmount,
    dataCell(order.currency),
    dataCell(itemsWords(order.items)),
    ...(withBuyers ? [dataCell(order.buyerName), dataCell(order.buyerEmail)] : []),
    dataCell(order.id),
    dataCell(order.createdAt),
    dataCell(order.updatedAt),
    dataCell(order.eventId),
  ];
  return csvLine(cells);
}

/** A column of times is read as one only where all of them look alike. */
function toTheSecond(time: string): string {
  return /^\S+ \d\d:\d\d$/.test(time) ? `${time}:00` : time;
}
