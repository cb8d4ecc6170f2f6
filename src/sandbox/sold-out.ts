// Tells the receivers when the last ticket of an event is gone.
import type { Desk } from "./call.ts";

export function noticeSoldOut(desk: Desk, eventId: string): void {
  const event = desk.store.events.get(eventId);
  const tickets = desk.store.tickets.of(eventId);
  if (event === undefined || tickets.length === 0 || tickets.some((ticket) => ticket.remainingQuantity > 0)) return;
  desk.notify({ type: "event.sold_out", event, data: { eventId, name: event.name } });
}
