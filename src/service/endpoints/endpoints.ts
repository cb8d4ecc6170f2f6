// Every endpoint of the API document.
import { asObject } from "../../model/value.ts";
import type { Method } from "../http/transport.ts";
import { failure, problemOf, type Result } from "../problem.ts";
import type {
  BrandFields,
  BrandRecord,
  DeliveryRecord,
  EventFields,
  EventRecord,
  EventStatus,
  Me,
  OrderRecord,
  OrderStatus,
  PageQuery,
  PerformerFields,
  PerformerRecord,
  ScheduleFields,
  ScheduleRecord,
  TicketFields,
  TicketRecord,
  VenueRecord,
  WebhookFields,
  WebhookRecord,
} from "../records.ts";
import { badId, encodeInPath, type PageOptions, pathOf, type Query } from "./path.ts";
import { checkShape, type Shape } from "./response.ts";

export interface RequestOptions {
  readonly query?: Query;
  readonly body?: unknown;
}

/** What the endpoints need of the client. */
export interface Caller {
  request(method: Method, path: string, options?: RequestOptions): Promise<Result<unknown>>;
  listAll(path: string, query?: Query, options?: PageOptions): Promise<Result<readonly unknown[]>>;
}

export interface EventFilter {
  readonly status?: EventStatus;
  readonly search?: string;
}

export interface OrderFilter {
  readonly status?: OrderStatus;
}

export type Endpoints = ReturnType<typeof makeEndpoints>;

/** A null path would hold an id that is not one. */
type Path = string | null;

