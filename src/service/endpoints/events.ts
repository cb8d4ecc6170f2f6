import { encode } from "../paging.ts";
import { failure, problemOf, type Result } from "../problem.ts";
import type {
  BrandFields,
  BrandRecord,
  EventFields,
  EventRecord,
  EventStatus,
  LiveRecord,
  PageQuery,
  PerformerFields,
  PerformerRecord,
  ScheduleFields,
  ScheduleRecord,
  TicketFields,
  TicketRecord,
} from "../records.ts";
import type { Caller } from "./caller.ts";
import { badId, echoedRecord, manyRecords, oneRecord } from "./checked.ts";

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

export function ticketEndpoints(caller: Caller) {
  async function transition(
    eventId: string,
    id: string,
    verb: "publish" | "sold-out",
  ): Promise<Result<TicketRecord | null>> {
    const bad = badId(eventId, id);
    if (bad !== null) return failure(bad);
    return echoedRecord("POST", await caller.request("POST", `/events/${eventId}/tickets/${id}/${verb}`));
  }
  return {
    async create(eventId: string, fields: TicketFields): Promise<Result<TicketRecord | null>> {
      const bad = badId(eventId);
      if (bad !== null) return failure(bad);
      return echoedRecord("POST", await caller.request("POST", `/events/${eventId}/tickets`, { body: fields }));
    },
    /** All ticket types of the event, on however many pages. */
    async list(eventId: string): Promise<Result<readonly TicketRecord[]>> {
      const bad = badId(eventId);
      return bad === null ? manyRecords(await caller.listAll(`/events/${eventId}/tickets`)) : failure(bad);
    },
    async get(eventId: string, id: string): Promise<Result<TicketRecord>> {
      const bad = badId(eventId, id);
      return bad === null ? oneRecord(await caller.request("GET", `/events/${eventId}/tickets/${id}`)) : failure(bad);
    },
    async update(eventId: string, id: string, fields: Partial<TicketFields>): Promise<Result<TicketRecord | null>> {
      const bad = badId(eventId, id);
      if (bad !== null) return failure(bad);
      return echoedRecord("PATCH", await caller.request("PATCH", `/events/${eventId}/tickets/${id}`, { body: fields }));
    },
    publish: (eventId: string, id: string) => transition(eventId, id, "publish"),
    /** Sets what remains to 0. */
    soldOut: (eventId: string, id: string) => transition(eventId, id, "sold-out"),
    async delete(eventId: string, id: string): Promise<Result<unknown>> {
      const bad = badId(eventId, id);
      return bad === null ? caller.request("DELETE", `/events/${eventId}/tickets/${id}`) : failure(bad);
    },
  };
}

// Performers, schedule entries and brands: the parts of an event that are listed, created and deleted alike.

function partEndpoints<Fields, Part extends LiveRecord>(caller: Caller, plural: "performers" | "schedules" | "brands") {
  return {
    async create(eventId: string, fields: Fields): Promise<Result<Part | null>> {
      const bad = badId(eventId);
      if (bad !== null) return failure(bad);
      return echoedRecord("POST", await caller.request("POST", `/events/${eventId}/${plural}`, { body: fields }));
    },
    /** All of the event, on however many pages. */
    async list(eventId: string): Promise<Result<readonly Part[]>> {
      const bad = badId(eventId);
      return bad === null ? manyRecords(await caller.listAll(`/events/${eventId}/${plural}`)) : failure(bad);
    },
    async delete(eventId: string, id: string): Promise<Result<unknown>> {
      const bad = badId(eventId, id);
      return bad === null ? caller.request("DELETE", `/events/${eventId}/${plural}/${id}`) : failure(bad);
    },
  };
}

export function performerEndpoints(caller: Caller) {
  return partEndpoints<PerformerFields, PerformerRecord>(caller, "performers");
}

export function brandEndpoints(caller: Caller) {
  return partEndpoints<BrandFields, BrandRecord>(caller, "brands");
}

export function scheduleEndpoints(caller: Caller) {
  const shared = partEndpoints<ScheduleFields, ScheduleRecord>(caller, "schedules");
  return {
    create: shared.create,
    list: shared.list,
    delete: shared.delete,
    async update(eventId: string, id: string, fields: Partial<ScheduleFields>): Promise<Result<ScheduleRecord | null>> {
      const bad = badId(eventId, id);
      if (bad !== null) return failure(bad);
      return echoedRecord(
        "PATCH",
        await caller.request("PATCH", `/events/${eventId}/schedules/${id}`, { body: fields }),
      );
    },
  };
}
