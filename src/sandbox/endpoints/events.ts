import { randomUUID } from "node:crypto";
import { type EventRow, eventStatuses, recordFields, type TicketRow } from "../data/rows.ts";
import { builtInVenues } from "../data/venues.ts";
import { brands, findTwin, performers, schedules, tickets } from "./children.ts";
import {
  type Call,
  created,
  type FieldProblem,
  missingEvent,
  noteBirth,
  paramOf,
  type Refusal,
  type Reply,
  refused,
  requireEditableEvent,
  requireEvent,
  requireValid,
  type SandboxContext,
  type Shown,
  stamp,
  venuesOf,
  written,
} from "./handler.ts";
import { isUuidText, readBody } from "./read-body.ts";
import { listReply, readStatusFilter, searchEvents, showEvent, showListedEvent } from "./show.ts";

const inlineTickets = { tickets: { type: "objects", of: tickets.fields, fallback: [] } } as const;

export function createEvent(call: Call): Reply {
  const { store, profile, key } = call;
  const { values, problems } = readBody("create", { ...recordFields.events, ...inlineTickets }, call.body, profile);
  requireValid([...problems, ...checkEvent(call, values as Partial<EventRow>)]);
  const { tickets: inline, ...fields } = values;
  const { organizationId } = key;
  const slug = findFreeSlug(call, organizationId, String(fields.name));
  const now = stamp(call);
  const own = { id: randomUUID(), organizationId, slug, status: "DRAFT", createdAt: now, updatedAt: now };
  const event = { ...own, ...fields } as unknown as EventRow;
  const rows = (inline as readonly Shown[]).map((ticket) => tickets.begin(call, event.id, ticket));
  const ticketTwins = rows.flatMap((row, at) => findTwin<TicketRow>(profile, tickets.identity, row, rows.slice(0, at)));
  requireValid([...findEventTwin(call, event), ...ticketTwins]);
  store.events.put(event);
  noteBirth(call, event.id);
  const stopsHalfway = call.cutShort && profile.inlineOnFault === "some";
  for (const row of stopsHalfway ? rows.slice(0, Math.floor(rows.length / 2)) : rows) tickets.add(call, row);
  return created(call, showEvent(event, profile));
}

/** What no single field shows: the end after the start, a venue that exists. */
function checkEvent(call: Call, event: Partial<EventRow>): FieldProblem[] {
  const { profile } = call;
  const { dateTime, endDateTime, venueId } = event;
  const problems: FieldProblem[] = [];
  if (profile.timeOrder === "refused" && dateTime !== undefined && endDateTime != null && endDateTime <= dateTime)
    problems.push({ field: "endDateTime", message: "endDateTime must be after dateTime" });
  const isKnown =
    venueId == null ||
    profile.venueIds === "any" ||
    [...builtInVenues, ...venuesOf(call)].some((venue) => venue.id === venueId);
  if (!isKnown) {
    const message = `venueId ${venueId} is not a venue; find one with GET /venues/search`;
    problems.push({ field: "venueId", message });
  }
  return problems;
}

function findEventTwin({ store, profile }: Call, event: EventRow): readonly FieldProblem[] {
  return findTwin(profile, ["name", "dateTime"], event, store.events.of(event.organizationId));
}

export function findFreeSlug({ store }: SandboxContext, organizationId: string, name: string, own?: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const stem = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "event";
  for (let count = 1; ; count++) {
    const slug = count === 1 ? stem : `${stem}-${count}`;
    const holder = store.events.byAlias(`${organizationId}/${slug}`);
    if (holder === undefined || holder.id === own) return slug;
  }
}

export function listEvents(call: Call): Reply {
  const { store, profile, key, query } = call;
  const status = readStatusFilter(call, eventStatuses);
  const hidesArchived = profile.statusDefault === "without-archived";
  const rows = store.events
    .of(key.organizationId)
    .filter((event) =>
      status === undefined ? !(hidesArchived && event.status === "ARCHIVED") : event.status === status,
    );
  return listReply(call, searchEvents(rows, query.get("search") ?? "", profile), showListedEvent);
}

export function getEvent(call: Call): Reply {
  const { store, profile, key } = call;
  const { organizationId } = key;
  const idOrSlug = paramOf(call, 0);
  const id = idOrSlug.toLowerCase();
  const found = isUuidText(id) ? store.events.get(id) : store.events.byAlias(`${organizationId}/${idOrSlug}`);
  if (found?.organizationId === organizationId)
    return { status: 200, data: { ...showEvent(found, profile), ...embedded(call, found) } };
  const grave = store.graves.get(id);
  if (profile.deletedGet !== "marked" || grave?.organizationId !== organizationId) throw missingEvent(call, idOrSlug);
  const { organizationId: _, ...marked } = grave;
  return { status: 200, data: { ...marked, status: "DELETED" } };
}

