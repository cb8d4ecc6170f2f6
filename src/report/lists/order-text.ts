// Orders for the terminal and for a spreadsheet: each as it comes, in columns that are set beforehand.
import { formatMoment } from "../../model/time.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import { makePage, type Page, paragraph, piece, type TerminalOptions } from "../text/page.ts";
import { disarmCell, safeText } from "../text/sanitize.ts";
import { type CsvCell, csvDataCell, csvLine, type FixedColumn, layCells, roomBeside, ruleOf } from "../text/table.ts";
import { cutText, displayWidth, padEnd } from "../text/wrap.ts";
import { formatAmount, formatCreated, formatItems, type OrderView, paymentOf, viewOrder } from "./order-view.ts";

export interface OrdersTextOptions extends TerminalOptions {
  readonly zone: string;
  readonly withBuyers: boolean;
}

/** As much of `2027-01-10 08:00:27` as is needed. */
const minutes = 16;
const narrowestNumber = 10;
const widestNumber = 24;
const columnsBeside: readonly FixedColumn[] = [{ width: minutes }, { width: 9 }, { width: 13, align: "right" }];

export interface OrdersText {
  /** Above the first order, by which the columns are set. */
  titles(first: OrderView): string;
  row(order: OrderView): string;
}

export function makeOrdersText(options: OrdersTextOptions): OrdersText {
  const page = makePage(options, 64, 120);
  let columns: readonly FixedColumn[] = columnsFor(page, narrowestNumber);
  return {
    titles(first) {
      columns = columnsFor(page, displayWidth(safeText(first.orderNumber ?? "")));
      const titles = layCells(columns, ["Order", "Created", "Status", "Amount", "Tickets"]);
      return `${titles.map((line) => page.paint([piece("heading", line)])).join("\n")}\n${ruleOf(columns)}\n`;
    },
    row(order) {
      const cells = [
        order.orderNumber ?? "",
        formatCreated(order, options.zone).slice(0, minutes),
        order.status ?? "",
        formatAmount(order.totalAmount, order.currency),
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

function columnsFor(page: Page, number: number): readonly FixedColumn[] {
  const width = Math.min(widestNumber, Math.max(narrowestNumber, number));
  const beside = [{ width }, ...columnsBeside];
  return [...beside, { width: roomBeside(beside, page.columns, 10) }];
}

// One order for the terminal, with how it was paid as far as the service shows it.

export interface OrderTextOptions extends OrdersTextOptions {
  /** null: not known. */
  readonly eventName: string | null;
}

type Row = readonly [label: string, value: string];

export function renderOrderText(record: Readonly<Record<string, unknown>>, options: OrderTextOptions): string {
  const page = makePage(options, 64);
  const order = viewOrder(record);
  const moment = (time: string | null) => (time === null ? "not shown" : formatMoment(time, options.zone));
  const head: readonly Row[] = [
    ["Order", order.orderNumber ?? "number not shown"],
    ["Id", order.id],
    ["Status", order.status ?? "not shown"],
    ["Created", moment(order.createdAt)],
    ["Updated", moment(order.updatedAt)],
    ["Event", describeEvent(order.eventId, options.eventName)],
    ["Amount", formatAmount(order.totalAmount, order.currency)],
    ...order.items.map(({ quantity, ticket, section, price }, index): Row => {
      const where = section === null ? "" : ` (${section})`;
      const each = price === null ? "" : ` at ${formatAmount(price, order.currency)}`;
      return [
        index === 0 ? "Tickets" : "",
        `${quantity === null ? "?" : formatCount(quantity)} × ${ticket ?? "?"}${where}${each}`,
      ];
    }),
    ["Buyer", describeBuyer(order.buyerName, order.buyerEmail, options.withBuyers)],
  ];
  const payment = rowsOf(paymentOf(record, options.withBuyers), "");
  const rows = payment.length === 0 ? [...head, ["Payment", "not shown"] as const] : [...head, ...payment];
  const width = Math.max(...rows.map(([label]) => displayWidth(label))) + 2;
  const lines = rows.flatMap(([label, value]) =>
    paragraph(page, [piece("quiet", padEnd(safeText(label), width)), piece("value", safeText(value))], 0, width),
  );
  return `${lines.join("\n")}\n`;
}

function describeEvent(id: string | null, name: string | null): string {
  if (name === null) return id ?? "not shown";
  return id === null ? name : `${name} (${id})`;
}

function describeBuyer(name: string | null, email: string | null, shown: boolean): string {
  if (!shown) return "not shown without --with-buyers";
  return [name, email].filter((text) => text !== null).join(", ") || "not shown by the service";
}

/** Whatever is there, with its own names: `payment.method  CARD`. */
function rowsOf(value: unknown, path: string): readonly Row[] {
  if (value === null || value === undefined) return path === "" ? [] : [[path, "none"]];
  if (typeof value !== "object") return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, each]) => {
    const place = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    return rowsOf(each, place);
  });
}

// Orders for a spreadsheet, a row each, written as they come.

const first = ["orderNumber", "status", "made", "quantity", "totalAmount", "currency", "tickets"];
const buyers = ["buyerName", "buyerEmail"];
const last = ["id", "createdAt", "updatedAt", "eventId"];

export function ordersCsvTitles(withBuyers: boolean): string {
  return csvLine([...first, ...(withBuyers ? buyers : []), ...last]);
}

/** `made` is local time in the event's zone, in a form that spreadsheets take for a time. */
export function ordersCsvRow(order: OrderView, zone: string, withBuyers: boolean): string {
  const cells: readonly CsvCell[] = [
    csvDataCell(order.orderNumber),
    csvDataCell(order.status),
    csvDataCell(toTheSecond(formatCreated(order, zone))),
    order.quantity,
    order.totalAmount,
    csvDataCell(order.currency),
    csvDataCell(formatItems(order.items)),
    ...(withBuyers ? [csvDataCell(order.buyerName), csvDataCell(order.buyerEmail)] : []),
    csvDataCell(order.id),
    csvDataCell(order.createdAt),
    csvDataCell(order.updatedAt),
    csvDataCell(order.eventId),
  ];
  return csvLine(cells);
}

/** A column of times is read as one only if all of them look alike. */
function toTheSecond(time: string): string {
  return /^\S+ \d\d:\d\d$/.test(time) ? `${time}:00` : time;
}
