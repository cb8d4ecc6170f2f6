// Orders for the terminal: each as it comes, in columns that are set beforehand.
import { type FixedColumn, layCells, roomBeside, ruleOf } from "./fixed-columns.ts";
import type { OrderView } from "./order-view.ts";
import { amountWords, itemsWords, madeWords } from "./order-words.ts";
import { makePaint } from "./paint.ts";
import { safeText } from "./safe-text.ts";
import { type Page, paragraph, piece } from "./text-lines.ts";

export interface OrdersTextOptions {
  readonly columns: number;
  readonly color: boolean;
  readonly zone: string;
  readonly withBuyers: boolean;
}

const columnsBeside: readonly FixedColumn[] = [
  { width: 12 },
  { width: 16 },
  { width: 9 },
  { width: 13, align: "right" },
];
const widest = 120;

export interface OrdersText {
  titles(): string;
  row(order: OrderView): string;
}

export function makeOrdersText(options: OrdersTextOptions): OrdersText {
  const page: Page = { columns: Math.max(64, Math.min(options.columns, widest)), paint: makePaint(options.color) };
  const columns = [...columnsBeside, { width: roomBeside(columnsBeside, page.columns, 10) }];
  return {
    titles() {
      const titles = layCells(columns, ["Order", "Made", "Status", "Amount", "Tickets"]);
      return `${titles.map((line) => page.paint([piece("heading", line)])).join("\n")}\n${ruleOf(columns)}\n`;
    },
    row(order) {
      const cells = [
        order.orderNumber ?? "",
        madeWords(order, options.zone),
        order.status ?? "",
        amountWords(order.totalAmount, order.currency),
        itemsWords(order.items) || `${order.quantity ?? "?"} tickets`,
      ];
      const buyer = options.withBuyers
        ? [order.buyerName, order.buyerEmail].filter((text) => text !== null).join(", ")
        : "";
      const below = [piece("quiet", order.id), ...(buyer === "" ? [] : [piece("word", `  ${safeText(buyer)}`)])];
      return `${[...layCells(columns, cells.map(safeText)), ...paragraph(page, below, 2, 2)].join("\n")}\n`;
    },
  };
}
