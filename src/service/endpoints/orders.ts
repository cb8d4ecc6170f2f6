import { badId, manyRecords, oneRecord } from "../checked.ts";
import type { OrderStatus, PageQuery } from "../fields.ts";
import type { OrderRecord } from "../records.ts";
import { failure, type Result } from "../result.ts";
import type { Caller } from "./caller.ts";

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
