// One request and its response: who, how often, what, and the envelope around the result.

import { randomUUID } from "node:crypto";
import type { ServiceContext } from "../control/control.ts";
import { createReplica, type Store } from "../data/row-store.ts";
import type { KeyRow, Scope } from "../data/rows.ts";
import { brands, performers, publishTicket, schedules, sellOutTicket, tickets } from "../endpoints/children.ts";
import * as events from "../endpoints/events.ts";
import { type Call, Refusal, type Reply, requireValid, type SandboxContext, type Shown } from "../endpoints/handler.ts";
import * as webhooks from "../endpoints/organization.ts";
import { getMe, getOrder, listOrders, searchVenues } from "../endpoints/organization.ts";
import type { RateVerdict } from "../wire/rate.ts";
import {
  basePath,
  errorResponse,
  isWrite,
  jsonHeaders,
  requestHeader,
  type SandboxRequest,
  type SandboxResponse,
} from "../wire/wire.ts";

export function respond(
  context: ServiceContext,
  request: SandboxRequest,
  cutShort: boolean,
): SandboxResponse | Promise<SandboxResponse> {
  const { rate, profile } = context;
  const requestId = randomUUID();
  const headers: Record<string, string> = { "X-Request-Id": requestId };

  function countCall(keyId: string): RateVerdict {
    const verdict = rate.count(keyId, profile, context.now(), context.elapsed());
    Object.assign(headers, verdict.headers);
    return verdict;
  }

  function finish({ status, data: record, meta }: Reply): SandboxResponse {
    if (isWrite(request.method)) context.commit();
    const data = profile.oneRecord === "named" ? underItsName(record, request.path) : record;
    const body = status === 204 ? "" : JSON.stringify(meta === undefined ? { data } : { data, meta });
    return { status, headers: Object.assign(headers, jsonHeaders), body };
  }

  function fail(problem: unknown): SandboxResponse {
    return errorResponse(problem, requestId, headers);
  }

  try {
    const key = authenticate(context, request);
    // Calls without a valid key share one limit.
    const verdict = countCall(key instanceof Refusal ? "" : key.id);
    if (key instanceof Refusal) throw key;
    if (!verdict.allowed) return overLimit(context, verdict, requestId, headers);
    context.lastUsed.set(key.id, context.now());
    const reply = callEndpoint(context, request, key, cutShort);
    return reply instanceof Promise ? reply.then(finish, fail) : finish(reply);
  } catch (problem) {
    return fail(problem);
  }
}

function underItsName(data: unknown, path: string): unknown {
  if (typeof data !== "object" || data === null || !("id" in data) || "deleted" in data) return data;
  const { secret, ...record } = data as Shown;
  const list = path.split(/[/?]/).findLast((part) => lists.includes(part)) ?? "records";
  return { [list.slice(0, -1)]: record, secret };
}

const lists = ["events", "tickets", "performers", "schedules", "brands", "orders", "webhooks"];

function authenticate({ store, now }: SandboxContext, request: SandboxRequest): KeyRow | Refusal {
  const value = requestHeader(request, "api-key") ?? "";
  if (value === "") return unauthorized("The api-key header is missing.", "Send your API key in the api-key header.");
  const key = store.keys.byAlias(value);
  if (key === undefined)
    return unauthorized("The API key is not valid.", "Check the key, or create another in the organizer dashboard.");
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= now())
    return unauthorized(`The API key expired at ${key.expiresAt}.`, "Create another key in the organizer dashboard.");
  // An IPv4 address may arrive written as an IPv6 one.
  const address = (request.remoteAddress ?? "127.0.0.1").replace(/^::ffff:/, "");
  if (key.allowlist.length === 0 || key.allowlist.includes(address)) return key;
  const message = "The API key cannot be used from this address.";
  return new Refusal(403, "FORBIDDEN", message, "Add the address to the IP allowlist of the key.");
}

