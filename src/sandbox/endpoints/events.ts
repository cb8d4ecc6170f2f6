import { type EventRow, type EventStatus, eventStatuses } from "../data/records.ts";
import { type Call, type Reply, stamp } from "./call.ts";
import { checkEvent, eventFields, readInlineTickets } from "./fields/event-fields.ts";
import { isUuid } from "./fields/field.ts";
import { readPart, readWhole } from "./fields/fields.ts";
import { eventTwin, ticketTwins } from "./fields/unique.ts";
import { findEditableEvent, findEvent, gone, param } from "./records/find.ts";
import { arrange, pageOf, readChoice, searchEvents } from "./records/list.ts";
import { addTickets, draftEvent, freeSlug, freshTicket, noteBirth, patchTickets } from "./records/make-event.ts";
import { created, showBrand, showEvent, showPerformer, showSchedule, showTicket, written } from "./records/show.ts";
import { invalid, refused } from "./refusal.ts";

export function createEvent(call: Call): Reply {
  const { desk, key, body } = call;
  const profile = desk.profile();
  const { values, problems } = readWhole(eventFields, body, profile);
  const inline = readInlineTickets(desk, body.tickets);
  const wrong = [...problems, ...inline.problems, ...checkEvent(desk, values)];
  if (wrong.length > 0) throw invalid(wrong);
  const event = draftEvent(desk, key.organizationId, values);
  const tickets = inline.tickets.map((ticket) => freshTicket(desk, event.id, ticket));
  const twins = [...eventTwin(desk, event), ...ticketTwins(desk, tickets)];
  if (twins.length > 0) throw invalid(twins);
  desk.store.events.put(event);
  noteBirth(desk, event.id);
  const half = call.cutShort && profile.inlineOnFault === "some";
  addTickets(desk, half ? tickets.slice(0, Math.floor(tickets.length / 2)) : tickets);
  return created(desk, showEvent(event, profile));
}

export function listEvents(call: Call): Reply {
  const { desk, key, query } = call;
  const profile = desk.profile();
  const status = readChoice(call, "status", eventStatuses);
  let rows: readonly EventRow[] = desk.store.events.of(key.organizationId);
  if (status !== undefined) rows = rows.filter((event) => event.status === status);
  else if (profile.statusDefault === "without-archived") rows = rows.filter((event) => event.status !== "ARCHIVED");
  rows = searchEvents(rows, query.get("search") ?? "", profile);
  return pageOf(call, arrange(desk, rows), (event) => showEvent(event, profile, true));
}

export function getEvent(call: Call): Reply {
  const { desk, key } = call;
  const { store } = desk;
  const idOrSlug = param(call, 0);
  const found = isUuid(idOrSlug)
    ? store.events.get(idOrSlug.toLowerCase())
    : store.events.byAlias(`${key.organizationId}/${idOrSlug}`);
  if (found?.organizationId === key.organizationId) return { status: 200, data: withChildren(call, found) };
  const grave = store.graves.get(idOrSlug.toLowerCase());
  if (desk.profile().deletedGet === "marked" && grave?.organizationId === key.organizationId) {
    const { id, name, slug, deletedAt } = grave;
    return { status: 200, data: { id, name, slug, status: "DELETED", deletedAt } };
  }
  throw gone(desk, key.organizationId, idOrSlug);
}

function withChildren({ desk }: Call, event: EventRow): Record<string, unknown> {
  const profile = desk.profile();
  const shown = showEvent(event, profile);
  const { tickets, performers, schedules, brands } = desk.store;
  switch (profile.embedded) {
    case "none":
      return shown;
    case "partial":
      return { ...shown, tickets: tickets.of(event.id).map(({ id, name }) => ({ id, name })) };
    case "full":
      return {
        ...shown,
        tickets: tickets.of(event.id).map((ticket) => showTicket(ticket, profile)),
        performers: performers.of(event.id).map((performer) => showPerformer(performer, profile)),
        schedules: schedules.of(event.id).map((entry) => showSchedule(entry, profile)),
        brands: brands.of(event.id).map((brand) => showBrand(brand, profile)),
      };
  }
}

export function patchEvent(call: Call): Reply {
  const { desk, body } = call;
  const profile = desk.profile();
  const event = findEditableEvent(call);
  const { values, problems } = readPart(eventFields, body, profile);
  const { tickets: _, ...fields } = values;
  const changed = { ...event, ...fields, updatedAt: stamp(desk) } as EventRow;
  const wrong = [...problems, ...checkEvent(desk, changed), ...eventTwin(desk, changed)];
  // Last, since it writes: a body with any other fault must change nothing.
  if (wrong.length === 0) wrong.push(...patchTickets(call, event));
  if (wrong.length > 0) throw invalid(wrong);
  const renamed = changed.name !== event.name && profile.slug === "follows";
  const slug = renamed ? freeSlug(desk, event.organizationId, changed.name, event.id) : event.slug;
  return written(desk, showEvent(desk.store.events.put({ ...changed, slug }), profile));
}

export function deleteEvent(call: Call): Reply {
  const { desk } = call;
  const { store } = desk;
  const event = findEvent(call);
  const { refusalStatus } = desk.profile();
  if (event.status !== "DRAFT") {
    throw refused(
      refusalStatus,
      `Event ${event.id} is ${event.status}: only a DRAFT event can be deleted.`,
      "Unpublish it first, or archive it.",
    );
  }
  if (store.tickets.of(event.id).some((ticket) => ticket.sold > 0)) {
    throw refused(refusalStatus, `Event ${event.id} has sold tickets and cannot be deleted.`, "Archive it instead.");
  }
  for (const table of [store.tickets, store.performers, store.schedules, store.brands, store.orders]) {
    for (const row of table.of(event.id)) table.remove(row.id);
  }
  store.events.remove(event.id);
  const { id, organizationId, name, slug } = event;
  store.graves.put({ id, organizationId, name, slug, deletedAt: stamp(desk) });
  return written(desk, { deleted: true, id });
}

// Publish, unpublish, archive: which status leads where.

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
