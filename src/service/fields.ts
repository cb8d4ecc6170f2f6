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
