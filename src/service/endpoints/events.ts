import { badId, echoedRecord, manyRecords, oneRecord } from "../checked.ts";
import type { EventFields, EventStatus, PageQuery, TicketFields } from "../fields.ts";
import { encode } from "../path.ts";
import { problemOf } from "../problem.ts";
import type { EventRecord } from "../records.ts";
import { failure, type Result } from "../result.ts";
import type { Caller } from "./caller.ts";

export interface EventFilter {
  readonly status?: EventStatus;
  readonly search?: string;
}

export function eventEndpoints(caller: Caller) {
  async function transition(
    id: string,
    verb: "publish" | "unpublish" | "archive",
  ): Promise<Result<EventRecord | null>> {
    const bad = badId(id);
    if (bad !== null) return failure(bad);
    return echoedRecord("POST", await caller.request("POST", `/events/${id}/${verb}`));
  }
  return {
    async create(
      fields: EventFields & { readonly tickets?: readonly TicketFields[] },
    ): Promise<Result<EventRecord | null>> {
      return echoedRecord("POST", await caller.request("POST", "/events", { body: fields }));
    },
    /** One page. */
    async list(filter: EventFilter & PageQuery = {}): Promise<Result<readonly EventRecord[]>> {
      return manyRecords(await caller.request("GET", "/events", { query: { ...filter } }));
    },
    /** All pages. */
    async all(filter: EventFilter = {}): Promise<Result<readonly EventRecord[]>> {
      return manyRecords(await caller.listAll("/events", { ...filter }, { sized: true }));
    },
    async get(idOrSlug: string): Promise<Result<EventRecord>> {
      if (/^\.*$/.test(idOrSlug)) {
        return failure(
          problemOf("not-sent", "bad-id", "The id or slug of the event is empty.", "Give the event's id or its slug."),
        );
      }
      return oneRecord(await caller.request("GET", `/events/${encodeSegment(idOrSlug)}`));
    },
    async update(id: string, fields: Partial<EventFields>): Promise<Result<EventRecord | null>> {
      const bad = badId(id);
      if (bad !== null) return failure(bad);
      return echoedRecord("PATCH", await caller.request("PATCH", `/events/${id}`, { body: fields }));
    },
    publish: (id: string) => transition(id, "publish"),
    unpublish: (id: string) => transition(id, "unpublish"),
    archive: (id: string) => transition(id, "archive"),
    /** Gone already counts as deleted. */
    async delete(id: string): Promise<Result<unknown>> {
      const bad = badId(id);
      return bad === null ? caller.request("DELETE", `/events/${id}`) : failure(bad);
    },
  };
}

/** encodeURIComponent leaves a few marks alone that a path of ours never carries. */
function encodeSegment(text: string): string {
  return encode(text).replace(/[!'()*]|^\./g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
