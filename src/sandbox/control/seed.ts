// Setting up any live state at once, also one that no sequence of calls could reach.
import { randomBytes, randomUUID } from "node:crypto";
import {
  type ApiKey,
  type BrandRow,
  type EventRow,
  type OrderRow,
  type Organization,
  type PerformerRow,
  type ScheduleRow,
  scopes,
  type TicketRow,
  type Venue,
  type WebhookRow,
} from "../data/records.ts";
import { type SandboxContext, stamp } from "../endpoints/call.ts";
import { freeSlug } from "../endpoints/records/make-event.ts";
import { sell } from "./sales.ts";

/** `sold` tickets get one completed order, so that orders and inventory agree. */
type SeedTicket = Partial<TicketRow>;
/** `performer` names one of the same event, in place of `performerId`. */
type SeedSchedule = Partial<ScheduleRow> & { readonly performer?: string };

export interface SeedEvent extends Partial<EventRow> {
  readonly tickets?: readonly SeedTicket[];
  readonly performers?: readonly Partial<PerformerRow>[];
  readonly schedules?: readonly SeedSchedule[];
  readonly brands?: readonly Partial<BrandRow>[];
  readonly orders?: readonly Partial<OrderRow>[];
}

export interface Seed {
  /** Changes the organization of the sandbox. */
  readonly organization?: Partial<Organization>;
  readonly organizations?: readonly Partial<Organization>[];
  readonly keys?: readonly Partial<ApiKey>[];
  readonly events?: readonly SeedEvent[];
  readonly webhooks?: readonly Partial<WebhookRow>[];
  readonly venues?: readonly Partial<Venue>[];
}

export interface SeededEvent extends EventRow {
  readonly tickets: readonly TicketRow[];
  readonly performers: readonly PerformerRow[];
  readonly schedules: readonly ScheduleRow[];
  readonly brands: readonly BrandRow[];
  readonly orders: readonly OrderRow[];
}

export interface Seeded {
  readonly organizations: readonly Organization[];
  readonly keys: readonly ApiKey[];
  readonly events: readonly SeededEvent[];
  readonly webhooks: readonly WebhookRow[];
  readonly venues: readonly Venue[];
}

export function plant(desk: SandboxContext, home: Organization, seed: Seed): Seeded {
  const { store } = desk;
  const now = stamp(desk);
  if (seed.organization !== undefined) store.organizations.put({ ...home, ...seed.organization, id: home.id });
  return {
    organizations: (seed.organizations ?? []).map((organization) =>
      store.organizations.put({ id: randomUUID(), name: "Another organization", slug: "another", ...organization }),
    ),
    keys: (seed.keys ?? []).map((key) =>
      store.keys.put({
        id: randomUUID(),
        organizationId: home.id,
        value: newKeyValue(),
        name: "Another key",
        scopes,
        callbackUrl: null,
        allowlist: [],
        createdAt: now,
        expiresAt: null,
        lastUsedAt: null,
        ...key,
      }),
    ),
    events: (seed.events ?? []).map((event) => plantEvent(desk, home, event)),
    webhooks: (seed.webhooks ?? []).map((webhook) =>
      store.webhooks.put({
        id: randomUUID(),
        organizationId: home.id,
        url: "https://hooks.example.com/",
        events: ["order.completed"],
        isActive: true,
        secret: `whsec_${randomBytes(24).toString("hex")}`,
        failures: 0,
        createdAt: now,
        updatedAt: now,
        ...webhook,
      }),
    ),
    venues: (seed.venues ?? []).map((venue) =>
      store.venues.put({
        id: randomUUID(),
        name: "Hall",
        address1: "1 Main Street",
        city: "Manila",
        state: "Metro Manila",
        country: "Philippines",
        latitude: 14.6,
        longitude: 121,
        ...venue,
      }),
    ),
  };
}

export function newKeyValue(): string {
  return `sandbox_${randomBytes(20).toString("hex")}`;
}

