// From what the service shows to the figures of an event.
import { amountOf, orderStatus, soldByInventory, ticketsInOrders } from "../../kinds/index.ts";
import { idKey } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { asObject, commissionPercent, compareText, groupBy } from "../../model/value.ts";
import { dayIn, type EventStatus } from "../../model/wish.ts";

/** Sums of orders in other currencies than the peso, in no other sum; left out: there are none. null: one does not show it */
export interface Foreign {
  readonly otherCurrencies?: Readonly<Record<string, number | null>>;
}

/** What COMPLETED orders of an event come to. */
export interface SalesFigures extends Foreign {
  readonly orders: number;
  /** In pesos; null if an order in pesos does not show what it came to. */
  readonly gross: number | null;
  /** Tickets by the id of their type; null if an order does not show its items. */
  readonly sold: ReadonlyMap<string, number> | null;
}

/** Adds up the orders that are sales, as the service lists them. A figure that one of them does not show is unknown for all. */
export function sumOrders(listed: readonly unknown[]): SalesFigures {
  const records = listed.filter(isSale);
  const gross = sumKnown(records.map(pesosOf));
  const sold = ticketsInOrders(records)?.completed ?? null;
  return { orders: records.length, gross, sold, ...addForeign(records.map(foreignOf)) };
}

/** null: the order does not show what it came to. */
function pesosOf(record: unknown): number | null {
  return currencyOf(record) === "PHP" ? amountOf(asObject(record).totalAmount) : 0;
}

function foreignOf(record: unknown): Foreign {
  const currency = currencyOf(record);
  return currency === "PHP" ? {} : { otherCurrencies: { [currency]: amountOf(asObject(record).totalAmount) } };
}

function currencyOf(record: unknown): string {
  const { currency } = asObject(record);
  return (typeof currency === "string" && currency.toUpperCase()) || "PHP";
}

export function addForeign(parts: readonly Foreign[]): Foreign {
  const amounts = groupBy(
    parts.flatMap(({ otherCurrencies = {} }) => Object.entries(otherCurrencies)),
    ([name]) => name,
  );
  const sums = [...amounts].map(([name, list]) => [name, sumKnown(list.map(([, amount]) => amount))]);
  return sums.length === 0 ? {} : { otherCurrencies: Object.fromEntries(sums.sort()) };
}

/** How many are sold: by the ticket type's own figures, or by orders if those do not prove it. */
export function figuresOfTicket(ticket: Live, sales: SalesFigures | null) {
  const { name, price, quantity, published } = ticket.fields;
  const { remaining } = ticket;
  const byOrders = sales === null || sales.sold === null ? null : (sales.sold.get(idKey(ticket.id)) ?? 0);
  const sold = soldByInventory(ticket) ?? (sales?.orders === 0 ? 0 : byOrders);
  return {
    id: ticket.id,
    name: typeof name === "string" ? name : ticket.id,
    price: typeof price === "number" ? price : null,
    published: typeof published === "boolean" ? published : null,
    /** null: neither the service nor its orders show it. */
    sold,
    remaining,
    quantity: typeof quantity === "number" ? quantity : null,
    /** Some are sold, and it is unknown how many. */
    ...(sold === null && sales !== null ? { someSold: true as const } : {}),
  };
}

export function sumTickets(
  tickets: readonly TicketFigures[] | null,
  sales: SalesFigures | null,
  capacity: number | null,
) {
  const counts = ["sold", "remaining", "quantity"] as const;
  const { sold, remaining, quantity } = addKnown(counts, tickets ?? [{ sold: null, remaining: null, quantity: null }]);
  // A percentage of whole pesos is exact in centavos.
  const gross = sales?.gross ?? null;
  const commission = gross === null ? null : (gross * commissionPercent) / 100;
  return {
    sold,
    remaining,
    quantity,
    ...(sold === null && tickets?.some((ticket) => ticket.someSold) ? { someSold: true as const } : {}),
    capacityUsed: sold === null || capacity === null || capacity <= 0 ? null : sold / capacity,
    orders: sales?.orders ?? null,
    gross,
    commission,
    net: gross === null || commission === null ? null : round(gross - commission),
    ...addForeign(sales === null ? [] : [sales]),
  };
}

