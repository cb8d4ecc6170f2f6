// What a handler is given and what it gives back.
import type { ApiKey, EventRow, NotificationType, WebhookRow } from "../data/records.ts";
import type { Store } from "../data/store.ts";
import type { Profile } from "../profile/knobs.ts";

export interface Notice {
  readonly type: NotificationType;
  readonly event: EventRow;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What all handlers share. */
export interface SandboxContext {
  readonly store: Store;
  profile(): Profile;
  /** Milliseconds since the epoch: what stands in records. */
  now(): number;
  /** Milliseconds that pass: lags and rate windows. */
  elapsed(): number;
  /** When things were created, on the elapsed clock; kept only while lists lag. */
  readonly born: Map<string, number>;
  /** When a key was last used; kept aside, since a read must not write. */
  lastUsed(keyId: string): number;
  notify(notice: Notice): void;
  testWebhook(webhook: WebhookRow): Promise<{ readonly success: boolean; readonly [field: string]: unknown }>;
}

export interface Call {
  readonly desk: SandboxContext;
  readonly key: ApiKey;
  /** The values of the :names in the path, in order. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  /** A fault will take the answer away: whoever makes several things may stop half-way. */
  readonly cutShort: boolean;
}

export interface Meta {
  readonly page: number;
  readonly take: number;
  readonly total: number;
  readonly totalPages: number;
}

export interface Reply {
  readonly status: number;
  /** Undefined: no body at all. */
  readonly data?: unknown;
  readonly meta?: Meta;
}

export function stamp(desk: SandboxContext): string {
  return new Date(desk.now()).toISOString();
}

// Tells the receivers when the last ticket of an event is gone.

export function noticeSoldOut(desk: SandboxContext, eventId: string): void {
  const event = desk.store.events.get(eventId);
  const tickets = desk.store.tickets.of(eventId);
  if (event === undefined || tickets.length === 0 || tickets.some((ticket) => ticket.remainingQuantity > 0)) return;
  desk.notify({ type: "event.sold_out", event, data: { eventId, name: event.name } });
}
