import type { Reader } from "./reader.ts";

/** Orders of an event that are not CANCELLED; null where this key may not see them. */
export type CountOrders = (eventId: string) => Promise<number | null>;

export function makeOrderCounter(reader: Reader): CountOrders {
  /** Once refused, a key is refused for every event: asking again would only cost calls. */
  let refused = false;

  async function total(eventId: string, status?: string): Promise<number | null> {
    if (refused) return null;
    const path = `/events/${eventId}/orders`;
    const query = status === undefined ? {} : { status };
    let result = await reader.ask(path, { take: 1, ...query });
    // A page of one is enough; a service that knows no such page is asked for one of its own size.
    if (!result.ok && (result.problem.status === 400 || result.problem.status === 422))
      result = await reader.ask(path, query);
    if (!result.ok) refused ||= result.problem.status === 403;
    if (!result.ok || !Array.isArray(result.data)) return null;
    return result.meta?.total ?? result.data.length;
  }

  return async (eventId) => {
    const all = await total(eventId);
    if (all === null || all === 0) return all;
    const cancelled = await total(eventId, "CANCELLED");
    return cancelled === null ? all : Math.max(0, all - cancelled);
  };
}
