import { badId, echoedRecord, manyRecords, oneRecord } from "../checked.ts";
import type { TicketFields } from "../fields.ts";
import type { TicketRecord } from "../records.ts";
import { failure, type Result } from "../result.ts";
import type { Caller } from "./caller.ts";

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