export function makeEndpoints(caller: Caller) {
  const { read, readAll, write, remove } = makeRequests(caller);
  const sized = { sized: true };

  function moveEvent(verb: "publish" | "unpublish" | "archive") {
    return (id: string) => write<EventRecord>("POST", pathOf(`/events/:id/${verb}`, id));
  }

  function moveTicket(verb: "publish" | "sold-out") {
    return (eventId: string, id: string) =>
      write<TicketRecord>("POST", pathOf(`/events/:id/tickets/:id/${verb}`, eventId, id));
  }

  /** What all lists of an event have in common. `list` reads all of it, on any number of pages. */
  function partsOf<Fields, Part>(plural: "tickets" | "performers" | "schedules" | "brands") {
    return {
      create: (eventId: string, fields: Fields) =>
        write<Part>("POST", pathOf(`/events/:id/${plural}`, eventId), fields),
      list: (eventId: string) => readAll<Part>(pathOf(`/events/:id/${plural}`, eventId), "records"),
      delete: (eventId: string, id: string) => remove(pathOf(`/events/:id/${plural}/:id`, eventId, id)),
    };
  }

  return {
    events: {
      create: (fields: EventFields & { readonly tickets?: readonly TicketFields[] }) =>
        write<EventRecord>("POST", "/events", fields),
      list: (filter: EventFilter & PageQuery = {}) => read<readonly EventRecord[]>("/events", "records", filter),
      /** All pages. */
      all: (filter: EventFilter = {}) => readAll<EventRecord>("/events", "records", filter, sized),
      async get(idOrSlug: string): Promise<Result<EventRecord>> {
        if (/^\.*$/.test(idOrSlug)) return failure(emptySlug);
        return read(`/events/${encodeInPath(idOrSlug)}`, "record");
      },
      update: (id: string, fields: Partial<EventFields>) =>
        write<EventRecord>("PATCH", pathOf("/events/:id", id), fields),
      publish: moveEvent("publish"),
      unpublish: moveEvent("unpublish"),
      archive: moveEvent("archive"),
      delete: (id: string) => remove(pathOf("/events/:id", id)),
    },
    tickets: {
      ...partsOf<TicketFields, TicketRecord>("tickets"),
      get: (eventId: string, id: string) =>
        read<TicketRecord>(pathOf("/events/:id/tickets/:id", eventId, id), "record"),
      update: (eventId: string, id: string, fields: Partial<TicketFields>) =>
        write<TicketRecord>("PATCH", pathOf("/events/:id/tickets/:id", eventId, id), fields),
      publish: moveTicket("publish"),
      /** Sets what remains to 0. */
      soldOut: moveTicket("sold-out"),
    },
    performers: partsOf<PerformerFields, PerformerRecord>("performers"),
    brands: partsOf<BrandFields, BrandRecord>("brands"),
    schedules: {
      ...partsOf<ScheduleFields, ScheduleRecord>("schedules"),
      update: (eventId: string, id: string, fields: Partial<ScheduleFields>) =>
        write<ScheduleRecord>("PATCH", pathOf("/events/:id/schedules/:id", eventId, id), fields),
    },
    orders: {
      /** One page; with `take: 1` the cheapest way to `meta.total`. */
      list: (eventId: string, filter: OrderFilter & PageQuery = {}) =>
        read<readonly OrderRecord[]>(pathOf("/events/:id/orders", eventId), "records", filter),
      /** All pages. */
      all: (eventId: string, filter: OrderFilter = {}) =>
        readAll<OrderRecord>(pathOf("/events/:id/orders", eventId), "records", filter, sized),
      get: (id: string) => read<OrderRecord>(pathOf("/orders/:id", id), "record"),
    },
    venues: {
      search: (query: string, page: PageQuery = {}) =>
        read<readonly VenueRecord[]>("/venues/search", "records", { query, ...page }),
      /** All pages. */
      searchAll: (query: string) => readAll<VenueRecord>("/venues/search", "records", { query }, sized),
    },
    webhooks: {
      /** The response carries the `secret`, this once. */
      create: (fields: WebhookFields) => write<WebhookRecord>("POST", "/webhooks", fields),
      list: () => readAll<WebhookRecord>("/webhooks", "records"),
      update: (id: string, fields: { readonly events?: readonly string[]; readonly isActive?: boolean }) =>
        write<WebhookRecord>("PATCH", pathOf("/webhooks/:id", id), fields),
      delete: (id: string) => remove(pathOf("/webhooks/:id", id)),
      /** Success of the call is not success of the test: look at `data.success`. */
      test: (id: string) =>
        write<{ readonly success?: unknown; readonly [field: string]: unknown }>(
          "POST",
          pathOf("/webhooks/:id/test", id),
          undefined,
          "report",
        ),
      deliveries: (id: string, page: PageQuery = {}) =>
        read<readonly DeliveryRecord[]>(pathOf("/webhooks/:id/deliveries", id), "list", page),
      /** All pages. */
      allDeliveries: (id: string) => readAll<DeliveryRecord>(pathOf("/webhooks/:id/deliveries", id), "list", {}, sized),
    },
    /** The key and the organization it belongs to; a part that is not shown is an empty object. */
    async me(): Promise<Result<Me>> {
      const result = await read<Partial<Me>>("/me", "account");
      if (!result.ok) return result;
      const { apiKey, organization } = result.data;
      return { ...result, data: { apiKey: asObject(apiKey), organization: asObject(organization) } };
    },
  };
}

/** The four ways to call; what a response shows is checked. */
function makeRequests(caller: Caller) {
  async function read<T>(path: Path, shape: Shape, query: object = {}): Promise<Result<T>> {
    if (path === null) return failure(badId);
    return checkShape(await caller.request("GET", path, { query: { ...query } }), "GET", path, shape);
  }
  async function readAll<T>(
    path: Path,
    shape: Shape,
    query: object = {},
    options: PageOptions = {},
  ): Promise<Result<readonly T[]>> {
    if (path === null) return failure(badId);
    return checkShape(await caller.listAll(path, { ...query }, options), "GET", path, shape);
  }
  /** The response may show the record, a part of it or nothing. */
  async function write<T>(
    method: "POST" | "PATCH",
    path: Path,
    body?: unknown,
    shape: Shape = "echo",
  ): Promise<Result<T | null>> {
    if (path === null) return failure(badId);
    return checkShape(await caller.request(method, path, { body }), method, path, shape);
  }
  /** Gone already counts as deleted. */
  async function remove(path: Path): Promise<Result<unknown>> {
    return path === null ? failure(badId) : caller.request("DELETE", path);
  }

  return { read, readAll, write, remove };
}

const emptySlug = problemOf(
  "refused",
  "bad-id",
  "The id or slug of the event is empty.",
  "Give the event's id or its slug.",
);
