import { failure, type Result } from "../problem.ts";
import type {
  DeliveryRecord,
  Me,
  OrderRecord,
  OrderStatus,
  PageQuery,
  VenueRecord,
  WebhookFields,
  WebhookRecord,
} from "../records.ts";
import type { Caller } from "./caller.ts";
import { badId, echoedRecord, echoedThing, manyRecords, manyThings, oneRecord, unexpected } from "./checked.ts";

/** The key and the organization it belongs to; a part that is not shown is an empty object. */
export async function readMe(caller: Caller): Promise<Result<Me>> {
  const result = await caller.request("GET", "/me");
  if (!result.ok) return result;
  const data = asObject(result.data);
  if (data === null) return failure(unexpected("GET", "the key and its organization", result.status));
  return { ...result, data: { apiKey: asObject(data.apiKey) ?? {}, organization: asObject(data.organization) ?? {} } };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

export interface OrderFilter {
  readonly status?: OrderStatus;
}

export function orderEndpoints(caller: Caller) {
  return {
    /** One page; with `take: 1` the cheapest way to `meta.total`. */
    async list(eventId: string, filter: OrderFilter & PageQuery = {}): Promise<Result<readonly OrderRecord[]>> {
      const bad = badId(eventId);
      if (bad !== null) return failure(bad);
      return manyRecords(await caller.request("GET", `/events/${eventId}/orders`, { query: { ...filter } }));
    },
    /** All pages. */
    async all(eventId: string, filter: OrderFilter = {}): Promise<Result<readonly OrderRecord[]>> {
      const bad = badId(eventId);
      if (bad !== null) return failure(bad);
      return manyRecords(await caller.listAll(`/events/${eventId}/orders`, { ...filter }, { sized: true }));
    },
    async get(id: string): Promise<Result<OrderRecord>> {
      const bad = badId(id);
      return bad === null ? oneRecord(await caller.request("GET", `/orders/${id}`)) : failure(bad);
    },
  };
}

export function venueEndpoints(caller: Caller) {
  return {
    /** One page. */
    async search(query: string, page: PageQuery = {}): Promise<Result<readonly VenueRecord[]>> {
      return manyRecords(await caller.request("GET", "/venues/search", { query: { query, ...page } }));
    },
    /** All pages. */
    async searchAll(query: string): Promise<Result<readonly VenueRecord[]>> {
      return manyRecords(await caller.listAll("/venues/search", { query }, { sized: true }));
    },
  };
}

export function webhookEndpoints(caller: Caller) {
  return {
    /** The answer carries the `secret`, this once. */
    async create(fields: WebhookFields): Promise<Result<WebhookRecord | null>> {
      return echoedRecord("POST", await caller.request("POST", "/webhooks", { body: fields }));
    },
    /** All webhooks, on however many pages. */
    async list(): Promise<Result<readonly WebhookRecord[]>> {
      return manyRecords(await caller.listAll("/webhooks"));
    },
    async update(
      id: string,
      fields: { readonly events?: readonly string[]; readonly isActive?: boolean },
    ): Promise<Result<WebhookRecord | null>> {
      const bad = badId(id);
      if (bad !== null) return failure(bad);
      return echoedRecord("PATCH", await caller.request("PATCH", `/webhooks/${id}`, { body: fields }));
    },
    async delete(id: string): Promise<Result<unknown>> {
      const bad = badId(id);
      return bad === null ? caller.request("DELETE", `/webhooks/${id}`) : failure(bad);
    },
    /** Success of the call is not success of the test: look at `data.success`. */
    async test(id: string): Promise<Result<{ readonly success?: unknown; readonly [field: string]: unknown } | null>> {
      const bad = badId(id);
      return bad === null ? echoedThing("POST", await caller.request("POST", `/webhooks/${id}/test`)) : failure(bad);
    },
    /** One page. */
    async deliveries(id: string, page: PageQuery = {}): Promise<Result<readonly DeliveryRecord[]>> {
      const bad = badId(id);
      if (bad !== null) return failure(bad);
      return manyThings(await caller.request("GET", `/webhooks/${id}/deliveries`, { query: { ...page } }));
    },
    /** All pages. */
    async allDeliveries(id: string): Promise<Result<readonly DeliveryRecord[]>> {
      const bad = badId(id);
      if (bad !== null) return failure(bad);
      return manyThings(await caller.listAll(`/webhooks/${id}/deliveries`, {}, { sized: true }));
    },
  };
}
