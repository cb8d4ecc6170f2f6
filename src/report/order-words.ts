import { formatLocalTime } from "../model/moment.ts";
import { formatCount, formatMoney } from "../model/money.ts";
import type { OrderItemView, OrderView } from "./order-view.ts";

/** "2 × VIP, 1 × GA" */
export function itemsWords(items: readonly OrderItemView[]): string {
  return items.map(({ quantity, ticket }) => `${quantity ?? "?"} × ${ticket ?? "?"}`).join(", ");
}

/** `2027-01-10 08:00`, as spreadsheets read a time. */
export function madeWords({ createdAt }: OrderView, zone: string): string {
  return createdAt === null ? "" : formatLocalTime(createdAt, zone).replace("T", " ");
}

/** Pesos as people write them; an amount of another currency with its name. */
export function amountWords(amount: number | null, currency: string | null): string {
  if (amount === null) return "?";
  return currency === null || currency === "PHP" ? formatMoney(amount) : `${formatCount(amount)} ${currency}`;
}

export interface OrderSums {
  orders: number;
  tickets: number;
  completed: number;
  /** COMPLETED ones that do not show what they came to. */
  unpriced: number;
  readonly byStatus: Map<string, number>;
}

export function makeSums(): OrderSums {
  return { orders: 0, tickets: 0, completed: 0, unpriced: 0, byStatus: new Map() };
}

export function addOrder(sums: OrderSums, order: OrderView): void {
  const status = order.status ?? "status not shown";
  sums.orders += 1;
  sums.tickets += order.quantity ?? 0;
  sums.byStatus.set(status, (sums.byStatus.get(status) ?? 0) + 1);
  if (status !== "COMPLETED") return;
  sums.completed += order.totalAmount ?? 0;
  if (order.totalAmount === null) sums.unpriced += 1;
}

/** The last line: what the orders above come to. */
export function sumsSentence({ orders, tickets, completed, unpriced, byStatus }: OrderSums): string {
  const statuses = [...byStatus].sort().map(([status, count]) => `${formatCount(count)} ${status}`);
  const which = byStatus.size === 0 ? "" : ` (${statuses.join(", ")})`;
  const rest = unpriced === 0 ? "" : ` and what the ${formatCount(unpriced)} without an amount came to`;
  const sum = byStatus.has("COMPLETED") ? `; COMPLETED orders come to ${formatMoney(completed)}${rest}` : "";
  const sold = `${formatCount(tickets)} ${tickets === 1 ? "ticket" : "tickets"}`;
  return `${formatCount(orders)} ${orders === 1 ? "order" : "orders"}${which}, ${sold}${sum}.`;
}
