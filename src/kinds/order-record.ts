// What the records of orders show, as far as sales are concerned.
import { idKey } from "../model/id.ts";
import type { TicketsInOrders } from "../model/sales.ts";

/** Tickets by the id of their type; null where an order does not show its items: a part would look like the whole. */
export function ticketsInOrders(records: readonly unknown[]): TicketsInOrders | null {
  const completed = new Map<string, number>();
  const notCancelled = new Map<string, number>();
  for (const record of records) {
    const { status, orderItems } = asObject(record);
    if (status === "CANCELLED") continue;
    if (!Array.isArray(orderItems)) return null;
    for (const item of orderItems) {
      const { quantity, eventTicket, ticketId } = asObject(item);
      const id = asObject(eventTicket).id ?? ticketId;
      const count = amountOf(quantity);
      if (typeof id !== "string" || count === null) return null;
      add(notCancelled, id, count);
      // An order that does not show its status was not said to be undone.
      if (status === "COMPLETED" || typeof status !== "string") add(completed, id, count);
    }
  }
  return { completed, notCancelled };
}

/** A number, whether the service writes it as one or as text; null where it is neither. */
export function amountOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" && /^-?\d{1,15}(\.\d{1,4})?$/.test(value.trim()) ? Number(value) : null;
}

function add(counts: Map<string, number>, id: string, count: number): void {
  counts.set(idKey(id), (counts.get(idKey(id)) ?? 0) + count);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
