// An order as the service shows it, read leniently, with or without the buyer.
import { withoutPeople, withoutSecrets } from "./without-people.ts";

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

function asObject(value: unknown): Shown {
  return typeof value === "object" && value !== null ? (value as Shown) : {};
}

function textOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

function numberOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null;
}
