// What the sandbox shows of its rows, by profile.

import { createHash } from "node:crypto";
import type {
  EventRow,
  KeyRow,
  OrderRow,
  OrganizationRow,
  Row,
  ScheduleRow,
  TicketRow,
  WebhookRow,
} from "../data/rows.ts";
import type { Profile } from "../profile/knobs.ts";
import { type Call, type FieldProblem, type Reply, requireValid, type Shown } from "./handler.ts";

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

// Lists: their order, what does not show yet, and pages.

/** Rows in the profile's order, without those that are too young to be listed, on one page or all at once. */
export function listReply<T extends Row>(
  call: Call,
  rows: readonly T[],
  show: (row: T, profile: Profile) => Shown,
  paged: "paged" | "plain" | "wrapped" = "paged",
): Reply {
  const shown = orderRows(call, rows);
  if (paged === "paged") return pageReply(call, shown, show);
  const items = shown.map((row) => show(row, call.profile));
  return { status: 200, data: paged === "wrapped" ? { items } : items };
}

export function pageReply<T>(call: Call, rows: readonly T[], show: (row: T, profile: Profile) => Shown): Reply {
  const { page, take } = readPaging(call);
  const total = rows.length;
  const data = rows.slice((page - 1) * take, page * take).map((row) => show(row, call.profile));
  return { status: 200, data, meta: { page, take, total, totalPages: Math.ceil(total / take) } };
}

function orderRows<T extends Row>({ profile, born, elapsed }: Call, rows: readonly T[]): readonly T[] {
  const oldest = elapsed() - profile.listLag;
  const shown = profile.listLag === 0 ? rows : rows.filter((row) => (born.get(row.id) ?? oldest) <= oldest);
  switch (profile.listOrder) {
    case "created":
      return shown;
    case "reversed":
      return [...shown].reverse();
    case "shuffled":
      // By a digest of the id: in no order to rely on, yet the same on every page.
      return shown
        .map((row) => ({ row, by: createHash("md5").update(row.id).digest("hex") }))
        .sort((a, b) => (a.by < b.by ? -1 : 1))
        .map(({ row }) => row);
  }
}

function readPaging({ query, profile }: Call): { readonly page: number; readonly take: number } {
  const { takeDefault, takeMax, takeAbove } = profile;
  const problems: FieldProblem[] = [];
  const page = readCount("page", query.get("page") ?? "1", problems);
  const take = readCount("take", query.get("take") ?? String(Math.min(takeDefault, takeMax)), problems);
  if (take > takeMax && takeAbove === "refused")
    problems.push({ field: "take", message: `take must be at most ${takeMax}` });
  requireValid(problems);
  return { page, take: Math.min(take, takeMax) };
}

function readCount(field: string, text: string, problems: FieldProblem[]): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  problems.push({ field, message: `${field} must be a whole number of at least 1` });
  return 1;
}

export function readStatusFilter<T extends string>({ query }: Call, statuses: readonly T[]): T | undefined {
  const value = query.get("status") as T | null;
  const isKnown = value === null || statuses.includes(value);
  requireValid(isKnown ? [] : [{ field: "status", message: `status must be one of ${statuses.join(", ")}` }]);
  return value ?? undefined;
}

/** Search text, as loosely or as oddly as the profile wants it. */
export function searchEvents(events: readonly EventRow[], text: string, profile: Profile): readonly EventRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return events;
  switch (profile.search) {
    case "substring":
      return events.filter((event) => event.name.toLowerCase().includes(wanted));
    case "words": {
      const words = splitWords(wanted);
      return events.filter((event) => {
        const own = new Set(splitWords(event.name.toLowerCase()));
        return words.every((word) => own.has(word));
      });
    }
    case "ignored":
      return events;
    case "broken":
      return [];
  }
}

function splitWords(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
