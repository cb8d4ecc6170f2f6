// The key and its organization, what was sold, and where events can take place.
import { orderStatuses } from "../data/records.ts";
import { type Call, notFound, paramOf, type Reply, requireEvent, requireValid, venuesOf } from "./call.ts";
import { listReply, readStatusFilter } from "./lists.ts";
import { showAccount, showOrder, showPaidOrder } from "./show.ts";

export function getMe({ store, profile, key, lastUsed, now }: Call): Reply {
  const organization = store.organizations.get(key.organizationId);
  if (organization === undefined) throw notFound("Organization", key.organizationId);
  const lastUsedAt = new Date(lastUsed.get(key.id) ?? now()).toISOString();
  return { status: 200, data: showAccount({ ...key, lastUsedAt }, organization, profile) };
}

export function listOrders(call: Call): Reply {
  const { id } = requireEvent(call);
  const status = readStatusFilter(call, orderStatuses);
  const rows = call.store.orders.of(id).filter((order) => status === undefined || order.status === status);
  return listReply(call, rows, showOrder);
}

export function getOrder(call: Call): Reply {
  const { store, profile, key } = call;
  const id = paramOf(call, 0);
  const order = store.orders.get(id.toLowerCase());
  if (order === undefined || store.events.get(order.eventId)?.organizationId !== key.organizationId)
    throw notFound("Order", id);
  return { status: 200, data: showPaidOrder(order, profile) };
}

export function searchVenues(call: Call): Reply {
  const text = (call.query.get("query") ?? "").trim().toLowerCase();
  requireValid(text === "" ? [{ field: "query", message: "query is required: part of a venue's name" }] : []);
  const found = venuesOf(call).filter((venue) => venue.name.toLowerCase().includes(text));
  return listReply(call, found, (venue) => ({ ...venue }));
}
