// The orders of an event, and one order with its event.
import {
  daysMeantBy,
  howToWriteDay,
  loadCalendar,
  parseTime,
  steadyInstant,
  type WrittenTime,
} from "../../config/time.ts";
import { kindOf, readRecord } from "../../kinds/index.ts";
import { uuidPattern } from "../../model/address.ts";
import { type Diagnostic, errorOf, type Fallible, failed, orHalt } from "../../model/diagnostic.ts";
import { standardZone } from "../../model/time.ts";
import type { EventStatus } from "../../model/wish.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { Problem } from "../../service/problem.ts";
import { type LiveRecord, ordersPath } from "../../service/records.ts";
import { explainProblem, reportProblems } from "../session/report-problems.ts";
import type { TargetOptions } from "../session/target.ts";
import type { World } from "../world.ts";
import { findEvent } from "./find-event.ts";
import { loadProjectWishes, withService } from "./project-wishes.ts";

// The order with the number that buyers know: no call accepts it, so the orders of each event are searched.

// Where an order most likely is, first.
const statuses: readonly EventStatus[] = ["PUBLISHED", "ARCHIVED", "DRAFT"];

export async function findOrder(client: TicketingClient, number: string, signal: AbortSignal): Promise<string | null> {
  const wanted = comparableNumber(number);
  for (const status of statuses) {
    const events = await client.listAll("/events", { status }, { sized: true });
    const { data } = orHalt(events.ok ? events : { ...events, scope: "events:read" });
    for (const record of data as readonly LiveRecord[]) {
      const event = readRecord(kindOf("event"), record, null);
      if (signal.aborted) return null;
      const found = event === null ? null : await findIn(client, event.id, wanted);
      if (found !== null) return found;
    }
  }
  return null;
}

async function findIn(client: TicketingClient, event: string, wanted: string): Promise<string | null> {
  for await (const page of client.pages(ordersPath(event), {}, { sized: true })) {
    for (const { id, orderNumber } of orHalt(page).data as readonly LiveRecord[]) {
      if (typeof id === "string" && comparableNumber(String(orderNumber ?? "")) === wanted) return id;
    }
  }
  return null;
}

