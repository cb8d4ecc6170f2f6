// An order as the service shows it, read leniently, with or without the buyer.
import { amountOf } from "../../kinds/index.ts";
import { formatLocalMoment, formatLocalTime, formatMoment } from "../../model/time.ts";
import { asObject, formatCount, formatMoney, pluralize } from "../../model/value.ts";
import { disarmCell, safeText, withoutPeople, withoutSecrets } from "../text/sanitize.ts";
import {
  csvDataCell,
  csvLine,
  cutText,
  displayWidth,
  type FixedColumn,
  layCells,
  padEnd,
  roomBeside,
} from "../text/table.ts";
import { headingLines, makePage, type Page, paragraph, piece, type TerminalOptions } from "../text/terminal-text.ts";

type OrderItemView = ReturnType<typeof viewItem>;
type OrderView = ReturnType<typeof viewOrder>;

type ShownOrder = Readonly<Record<string, unknown>>;

export function viewOrder(record: ShownOrder) {
  const items = Array.isArray(record.orderItems) ? record.orderItems : [];
  return {
    id: shownText(record.id) ?? "",
    orderNumber: shownText(record.orderNumber),
    status: shownText(record.status),
    totalAmount: amountOf(record.totalAmount),
    currency: shownText(record.currency),
    quantity: amountOf(record.quantity),
    eventId: shownText(record.eventId),
    items: items.map(viewItem),
    createdAt: shownText(record.createdAt),
    updatedAt: shownText(record.updatedAt),
    buyerName: shownText(record.buyerName),
    buyerEmail: shownText(record.buyerEmail),
  };
}

function viewItem(item: unknown) {
  const shown = asObject(item);
  const ticket = asObject(shown.eventTicket);
  return {
    id: shownText(shown.id),
    quantity: amountOf(shown.quantity),
    price: amountOf(shown.price),
    ticket: shownText(ticket.name),
    section: shownText(ticket.section),
  };
}

const knownFields = "id orderNumber status totalAmount currency quantity eventId orderItems createdAt updatedAt".split(
  " ",
);

/** The record for programs. Without the buyer, it contains only fields that are known to say nothing about people. */
export function orderRecord(record: ShownOrder, withBuyers: boolean): ShownOrder {
  const known = Object.fromEntries(knownFields.flatMap((field) => (field in record ? [[field, record[field]]] : [])));
  if (withBuyers) return withoutSecrets({ ...known, ...record }) as ShownOrder;
  const items = known.orderItems;
  return Array.isArray(items) ? { ...known, orderItems: items.map(plainItem) } : known;
}

function plainItem(item: unknown): ShownOrder {
  const { id, quantity, price, eventTicket } = asObject(item);
  const ticket = asObject(eventTicket);
  return { id, quantity, price, eventTicket: { id: ticket.id, name: ticket.name, section: ticket.section } };
}

/** Everything that an order shows beyond the fields of the list: how it was paid, in any form. */
export function paymentOf(record: ShownOrder, withBuyers: boolean): ShownOrder {
  const listed = new Set([...knownFields, "buyerName", "buyerEmail"]);
  const rest = Object.fromEntries(Object.entries(record).filter(([field]) => !listed.has(field)));
  const shown = withoutSecrets(rest);
  return (withBuyers ? shown : withoutPeople(shown)) as ShownOrder;
}

