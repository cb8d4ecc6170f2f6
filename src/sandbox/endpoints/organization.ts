import { type OrderRow, orderStatuses } from "../data/records.ts";
import { venues } from "../data/venues.ts";
import type { Call, Reply } from "./call.ts";
import { findEvent, param } from "./records/find.ts";
import { arrange, pageOf, readChoice } from "./records/list.ts";
import { showAccount, showOrder, showPaidOrder } from "./records/show.ts";
import { invalid, notFound } from "./refusal.ts";

export function getMe({ desk, key }: Call): Reply {
  const organization = desk.store.organizations.get(key.organizationId);
  if (organization === undefined) throw notFound("Organization", key.organizationId);
  const used = { ...key, lastUsedAt: new Date(desk.lastUsed(key.id)).toISOString() };
  return { status: 200, data: showAccount(used, organization, desk.profile()) };
}

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

export function searchVenues(call: Call): Reply {
  const { desk, query } = call;
  const text = (query.get("query") ?? "").trim().toLowerCase();
  if (text === "") throw invalid([{ field: "query", message: "query is required: the text of a venue's name" }]);
  const found = [...venues, ...desk.store.venues.all()].filter((venue) => venue.name.toLowerCase().includes(text));
  return pageOf(call, arrange(desk, found), (venue) => venue);
}
