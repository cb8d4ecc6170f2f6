// ticketing orders: the orders of an event, written as their pages come.
import { formatMoment } from "../../model/moment.ts";
import { orderRecord, viewOrder } from "../../report/order-view.ts";
import { addOrder, makeSums, sumsSentence } from "../../report/order-words.ts";
import { ordersCsvRow, ordersCsvTitles } from "../../report/orders-csv.ts";
import { makeOrdersText } from "../../report/orders-text.ts";
import { safeJson, safeJsonLine } from "../../report/safe-json.ts";
import { renderSentence } from "../../report/sentence.ts";
import type { LiveRecord } from "../../service/records.ts";
import { findEvent } from "../day-two/find-event.ts";
import { loadProjectWishes } from "../day-two/project-wishes.ts";
import { sinceInstant, whyNotSince } from "../day-two/since.ts";
import { withService } from "../day-two/with-service.ts";
import { explainProblem } from "../service-problem.ts";
import type { TargetOptions } from "../target.ts";
import { tellProblems } from "../tell-problems.ts";
import type { World } from "../world.ts";

export interface OrdersOptions extends TargetOptions {
  readonly format: "text" | "csv" | "json" | "ndjson";
  /** Key, id, slug or name. */
  readonly event: string;
  readonly status?: string;
  readonly since?: string;
  readonly withBuyers: boolean;
}

const standardZone = "Asia/Manila";

export async function runOrders(world: World, options: OrdersOptions): Promise<number> {
  const bad = options.since === undefined ? null : whyNotSince(options.since);
  if (bad !== null) return tellProblems(world, options.format, [bad]);
  return withService(world, options, { scope: "events:read" }, async ({ target, loaded }) => {
    const { client } = target;
    const project = await loadProjectWishes(world, options.directory, target.environment, loaded);
    const found = await findEvent({ client, project, now: world.now() }, options.event);
    if (!found.ok) return tellProblems(world, options.format, [found.diagnostic]);
    const { id, slug, fields } = found.event;
    const zone = typeof fields.timezone === "string" ? fields.timezone : standardZone;
    const since = options.since === undefined ? Number.NEGATIVE_INFINITY : await sinceInstant(options.since, zone);
    const writer = makeWriter(world, options, zone);
    writer.begin({ id, name: String(fields.name ?? id), slug, zone, since });
    const query = options.status === undefined ? {} : { status: options.status };
    for await (const page of client.pages(`/events/${id}/orders`, query, { sized: true })) {
      if (world.interrupted.aborted || world.stdout.isClosed === true) return 0;
      // Each line of NDJSON is an order: there is no room for anything else, and people are told on stderr.
      if (!page.ok) return tellProblems(world, options.format, [explainProblem(page.problem, "orders:read")]);
      for (const record of page.data as readonly LiveRecord[]) {
        if (isBefore(record, since)) continue;
        writer.order(record);
      }
    }
    writer.end();
    return 0;
  });
}

/** An order that does not show when it was made is not left out. */
function isBefore(record: LiveRecord, since: number): boolean {
  return typeof record.createdAt === "string" && Date.parse(record.createdAt) < since;
}

interface Head {
  readonly id: string;
  readonly name: string;
  readonly slug: string | null;
  readonly zone: string;
  readonly since: number;
}

interface OrdersWriter {
  begin(head: Head): void;
  order(record: LiveRecord): void;
  end(): void;
}

function makeWriter(world: World, options: OrdersOptions, zone: string): OrdersWriter {
  const { stdout } = world;
  const { withBuyers } = options;
  switch (options.format) {
    case "json":
      return jsonWriter(world, withBuyers);
    case "ndjson":
      return {
        begin: () => undefined,
        order: (record) => stdout.write(`${safeJsonLine(orderRecord(record, withBuyers))}\n`),
        end: () => undefined,
      };
    case "csv":
      return {
        begin: () => stdout.write(ordersCsvTitles(withBuyers)),
        order: (record) => stdout.write(ordersCsvRow(viewOrder(record), zone, withBuyers)),
        end: () => undefined,
      };
    case "text":
      return textWriter(world, options, zone);
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

function textWriter(world: World, options: OrdersOptions, zone: string): OrdersWriter {
  const { stdout } = world;
  const { color, withBuyers } = options;
  const text = makeOrdersText({ columns: stdout.columns, color, zone, withBuyers });
  const sums = makeSums();
  return {
    begin({ name, slug, since }) {
      const from = Number.isFinite(since) ? `, since ${formatMoment(since, zone)}` : "";
      const status = options.status === undefined ? "" : `, ${options.status} only`;
      const which = slug === null ? "" : ` (${slug})`;
      const head = `Orders of ${name}${which}, times in ${zone}${status}${from}`;
      stdout.write(`${renderSentence(head, { columns: stdout.columns, color })}\n`);
    },
    order(record) {
      const order = viewOrder(record);
      if (sums.orders === 0) stdout.write(text.titles(order));
      addOrder(sums, order);
      stdout.write(text.row(order));
    },
    end() {
      const none = options.status === undefined && options.since === undefined ? "No orders yet." : "No such orders.";
      const end = renderSentence(sumsSentence(sums), { columns: stdout.columns, color });
      stdout.write(sums.orders === 0 ? `${none}\n` : `\n${end}`);
    },
  };
}