/** Nothing of an event that is over or archived is for sale, whatever the service still counts. */
export function isClosed({ ended, status }: Pick<EventFigures, "ended" | "status">): boolean {
  return ended || status === "ARCHIVED";
}

export function totalsOf(events: readonly EventFigures[]): StatusReport["totals"] {
  const add = (name: "sold" | "quantity" | "gross" | "commission" | "net") =>
    round(events.reduce((sum, event) => sum + (event[name] ?? 0), 0));
  const remaining = round(events.reduce((sum, event) => sum + (isClosed(event) ? 0 : (event.remaining ?? 0)), 0));
  const counts = { sold: add("sold"), remaining, quantity: add("quantity") };
  const money = { gross: add("gross"), commission: add("commission"), net: add("net") };
  return { events: events.filter(({ id }) => id !== null).length, ...counts, ...money, ...addForeign(events) };
}

/** The sums of these figures; null if one of them is unknown: a partial sum would look like the whole. */
export function addKnown<Name extends string>(
  names: readonly Name[],
  items: readonly Readonly<Record<Name, number | null>>[],
): Record<Name, number | null> {
  return Object.fromEntries(names.map((name) => [name, sumKnown(items.map((item) => item[name]))])) as Record<
    Name,
    number | null
  >;
}

function sumKnown(parts: readonly (number | null)[]): number | null {
  return parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : round(sum + part)), 0);
}

/** To hundredths. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

// The state of sales: the value that every format of `status` is made from.

export type TicketFigures = ReturnType<typeof figuresOfTicket>;

/** `isOver`: nothing of it can be bought, whatever remains. */
export type Counted = Pick<TicketFigures, "sold" | "someSold" | "remaining" | "quantity"> & {
  readonly isOver?: boolean;
};

/** Something in which the live event is not as the files say. */
export interface Divergence {
  readonly address: string;
  /** A field by its name in YAML, `status`, or null for a whole ticket type. */
  readonly field: string | null;
  /** Whether the file was edited or the live object, if state shows it; `missing` and `surplus` are of a whole ticket type. */
  readonly how: "edit" | "drift" | "differs" | "missing" | "surplus";
}

export interface EventFigures extends Counted, Foreign {
  /** Its key in the project; null if the files do not name it. */
  readonly key: string | null;
  readonly id: string | null;
  readonly slug: string | null;
  readonly name: string;
  /** null: the files name it, and it is not live. */
  readonly status: EventStatus | null;
  readonly dateTime: string | null;
  readonly endDateTime: string | null;
  readonly timezone: string;
  readonly ended: boolean;
  /** False: buyers pay the fees on top of the price; null: not shown. */
  readonly absorbFees: boolean | null;
  /** Whether the files name it; null: there are no files, or it is not known. */
  readonly managed: boolean | null;
  /** It was applied from files that no longer name it: a plan would show it as a delete. */
  readonly removed?: true;
  /** null: not compared. */
  readonly divergences: readonly Divergence[] | null;
  /** null: they could not be read. */
  readonly tickets: readonly TicketFigures[] | null;
  readonly capacity: number | null;
  /** Sold tickets as a part of the capacity, 0.5 for half; null if either is not known. */
  readonly capacityUsed: number | null;
  /** COMPLETED orders and their sum in pesos; null: they could not be read. */
  readonly orders: number | null;
  readonly gross: number | null;
  readonly commission: number | null;
  /** What remains of gross after the commission and before processing fees. */
  readonly net: number | null;
  readonly series: string | null;
  /** Nothing is left of any ticket type. */
  readonly soldOut: boolean;
  /** Calendar days to its start, negative once it is past; null: the start is not shown. */
  readonly daysToGo: number | null;
  /** Only if every order was read. */
  readonly history?: SalesHistory;
}

