// Orders for the terminal: each as it comes, in columns that are set beforehand.
import { formatCount } from "../model/money.ts";
import { disarmCell } from "./disarm-cell.ts";
import { cutText, displayWidth } from "./display-width.ts";
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

/** As much of `2027-01-10 08:00:27` as tells when it was. */
const minutes = 16;
const narrowestNumber = 10;
const widestNumber = 24;
const columnsBeside: readonly FixedColumn[] = [{ width: minutes }, { width: 9 }, { width: 13, align: "right" }];
const widest = 120;

export interface OrdersText {
  /** Above the first order, by which the columns are set. */
  titles(first: OrderView): string;
  row(order: OrderView): string;
}

export function makeOrdersText(options: OrdersTextOptions): OrdersText {
  const page: Page = { columns: Math.max(64, Math.min(options.columns, widest)), paint: makePaint(options.color) };
  let columns: readonly FixedColumn[] = columnsFor(page, narrowestNumber);
  return {
    titles(first) {
      columns = columnsFor(page, displayWidth(safeText(first.orderNumber ?? "")));
      const titles = layCells(columns, ["Order", "Made", "Status", "Amount", "Tickets"]);
      return `${titles.map((line) => page.paint([piece("heading", line)])).join("\n")}\n${ruleOf(columns)}\n`;
    },
    row(order) {
      const cells = [
        order.orderNumber ?? "",
        madeWords(order, options.zone).slice(0, minutes),
        order.status ?? "",
        amountWords(order.totalAmount, order.currency),
        itemsWords(order.items) || `${order.quantity === null ? "?" : formatCount(order.quantity)} tickets`,
      ].map((cell, index) => cutText(disarmCell(safeText(cell)), columns[index]?.width ?? 0));
      // An order without a number can be asked for by its id alone.
      const below = [order.orderNumber === null ? order.id : null, ...(options.withBuyers ? buyerOf(order) : [])];
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

function buyerOf({ buyerName, buyerEmail }: OrderView): readonly (string | null)[] {
  return [buyerName, buyerEmail];
}
