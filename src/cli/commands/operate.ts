// What the service shows from day to day: orders of an event, written as their pages arrive; venues; whose key this is.
import {
  type AccountRead,
  findVenuesByName,
  type OrderRequest,
  type OrdersRequest,
  type OrdersWriter,
  readOrder,
  readOrders,
  type VenuesRequest,
  viewOwnAccount,
} from "../../app/operate.ts";
import { problemDiagnostic, reportProblems, type TargetOptions, writeLines } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import { formatMoment } from "../../model/time.ts";
import {
  accountLines,
  addOrder,
  makeOrdersText,
  makeSums,
  orderRecord,
  ordersCsvRow,
  ordersCsvTitles,
  paymentOf,
  renderOrderText,
  renderVenuesText,
  sumsSentence,
  venueYaml,
  viewOrder,
} from "../../report/lists.ts";
import { renderSentence, safeJson, safeJsonLine, safeLine, targetLine } from "../../report/text.ts";

interface OrdersOptions extends OrdersRequest {
  readonly format: "text" | "csv" | "json" | "ndjson";
  readonly withBuyers: boolean;
}

type MakeWriter = (world: World, options: OrdersOptions) => OrdersWriter;

export async function runOrders(world: World, options: OrdersOptions): Promise<number> {
  const writers: Readonly<Record<OrdersOptions["format"], MakeWriter>> = {
    text: textWriter,
    csv: csvWriter,
    json: jsonWriter,
    ndjson: ndjsonWriter,
  };
  return readOrders(world, options, writers[options.format](world, options));
}

/** One value, so it is written only once all pages are read. */
function jsonWriter({ stdout }: World, { withBuyers }: OrdersOptions): OrdersWriter {
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
function ndjsonWriter({ stdout }: World, { withBuyers }: OrdersOptions): OrdersWriter {
  return {
    begin: () => undefined,
    order: (record) => stdout.write(`${safeJsonLine(orderRecord(record, withBuyers))}\n`),
    end: () => undefined,
  };
}

function csvWriter({ stdout }: World, { withBuyers }: OrdersOptions): OrdersWriter {
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

export async function runOrdersShow(world: World, options: OrderRequest & { readonly withBuyers: boolean }) {
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

// ticketing venues search: venues by name, with what to paste into an event's file.

export async function runVenuesSearch(world: World, options: VenuesRequest): Promise<number> {
  const { format, text: query, city = null } = options;
  return findVenuesByName(world, options, ({ venues, found }) => {
    if (format === "json") {
      const shown = venues.map((venue) => ({ ...venue, yaml: venueYaml(venue, found) }));
      world.stdout.write(`${safeJson({ formatVersion: 1, query, city, venues: shown })}\n`);
    } else {
      const { columns } = world.stdout;
      world.stdout.write(renderVenuesText(venues, { columns, query, city, found: found.length }));
    }
    return 0;
  });
}

// ticketing whoami: the exit code says whether the key still works, and for this project.

export async function runWhoami(world: World, options: TargetOptions): Promise<number> {
  return viewOwnAccount(world, options, (read) => writeAccount(world, options.format, read));
}

export function writeAccount(world: World, format: string, read: AccountRead): number {
  const { target } = read.ok ? read.account : read;
  const line = safeLine(targetLine(target.environment, target.baseUrl));
  if (!read.ok) {
    const diagnostics = [problemDiagnostic(read.problem)];
    if (format === "json") {
      const { code, message, hint, requestId, status } = read.problem;
      const error = { code, message, hint, requestId, status };
      world.stdout.write(`${safeJson({ formatVersion: 1, ok: false, target, error, diagnostics })}\n`);
    }
    writeLines(world.stderr, [line]);
    return reportProblems(world, "text", diagnostics);
  }
  if (format === "json") {
    writeLines(world.stderr, [line]);
    world.stdout.write(`${safeJson(read.account)}\n`);
  } else writeLines(world.stdout, accountLines(read.account, world.now()));
  const expired = read.account.apiKey.expiry === "past" ? 1 : 0;
  return read.refused === null ? expired : reportProblems(world, "text", [read.refused]);
}
