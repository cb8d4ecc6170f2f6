// What the service shows, typed no more than the API document promises: a field may be missing or of another type.

export interface LiveRecord {
  /** Checked to be a UUID. */
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface EventRecord extends LiveRecord {
  readonly name?: unknown;
  /** `DRAFT`, `PUBLISHED` or `ARCHIVED`. */
  readonly status?: unknown;
  readonly slug?: unknown;
}

export interface TicketRecord extends LiveRecord {
  readonly name?: unknown;
  readonly price?: unknown;
  readonly quantity?: unknown;
  readonly remainingQuantity?: unknown;
  readonly published?: unknown;
}

export interface PerformerRecord extends LiveRecord {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly imageUrl?: unknown;
  readonly description?: unknown;
  readonly eventId?: unknown;
  readonly createdAt?: unknown;
}

export interface ScheduleRecord extends LiveRecord {
  readonly title?: unknown;
  readonly startTime?: unknown;
  readonly endTime?: unknown;
  readonly description?: unknown;
  readonly performerId?: unknown;
  readonly color?: unknown;
  readonly icon?: unknown;
  readonly eventId?: unknown;
  readonly createdAt?: unknown;
}

export interface BrandRecord extends LiveRecord {
  readonly name?: unknown;
  readonly url?: unknown;
  readonly imageUrl?: unknown;
  readonly description?: unknown;
  readonly eventId?: unknown;
  readonly createdAt?: unknown;
}

export interface OrderRecord extends LiveRecord {
  readonly orderNumber?: unknown;
  /** `COMPLETED`, `PENDING`, `CANCELLED` or `REFUNDED`. */
  readonly status?: unknown;
  readonly totalAmount?: unknown;
  readonly currency?: unknown;
  readonly quantity?: unknown;
  readonly buyerName?: unknown;
  readonly buyerEmail?: unknown;
  readonly eventId?: unknown;
  readonly orderItems?: unknown;
  readonly createdAt?: unknown;
  readonly updatedAt?: unknown;
}

export interface VenueRecord extends LiveRecord {
  readonly name?: unknown;
  readonly address1?: unknown;
  readonly city?: unknown;
  readonly state?: unknown;
  readonly country?: unknown;
  readonly latitude?: unknown;
  readonly longitude?: unknown;
}

export interface WebhookRecord extends LiveRecord {
  readonly url?: unknown;
  readonly events?: unknown;
  readonly isActive?: unknown;
  /** Only in the answer to a create. */
  readonly secret?: unknown;
}

/** The document does not show its fields. */
export type DeliveryRecord = Readonly<Record<string, unknown>>;

export interface Me {
  readonly apiKey: {
    readonly id?: unknown;
    readonly name?: unknown;
    readonly scopes?: unknown;
    readonly callbackUrl?: unknown;
    readonly createdAt?: unknown;
    readonly expiresAt?: unknown;
    readonly lastUsedAt?: unknown;
  };
  readonly organization: { readonly id?: unknown; readonly name?: unknown; readonly slug?: unknown };
}

// What may be sent: the request fields of the API document.

export type EventStatus = "DRAFT" | "PUBLISHED" | "ARCHIVED";
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
