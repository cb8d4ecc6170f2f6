// Every endpoint of the document, with the scope it needs and what handles it.
import type { Scope } from "../data/records.ts";
import type { Call, Reply } from "../endpoints/call.ts";
import { brands, performers, publishTicket, schedules, sellOutTicket, tickets } from "../endpoints/child-kinds.ts";
import * as events from "../endpoints/events.ts";
import * as webhooks from "../endpoints/organization.ts";
import { getMe, getOrder, listOrders, searchVenues } from "../endpoints/organization.ts";

export interface Route {
  readonly method: string;
  readonly path: string;
  /** Undefined: any valid key. */
  readonly scope: Scope | undefined;
  readonly handle: (call: Call) => Reply | Promise<Reply>;
}

export const routes: readonly Route[] = [
  route("GET", "/me", undefined, getMe),
  route("POST", "/events", "events:write", events.createEvent),
  route("GET", "/events", "events:read", events.listEvents),
  route("GET", "/events/:idOrSlug", "events:read", events.getEvent),
  route("PATCH", "/events/:id", "events:write", events.patchEvent),
  route("POST", "/events/:id/publish", "events:write", events.publishEvent),
  route("POST", "/events/:id/unpublish", "events:write", events.unpublishEvent),
  route("POST", "/events/:id/archive", "events:write", events.archiveEvent),
  route("DELETE", "/events/:id", "events:write", events.deleteEvent),
  route("POST", "/events/:eventId/tickets", "tickets:write", tickets.create),
  route("GET", "/events/:eventId/tickets", "tickets:read", tickets.list),
  route("GET", "/events/:eventId/tickets/:ticketId", "tickets:read", tickets.get),
  route("PATCH", "/events/:eventId/tickets/:ticketId", "tickets:write", tickets.patch),
  route("POST", "/events/:eventId/tickets/:ticketId/publish", "tickets:write", publishTicket),
  route("POST", "/events/:eventId/tickets/:ticketId/sold-out", "tickets:write", sellOutTicket),
  route("DELETE", "/events/:eventId/tickets/:ticketId", "tickets:write", tickets.remove),
  route("POST", "/events/:eventId/performers", "events:write", performers.create),
  route("GET", "/events/:eventId/performers", "events:read", performers.list),
  route("DELETE", "/events/:eventId/performers/:performerId", "events:write", performers.remove),
  route("POST", "/events/:eventId/schedules", "events:write", schedules.create),
  route("GET", "/events/:eventId/schedules", "events:read", schedules.list),
  route("PATCH", "/events/:eventId/schedules/:scheduleId", "events:write", schedules.patch),
  route("DELETE", "/events/:eventId/schedules/:scheduleId", "events:write", schedules.remove),
  route("POST", "/events/:eventId/brands", "events:write", brands.create),
  route("GET", "/events/:eventId/brands", "events:read", brands.list),
  route("DELETE", "/events/:eventId/brands/:brandId", "events:write", brands.remove),
  route("GET", "/events/:eventId/orders", "orders:read", listOrders),
  route("GET", "/orders/:orderId", "orders:read", getOrder),
  route("GET", "/venues/search", "events:read", searchVenues),
  route("POST", "/webhooks", "webhooks:manage", webhooks.createWebhook),
  route("GET", "/webhooks", "webhooks:manage", webhooks.getWebhooks),
  route("PATCH", "/webhooks/:id", "webhooks:manage", webhooks.patchWebhook),
  route("DELETE", "/webhooks/:id", "webhooks:manage", webhooks.deleteWebhook),
  route("POST", "/webhooks/:id/test", "webhooks:manage", webhooks.sendTestEvent),
  route("GET", "/webhooks/:id/deliveries", "webhooks:manage", webhooks.listDeliveries),
];

function route(method: string, path: string, scope: Scope | undefined, handle: Route["handle"]): Route {
  return { method, path, scope, handle };
}

const patterns = routes.map((each) => ({ route: each, segments: each.path.split("/") }));

/** The route with the values of its :names, or the methods that the path has; undefined: there is no such path. */
export function findRoute(
  method: string,
  path: string,
): { readonly route: Route; readonly params: readonly string[] } | { readonly allowed: readonly string[] } | undefined {
  const given = path.split("/");
  const matching = patterns.filter(
    ({ segments }) =>
      segments.length === given.length &&
      segments.every((segment, at) => (segment.startsWith(":") ? given[at] !== "" : segment === given[at])),
  );
  const found = matching.find((pattern) => pattern.route.method === method);
  if (found === undefined)
    return matching.length === 0 ? undefined : { allowed: matching.map((pattern) => pattern.route.method) };
  return { route: found.route, params: given.filter((_, at) => found.segments[at]?.startsWith(":")).map(decode) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
