// What the sandbox shows of its rows, by profile.
import type {
  ApiKey,
  BrandRow,
  DeliveryRow,
  EventRow,
  OrderRow,
  Organization,
  PerformerRow,
  ScheduleRow,
  TicketRow,
  WebhookRow,
} from "../../data/records.ts";
import type { Profile } from "../../profile/knobs.ts";
import type { Reply, SandboxContext } from "../call.ts";
import { showTime } from "../fields/field.ts";

export function showEvent(event: EventRow, profile: Profile, inList = false): Record<string, unknown> {
  const { id, name, status, slug } = event;
  if (profile.eventRecord === "minimal" || (profile.eventRecord === "short-in-lists" && inList)) {
    return { id, name, status, slug };
  }
  const { organizationId: _, venueId, ...fields } = event;
  return {
    ...fields,
    ...(profile.eventRecord === "venue-object" ? { venue: venueId === null ? null : { id: venueId } } : { venueId }),
    dateTime: showTime(event.dateTime, profile),
    endDateTime: event.endDateTime === null ? null : showTime(event.endDateTime, profile),
    createdAt: showTime(event.createdAt, profile),
    updatedAt: showTime(event.updatedAt, profile),
  };
}

export function showTicket(ticket: TicketRow, profile: Profile): Record<string, unknown> {
  const { sold: _, ...fields } = ticket;
  const shape = profile.ticketRecord;
  if (shape === "minimal") {
    const { id, name, section, remainingQuantity } = ticket;
    return { id, name, section, remainingQuantity };
  }
  const shown: Record<string, unknown> = {
    ...fields,
    price: showPrice(ticket.price, profile),
    createdAt: showTime(ticket.createdAt, profile),
    updatedAt: showTime(ticket.updatedAt, profile),
  };
  if (shape === "no-quantity" || shape === "neither") delete shown.quantity;
  if (shape === "no-published" || shape === "neither") delete shown.published;
  return shown;
}

function showPrice(price: number, profile: Profile): number | string {
  switch (profile.ticketPrice) {
    case "number":
      return price;
    case "string":
      return String(price);
    case "decimal":
      return price.toFixed(2);
  }
}

export function showPerformer(performer: PerformerRow, profile: Profile): Record<string, unknown> {
  return { ...performer, createdAt: showTime(performer.createdAt, profile) };
}

export function showSchedule(entry: ScheduleRow, profile: Profile): Record<string, unknown> {
  const { performerId, ...fields } = entry;
  return {
    ...fields,
    ...showPerformerOf(performerId, profile),
    startTime: showTime(entry.startTime, profile),
    endTime: showTime(entry.endTime, profile),
    createdAt: showTime(entry.createdAt, profile),
  };
}

function showPerformerOf(performerId: string | null, profile: Profile): Record<string, unknown> {
  switch (profile.scheduleRecord) {
    case "full":
      return { performerId };
    case "no-performer":
      return {};
    case "performer-object":
      return { performer: performerId === null ? null : { id: performerId } };
  }
}

export function showBrand(brand: BrandRow, profile: Profile): Record<string, unknown> {
  return { ...brand, createdAt: showTime(brand.createdAt, profile) };
}

export function showOrder(order: OrderRow, profile: Profile): Record<string, unknown> {
  const { paymentMethod: _, ...fields } = order;
  return { ...fields, createdAt: showTime(order.createdAt, profile), updatedAt: showTime(order.updatedAt, profile) };
}

export function showPaidOrder(order: OrderRow, profile: Profile): Record<string, unknown> {
  const { status, paymentMethod: method, totalAmount: amount, currency } = order;
  const paid = status === "COMPLETED" || status === "REFUNDED";
  const paidAt = paid ? showTime(order.createdAt, profile) : null;
  const shown = showOrder(order, profile);
  switch (profile.payment) {
    case "object":
      return { ...shown, payment: { method, amount, currency, status: paid ? "PAID" : "UNPAID", paidAt } };
    case "list":
      return { ...shown, payments: paid ? [{ method, amount, currency, paidAt }] : [] };
    case "flat":
      return { ...shown, paymentMethod: method, paidAt };
  }
}

export function showWebhook(webhook: WebhookRow, profile: Profile): Record<string, unknown> {
  const { id, url, events, isActive, createdAt, updatedAt } = webhook;
  return {
    id,
    url,
    events,
    isActive,
    ...(profile.webhookSecret === "masked" ? { secret: `${webhook.secret.slice(0, 6)}••••••••` } : {}),
    createdAt: showTime(createdAt, profile),
    updatedAt: showTime(updatedAt, profile),
  };
}

export function showDelivery(delivery: DeliveryRow, profile: Profile): Record<string, unknown> {
  return {
    ...delivery,
    createdAt: showTime(delivery.createdAt, profile),
    deliveredAt: delivery.deliveredAt === null ? null : showTime(delivery.deliveredAt, profile),
  };
}

export function showAccount(key: ApiKey, organization: Organization, profile: Profile): Record<string, unknown> {
  const { id, name, scopes, callbackUrl, createdAt, expiresAt, lastUsedAt } = key;
  return {
    apiKey: {
      id,
      name,
      scopes: profile.meScopes === "without-orders" ? scopes.filter((scope) => scope !== "orders:read") : scopes,
      callbackUrl,
      createdAt: showTime(createdAt, profile),
      expiresAt: expiresAt === null ? null : showTime(expiresAt, profile),
      lastUsedAt: lastUsedAt === null ? null : showTime(lastUsedAt, profile),
    },
    organization: { id: organization.id, name: organization.name, slug: organization.slug },
  };
}

// Answers to writes. Where the document does not show the body, the profile decides how much comes back.

type Shown = Readonly<Record<string, unknown>>;

/** The answer to a create. */
export function created(desk: SandboxContext, record: Shown): Reply {
  switch (desk.profile().createAnswer) {
    case "record":
      return { status: 201, data: record };
    case "partial":
      return { status: 201, data: { id: record.id } };
    case "null":
      return { status: 201, data: null };
  }
}

/** The answer to any other write on events, ticket types and webhooks, and to an edit of a schedule entry. */
export function written(desk: SandboxContext, record: Shown): Reply {
  switch (desk.profile().writeAnswer) {
    case "record":
      return { status: 200, data: record };
    case "partial":
      return { status: 200, data: { id: record.id } };
    case "null":
      return { status: 200, data: null };
    case "204":
      return { status: 204 };
  }
}

/** The document shows this one. */
export function deleted(id: string): Reply {
  return { status: 200, data: { deleted: true, id } };
}
