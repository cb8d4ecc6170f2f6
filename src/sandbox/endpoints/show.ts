// What the sandbox shows of its rows, by profile.
import type {
  EventRow,
  KeyRow,
  OrderRow,
  OrganizationRow,
  ScheduleRow,
  TicketRow,
  WebhookRow,
} from "../data/records.ts";
import type { Profile } from "../profile/knobs.ts";
import type { Shown } from "./call.ts";

/** A row with its times as the profile writes them, and with or without what is empty. */
export function showRow(row: object, profile: Profile): Record<string, unknown> {
  const isShown = (value: unknown) => profile.nullFields === "shown" || value !== null;
  const shown: Record<string, unknown> = Object.fromEntries(Object.entries(row).filter(([, value]) => isShown(value)));
  if (profile.dates === "utc-ms") return shown;
  for (const [name, value] of Object.entries(shown))
    if (/(At|Time)$/.test(name) && typeof value === "string") shown[name] = showTime(value, profile);
  return shown;
}

export function showListedEvent(event: EventRow, profile: Profile): Shown {
  const { id, name, status, slug } = event;
  return profile.eventRecord === "short-in-lists" ? { id, name, status, slug } : showEvent(event, profile);
}

export function showEvent(event: EventRow, profile: Profile): Shown {
  const { id, name, status, slug } = event;
  if (profile.eventRecord === "minimal") return { id, name, status, slug };
  const { organizationId: _, venueId, ...fields } = event;
  const venue = venueId === null ? null : { id: venueId };
  return showRow({ ...fields, ...(profile.eventRecord === "venue-object" ? { venue } : { venueId }) }, profile);
}

export function showTicket(ticket: TicketRow, profile: Profile): Shown {
  const { sold: _, ...fields } = ticket;
  const shape = profile.ticketRecord;
  if (shape === "minimal") {
    const { id, name, section, remainingQuantity } = ticket;
    return { id, name, section, remainingQuantity };
  }
  const shown = showRow(fields, profile);
  if (profile.ticketPrice === "string") shown.price = String(ticket.price);
  if (profile.ticketPrice === "decimal") shown.price = ticket.price.toFixed(2);
  if (shape === "no-quantity" || shape === "neither") delete shown.quantity;
  if (shape === "no-published" || shape === "neither") delete shown.published;
  return shown;
}

export function showSchedule({ performerId, ...fields }: ScheduleRow, profile: Profile): Shown {
  switch (profile.scheduleRecord) {
    case "full":
      return showRow({ ...fields, performerId }, profile);
    case "no-performer":
      return showRow(fields, profile);
    case "performer-object":
      return showRow({ ...fields, performer: performerId === null ? null : { id: performerId } }, profile);
  }
}

export function showOrder({ paymentMethod: _, ...fields }: OrderRow, profile: Profile): Shown {
  return showRow(fields, profile);
}

export function showPaidOrder(order: OrderRow, profile: Profile): Shown {
  const { status, paymentMethod: method, totalAmount: amount, currency } = order;
  const isPaid = status === "COMPLETED" || status === "REFUNDED";
  const payment = showRow({ method, amount, currency, paidAt: isPaid ? order.createdAt : null }, profile);
  const shown = showOrder(order, profile);
  switch (profile.payment) {
    case "object":
      return { ...shown, payment: { ...payment, status: isPaid ? "PAID" : "UNPAID" } };
    case "list":
      return { ...shown, payments: isPaid ? [payment] : [] };
    case "flat":
      return { ...shown, paymentMethod: method, paidAt: payment.paidAt };
  }
}

export function showWebhook(webhook: WebhookRow, profile: Profile): Shown {
  const { organizationId: _, failures: __, secret, ...fields } = webhook;
  const masked = profile.webhookSecret === "masked" ? { secret: `${secret.slice(0, 6)}••••••••` } : {};
  return showRow({ ...fields, ...masked }, profile);
}

export function showAccount(key: KeyRow, { id, name, slug }: OrganizationRow, profile: Profile): Shown {
  const { organizationId: _, value: __, allowlist: ___, ...fields } = key;
  const hidden = profile.meScopes === "without-orders" ? "orders:read" : "";
  const scopes = key.scopes.filter((scope) => scope !== hidden);
  return { apiKey: showRow({ ...fields, scopes }, profile), organization: { id, name, slug } };
}

const manilaMs = 8 * 60 * 60 * 1000;

/** `utc` is a date-time as the sandbox keeps it. */
function showTime(utc: string, profile: Profile): string {
  switch (profile.dates) {
    case "utc-ms":
      return utc;
    case "utc":
      return `${utc.slice(0, 19)}Z`;
    case "offset":
      return `${new Date(Date.parse(utc) + manilaMs).toISOString().slice(0, 19)}+08:00`;
    case "offset-ms":
      return `${new Date(Date.parse(utc) + manilaMs).toISOString().slice(0, 23)}+08:00`;
  }
}
