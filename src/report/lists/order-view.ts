// An order as the service shows it, read leniently, with or without the buyer.
import { formatLocalTime } from "../../model/time.ts";
import { asObject, formatCount, formatMoney, pluralize } from "../../model/value.ts";
import { withoutPeople, withoutSecrets } from "../text/sanitize.ts";

export interface OrderItemView {
  readonly id: string | null;
  readonly quantity: number | null;
  readonly price: number | null;
  readonly ticket: string | null;
  readonly section: string | null;
}

export interface OrderView {
  readonly id: string;
  readonly orderNumber: string | null;
  readonly status: string | null;
  readonly totalAmount: number | null;
  readonly currency: string | null;
  readonly quantity: number | null;
  readonly eventId: string | null;
  readonly items: readonly OrderItemView[];
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly buyerName: string | null;
  readonly buyerEmail: string | null;
}

type Shown = Readonly<Record<string, unknown>>;

export function viewOrder(record: Shown): OrderView {
  const items = Array.isArray(record.orderItems) ? record.orderItems : [];
  return {
    id: textOf(record.id) ?? "",
    orderNumber: textOf(record.orderNumber),
    status: textOf(record.status),
    totalAmount: numberOf(record.totalAmount),
    currency: textOf(record.currency),
    quantity: numberOf(record.quantity),
    eventId: textOf(record.eventId),
    items: items.map(viewItem),
    createdAt: textOf(record.createdAt),
    updatedAt: textOf(record.updatedAt),
    buyerName: textOf(record.buyerName),
    buyerEmail: textOf(record.buyerEmail),
  };
}

function viewItem(item: unknown): OrderItemView {
  const shown = asObject(item);
  const ticket = asObject(shown.eventTicket);
  return {
    id: textOf(shown.id),
    quantity: numberOf(shown.quantity),
    price: numberOf(shown.price),
    ticket: textOf(ticket.name),
    section: textOf(ticket.section),
  };
}

const knownFields = [
  "id",
  "orderNumber",
  "status",
  "totalAmount",
  "currency",
  "quantity",
  "eventId",
  "orderItems",
  "createdAt",
  "updatedAt",
];

/** The record for programs. Without the buyer it holds only what is known to say nothing about people. */
export function orderRecord(record: Shown, withBuyers: boolean): Shown {
  const known = Object.fromEntries(knownFields.flatMap((field) => (field in record ? [[field, record[field]]] : [])));
  if (withBuyers) return withoutSecrets({ ...known, ...record }) as Shown;
  const items = known.orderItems;
  return Array.isArray(items) ? { ...known, orderItems: items.map(plainItem) } : known;
}

function plainItem(item: unknown): Shown {
  const { id, quantity, price, eventTicket } = asObject(item);
  const ticket = asObject(eventTicket);
  return { id, quantity, price, eventTicket: { id: ticket.id, name: ticket.name, section: ticket.section } };
}

/** Whatever one order shows beyond the fields of the list: how it was paid, in whichever shape. */
export function paymentOf(record: Shown, withBuyers: boolean): Shown {
  const listed = new Set([...knownFields, "buyerName", "buyerEmail"]);
  const rest = Object.fromEntries(Object.entries(record).filter(([field]) => !listed.has(field)));
  const shown = withoutSecrets(rest);
  return (withBuyers ? shown : withoutPeople(shown)) as Shown;
}

function textOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

function numberOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null;
}

/** "2 × VIP, 1 × GA" */
export function formatItems(items: readonly OrderItemView[]): string {
  return items.map(({ quantity, ticket }) => `${quantity ?? "?"} × ${ticket ?? "?"}`).join(", ");
}

/** `2027-01-10 08:00`, as spreadsheets read a time. */
export function formatCreated({ createdAt }: OrderView, zone: string): string {
  return createdAt === null ? "" : formatLocalTime(createdAt, zone).replace("T", " ");
}

/** Pesos as people write them; an amount of another currency with its name. */
export function formatAmount(amount: number | null, currency: string | null): string {
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
  const rest = unpriced === 0 ? "" : ` plus ${formatCount(unpriced)} without an amount`;
  const sum = byStatus.has("COMPLETED") ? `; COMPLETED orders total ${formatMoney(completed)}${rest}` : "";
  return `${pluralize(orders, "order")}${which}, ${pluralize(tickets, "ticket")}${sum}.`;
}