/** Without a `#` before it, which people write. */
function comparableNumber(number: string): string {
  return number.trim().replace(/^#/, "").toLowerCase();
}

// `--since`: an instant, or a time or a day as clocks where the event happens show it.

function unreadableSince(text: string, reason: string): Diagnostic {
  const days = daysMeantBy(text);
  if (days.length > 0)
    return errorOf("unreadable-time", `--since "${text}" is not written as YYYY-MM-DD.`, howToWriteDay(text));
  const message = `--since "${text}" ${reason}.`;
  const hint = "Write a day or a time, like 2027-03-14, 2027-03-14T19:00 or 2027-03-14T19:00+08:00.";
  return errorOf("unreadable-time", message, hint);
}

/** Milliseconds since the epoch. In an hour that clocks show twice, the first one counts. */
async function sinceInstant(written: Exclude<WrittenTime, { type: "unreadable" }>, zone: string): Promise<number> {
  if (written.type === "instant") return written.milliseconds;
  const steady = steadyInstant(written.time, zone);
  if (steady !== null) return steady;
  const { year, month, day, hour, minute, second } = written.time;
  const found = (await loadCalendar()).instantOf(written.time, zone);
  if (found === null) return Date.UTC(year, month - 1, day, hour, minute, second);
  if (typeof found === "number") return found;
  return found.type === "gap" ? found.moved : found.first;
}

function withTime(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? `${text.trim()}T00:00` : text;
}

export interface OrdersRequest extends TargetOptions {
  /** Key, id, slug or name. */
  readonly event: string;
  readonly status?: string;
  readonly since?: string;
}

export interface OrdersHead {
  readonly id: string;
  readonly name: string;
  readonly slug: string | null;
  readonly zone: string;
  /** -Infinity: from the first one on. */
  readonly since: number;
}

/** Receives the orders as their pages arrive. */
export interface OrdersWriter {
  begin(head: OrdersHead): void;
  order(record: LiveRecord): void;
  end(): void;
}

export async function readOrders(world: World, request: OrdersRequest, writer: OrdersWriter): Promise<number> {
  const { directory, format, event, status } = request;
  const written = request.since === undefined ? null : parseTime(withTime(request.since));
  if (written?.type === "unreadable")
    return reportProblems(world, format, [unreadableSince(request.since ?? "", written.reason)]);
  return withService(world, request, { scope: "events:read" }, async ({ target, loaded }) => {
    const { client } = target;
    const project = await loadProjectWishes(world, directory, target, loaded);
    const found = await findEvent({ client, project, now: world.now() }, event);
    if (!found.ok) return reportProblems(world, format, found.diagnostics);
    const { id, slug, fields } = found.event;
    const zone = recordZone(fields);
    const since = written === null ? Number.NEGATIVE_INFINITY : await sinceInstant(written, zone);
    writer.begin({ id, name: String(fields.name ?? id), slug, zone, since });
    const query = status === undefined ? {} : { status };
    for await (const page of client.pages(ordersPath(id), query, { sized: true })) {
      if (world.interrupted.aborted || world.stdout.isClosed === true) return 0;
      if (!page.ok) return reportProblems(world, format, [explainProblem(page.problem, "orders:read")]);
      for (const record of page.data as readonly LiveRecord[]) if (!isBefore(record, since)) writer.order(record);
    }
    writer.end();
    return 0;
  });
}

/** An order that does not show when it was placed is not left out. */
function isBefore(record: LiveRecord, since: number): boolean {
  return typeof record.createdAt === "string" && Date.parse(record.createdAt) < since;
}

function recordZone(fields: Readonly<Record<string, unknown>> | undefined): string {
  return typeof fields?.timezone === "string" ? fields.timezone : standardZone;
}

export interface OrderRequest extends TargetOptions {
  /** Its number, or its id. */
  readonly id: string;
}

/** The name of the event of an order, and the zone of its times. */
export type OrderEvent = Awaited<ReturnType<typeof readEventContext>>;

/** `eventOf` costs a call, so only views that show the event's name use it. */
export async function readOrder(
  world: World,
  request: OrderRequest,
  show: (order: LiveRecord, eventOf: () => Promise<OrderEvent>) => Promise<void>,
): Promise<number> {
  return withService(world, request, { scope: "orders:read" }, async ({ target: { client } }) => {
    const found = await fetchOrder(client, request.id, world.interrupted);
    if (!found.ok) return reportProblems(world, request.format, found.diagnostics);
    await show(found.order, () => readEventContext(client, found.order.eventId));
    return 0;
  });
}

/** Finds an order by its id, or if there is no such id, by its number. */
async function fetchOrder(
  client: TicketingClient,
  word: string,
  interrupted: AbortSignal,
): Promise<Fallible<{ readonly order: LiveRecord }>> {
  const direct = await client.orders.get(word);
  const id =
    direct.ok || !isUnknown(direct.problem) || uuidPattern.test(word)
      ? null
      : await findOrder(client, word, interrupted);
  const found = id === null ? direct : await client.orders.get(id);
  return found.ok ? { ok: true, order: found.data } : failed(noOrder(word, found.problem));
}

function noOrder(word: string, problem: Problem): Diagnostic {
  const explained = explainProblem(problem, "orders:read");
  if (!isUnknown(problem)) return explained;
  const isResponse = problem.status !== null;
  // The service's own message may already name the word.
  const isSaid = problem.status === 404 && problem.message.includes(word);
  const own = isSaid ? [] : [`There is no order with the number or id "${word}".`];
  return {
    ...explained,
    code: "unknown-order",
    message: [...own, ...(isResponse ? [explained.message] : [])].join(" "),
    hint: `${numbersHint}${isResponse && explained.hint !== undefined ? ` ${explained.hint}` : ""}`,
  };
}

const numbersHint =
  "`ticketing orders EVENT` prints the number of each order, and with --format csv or json also its id.";

const unknownStatuses: readonly unknown[] = [400, 404, 410, 422];

function isUnknown({ code, status }: Problem): boolean {
  return code === "bad-id" || unknownStatuses.includes(status);
}

/** null for both if the key may not read the event. */
async function readEventContext(client: TicketingClient, id: unknown) {
  const found = typeof id === "string" ? await client.events.get(id) : null;
  const fields = found?.ok ? readRecord(kindOf("event"), found.data, null)?.fields : undefined;
  return { eventName: typeof fields?.name === "string" ? fields.name : null, zone: recordZone(fields) };
}
