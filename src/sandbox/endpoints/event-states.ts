// Publish, unpublish, archive: which status leads where.
import { written } from "../answer.ts";
import { type Call, type Reply, stamp } from "../call.ts";
import { findEvent } from "../find.ts";
import type { EventRow, EventStatus } from "../records.ts";
import { refused } from "../refusal.ts";
import { showEvent } from "../show.ts";

export function publishEvent(call: Call): Reply {
  return move(call, "PUBLISHED", "DRAFT");
}

export function unpublishEvent(call: Call): Reply {
  return move(call, "DRAFT", "PUBLISHED");
}

function move(call: Call, to: EventStatus, from: EventStatus): Reply {
  const event = findEvent(call);
  const { publishAgain } = call.desk.profile();
  if (event.status === from) return settle(call, event, to);
  if (event.status === to && publishAgain === "ok") return settle(call, event, to);
  throw wrongStatus(call, event, to, `Only a ${from} event can become ${to}.`);
}

export function archiveEvent(call: Call): Reply {
  const event = findEvent(call);
  const { archiveFrom } = call.desk.profile();
  if (archiveFrom === "any" || event.status === (archiveFrom === "draft" ? "DRAFT" : "PUBLISHED")) {
    return settle(call, event, "ARCHIVED");
  }
  throw wrongStatus(call, event, "ARCHIVED", `Only a ${archiveFrom} event can be archived.`);
}

function settle({ desk }: Call, event: EventRow, status: EventStatus): Reply {
  const moved = status === event.status ? event : desk.store.events.put({ ...event, status, updatedAt: stamp(desk) });
  return written(desk, showEvent(moved, desk.profile()));
}

function wrongStatus({ desk }: Call, event: EventRow, to: EventStatus, hint: string): Error {
  const message = `Event ${event.id} is ${event.status} and cannot become ${to}.`;
  return refused(desk.profile().refusalStatus, message, hint);
}
