import { created, written } from "../answer.ts";
import { type Call, type Reply, stamp } from "../call.ts";
import { checkEvent, eventFields, readInlineTickets } from "../event-fields.ts";
import { isUuid } from "../field.ts";
import { readPart, readWhole } from "../fields.ts";
import { findEditableEvent, findEvent, gone, param } from "../find.ts";
import { arrange, pageOf, readChoice } from "../list.ts";
import { addTickets, draftEvent, freeSlug, freshTicket, noteBirth } from "../make-event.ts";
import { patchTickets } from "../patch-tickets.ts";
import { type EventRow, eventStatuses } from "../records.ts";
import { invalid, refused } from "../refusal.ts";
import { searchEvents } from "../search.ts";
import { showBrand, showEvent, showPerformer, showSchedule, showTicket } from "../show.ts";
import { eventTwin, ticketTwins } from "../unique.ts";

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