function plantEvent(desk: SandboxContext, home: Organization, seed: SeedEvent): SeededEvent {
  const { store } = desk;
  const { tickets = [], performers = [], schedules = [], brands = [], orders = [], ...fields } = seed;
  const now = stamp(desk);
  const organizationId = fields.organizationId ?? home.id;
  const name = fields.name ?? "Event";
  const event = store.events.put({
    id: randomUUID(),
    organizationId,
    slug: fields.slug ?? freeSlug(desk, organizationId, name, fields.id),
    status: "DRAFT",
    name,
    dateTime: "2027-03-14T11:00:00.000Z",
    endDateTime: null,
    description: null,
    type: "PAID",
    journeyType: "STANDARD",
    currency: "PHP",
    locationType: "VENUE",
    venueId: null,
    imageUrl: null,
    galleryUrls: [],
    eventCapacity: null,
    visibility: "PUBLIC",
    timezone: "Asia/Manila",
    absorbFees: true,
    callbackUrl: null,
    createdAt: now,
    updatedAt: now,
    ...utc(fields, ["dateTime", "endDateTime"]),
  });
  const own = { eventId: event.id, createdAt: now };
  const blank = { description: null, imageUrl: null };
  for (const ticket of tickets) plantTicket(desk, event, ticket);
  for (const performer of performers) {
    store.performers.put({ id: randomUUID(), name: "Performer", type: null, ...blank, ...own, ...performer });
  }
  for (const brand of brands)
    store.brands.put({ id: randomUUID(), name: "Brand", url: null, ...blank, ...own, ...brand });
  for (const { performer, ...entry } of schedules) {
    const named = store.performers.of(event.id).find((candidate) => candidate.name === performer);
    const performerId = named?.id ?? null;
    const empty = { description: null, color: null, icon: null };
    const times = { startTime: event.dateTime, endTime: event.endDateTime ?? event.dateTime };
    const row = { id: randomUUID(), title: "Entry", ...times, ...empty, performerId, ...own };
    store.schedules.put({ ...row, ...utc(entry, ["startTime", "endTime"]) });
  }
  for (const order of orders) plantOrder(desk, event, order);
  return {
    ...event,
    tickets: store.tickets.of(event.id),
    performers: store.performers.of(event.id),
    schedules: store.schedules.of(event.id),
    brands: store.brands.of(event.id),
    orders: store.orders.of(event.id),
  };
}

function plantTicket(desk: SandboxContext, event: EventRow, { sold = 0, ...seed }: SeedTicket): void {
  const now = stamp(desk);
  const quantity = seed.quantity ?? 100;
  const ticket = desk.store.tickets.put({
    id: randomUUID(),
    eventId: event.id,
    name: "GA",
    price: 1500,
    quantity,
    remainingQuantity: quantity,
    sold: 0,
    section: "General Admissions",
    row: "GA",
    type: "GENERAL_ADMISSION",
    maximumPurchaseQuantity: 8,
    published: false,
    createdAt: now,
    updatedAt: now,
    ...seed,
  });
  if (sold === 0) return;
  const quiet: SandboxContext = { ...desk, notify: () => undefined };
  sell(quiet, { event: event.id, ticket: ticket.id, count: sold, force: true });
  const { remainingQuantity } = seed;
  const after = desk.store.tickets.get(ticket.id);
  if (remainingQuantity !== undefined && after !== undefined) desk.store.tickets.put({ ...after, remainingQuantity });
}

function plantOrder(desk: SandboxContext, event: EventRow, order: Partial<OrderRow>): void {
  const number = desk.store.orders.size + 1;
  const now = stamp(desk);
  desk.store.orders.put({
    id: randomUUID(),
    eventId: event.id,
    orderNumber: `ORD-${String(number).padStart(6, "0")}`,
    status: "COMPLETED",
    totalAmount: 0,
    currency: "PHP",
    quantity: 1,
    buyerName: `Buyer ${number}`,
    buyerEmail: `buyer${number}@example.com`,
    paymentMethod: "CARD",
    orderItems: [],
    createdAt: now,
    updatedAt: now,
    ...order,
  });
}

/** Times as the store keeps them, whatever offset they were written with. */
function utc<T extends object>(fields: T, names: readonly (keyof T)[]): T {
  const times = names.filter((name) => typeof fields[name] === "string");
  return {
    ...fields,
    ...Object.fromEntries(times.map((name) => [name, new Date(String(fields[name])).toISOString()])),
  };
}
