import type { Call, Reply } from "../call.ts";
import { findEvent, param } from "../find.ts";
import { arrange, pageOf, readChoice } from "../list.ts";
import { type OrderRow, orderStatuses } from "../records.ts";
import { notFound } from "../refusal.ts";
import { showOrder, showPaidOrder } from "../show.ts";

export function listOrders(call: Call): Reply {
  const { desk } = call;
  const event = findEvent(call);
  const status = readChoice(call, "status", orderStatuses);
  const rows: OrderRow[] = desk.store.orders.of(event.id);
  const wanted = status === undefined ? rows : rows.filter((order) => order.status === status);
  return pageOf(call, arrange(desk, wanted), (order) => showOrder(order, desk.profile()));
}

export function getOrder(call: Call): Reply {
  const { store, profile } = call.desk;
  const id = param(call, 0);
  const order = store.orders.get(id.toLowerCase());
  const event = order === undefined ? undefined : store.events.get(order.eventId);
  if (order === undefined || event?.organizationId !== call.key.organizationId) throw notFound("Order", id);
  return { status: 200, data: showPaidOrder(order, profile()) };
}
