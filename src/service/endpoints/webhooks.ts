import { badId, echoedRecord, echoedThing, manyRecords, manyThings } from "../checked.ts";
import type { PageQuery, WebhookFields } from "../fields.ts";
import type { DeliveryRecord, WebhookRecord } from "../records.ts";
import { failure, type Result } from "../result.ts";
import type { Caller } from "./caller.ts";

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
