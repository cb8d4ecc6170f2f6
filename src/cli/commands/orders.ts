// ticketing orders: the orders of an event, written as their pages come.
import { findEvent, findOrder, loadProjectWishes, sinceInstant, whyNotSince, withService } from "../../app/operate.ts";
import { explainProblem, reportProblems, type TargetOptions } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import { kindOf, readRecord } from "../../kinds/index.ts";
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
} from "../../report/orders.ts";
import { renderSentence, safeJson, safeJsonLine } from "../../report/text.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { Problem } from "../../service/problem.ts";
import type { LiveRecord } from "../../service/records.ts";

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
  if (bad !== null) return reportProblems(world, options.format, [bad]);
  return withService(world, options, { scope: "events:read" }, async ({ target, loaded }) => {
    const { client } = target;
    const project = await loadProjectWishes(world, options.directory, target, loaded);
    const found = await findEvent({ client, project, now: world.now() }, options.event);
    if (!found.ok) return reportProblems(world, options.format, found.diagnostics);
    const { id, slug, fields } = found.event;
    const zone = typeof fields.timezone === "string" ? fields.timezone : standardZone;
    const since = options.since === undefined ? Number.NEGATIVE_INFINITY : await sinceInstant(options.since, zone);
    const writer = makeWriter(world, options, zone);
    writer.begin({ id, name: String(fields.name ?? id), slug, zone, since });
    const query = options.status === undefined ? {} : { status: options.status };
    for await (const page of client.pages(`/events/${id}/orders`, query, { sized: true })) {
      if (world.interrupted.aborted || world.stdout.isClosed === true) return 0;
      // Each line of NDJSON is an order: everything else goes to stderr.
      if (!page.ok) return reportProblems(world, options.format, [explainProblem(page.problem, "orders:read")]);
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
      const none =
        options.status === undefined && options.since === undefined ? "No orders yet." : "No matching orders.";
      const end = renderSentence(sumsSentence(sums), { columns: stdout.columns, color });
      stdout.write(sums.orders === 0 ? `${none}\n` : `\n${end}`);
    },
  };
}

// ticketing orders show: one order, with how it was paid.

export interface OrdersShowOptions extends TargetOptions {
  readonly format: "text" | "json";
  /** Its number, or its id. */
  readonly id: string;
  readonly withBuyers: boolean;
}

export async function runOrdersShow(world: World, options: OrdersShowOptions): Promise<number> {
  const { format, withBuyers } = options;
  return withService(world, options, { scope: "orders:read" }, async ({ target }) => {
    const found = await getOrder(target.client, options.id, world.interrupted);
    if (!found.ok) {
      const { problem } = found;
      const unknown = isUnknown(problem);
      const isAnswer = problem.status !== null;
      const told = explainProblem(problem, "orders:read");
      return reportProblems(world, format, [
        unknown
          ? {
              ...told,
              code: "unknown-order",
              message: `There is no order with the number or id '${options.id}'.${isAnswer ? ` ${told.message}` : ""}`,
              hint: `${numbersHint}${isAnswer && told.hint !== undefined ? ` ${told.hint}` : ""}`,
            }
          : told,
      ]);
    }
    if (format === "json") {
      // The order's own fields at the top, as in `orders --format json`.
      const order = { ...orderRecord(found.data, withBuyers), ...paymentOf(found.data, withBuyers) };
      world.stdout.write(`${safeJson({ formatVersion: 1, ...order })}\n`);
    } else {
      const { columns } = world.stdout;
      const event = await eventOf(target.client, found.data.eventId);
      const text = renderOrderText(found.data, { columns, color: options.color, withBuyers, ...event });
      world.stdout.write(`\n${text}`);
    }
    return 0;
  });
}

const numbersHint =
  "`ticketing orders EVENT` prints the number of each order, and with --format csv or json also its id.";

/** Finds an order by its id, or if there is no such id, by its number. */
async function getOrder(client: TicketingClient, word: string, interrupted: AbortSignal) {
  const direct = await client.orders.get(word);
  if (direct.ok || !isUnknown(direct.problem) || uuid.test(word)) return direct;
  const id = await findOrder(client, word, interrupted);
  return id === null ? direct : client.orders.get(id);
}

/** What people call the event, and the zone of its times; a key that may not read it does without. */
async function eventOf(client: TicketingClient, id: unknown) {
  const found = typeof id === "string" ? await client.events.get(id) : null;
  const fields = found?.ok ? readRecord(kindOf("event"), found.data, null)?.fields : undefined;
  return {
    eventName: typeof fields?.name === "string" ? fields.name : null,
    zone: typeof fields?.timezone === "string" ? fields.timezone : "Asia/Manila",
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const unknownStatuses: readonly unknown[] = [400, 404, 410, 422];

function isUnknown({ code, status }: Problem): boolean {
  return code === "bad-id" || unknownStatuses.includes(status);
}
