import type { Reader } from "./reader.ts";

/** Orders of an event that are not CANCELLED; null where this key may not see them. */
export async function countOrders(reader: Reader, eventId: string): Promise<number | null> {
  const all = await total(reader, eventId);
  if (all === null || all === 0) return all;
  const cancelled = await total(reader, eventId, "CANCELLED");
  return cancelled === null ? all : Math.max(0, all - cancelled);
}

async function total(reader: Reader, eventId: string, status?: string): Promise<number | null> {
  const result = await reader.ask(`/events/${eventId}/orders`, {
    take: 1,
    ...(status === undefined ? {} : { status }),
  });
  // A key without the scope, or a service that answers otherwise: then sales are unknown, which the rules know how to meet.
  if (!result.ok || !Array.isArray(result.data)) return null;
  return result.meta?.total ?? result.data.length;
}
