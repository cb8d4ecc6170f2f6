// Every endpoint of the document, with the scope it needs and what handles it.
import type { Scope } from "../data/records.ts";
import type { Call, Reply } from "../endpoints/call.ts";
import { brands, performers, publishTicket, schedules, sellOutTicket, tickets } from "../endpoints/child-kinds.ts";
import { createChild, deleteChild, getChild, listChildren, patchChild } from "../endpoints/children.ts";
import * as events from "../endpoints/events.ts";
import { getMe, getOrder, listOrders, searchVenues } from "../endpoints/organization.ts";
import * as webhooks from "../endpoints/webhooks.ts";

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
  route("POST", "/events/:eventId/tickets", "tickets:write", createChild(tickets)),
  route("GET", "/events/:eventId/tickets", "tickets:read", listChildren(tickets)),
  route("GET", "/events/:eventId/tickets/:ticketId", "tickets:read", getChild(tickets)),
  route("PATCH", "/events/:eventId/tickets/:ticketId", "tickets:write", patchChild(tickets)),
  route("POST", "/events/:eventId/tickets/:ticketId/publish", "tickets:write", publishTicket),
  route("POST", "/events/:eventId/tickets/:ticketId/sold-out", "tickets:write", sellOutTicket),
  route("DELETE", "/events/:eventId/tickets/:ticketId", "tickets:write", deleteChild(tickets)),
  route("POST", "/events/:eventId/performers", "events:write", createChild(performers)),
  route("GET", "/events/:eventId/performers", "events:read", listChildren(performers)),
  route("DELETE", "/events/:eventId/performers/:performerId", "events:write", deleteChild(performers)),
  route("POST", "/events/:eventId/schedules", "events:write", createChild(schedules)),
  route("GET", "/events/:eventId/schedules", "events:read", listChildren(schedules)),
  route("PATCH", "/events/:eventId/schedules/:scheduleId", "events:write", patchChild(schedules)),
  route("DELETE", "/events/:eventId/schedules/:scheduleId", "events:write", deleteChild(schedules)),
  route("POST", "/events/:eventId/brands", "events:write", createChild(brands)),
  route("GET", "/events/:eventId/brands", "events:read", listChildren(brands)),
  route("DELETE", "/events/:eventId/brands/:brandId", "events:write", deleteChild(brands)),
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
