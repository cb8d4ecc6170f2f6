// From a method and a path to a route and the values of its :names.

import type { Scope } from "../data/records.ts";
import type { Call, Reply } from "../endpoints/call.ts";
import {
  archiveEvent,
  createEvent,
  deleteEvent,
  getEvent,
  listEvents,
  patchEvent,
  publishEvent,
  unpublishEvent,
} from "../endpoints/events.ts";
import { getMe, getOrder, listOrders, searchVenues } from "../endpoints/organization.ts";
import {
  createBrand,
  createPerformer,
  deleteBrand,
  deletePerformer,
  listBrands,
  listPerformers,
} from "../endpoints/performers-and-brands.ts";
import { createSchedule, deleteSchedule, listSchedules, patchSchedule } from "../endpoints/schedules.ts";
import {
  createTicket,
  deleteTicket,
  getTicket,
  listTickets,
  patchTicket,
  publishTicket,
  sellOutTicket,
} from "../endpoints/tickets.ts";
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  patchWebhook,
  testWebhook,
} from "../endpoints/webhooks.ts";

interface Junction {
  readonly named: Map<string, Junction>;
  any: Junction | undefined;
  readonly routes: Map<string, Route>;
}

export type Match =
  | { readonly route: Route; readonly params: readonly string[] }
  | { readonly allowed: readonly string[] }
  | undefined;

export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match {
  const root = junction();
  for (const route of routes) {
    let at = root;
    for (const segment of route.path.slice(1).split("/")) at = step(at, segment);
    at.routes.set(route.method, route);
  }
  return (method, path) => {
    const params: string[] = [];
    let at: Junction = root;
    for (const segment of path.slice(1).split("/")) {
      const named = at.named.get(segment);
      if (named !== undefined) {
        at = named;
        continue;
      }
      if (at.any === undefined || segment === "") return undefined;
      params.push(decode(segment));
      at = at.any;
    }
    const route = at.routes.get(method);
    if (route !== undefined) return { route, params };
    return at.routes.size === 0 ? undefined : { allowed: [...at.routes.keys()] };
  };
}

function junction(): Junction {
  return { named: new Map(), any: undefined, routes: new Map() };
}

function step(at: Junction, segment: string): Junction {
  if (segment.startsWith(":")) {
    at.any ??= junction();
    return at.any;
  }
  const next = at.named.get(segment) ?? junction();
  at.named.set(segment, next);
  return next;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

// Every endpoint of the document, with the scope it needs.

export interface Route {
  readonly method: string;
  readonly path: string;
  /** Undefined: any valid key. */
  readonly scope: Scope | undefined;
  readonly handle: (call: Call) => Reply | Promise<Reply>;
}

export const routes: readonly Route[] = [
  route("GET", "/me", undefined, getMe),
  route("POST", "/events", "events:write", createEvent),
  route("GET", "/events", "events:read", listEvents),
  route("GET", "/events/:idOrSlug", "events:read", getEvent),
  route("PATCH", "/events/:id", "events:write", patchEvent),
  route("POST", "/events/:id/publish", "events:write", publishEvent),
  route("POST", "/events/:id/unpublish", "events:write", unpublishEvent),
  route("POST", "/events/:id/archive", "events:write", archiveEvent),
  route("DELETE", "/events/:id", "events:write", deleteEvent),
  route("POST", "/events/:eventId/tickets", "tickets:write", createTicket),
  route("GET", "/events/:eventId/tickets", "tickets:read", listTickets),
  route("GET", "/events/:eventId/tickets/:ticketId", "tickets:read", getTicket),
  route("PATCH", "/events/:eventId/tickets/:ticketId", "tickets:write", patchTicket),
  route("POST", "/events/:eventId/tickets/:ticketId/publish", "tickets:write", publishTicket),
  route("POST", "/events/:eventId/tickets/:ticketId/sold-out", "tickets:write", sellOutTicket),
  route("DELETE", "/events/:eventId/tickets/:ticketId", "tickets:write", deleteTicket),
  route("POST", "/events/:eventId/performers", "events:write", createPerformer),
  route("GET", "/events/:eventId/performers", "events:read", listPerformers),
  route("DELETE", "/events/:eventId/performers/:performerId", "events:write", deletePerformer),
  route("POST", "/events/:eventId/schedules", "events:write", createSchedule),
  route("GET", "/events/:eventId/schedules", "events:read", listSchedules),
  route("PATCH", "/events/:eventId/schedules/:scheduleId", "events:write", patchSchedule),
  route("DELETE", "/events/:eventId/schedules/:scheduleId", "events:write", deleteSchedule),
  route("POST", "/events/:eventId/brands", "events:write", createBrand),
  route("GET", "/events/:eventId/brands", "events:read", listBrands),
  route("DELETE", "/events/:eventId/brands/:brandId", "events:write", deleteBrand),
  route("GET", "/events/:eventId/orders", "orders:read", listOrders),
  route("GET", "/orders/:orderId", "orders:read", getOrder),
  route("GET", "/venues/search", "events:read", searchVenues),
  route("POST", "/webhooks", "webhooks:manage", createWebhook),
  route("GET", "/webhooks", "webhooks:manage", listWebhooks),
  route("PATCH", "/webhooks/:id", "webhooks:manage", patchWebhook),
  route("DELETE", "/webhooks/:id", "webhooks:manage", deleteWebhook),
  route("POST", "/webhooks/:id/test", "webhooks:manage", testWebhook),
  route("GET", "/webhooks/:id/deliveries", "webhooks:manage", listDeliveries),
];

function route(method: string, path: string, scope: Scope | undefined, handle: Route["handle"]): Route {
  return { method, path, scope, handle };
}