function shownText(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

/** "2 × VIP, 1 × GA" */
export function formatItems(items: readonly OrderItemView[]): string {
  return items.map(({ quantity, ticket }) => `${quantity ?? "?"} × ${ticket ?? "?"}`).join(", ");
}

/** Pesos as people write them; an amount of another currency with its name. */
function formatAmount(amount: number | null, currency: string | null): string {
  if (amount === null) return "?";
  return currency === null || currency.toUpperCase() === "PHP"
    ? formatMoney(amount)
    : `${formatCount(amount)} ${currency}`;
}

type OrderSums = ReturnType<typeof makeSums>;

/** `completed`: by currency; `unpriced`: COMPLETED ones that do not show their total. */
export function makeSums() {
  const completed = new Map<string, number>();
  return { orders: 0, tickets: 0, undone: 0, completed, unpriced: 0, byStatus: new Map<string, number>() };
}

export function addOrder(sums: OrderSums, order: OrderView): void {
  const status = order.status?.toUpperCase() ?? "status not shown";
  sums.orders += 1;
  sums[["CANCELLED", "REFUNDED"].includes(status) ? "undone" : "tickets"] += order.quantity ?? 0;
  sums.byStatus.set(status, (sums.byStatus.get(status) ?? 0) + 1);
  if (status !== "COMPLETED") return;
  const currency = order.currency?.toUpperCase() ?? "PHP";
  sums.completed.set(currency, (sums.completed.get(currency) ?? 0) + (order.totalAmount ?? 0));
  if (order.totalAmount === null) sums.unpriced += 1;
}

/** The last line: what the orders above come to. */
export function sumsSentence({ orders, tickets, undone, completed, unpriced, byStatus }: OrderSums): string {
  const statuses = [...byStatus].sort().map(([status, count]) => `${formatCount(count)} ${status}`);
  const which = byStatus.size === 0 ? "" : ` (${statuses.join(", ")})`;
  const rest = unpriced === 0 ? "" : ` plus ${formatCount(unpriced)} without an amount`;
  const amounts = [...completed].map(([currency, amount]) => formatAmount(amount, safeText(currency)));
  const sum = completed.size > 0 ? `; COMPLETED orders total ${amounts.join(" + ")}${rest}` : "";
  const other = tickets === 0 || undone === 0 ? "" : `, and ${formatCount(undone)} in canceled or refunded orders`;
  return `${pluralize(orders, "order")}${which}, ${pluralize(tickets || undone, "ticket")}${other}${sum}.`;
}

// Orders for the terminal and for a spreadsheet: each as it comes, in columns that are set beforehand.

interface OrdersTextOptions extends TerminalOptions {
  readonly zone: string;
  readonly withBuyers: boolean;
}

const narrowestNumber = 10;
const widestNumber = 24;
const usualAmount = 13;
const widestAmount = 32;

/** `titles` stand above the first order, by which the columns are set. */
export function makeOrdersText(options: OrdersTextOptions) {
  const page = makePage(options, 64, 120);
  let number = narrowestNumber;
  return {
    titles(first: OrderView): string {
      number = displayWidth(safeText(first.orderNumber ?? ""));
      const columns = columnsFor(page, number, usualAmount);
      return `${headingLines(page, columns, ["Order", "Created", "Status", "Amount", "Tickets"]).join("\n")}\n`;
    },
    row(order: OrderView): string {
      const amount = formatAmount(order.totalAmount, order.currency);
      const columns = columnsFor(page, number, displayWidth(safeText(amount)));
      const cells = [
        order.orderNumber ?? "",
        order.createdAt === null
          ? ""
          : formatLocalMoment(order.createdAt, options.zone).replace(/(\d\d:\d\d):\d\d$/, "$1"),
        order.status ?? "",
        amount,
        formatItems(order.items) || (order.quantity === null ? "? tickets" : pluralize(order.quantity, "ticket")),
      ].map((cell, index) => cutText(disarmCell(safeText(cell)), columns[index]?.width ?? 0));
      // An order without a number can be asked for by its id alone.
      const below = [
        order.orderNumber === null ? order.id : null,
        ...(options.withBuyers ? [order.buyerName, order.buyerEmail] : []),
      ];
      const words = below.filter((text) => text !== null).join(", ");
      const further = words === "" ? [] : paragraph(page, [piece("quiet", safeText(words))], 2, 2);
      return `${[...layCells(columns, cells), ...further].join("\n")}\n`;
    },
  };
}

/** An amount that is wider than usual reduces the space for what was bought: part of a number is another number. */
function columnsFor(page: Page, number: number, amount: number): readonly FixedColumn[] {
  const beside: readonly FixedColumn[] = [
    { width: Math.min(widestNumber, Math.max(narrowestNumber, number)) },
    { width: "Sun 10 Jan 2027 08:00".length },
    { width: 9 },
    { width: Math.min(widestAmount, Math.max(usualAmount, amount)), align: "right" },
  ];
  return [...beside, { width: roomBeside(beside, page.columns, 10) }];
}

// One order for the terminal, with how it was paid as far as the service shows it.

type LabeledRow = readonly [label: string, value: string];

export function renderOrderText(
  record: ShownOrder,
  options: OrdersTextOptions & { readonly eventName: string | null },
) {
  const page = makePage(options, 64);
  const order = viewOrder(record);
  const moment = (time: string | null) => (time === null ? "not shown" : formatMoment(time, options.zone));
  const head: readonly LabeledRow[] = [
    ["Order", order.orderNumber ?? "number not shown"],
    ["Id", order.id],
    ["Status", order.status ?? "not shown"],
    ["Created", moment(order.createdAt)],
    ["Updated", moment(order.updatedAt)],
    ["Event", describeOrderEvent(order.eventId, options.eventName)],
    ["Amount", formatAmount(order.totalAmount, order.currency)],
    ...order.items.map(({ quantity, ticket, section, price }, index): LabeledRow => {
      const where = section === null ? "" : ` (${section})`;
      const each = price === null ? "" : ` at ${formatAmount(price, order.currency)}`;
      return [
        index === 0 ? "Tickets" : "",
        `${quantity === null ? "?" : formatCount(quantity)} × ${ticket ?? "?"}${where}${each}`,
      ];
    }),
    ["Buyer", describeBuyer(order.buyerName, order.buyerEmail, options.withBuyers)],
  ];
  const payment = rowsOf(paymentOf(record, options.withBuyers), "", order.currency);
  const rows = payment.length === 0 ? [...head, ["Payment", "not shown"] as const] : [...head, ...payment];
  const width = Math.max(...rows.map(([label]) => displayWidth(label))) + 2;
  const lines = rows.flatMap(([label, value]) =>
    paragraph(page, [piece("quiet", padEnd(safeText(label), width)), piece("value", safeText(value))], 0, width),
  );
  return `${lines.join("\n")}\n`;
}

function describeOrderEvent(id: string | null, name: string | null): string {
  if (name === null) return id ?? "not shown";
  return id === null ? name : `${name} (${id})`;
}

function describeBuyer(name: string | null, email: string | null, shown: boolean): string {
  if (!shown) return "not shown without --with-buyers";
  return [name, email].filter((text) => text !== null).join(", ") || "not shown by the service";
}

const moneyName = /(?:amount|fee|price|total)$/i;

/** Everything, under its own names: `payment.method  CARD`. Money is in the currency next to it, or in the order's. */
function rowsOf(value: unknown, path: string, currency: string | null): readonly LabeledRow[] {
  if (value === null || value === undefined) return path === "" ? [] : [[path, "none"]];
  if (typeof value === "number" && moneyName.test(path)) return [[path, formatAmount(value, currency)]];
  if (typeof value !== "object") return [[path, String(value)]];
  const own = shownText(asObject(value).currency) ?? currency;
  return Object.entries(value).flatMap(([key, each]) => {
    const place = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    return rowsOf(each, place, own);
  });
}

// Orders for a spreadsheet, a row each, written as they come.

const first = ["orderNumber", "status", "made", "quantity", "totalAmount", "currency", "tickets"];
const buyers = ["buyerName", "buyerEmail"];
const last = ["id", "createdAt", "updatedAt", "eventId"];

export function ordersCsvTitles(withBuyers: boolean): string {
  return csvLine([...first, ...(withBuyers ? buyers : []), ...last]);
}

/** `made` is local time in the event's zone, in a form that spreadsheets recognize as a time. */
export function ordersCsvRow(order: OrderView, zone: string, withBuyers: boolean): string {
  return csvLine([
    csvDataCell(order.orderNumber),
    csvDataCell(order.status),
    csvDataCell(createdAs(order, zone)),
    order.quantity,
    order.totalAmount,
    csvDataCell(order.currency),
    csvDataCell(formatItems(order.items)),
    ...(withBuyers ? [csvDataCell(order.buyerName), csvDataCell(order.buyerEmail)] : []),
    csvDataCell(order.id),
    csvDataCell(order.createdAt),
    csvDataCell(order.updatedAt),
    csvDataCell(order.eventId),
  ]);
}

/** `2027-01-10 08:00:00`: spreadsheets read a column of times as one only if all of them look alike. */
function createdAs({ createdAt }: OrderView, zone: string): string {
  const time = createdAt === null ? "" : formatLocalTime(createdAt, zone).replace("T", " ");
  return /^\S+ \d\d:\d\d$/.test(time) ? `${time}:00` : time;
}
