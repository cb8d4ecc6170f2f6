// What the sandbox keeps. These are its own rows, not what it shows: show.ts decides that, by profile.

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
export type EventStatus = (typeof eventStatuses)[number];

export const orderStatuses = ["COMPLETED", "PENDING", "CANCELLED", "REFUNDED"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const notificationTypes = [
  "order.completed",
  "order.refunded",
  "event.sold_out",
  "ticket.inventory_low",
] as const;
export type NotificationType = (typeof notificationTypes)[number];

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

export interface ApiKey {
  readonly id: string;
  readonly organizationId: string;
  readonly value: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly callbackUrl: string | null;
  /** Addresses that may use the key; empty: all. */
  readonly allowlist: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

export interface EventRow {
  readonly id: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly status: EventStatus;
  readonly name: string;
  readonly dateTime: string;
  readonly endDateTime: string | null;
  readonly description: string | null;
  readonly type: string;
  readonly journeyType: string;
  readonly currency: string;
  readonly locationType: string;
  readonly venueId: string | null;
  readonly imageUrl: string | null;
  readonly galleryUrls: readonly string[];
  readonly eventCapacity: number | null;
  readonly visibility: string;
  readonly timezone: string;
  readonly absorbFees: boolean;
  readonly callbackUrl: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface TicketRow {
  readonly id: string;
  readonly eventId: string;
  readonly name: string;
  readonly price: number;
  readonly quantity: number;
  readonly remainingQuantity: number;
  /** Tickets held by orders; not the same as quantity less remaining once a type was marked sold out. */
  readonly sold: number;
  readonly section: string;
  readonly row: string;
  readonly type: string;
  readonly maximumPurchaseQuantity: number;
  readonly published: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface PerformerRow {
  readonly id: string;
  readonly eventId: string;
  readonly name: string;
  readonly type: string | null;
  readonly imageUrl: string | null;
  readonly description: string | null;
  readonly createdAt: string;
}

export interface ScheduleRow {
  readonly id: string;
  readonly eventId: string;
  readonly title: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly description: string | null;
  readonly performerId: string | null;
  readonly color: string | null;
  readonly icon: string | null;
  readonly createdAt: string;
}

export interface BrandRow {
  readonly id: string;
  readonly eventId: string;
  readonly name: string;
  readonly url: string | null;
  readonly imageUrl: string | null;
  readonly description: string | null;
  readonly createdAt: string;
}

export interface OrderItem {
  readonly id: string;
  readonly quantity: number;
  readonly price: number;
  readonly eventTicket: { readonly id: string; readonly name: string; readonly section: string };
}

export interface OrderRow {
  readonly id: string;
  readonly eventId: string;
  readonly orderNumber: string;
  readonly status: OrderStatus;
  readonly totalAmount: number;
  readonly currency: string;
  readonly quantity: number;
  readonly buyerName: string;
  readonly buyerEmail: string;
  readonly paymentMethod: string;
  readonly orderItems: readonly OrderItem[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface WebhookRow {
  readonly id: string;
  readonly organizationId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  readonly secret: string;
  /** Deliveries in a row that failed; the service may switch a webhook off by it. */
  readonly failures: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly webhookId: string;
  readonly event: string;
  readonly url: string;
  /** NOT_SENT: the receiver is on another machine, and the sandbox was not told to deliver there. */
  readonly status: "PENDING" | "DELIVERED" | "FAILED" | "NOT_SENT";
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly createdAt: string;
  readonly deliveredAt: string | null;
}

/** A deleted event: only its name on the stone, for services that still answer for it. */
export interface GraveRow {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string;
  readonly deletedAt: string;
}

export interface Venue {
  readonly id: string;
  readonly name: string;
  readonly address1: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
}
