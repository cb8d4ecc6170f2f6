// One order for the terminal, with how it was paid as far as the service shows it.

import { formatMoment } from "../model/moment.ts";
import { formatCount } from "../model/money.ts";
import { displayWidth, padEnd } from "./display-width.ts";
import { paymentOf, viewOrder } from "./order-view.ts";
import { amountWords } from "./order-words.ts";
import { makePaint } from "./paint.ts";
import { safeText } from "./safe-text.ts";
import { type Page, paragraph, piece } from "./text-lines.ts";

export interface OrderTextOptions {
  readonly columns: number;
  readonly color: boolean;
  readonly zone: string;
  /** null: not known. */
  readonly eventName: string | null;
  readonly withBuyers: boolean;
}

type Row = readonly [label: string, value: string];

export function renderOrderText(record: Readonly<Record<string, unknown>>, options: OrderTextOptions): string {
  const page: Page = { columns: Math.max(64, options.columns), paint: makePaint(options.color) };
  const order = viewOrder(record);
  const moment = (time: string | null) => (time === null ? "not shown" : formatMoment(time, options.zone));
  const head: readonly Row[] = [
    ["Order", order.orderNumber ?? "number not shown"],
    ["Id", order.id],
    ["Status", order.status ?? "not shown"],
    ["Made", moment(order.createdAt)],
    ["Changed", moment(order.updatedAt)],
    ["Event", eventWords(order.eventId, options.eventName)],
    ["Amount", amountWords(order.totalAmount, order.currency)],
    ...order.items.map(({ quantity, ticket, section, price }, index): Row => {
      const where = section === null ? "" : ` (${section})`;
      const each = price === null ? "" : ` at ${amountWords(price, order.currency)}`;
      return [
        index === 0 ? "Tickets" : "",
        `${quantity === null ? "?" : formatCount(quantity)} × ${ticket ?? "?"}${where}${each}`,
      ];
    }),
    ["Buyer", buyerWords(order.buyerName, order.buyerEmail, options.withBuyers)],
  ];
  const payment = rowsOf(paymentOf(record, options.withBuyers), "");
  const rows = payment.length === 0 ? [...head, ["Payment", "not shown"] as const] : [...head, ...payment];
  const width = Math.max(...rows.map(([label]) => displayWidth(label))) + 2;
  const lines = rows.flatMap(([label, value]) =>
    paragraph(page, [piece("quiet", padEnd(safeText(label), width)), piece("value", safeText(value))], 0, width),
  );
  return `${lines.join("\n")}\n`;
}

function eventWords(id: string | null, name: string | null): string {
  if (name === null) return id ?? "not shown";
  return id === null ? name : `${name} (${id})`;
}

function buyerWords(name: string | null, email: string | null, shown: boolean): string {
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