function unauthorized(message: string, hint: string): Refusal {
  return new Refusal(401, "UNAUTHORIZED", message, hint);
}

/** The response to a call over the limit. */
function overLimit(
  { profile, now }: SandboxContext,
  { waitSeconds }: RateVerdict,
  requestId: string,
  headers: Record<string, string>,
): SandboxResponse {
  if (profile.retryAfter === "seconds") headers["Retry-After"] = String(waitSeconds);
  if (profile.retryAfter === "date") headers["Retry-After"] = new Date(now() + waitSeconds * 1000).toUTCString();
  if (profile.limitBody === "html") {
    const body = "<html><head><title>429 Too Many Requests</title></head><body>Too Many Requests</body></html>";
    return { status: 429, headers: { ...headers, "Content-Type": "text/html" }, body };
  }
  const hint = "Wait until the limit resets, then try again.";
  return errorResponse(new Refusal(429, "RATE_LIMITED", "Too many requests.", hint), requestId, headers);
}

function callEndpoint(
  context: ServiceContext,
  request: SandboxRequest,
  key: KeyRow,
  cutShort: boolean,
): Reply | Promise<Reply> {
  const { method } = request;
  const [path = "", ...query] = request.path.split("?");
  const match = findRoute(method, path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : "");
  const noPath = `Paths begin with ${basePath}: check the end of the base URL (baseUrl or TICKETING_BASE_URL).`;
  if (match === undefined) throw new Refusal(404, "NOT_FOUND", `There is no ${path}.`, noPath);
  if ("allowed" in match) {
    const hint = `Use ${match.allowed.join(", ")}.`;
    throw new Refusal(405, "METHOD_NOT_ALLOWED", `${path} does not accept ${method}.`, hint);
  }
  const { scope, handle } = match.route;
  if (scope !== undefined && !key.scopes.includes(scope)) {
    const message = `This request needs the scope ${scope}, which the API key does not have.`;
    throw new Refusal(403, "SCOPE_REQUIRED", message, `Use a key with the scope ${scope}.`);
  }
  if (isWrite(method) && context.refusesWrites) {
    const hint = "Turn this off with POST /_sandbox/refuse-writes.";
    throw new Refusal(403, "WRITES_REFUSED", "The sandbox refuses every write now.", hint);
  }
  const body = readJson(request);
  // For every call: where a literal begins with a spread, V8 of Node 20 takes ten times as long.
  return handle({
    key,
    params: match.params,
    query: new URLSearchParams(query.join("?")),
    body,
    cutShort,
    ...context,
    store: storeFor(context, method),
  });
}

/** Writes see what is there, reads what their profile allows them to see. */
function storeFor(context: ServiceContext, method: string): Store {
  const { store, profile, elapsed } = context;
  context.replica = profile.readLag === 0 ? null : (context.replica ?? createReplica(store));
  if (context.replica === null || isWrite(method)) return store;
  return context.replica.asOf(elapsed() - profile.readLag, profile.readLagIn === "everywhere");
}

const maxBody = 1024 * 1024;

function readJson(request: SandboxRequest): Readonly<Record<string, unknown>> {
  const { body = "", method } = request;
  if (body === "" || method === "GET" || method === "DELETE") return {};
  if (body.length > maxBody)
    throw new Refusal(413, "PAYLOAD_TOO_LARGE", "The body is larger than 1 MiB.", "Send less at once.");
  if (!/^application\/json\b/i.test(requestHeader(request, "content-type") ?? ""))
    throw new Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "The body is not JSON.", "Send Content-Type: application/json.");
  const value = parseBody(body);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  requireValid(isObject ? [] : [{ field: "body", message: "the body must be a JSON object" }]);
  return value as Record<string, unknown>;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Every endpoint of the API specification, with the scope it needs and what handles it.

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
  return { route: found.route, params: given.filter((_, at) => found.segments[at]?.startsWith(":")).map(decodePart) };
}

function decodePart(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
