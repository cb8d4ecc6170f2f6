import { ticketsInOrders } from "../kinds/order-record.ts";
import type { OrderFigures } from "../model/sales.ts";
import { ReadFailure } from "./read-failure.ts";
import type { Reader } from "./reader.ts";

/** Orders of events, as far as the key may see them. */
export interface OrderReader {
  /** How many are not CANCELLED: one call, two where there are any. */
  total(eventId: string): Promise<OrderFigures>;
  /** All of them, for what they show of ticket types: one call per page. */
  byTicket(eventId: string): Promise<OrderFigures>;
}

export function makeOrderReader(reader: Reader): OrderReader {
  /** Once refused, a key is refused for every event: asking again would only cost calls. */
  let refused = false;

  async function count(eventId: string, status?: string): Promise<number | null> {
    if (refused) return null;
    const path = pathOf(eventId);
    const query = status === undefined ? {} : { status };
    let result = await reader.ask(path, { take: 1, ...query });
    // A page of one is enough; a service that knows no such page is asked for one of its own size.
    if (!result.ok && (result.problem.status === 400 || result.problem.status === 422))
      result = await reader.ask(path, query);
    if (!result.ok) refused ||= result.problem.status === 403;
    if (!result.ok || !Array.isArray(result.data)) return null;
    return result.meta?.total ?? result.data.length;
  }

  async function total(eventId: string): Promise<OrderFigures> {
    const all = await count(eventId);
    if (all === null || all === 0) return { total: all };
    const cancelled = await count(eventId, "CANCELLED");
    return { total: cancelled === null ? all : Math.max(0, all - cancelled) };
  }

  return {
    total,
    async byTicket(eventId) {
      if (refused) return { total: null, tickets: null };
      try {
        const records = await reader.all(pathOf(eventId), {}, true);
        const open = records.filter((record) => (record as { status?: unknown } | null)?.status !== "CANCELLED");
        return { total: open.length, tickets: ticketsInOrders(open) };
      } catch (error) {
        if (!(error instanceof ReadFailure)) throw error;
        refused ||= error.problem.status === 403;
        return { ...(await total(eventId)), tickets: null };
      }
    },
  };
}

function pathOf(eventId: string): string {
  return `/events/${eventId}/orders`;
}
