// What the sandbox stores. These are its own rows, not what it shows: show.ts decides that, by profile.
import type { Profile } from "../profile/knobs.ts";
import type { FieldTable, RowOf } from "./field.ts";

export const scopes = [
  "events:read",
  "events:write",
  "tickets:read",
  "tickets:write",
  "orders:read",
  "webhooks:manage",
] as const;
export type Scope = (typeof scopes)[number];

export const eventStatuses = ["DRAFT", "PUBLISHED", "ARCHIVED"] as const;
export const orderStatuses = ["COMPLETED", "PENDING", "CANCELLED", "REFUNDED"] as const;

export const notificationTypes = [
  "order.completed",
  "order.refunded",
  "event.sold_out",
  "ticket.inventory_low",
] as const;

const line = { type: "text", role: "line" } as const;
const name = { ...line, required: true } as const;
const prose = { type: "text", role: "prose" } as const;
const link = { type: "text", role: "line", format: "url" } as const;
const image = { type: "text", role: "image", format: "url" } as const;
const time = { type: "time" } as const;
const flag = { type: "flag" } as const;
const number = { type: "number" } as const;
const count = { type: "whole", least: 0 } as const;
const texts = { type: "texts", role: "line" } as const;
const subscriptions = { ...texts, of: notificationTypes, nonEmpty: true, required: true } as const;

export const recordFields = {
  // What a request may give.
  events: {
    name: { ...name, sample: "Event" },
    dateTime: { ...time, required: true, sample: "2027-03-14T11:00:00.000Z" },
    endDateTime: time,
    description: prose,
    type: { type: "choice", of: ["PAID", "FREE"], fallback: "PAID" },
    journeyType: { type: "choice", of: ["STANDARD", "RSVP", "PRESELLING"], fallback: "STANDARD" },
    currency: { type: "choice", of: ["PHP"], fallback: "PHP" },
    locationType: { type: "choice", of: ["VENUE", "ONLINE"], fallback: "VENUE" },
    venueId: { type: "uuid" },
    imageUrl: image,
    galleryUrls: { type: "texts", role: "image", fallback: [] },
    eventCapacity: { type: "whole", least: 1 },
    visibility: { type: "choice", of: ["PUBLIC", "PRIVATE"], fallback: "PUBLIC" },
    timezone: { ...line, format: "timezone", fallback: "Asia/Manila" },
    absorbFees: { ...flag, fallback: true },
    callbackUrl: link,
  },
  tickets: {
    name: { ...name, sample: "GA" },
    price: { ...count, required: true, sample: 1500 },
    quantity: { type: "whole", least: 1, required: true, sample: 100 },
    section: { ...line, fallback: "General Admissions" },
    row: { ...line, fallback: "GA" },
    type: { type: "choice", of: ["GENERAL_ADMISSION", "RESERVED_SEAT", "VIP"], fallback: "GENERAL_ADMISSION" },
    maximumPurchaseQuantity: { type: "whole", least: 1, fallback: 8 },
    published: { ...flag, fallback: (profile: Profile) => profile.publishedDefault === "true", sample: false },
  },
  performers: { name: { ...name, sample: "Performer" }, type: line, imageUrl: image, description: prose },
  schedules: {
    title: { ...name, sample: "Entry" },
    startTime: { ...time, required: true },
    endTime: { ...time, required: true },
    description: prose,
    performerId: { type: "uuid" },
    color: { type: "color" },
    icon: line,
  },
  brands: { name: { ...name, sample: "Brand" }, url: link, imageUrl: image, description: prose },
  webhooks: {
    url: { ...name, format: "https-url", sample: "https://hooks.example.com/" },
    events: { ...subscriptions, sample: ["order.completed"] },
  },
  // What only the service and seeds write.
  organizations: { name: { ...line, sample: "Another organization" }, slug: { ...line, sample: "another" } },
  keys: {
    name: { ...line, sample: "Another key" },
    scopes: { ...texts, of: scopes, sample: scopes },
    callbackUrl: link,
    /** Addresses that may use the key; empty: all. */
    allowlist: { ...texts, sample: [] },
    expiresAt: time,
    lastUsedAt: time,
  },
  orders: {
    orderNumber: name,
    status: { type: "choice", of: orderStatuses, sample: "COMPLETED" },
    totalAmount: { ...number, sample: 0 },
    currency: { ...line, sample: "PHP" },
    quantity: { ...count, sample: 1 },
    buyerName: name,
    buyerEmail: name,
    paymentMethod: { ...line, sample: "CARD" },
    orderItems: {
      type: "objects",
      sample: [],
      of: {
        id: name,
        quantity: { ...count, required: true },
        price: { ...number, required: true },
        eventTicket: { type: "object", of: { id: name, name, section: name }, required: true },
      },
    },
  },
  venues: {
    name: { ...line, sample: "Hall" },
    address1: { ...line, sample: "1 Main Street" },
    city: { ...line, sample: "Manila" },
    state: { ...line, sample: "Metro Manila" },
    country: { ...line, sample: "Philippines" },
    latitude: { ...number, sample: 14.6 },
    longitude: { ...number, sample: 121 },
  },
} as const satisfies Readonly<Record<string, FieldTable>>;

