// The order with the number that buyers know: no call takes it, so the orders of each event are searched.
import { loadCalendar, parseTime, steadyInstant } from "../../config/time.ts";
import { kindOf, readRecord } from "../../kinds/index.ts";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { EventStatus } from "../../model/wish.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { LiveRecord } from "../../service/records.ts";
import { ReadFailure } from "../../snapshot/reader.ts";

// Where an order most likely is, first.
const statuses: readonly EventStatus[] = ["PUBLISHED", "ARCHIVED", "DRAFT"];

/** The id of the order with this number; null if no event has it. */
export async function findOrder(client: TicketingClient, number: string, signal: AbortSignal): Promise<string | null> {
  const wanted = simple(number);
  for (const status of statuses) {
    const events = await client.listAll("/events", { status }, { sized: true });
    if (!events.ok) throw new ReadFailure(events.problem, "events:read");
    for (const record of events.data as readonly LiveRecord[]) {
      const event = readRecord(kindOf("event"), record, null);
      if (signal.aborted) return null;
      const found = event === null ? null : await findIn(client, event.id, wanted);
      if (found !== null) return found;
    }
  }
  return null;
}

async function findIn(client: TicketingClient, event: string, wanted: string): Promise<string | null> {
  for await (const page of client.pages(`/events/${event}/orders`, {}, { sized: true })) {
    if (!page.ok) throw new ReadFailure(page.problem);
    for (const { id, orderNumber } of page.data as readonly LiveRecord[]) {
      if (typeof id === "string" && simple(String(orderNumber ?? "")) === wanted) return id;
    }
  }
  return null;
}

/** Without a `#` before it, which people write. */
function simple(number: string): string {
  return number.trim().replace(/^#/, "").toLowerCase();
}

// `--since`: an instant, or a time or a day as clocks where the event happens show it.

/** What is wrong with the text, whatever the zone; null if it is a time. */
export function whyNotSince(text: string): Diagnostic | null {
  const written = parseTime(withTime(text));
  if (written.type !== "unreadable") return null;
  return errorOf(
    "unreadable-time",
    `--since "${text}" ${written.reason}.`,
    "Write a day or a time, like 2027-03-14, 2027-03-14T19:00 or 2027-03-14T19:00+08:00.",
  );
}

/** Milliseconds since the epoch. In an hour that clocks show twice, the first one counts. */
export async function sinceInstant(text: string, zone: string): Promise<number> {
  const written = parseTime(withTime(text));
  if (written.type === "instant") return written.milliseconds;
  if (written.type === "unreadable") return Number.NEGATIVE_INFINITY;
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
