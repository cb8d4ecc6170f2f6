import { ticketsInOrders } from "../kinds/order-record.ts";
import type { OrderFigures } from "../model/sales.ts";
import type { Problem } from "../service/problem.ts";
import { ReadFailure } from "./read-failure.ts";
import type { Reader } from "./reader.ts";

/** Orders of events, as far as the key may see them. */
export interface OrderReader {
  /** How many are not CANCELLED: one call, two where there are any. */
  total(eventId: string): Promise<OrderFigures>;
  /** What they show of ticket types, one call per page; `isEnough` ends it before the last page. */
  byTicket(eventId: string, isEnough?: (figures: OrderFigures) => boolean): Promise<OrderFigures>;
}

export function makeOrderReader(reader: Reader): OrderReader {
  /** Once refused, a key is refused for every event: asking again would only cost calls. */
  let refused = false;

  function unread(problem: Problem): OrderFigures {
    // A run that has to end here goes on from here: nothing is concluded from what it could not read.
    if (problem.class === "throttled" || problem.code === "interrupted") throw new ReadFailure(problem);
    refused ||= problem.status === 403;
    const unknown = { total: null, tickets: null };
    return problem.status === 403 ? unknown : { ...unknown, unread: problem.message.replace(/\.$/, "") };
  }

  /** null: the service does not say, or says it of other orders than those that were asked for. */
  async function count(eventId: string, status?: "CANCELLED"): Promise<number | OrderFigures | null> {
    const path = pathOf(eventId);
    const query = status === undefined ? {} : { status };
    let page = await reader.page(path, { take: 1, ...query }, false);
    // A page of one is enough; a service that knows no such page is asked for one of its own size.
    if (!page.ok && (page.problem.status === 400 || page.problem.status === 422)) {
      page = await reader.page(path, query, false);
    }
    if (!page.ok) return unread(page.problem);
    const { records, total } = page.data;
    const isFiltered = status === undefined || records.every((record) => statusOf(record) === status);
    if (!isFiltered) return null;
    return records.length === 0 ? 0 : total;
  }

  async function byTicket(eventId: string, isEnough?: (figures: OrderFigures) => boolean): Promise<OrderFigures> {
    if (refused) return { total: null, tickets: null };
    const open: unknown[] = [];
    for await (const page of reader.each(pathOf(eventId), {}, true)) {
      if (!page.ok) return unread(page.problem);
      for (const record of page.data) if (statusOf(record) !== "CANCELLED") open.push(record);
      if (isEnough === undefined || open.length === 0) continue;
      const part: OrderFigures = { total: open.length, tickets: ticketsInOrders(open), isPart: true };
      if (part.tickets === null || isEnough(part)) return part;
    }
    return { total: open.length, tickets: ticketsInOrders(open) };
  }

  return {
    async total(eventId) {
      if (refused) return { total: null };
      const all = await count(eventId);
      if (all === 0) return { total: 0 };
      if (typeof all === "object" && all !== null) return all;
      const cancelled = all === null ? null : await count(eventId, "CANCELLED");
      // That every order is cancelled lets an event be deleted: a total that the filter did not reach would say just that.
      if (all !== null && typeof cancelled === "number" && cancelled < all) return { total: all - cancelled };
      return byTicket(eventId);
    },
    byTicket,
  };
}

function pathOf(eventId: string): string {
  return `/events/${eventId}/orders`;
}

function statusOf(record: unknown): unknown {
  return typeof record === "object" && record !== null && "status" in record ? record.status : undefined;
}
