// ticketing orders: the orders of an event, written as their pages come.
import { type OrderRequest, type OrdersRequest, type OrdersWriter, readOrder, readOrders } from "../../app/operate.ts";
import type { World } from "../../app/world.ts";
import { formatMoment } from "../../model/time.ts";
import {
  addOrder,
  makeOrdersText,
  makeSums,
  orderRecord,
  ordersCsvRow,
  ordersCsvTitles,
  paymentOf,
  renderOrderText,
  sumsSentence,
  viewOrder,
} from "../../report/lists.ts";
import { renderSentence, safeJson, safeJsonLine } from "../../report/text.ts";

export interface OrdersOptions extends OrdersRequest {
  readonly format: "text" | "csv" | "json" | "ndjson";
  readonly withBuyers: boolean;
}

export async function runOrders(world: World, options: OrdersOptions): Promise<number> {
  return readOrders(world, options, makeWriter(world, options));
}

function makeWriter(world: World, options: OrdersOptions): OrdersWriter {
  const { withBuyers } = options;
  switch (options.format) {
    case "json":
      return jsonWriter(world, withBuyers);
    case "ndjson":
      return ndjsonWriter(world, withBuyers);
    case "csv":
      return csvWriter(world, withBuyers);
    case "text":
      return textWriter(world, options);
  }
}

/** One value, so it is written only once all pages are read. */
function jsonWriter({ stdout }: World, withBuyers: boolean): OrdersWriter {
  const orders: unknown[] = [];
  let event: unknown = null;
  return {
    begin({ id, slug, name }) {
      event = { id, slug, name };
    },
    order: (record) => orders.push(orderRecord(record, withBuyers)),
    end: () => stdout.write(`${safeJson({ formatVersion: 1, event, orders })}\n`),
  };
}

/** Each line is an order: everything else goes to stderr. */
function ndjsonWriter({ stdout }: World, withBuyers: boolean): OrdersWriter {
  return {
    begin: () => undefined,
    order: (record) => stdout.write(`${safeJsonLine(orderRecord(record, withBuyers))}\n`),
    end: () => undefined,
  };
}

function csvWriter({ stdout }: World, withBuyers: boolean): OrdersWriter {
  let zone = "";
  return {
    begin(head) {
      zone = head.zone;
      stdout.write(ordersCsvTitles(withBuyers));
    },
    order: (record) => stdout.write(ordersCsvRow(viewOrder(record), zone, withBuyers)),
    end: () => undefined,
  };
}

function textWriter({ stdout }: World, options: OrdersOptions): OrdersWriter {
  const { color, withBuyers } = options;
  const { columns } = stdout;
  const sums = makeSums();
  let text: ReturnType<typeof makeOrdersText>;
  return {
    begin({ name, slug, zone, since }) {
      text = makeOrdersText({ columns, color, zone, withBuyers });
      const from = Number.isFinite(since) ? `, since ${formatMoment(since, zone)}` : "";
      const status = options.status === undefined ? "" : `, ${options.status} only`;
      const which = slug === null ? "" : ` (${slug})`;
      const head = `Orders of ${name}${which}, times in ${zone}${status}${from}`;
      stdout.write(`${renderSentence(head, { columns, color })}\n`);
    },
    order(record) {
      const order = viewOrder(record);
      if (sums.orders === 0) stdout.write(text.titles(order));
      addOrder(sums, order);
      stdout.write(text.row(order));
    },
    end() {
      const none =
        options.status === undefined && options.since === undefined ? "No orders yet." : "No matching orders.";
      const end = renderSentence(sumsSentence(sums), { columns, color });
      stdout.write(sums.orders === 0 ? `${none}\n` : `\n${end}`);
    },
  };
}

// ticketing orders show: one order, with how it was paid.

export interface OrdersShowOptions extends OrderRequest {
  readonly format: "text" | "json";
  readonly withBuyers: boolean;
}

export async function runOrdersShow(world: World, options: OrdersShowOptions): Promise<number> {
  const { format, color, withBuyers } = options;
  const { stdout } = world;
  return readOrder(world, options, async (order, eventOf) => {
    if (format === "json") {
      // The order's own fields at the top, as in `orders --format json`.
      const record = { ...orderRecord(order, withBuyers), ...paymentOf(order, withBuyers) };
      stdout.write(`${safeJson({ formatVersion: 1, ...record })}\n`);
      return;
    }
    const { columns } = stdout;
    stdout.write(`\n${renderOrderText(order, { columns, color, withBuyers, ...(await eventOf()) })}`);
  });
}
