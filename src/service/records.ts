// What the service shows, typed only as far as the API specification promises: any field may be missing or different.
export type { EventStatus } from "../model/wish.ts";

export interface LiveRecord {
  /** Checked to be a UUID. */
  readonly id: string;
  readonly [field: string]: unknown;
}

type Shows<Field extends string> = { readonly [Name in Field]?: unknown };

export type EventRecord = LiveRecord & Shows<"name" | "status" | "slug">;
export type TicketRecord = LiveRecord & Shows<"name" | "price" | "quantity" | "remainingQuantity" | "published">;
export type PerformerRecord = LiveRecord &
  Shows<"name" | "type" | "imageUrl" | "description" | "eventId" | "createdAt">;
export type ScheduleRecord = LiveRecord &
  Shows<"title" | "startTime" | "endTime" | "description" | "performerId" | "color" | "icon" | "eventId" | "createdAt">;
export type BrandRecord = LiveRecord & Shows<"name" | "url" | "imageUrl" | "description" | "eventId" | "createdAt">;
export type OrderRecord = LiveRecord &
  Shows<"orderNumber" | "status" | "totalAmount" | "currency" | "quantity" | "buyerName" | "buyerEmail"> &
  Shows<"eventId" | "orderItems" | "createdAt" | "updatedAt">;
export type VenueRecord = LiveRecord &
  Shows<"name" | "address1" | "city" | "state" | "country" | "latitude" | "longitude">;
/** `secret` is only in the response to a create. */
export type WebhookRecord = LiveRecord & Shows<"url" | "events" | "isActive" | "secret">;

/** The API specification does not show its fields. */
export type DeliveryRecord = Readonly<Record<string, unknown>>;

export interface Me {
  readonly apiKey: Shows<"id" | "name" | "scopes" | "callbackUrl" | "createdAt" | "expiresAt" | "lastUsedAt">;
  readonly organization: Shows<"id" | "name" | "slug">;
}

// What may be sent: the request fields of the API specification.

export type OrderStatus = "COMPLETED" | "PENDING" | "CANCELLED" | "REFUNDED";

export interface EventFields {
  readonly name: string;
  readonly dateTime: string;
  readonly endDateTime?: string | null;
  readonly description?: string | null;
  readonly type?: "PAID" | "FREE";
  readonly journeyType?: "STANDARD" | "RSVP" | "PRESELLING";
  readonly currency?: string;
  readonly locationType?: "VENUE" | "ONLINE";
  readonly venueId?: string | null;
  readonly imageUrl?: string | null;
  readonly galleryUrls?: readonly string[];
  readonly eventCapacity?: number | null;
  readonly visibility?: "PUBLIC" | "PRIVATE";
  readonly timezone?: string;
  readonly absorbFees?: boolean;
  readonly callbackUrl?: string | null;
}

export interface TicketFields {
  readonly name: string;
  /** Whole pesos. */
  readonly price: number;
  readonly quantity: number;
  readonly section?: string | null;
  readonly row?: string | null;
  readonly type?: "GENERAL_ADMISSION" | "RESERVED_SEAT" | "VIP";
  readonly maximumPurchaseQuantity?: number;
  readonly published?: boolean;
}

export interface PerformerFields {
  readonly name: string;
  readonly type?: string | null;
  readonly imageUrl?: string | null;
  readonly description?: string | null;
}

export interface ScheduleFields {
  readonly title: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly description?: string | null;
  readonly icon?: string | null;
  /** `#RRGGBB` */
  readonly color?: string | null;
  readonly performerId?: string | null;
}

export interface BrandFields {
  readonly name: string;
  readonly url?: string | null;
  readonly imageUrl?: string | null;
  readonly description?: string | null;
}

export interface WebhookFields {
  readonly url: string;
  readonly events: readonly string[];
}

export interface PageQuery {
  readonly page?: number;
  readonly take?: number;
}

export function ordersPath(eventId: string): string {
  return `/events/${eventId}/orders`;
}