export const webhookPatchFields = {
  events: subscriptions,
  isActive: { ...flag, required: true },
} as const satisfies FieldTable;

type RecordValues<Name extends keyof typeof recordFields> = RowOf<(typeof recordFields)[Name]>;

export interface Row {
  readonly id: string;
}

interface DatedRow extends Row {
  readonly createdAt: string;
}

interface UpdatedRow extends DatedRow {
  readonly updatedAt: string;
}

export interface ChildRow extends DatedRow {
  readonly eventId: string;
}

export type OrganizationRow = Row & RecordValues<"organizations">;
export type VenueRow = Row & RecordValues<"venues"> & { readonly madeUp?: true };
export type PerformerRow = ChildRow & RecordValues<"performers">;
export type ScheduleRow = ChildRow & RecordValues<"schedules">;
export type BrandRow = ChildRow & RecordValues<"brands">;
export type OrderRow = ChildRow & UpdatedRow & RecordValues<"orders">;

export interface KeyRow extends DatedRow, RecordValues<"keys"> {
  readonly organizationId: string;
  readonly value: string;
}

export interface EventRow extends UpdatedRow, RecordValues<"events"> {
  readonly organizationId: string;
  readonly slug: string;
  readonly status: (typeof eventStatuses)[number];
}

export interface TicketRow extends ChildRow, UpdatedRow, RecordValues<"tickets"> {
  readonly remainingQuantity: number;
  /** Tickets held by orders; not the same as quantity less remaining once a type was marked sold out. */
  readonly sold: number;
}

export interface WebhookRow extends UpdatedRow, RecordValues<"webhooks"> {
  readonly organizationId: string;
  readonly isActive: boolean;
  readonly secret: string;
  /** Deliveries in a row that failed; the service may switch a webhook off by it. */
  readonly failures: number;
}

export interface DeliveryRow extends DatedRow {
  readonly webhookId: string;
  readonly event: string;
  readonly url: string;
  /** NOT_SENT: the receiver is on another machine, and the sandbox may not deliver there. */
  readonly status: "PENDING" | "DELIVERED" | "FAILED" | "NOT_SENT";
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly deliveredAt: string | null;
}

export interface Rows {
  readonly organizations: OrganizationRow;
  readonly keys: KeyRow;
  readonly events: EventRow;
  /** Deleted events, for services that still respond for them. */
  readonly graves: Pick<EventRow, "id" | "organizationId" | "name" | "slug"> & { readonly deletedAt: string };
  readonly tickets: TicketRow;
  readonly performers: PerformerRow;
  readonly schedules: ScheduleRow;
  readonly brands: BrandRow;
  readonly orders: OrderRow;
  readonly webhooks: WebhookRow;
  readonly deliveries: DeliveryRow;
  /** Venues in addition to the built-in ones. */
  readonly venues: VenueRow;
}
