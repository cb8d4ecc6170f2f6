// The order that somebody means by the number that buyers know: no call takes it, so the orders of each event are looked through.
import { kindOf } from "../../kinds/index.ts";
import { readRecord } from "../../kinds/read-record.ts";
import type { EventStatus } from "../../model/wish.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { LiveRecord } from "../../service/records.ts";
import { ReadFailure } from "../../snapshot/read-failure.ts";

// Where an order most likely is comes first.
const statuses: readonly EventStatus[] = ["PUBLISHED", "ARCHIVED", "DRAFT"];

/** The id of the order with this number; null where no event has it. */
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
