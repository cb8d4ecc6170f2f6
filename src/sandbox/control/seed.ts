// Setting up any live state at once, even one that no sequence of calls could reach.
import { randomBytes, randomUUID } from "node:crypto";
import { type Field, type FieldTable, samplesOf } from "../data/field.ts";
import type { Table } from "../data/row-store.ts";
import {
  type EventRow,
  eventStatuses,
  type KeyRow,
  type OrganizationRow,
  orderStatuses,
  type Rows,
  recordFields,
  type ScheduleRow,
  type TicketRow,
} from "../data/rows.ts";
import { findFreeSlug } from "../endpoints/events.ts";
import { type SandboxContext, stamp } from "../endpoints/handler.ts";
import { newWebhookSecret } from "../endpoints/organization.ts";
import { recordOrder, sell } from "./sales.ts";

type ChildName = "tickets" | "performers" | "schedules" | "brands" | "orders";
type Planted = { readonly [Name in "organizations" | "keys" | "webhooks" | "venues"]: readonly Rows[Name][] };

/** Tickets that are `sold` get one completed order, so that orders and inventory agree. */
export type SeedEvent = Partial<EventRow> & {
  readonly [Name in Exclude<ChildName, "schedules">]?: readonly Partial<Rows[Name]>[];
} & {
  /** `performer` names one of the same event, in place of `performerId`. */
  readonly schedules?: readonly (Partial<ScheduleRow> & { readonly performer?: string })[];
};

export type Seed = { readonly [Name in keyof Planted]?: readonly Partial<Rows[Name]>[] } & {
  readonly organization?: Partial<OrganizationRow>;
  readonly events?: readonly SeedEvent[];
};

export type SeededEvent = EventRow & { readonly [Name in ChildName]: readonly Rows[Name][] };
export type Seeded = Planted & { readonly events: readonly SeededEvent[] };

// What a seed may contain, where the sandbox would fail on anything else. Values that no call could produce are welcome:
// that is what seeds are for.

const text: Field = { type: "text", role: "line" };
const count: Field = { type: "whole", least: 0 };
const own: FieldTable = { id: text, organizationId: text, createdAt: { type: "time" }, updatedAt: { type: "time" } };

function loosen(fields: FieldTable): FieldTable {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, loosenField(field)]));
}

function loosenField(field: Field): Field {
  const nullable = field.required !== true && field.fallback === undefined && field.sample === undefined;
  if (field.type === "object" || field.type === "objects") return { type: field.type, of: loosen(field.of) };
  if (field.type === "whole") return { type: "number", nullable };
  if (field.type === "texts") return { type: "texts", role: "line" };
  return ["text", "choice", "uuid", "color"].includes(field.type)
    ? { ...text, nullable }
    : { ...field, required: false, nullable };
}

function seedList(name: keyof typeof recordFields, more: FieldTable = {}): Field {
  return { type: "objects", of: { ...own, ...loosen(recordFields[name]), ...more } };
}

export const seedFields: FieldTable = {
  organization: { type: "object", of: { ...own, ...loosen(recordFields.organizations) } },
  organizations: seedList("organizations"),
  keys: seedList("keys", { value: text, scopes: recordFields.keys.scopes }),
  events: seedList("events", {
    slug: text,
    status: { type: "choice", of: eventStatuses },
    tickets: seedList("tickets", { quantity: count, remainingQuantity: count, sold: count }),
    performers: seedList("performers"),
    schedules: seedList("schedules", { performer: text }),
    brands: seedList("brands"),
    orders: seedList("orders", { status: { type: "choice", of: orderStatuses }, quantity: count }),
  }),
  webhooks: seedList("webhooks", { isActive: { type: "flag" }, secret: text, failures: count }),
  venues: seedList("venues"),
};