/** The sums over the dates of a series; null: unknown for one of them. */
export interface SeriesFigures
  extends Foreign,
    Pick<EventFigures, "sold" | "remaining" | "quantity" | "orders" | "gross" | "commission" | "net"> {
  readonly key: string;
  readonly events: number;
  readonly from: string | null;
  readonly until: string | null;
  readonly soldOut: number;
}

export interface StatusReport {
  readonly formatVersion: 1;
  readonly target: {
    readonly environment: string;
    readonly baseUrl: string;
    readonly organization: { readonly id: string; readonly slug: string } | null;
  };
  readonly createdAt: string;
  readonly events: readonly EventFigures[];
  /** Archived events that are not among them; null: not read. */
  readonly archived: number | null;
  /** Only what could be read; a part that is null counts as nothing. */
  readonly totals: Readonly<
    Record<"events" | "sold" | "remaining" | "quantity" | "gross" | "commission" | "net", number>
  > &
    Foreign;
  readonly diagnostics: readonly Diagnostic[];
  readonly series: readonly SeriesFigures[];
  /** The project's own, which days of sales are counted in. */
  readonly timezone: string;
  /** If only events were asked for that start within this many seconds. */
  readonly nextSeconds?: number;
}

// Sales by day, from the orders themselves. Nothing about buyers is stored.

export interface SalesDay {
  /** `2027-03-14`, in the zone of the project. */
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
  /** Completed orders that do not show when they were placed, how many tickets they contain or their total. */
  readonly unclear: number;
  readonly others: readonly OtherOrders[];
}

/** An order that does not show its status was not said to be undone. */
function isSale(record: unknown): boolean {
  const status = orderStatus(record);
  return status === "COMPLETED" || typeof status !== "string";
}

export function historyOfOrders(records: readonly unknown[], zone: string): SalesHistory {
  const days: SalesDay[] = [];
  const others: OtherOrders[] = [];
  let unclear = 0;
  for (const record of records) {
    const { createdAt, totalAmount } = asObject(record);
    const amount = pesosOf(record);
    if (!isSale(record)) {
      others.push({ status: String(orderStatus(record)), orders: 1, amount: amount ?? 0 });
      continue;
    }
    const tickets = ticketsIn(record);
    const day = typeof createdAt === "string" ? dayIn(zone, Date.parse(createdAt)) : "";
    if (day === "" || tickets === null || amountOf(totalAmount) === null) unclear += 1;
    if (day !== "") days.push({ day, orders: 1, tickets: tickets ?? 0, gross: amount ?? 0 });
  }
  return { days: addDays(days), unclear, others: addOthers(others) };
}

function ticketsIn(record: unknown): number | null {
  const { quantity, orderItems } = asObject(record);
  const whole = amountOf(quantity);
  if (whole !== null || !Array.isArray(orderItems)) return whole;
  return sumKnown(orderItems.map((item) => amountOf(asObject(item).quantity)));
}

export function joinHistories(histories: readonly SalesHistory[]): SalesHistory {
  return {
    days: addDays(histories.flatMap(({ days }) => days)),
    unclear: histories.reduce((sum, { unclear }) => sum + unclear, 0),
    others: addOthers(histories.flatMap(({ others }) => others)),
  };
}

function addDays(days: readonly SalesDay[]): readonly SalesDay[] {
  const sums = new Map<string, SalesDay>();
  for (const { day, orders, tickets, gross } of days) {
    const sum = sums.get(day) ?? { orders: 0, tickets: 0, gross: 0 };
    sums.set(day, { day, orders: sum.orders + orders, tickets: sum.tickets + tickets, gross: sum.gross + gross });
  }
  return [...sums.values()].sort((one, other) => compareText(one.day, other.day));
}

function addOthers(others: readonly OtherOrders[]): readonly OtherOrders[] {
  const sums = new Map<string, OtherOrders>();
  for (const { status, orders, amount } of others) {
    const sum = sums.get(status) ?? { status, orders: 0, amount: 0 };
    sums.set(status, { status, orders: sum.orders + orders, amount: sum.amount + amount });
  }
  return [...sums.values()].sort((one, other) => compareText(one.status, other.status));
}
