// ticketing orders: the orders of an event, written as their pages come.
import {
  type OrderRequest,
  type OrdersRequest,
  type OrdersWriter,
  readOrder,
  readOrders,
  withService,
} from "../../app/operate.ts";
import { explainProblem, reportProblems, type TargetOptions } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import { formatMoment } from "../../model/time.ts";
import { asObject } from "../../model/value.ts";
import {
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
  type VenueView,
  venueYaml,
  viewOrder,
} from "../../report/lists.ts";
import { renderSentence, safeJson, safeJsonLine } from "../../report/text.ts";

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

export async function runVenuesSearch(
  world: World,
  options: TargetOptions & { readonly text: string; readonly city?: string },
): Promise<number> {
  const { format, text: query } = options;
  const city = options.city ?? null;
  return withService(world, options, { scope: "events:read" }, async ({ target }) => {
    const result = await target.client.listAll("/venues/search", { query });
    if (!result.ok) {
      if (world.interrupted.aborted) return 1;
      return reportProblems(world, format, [explainProblem(result.problem, "events:read")]);
    }
    const found = result.data.flatMap((record) => viewVenue(record) ?? []);
    const venues = found.filter((venue) => isIn(venue, city)).sort(byNameAndCity);
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

/** "Quezon" finds Quezon City. */
function isIn(venue: VenueView, city: string | null): boolean {
  return city === null || comparableText(venue.city ?? "").includes(comparableText(city));
}

function byNameAndCity(one: VenueView, other: VenueView): number {
  const [left, right] = [one, other].map(({ name, city, id }) => `${name} ${city} ${id}`.toLowerCase());
  return (left ?? "") < (right ?? "") ? -1 : 1;
}

function viewVenue(shown: unknown): VenueView | null {
  const record = asObject(shown);
  if (typeof record.id !== "string") return null;
  return {
    id: record.id,
    name: textOrNull(record.name),
    address1: textOrNull(record.address1),
    city: textOrNull(record.city),
    state: textOrNull(record.state),
    country: textOrNull(record.country),
    latitude: numberOrNull(record.latitude),
    longitude: numberOrNull(record.longitude),
  };
}

function comparableText(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