function embedded(call: Call, event: EventRow): Shown {
  switch (call.profile.embedded) {
    case "none":
      return {};
    case "partial":
      return { tickets: call.store.tickets.of(event.id).map(({ id, name }) => ({ id, name })) };
    case "full":
      return {
        tickets: tickets.showAll(call, event.id),
        performers: performers.showAll(call, event.id),
        schedules: schedules.showAll(call, event.id),
        brands: brands.showAll(call, event.id),
      };
  }
}

export function patchEvent(call: Call): Reply {
  const { store, profile } = call;
  const event = requireEditableEvent(call);
  const { tickets: inline, ...body } = call.body;
  const { values, problems } = readBody("patch", recordFields.events, body, profile);
  const changed: EventRow = { ...event, ...values, updatedAt: stamp(call) };
  requireValid([...problems, ...checkEvent(call, changed), ...findEventTwin(call, changed)]);
  // Last, since it writes: a body with any other fault must change nothing.
  if (inline !== undefined) requireValid(patchTickets(call, event, inline));
  const isRenamed = changed.name !== event.name && profile.slug === "follows";
  const slug = isRenamed ? findFreeSlug(call, event.organizationId, changed.name, event.id) : event.slug;
  return written(call, showEvent(store.events.put({ ...changed, slug }), profile));
}

/** What PATCH /events/:id does with `tickets`; the API specification does not say. */
function patchTickets(call: Call, event: EventRow, given: unknown): readonly FieldProblem[] {
  const { store, profile } = call;
  if (profile.ticketsInPatch === "ignored") return [];
  if (profile.ticketsInPatch === "refused")
    return [{ field: "tickets", message: "tickets must be changed at /events/:eventId/tickets" }];
  const { values, problems } = readBody("create", inlineTickets, { tickets: given }, profile);
  if (problems.length > 0) return problems;
  if (profile.ticketsInPatch === "replaced") {
    const present = store.tickets.of(event.id);
    if (present.some((ticket) => ticket.sold > 0))
      return [{ field: "tickets", message: "tickets cannot be replaced: some are sold" }];
    for (const ticket of present) store.tickets.remove(ticket.id);
  }
  for (const ticket of values.tickets as readonly Shown[]) tickets.add(call, tickets.begin(call, event.id, ticket));
  return [];
}

export function deleteEvent(call: Call): Reply {
  const { store, profile } = call;
  const event = requireEvent(call);
  const { id, organizationId, name, slug, status } = event;
  if (status !== "DRAFT") {
    const message = `Event ${id} is ${status}: only a DRAFT event can be deleted.`;
    throw refused(profile, message, "Unpublish it first, or archive it.");
  }
  if (store.tickets.of(id).some((ticket) => ticket.sold > 0))
    throw refused(profile, `Event ${id} has sold tickets and cannot be deleted.`, "Archive it instead.");
  for (const table of [store.tickets, store.performers, store.schedules, store.brands, store.orders])
    for (const row of table.of(id)) table.remove(row.id);
  store.events.remove(id);
  store.graves.put({ id, organizationId, name, slug, deletedAt: stamp(call) });
  return written(call, { deleted: true, id });
}

// Publish, unpublish, archive: which status leads where.

export function publishEvent(call: Call): Reply {
  return move(call, "DRAFT", "PUBLISHED");
}

export function unpublishEvent(call: Call): Reply {
  return move(call, "PUBLISHED", "DRAFT");
}

function move(call: Call, from: EventRow["status"], to: EventRow["status"]): Reply {
  const event = requireEvent(call);
  if (event.status === from || (event.status === to && call.profile.publishAgain === "ok"))
    return setStatus(call, event, to);
  throw wrongStatus(call, event, to, `Only a ${from} event can become ${to}.`);
}

export function archiveEvent(call: Call): Reply {
  const event = requireEvent(call);
  const { archiveFrom } = call.profile;
  if (archiveFrom === "any" || event.status === archiveFrom.toUpperCase()) return setStatus(call, event, "ARCHIVED");
  throw wrongStatus(call, event, "ARCHIVED", `Only a ${archiveFrom} event can be archived.`);
}

function setStatus(call: Call, event: EventRow, status: EventRow["status"]): Reply {
  const { store, profile } = call;
  const moved = status === event.status ? event : store.events.put({ ...event, status, updatedAt: stamp(call) });
  return written(call, showEvent(moved, profile));
}

function wrongStatus({ profile }: Call, event: EventRow, to: EventRow["status"], hint: string): Refusal {
  return refused(profile, `Event ${event.id} is ${event.status} and cannot become ${to}.`, hint);
}