export function plant(context: SandboxContext, home: OrganizationRow, seed: Seed): Seeded {
  const { organizations = [], keys = [], events = [], webhooks = [], venues = [] } = seed;
  const { store } = context;
  if (seed.organization !== undefined) store.organizations.put({ ...home, ...seed.organization, id: home.id });
  const webhook = { organizationId: home.id, isActive: true, failures: 0, ...dates(context) };
  return {
    organizations: organizations.map((fields) => addRow(context, "organizations", fields)),
    keys: keys.map((fields) => addKey(context, home, fields)),
    events: events.map((event) => plantEvent(context, home, event)),
    webhooks: webhooks.map((fields) =>
      addRow(context, "webhooks", { ...webhook, secret: newWebhookSecret(), ...fields }),
    ),
    venues: venues.map((fields) => addRow(context, "venues", fields)),
  };
}

/** With samples for what is left out. */
function addRow<Name extends keyof typeof recordFields>(
  { store }: SandboxContext,
  name: Name,
  fields: Partial<Rows[Name]>,
): Rows[Name] {
  const row = { id: randomUUID(), ...samplesOf(recordFields[name]), ...fields } as Rows[Name];
  return (store[name] as unknown as Table<Rows[Name]>).put(row);
}

function dates(context: SandboxContext): { readonly createdAt: string; readonly updatedAt: string } {
  return { createdAt: stamp(context), updatedAt: stamp(context) };
}

export function addKey(context: SandboxContext, home: OrganizationRow, fields: Partial<KeyRow>): KeyRow {
  const value = `sandbox_${randomBytes(20).toString("hex")}`;
  return addRow(context, "keys", { organizationId: home.id, value, createdAt: stamp(context), ...fields });
}

function plantEvent(context: SandboxContext, home: OrganizationRow, seed: SeedEvent): SeededEvent {
  const { store } = context;
  const { tickets = [], performers = [], schedules = [], brands = [], orders = [], ...fields } = seed;
  const { organizationId = home.id, name = recordFields.events.name.sample } = fields;
  const slug = findFreeSlug(context, organizationId, name, fields.id);
  const defaults = { organizationId, slug, status: "DRAFT", ...dates(context) } as const;
  const event = addRow(context, "events", { ...defaults, ...toUtc(fields, ["dateTime", "endDateTime"]) });
  const child = { eventId: event.id, createdAt: stamp(context) };
  for (const ticket of tickets) plantTicket(context, event, ticket);
  for (const performer of performers) addRow(context, "performers", { ...child, ...performer });
  for (const brand of brands) addRow(context, "brands", { ...child, ...brand });
  for (const { performer, ...entry } of schedules) {
    const performerId = store.performers.of(event.id).find((candidate) => candidate.name === performer)?.id ?? null;
    const times = { startTime: event.dateTime, endTime: event.endDateTime ?? event.dateTime };
    addRow(context, "schedules", { ...child, ...times, performerId, ...toUtc(entry, ["startTime", "endTime"]) });
  }
  for (const order of orders) recordOrder(context, event, order);
  return {
    ...event,
    tickets: store.tickets.of(event.id),
    performers: store.performers.of(event.id),
    schedules: store.schedules.of(event.id),
    brands: store.brands.of(event.id),
    orders: store.orders.of(event.id),
  };
}

function plantTicket(context: SandboxContext, event: EventRow, { sold = 0, ...seed }: Partial<TicketRow>): void {
  const { quantity = recordFields.tickets.quantity.sample, remainingQuantity } = seed;
  const defaults = { eventId: event.id, sold: 0, remainingQuantity: quantity, ...dates(context) };
  const { id } = addRow(context, "tickets", { ...defaults, ...seed });
  if (sold === 0) return;
  sell({ ...context, notify: () => undefined }, { event: event.id, ticket: id, count: sold, force: true });
  const { tickets } = context.store;
  const after = tickets.get(id);
  if (remainingQuantity !== undefined && after !== undefined) tickets.put({ ...after, remainingQuantity });
}

/** Times as the store keeps them, whatever offset they were written with. */
function toUtc<T extends object>(fields: T, names: readonly (keyof T)[]): T {
  const times = names.filter((name) => typeof fields[name] === "string");
  return {
    ...fields,
    ...Object.fromEntries(times.map((name) => [name, new Date(String(fields[name])).toISOString()])),
  };
}
