// Performers, schedule entries and brands: the parts of an event that are listed, created and deleted alike.
import { badId, echoedRecord, manyRecords } from "../checked.ts";
import type { BrandFields, PerformerFields, ScheduleFields } from "../fields.ts";
import type { BrandRecord, LiveRecord, PerformerRecord, ScheduleRecord } from "../records.ts";
import { failure, type Result } from "../result.ts";
import type { Caller } from "./caller.ts";

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
