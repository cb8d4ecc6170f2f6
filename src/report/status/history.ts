// Sales by day, from the orders themselves. Nothing about buyers is kept.
import { amountOf } from "../../kinds/index.ts";
import { asObject } from "../../model/value.ts";
import { dayIn } from "../../model/wish.ts";

export interface SalesDay {
  /** `2027-03-14`, in the zone of the organization. */
  readonly day: string;
  readonly orders: number;
  readonly tickets: number;
  /** In pesos. */
  readonly gross: number;
}

/** Orders that are no sale: refunded, canceled, or not paid yet. */
export interface OtherOrders {
  readonly status: string;
  readonly orders: number;
  readonly amount: number;
}

export interface SalesHistory {
  /** Days with a completed order, in order of time. */
  readonly days: readonly SalesDay[];
  /** Completed orders that do not show when they were made, how many tickets they hold or what they came to. */
  readonly unclear: number;
  readonly others: readonly OtherOrders[];
}

/** An order that does not show its status was not said to be undone. */
export function isSale(record: unknown): boolean {
  const { status } = asObject(record);
  return status === "COMPLETED" || typeof status !== "string";
}

export function historyOfOrders(records: readonly unknown[], zone: string): SalesHistory {
  const days: SalesDay[] = [];
  const others: OtherOrders[] = [];
  let unclear = 0;
  for (const record of records) {
    const { status, totalAmount, createdAt } = asObject(record);
    const amount = amountOf(totalAmount);
    if (!isSale(record)) {
      others.push({ status: String(status), orders: 1, amount: amount ?? 0 });
      continue;
    }
    const tickets = ticketsIn(record);
    const day = typeof createdAt === "string" ? dayIn(zone, Date.parse(createdAt)) : "";
    if (day === "" || tickets === null || amount === null) unclear += 1;
    if (day !== "") days.push({ day, orders: 1, tickets: tickets ?? 0, gross: amount ?? 0 });
  }
  return { days: addDays([days]), unclear, others: addOthers([others]) };
}

function ticketsIn(record: unknown): number | null {
  const { quantity, orderItems } = asObject(record);
  const whole = amountOf(quantity);
  if (whole !== null || !Array.isArray(orderItems)) return whole;
  const parts = orderItems.map((item) => amountOf(asObject(item).quantity));
  return parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);
}

/** The histories of several events as one. */
export function joinHistories(histories: readonly SalesHistory[]): SalesHistory {
  return {
    days: addDays(histories.map(({ days }) => days)),
    unclear: histories.reduce((sum, { unclear }) => sum + unclear, 0),
    others: addOthers(histories.map(({ others }) => others)),
  };
}

function addDays(lists: readonly (readonly SalesDay[])[]): readonly SalesDay[] {
  const sums = new Map<string, SalesDay>();
  for (const one of lists.flat()) {
    const sum = sums.get(one.day);
    sums.set(one.day, sum === undefined ? one : plus(sum, one));
  }
  return [...sums.values()].sort((one, other) => (one.day < other.day ? -1 : 1));
}

function plus(one: SalesDay, other: SalesDay): SalesDay {
  return {
    day: one.day,
    orders: one.orders + other.orders,
    tickets: one.tickets + other.tickets,
    gross: one.gross + other.gross,
  };
}

function addOthers(lists: readonly (readonly OtherOrders[])[]): readonly OtherOrders[] {
  const sums = new Map<string, OtherOrders>();
  for (const { status, orders, amount } of lists.flat()) {
    const sum = sums.get(status) ?? { status, orders: 0, amount: 0 };
    sums.set(status, { status, orders: sum.orders + orders, amount: sum.amount + amount });
  }
  return [...sums.values()].sort((one, other) => (one.status < other.status ? -1 : 1));
}
