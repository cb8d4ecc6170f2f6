// What buyers do: the ticketing API has no calls for it, but the control API does.
import { randomUUID } from "node:crypto";
import { closest } from "../../model/diagnostic.ts";
import { samplesOf } from "../data/field.ts";
import {
  type EventRow,
  type OrderRow,
  type orderStatuses,
  type Row,
  recordFields,
  type TicketRow,
} from "../data/rows.ts";
import { notifySoldOut, type SandboxContext, stamp } from "../endpoints/handler.ts";
import { showOrder } from "../endpoints/show.ts";
import { controlError } from "../errors.ts";

export interface Sale {
  /** Id, slug or name of the event. */
  readonly event: string;
  /** Id or name of the ticket type. */
  readonly ticket: string;
  readonly count: number;
  readonly status?: (typeof orderStatuses)[number];
  readonly buyerName?: string;
  readonly buyerEmail?: string;
  /** Sells even what is not on sale, and as many as asked for in one order. */
  readonly force?: boolean;
}

/** What distinguishes ticket types of one name. */
type TicketPlace = Pick<TicketRow, "section" | "row">;

const mostNames = 10;

/** The one row with that id or slug, or else with that name. */
function findOne<T extends Row & { readonly name: string } & Partial<Pick<EventRow, "slug"> & TicketPlace>>(
  label: string,
  rows: readonly T[],
  text: string,
): T {
  const exact = rows.filter((row) => row.id === text || row.slug === text);
  const found = exact.length > 0 ? exact : rows.filter((row) => row.name.toLowerCase() === text.toLowerCase());
  const [row] = found;
  if (row !== undefined && found.length === 1) return row;
  const near =
    row === undefined ? closest(text, new Set(rows.flatMap(({ slug, name }) => [slug ?? name, name]))) : null;
  const known = (row === undefined ? rows : found).map((one) => {
    const place = row === undefined || one.section === undefined ? "" : `section ${one.section}, row ${one.row}, `;
    return `${one.slug ?? one.name} (${place}${one.id})`;
  });
  const more = known.length > mostNames ? ` and ${known.length - mostNames} more` : "";
  const notYet = row === undefined ? " If it is only in the files, run `ticketing apply` first." : "";
  throw controlError(
    row === undefined ? `There is no ${label} "${text}".` : `"${text}" names ${found.length} ${label}s.`,
    known.length === 0
      ? "Apply one first: `ticketing apply`."
      : `${near === null ? "" : `Did you mean "${near}"? `}Name one of: ${known.slice(0, mostNames).join(", ")}${more}.${notYet}`,
  );
}

export function sell(context: SandboxContext, sale: Sale): OrderRow[] {
  const { count, force = false } = sale;
  const { events, tickets } = context.store;
  const event = findOne("event", [...events.all()], sale.event);
  const ticket = findOne("ticket type", tickets.of(event.id), sale.ticket);
  if (!Number.isSafeInteger(count) || count < 1)
    throw controlError(`${count} tickets cannot be sold.`, "Give a whole number of at least 1.");
  if (!force) refuseUnsellable(event, ticket, count);
  const perOrder = force ? count : Math.max(1, ticket.maximumPurchaseQuantity);
  const orders: OrderRow[] = [];
  for (let left = count; left > 0; left -= perOrder)
    orders.push(sellOne(context, event, ticket.id, Math.min(left, perOrder), sale));
  return orders;
}

function refuseUnsellable(event: EventRow, ticket: TicketRow, count: number): void {
  if (event.status !== "PUBLISHED")
    throw controlError(
      `Event ${event.slug} is ${event.status}: its tickets are not on sale.`,
      "Write `status: PUBLISHED` in its file, and apply it to the sandbox.",
    );
  if (!ticket.published)
    throw controlError(
      `Ticket type ${ticket.name} is not on sale.`,
      "Write `published: true` for it in the file, and apply that to the sandbox.",
    );
  if (ticket.remainingQuantity === 0)
    throw controlError(
      `No tickets of ${ticket.name} remain.`,
      "Sell another ticket type. If the sale was not closed, a higher `quantity` adds tickets.",
    );
  if (ticket.remainingQuantity < count)
    throw controlError(`Only ${ticket.remainingQuantity} tickets of ${ticket.name} remain.`, "Sell fewer.");
}

/** Puts an order into the store, with sensible values for what is left out. */
export function recordOrder(context: SandboxContext, event: EventRow, fields: Partial<OrderRow>): OrderRow {
  const { orders } = context.store;
  const number = orders.size + 1;
  const now = stamp(context);
  return orders.put({
    ...samplesOf(recordFields.orders),
    id: randomUUID(),
    eventId: event.id,
    orderNumber: `ORD-${String(number).padStart(6, "0")}`,
    buyerName: `Buyer ${number}`,
    buyerEmail: `buyer${number}@example.com`,
    createdAt: now,
    updatedAt: now,
    ...fields,
  } as OrderRow);
}

function sellOne(context: SandboxContext, event: EventRow, ticketId: string, quantity: number, sale: Sale): OrderRow {
  const { tickets } = context.store;
  const ticket = tickets.get(ticketId) as TicketRow;
  const { id, name, section, price } = ticket;
  const { status = "COMPLETED", buyerName, buyerEmail } = sale;
  const order = recordOrder(context, event, {
    status,
    totalAmount: price * quantity,
    currency: event.currency,
    quantity,
    ...(buyerName === undefined ? {} : { buyerName }),
    ...(buyerEmail === undefined ? {} : { buyerEmail }),
    orderItems: [{ id: randomUUID(), quantity, price, eventTicket: { id, name, section } }],
  });
  if (status !== "COMPLETED" && status !== "PENDING") return order;
  const remainingQuantity = Math.max(0, ticket.remainingQuantity - quantity);
  const sold = ticket.sold + quantity;
  const after = tickets.put({ ...ticket, sold, remainingQuantity, updatedAt: order.updatedAt });
  if (status === "COMPLETED")
    context.notify({ type: "order.completed", event, data: { order: showOrder(order, context.profile) } });
  notifyInventory(context, event, ticket, after);
  return order;
}

function notifyInventory(context: SandboxContext, event: EventRow, before: TicketRow, after: TicketRow): void {
  const { id: ticketId, name, remainingQuantity, quantity } = after;
  const low = Math.floor((quantity * context.profile.inventoryLowAt) / 100);
  if (before.remainingQuantity > low && remainingQuantity <= low) {
    const data = { ticketId, name, remainingQuantity, quantity, eventId: event.id };
    context.notify({ type: "ticket.inventory_low", event, data });
  }
  if (before.remainingQuantity > 0 && remainingQuantity === 0) notifySoldOut(context, event.id);
}

/** Refunds or cancels an order, given by id or number. */
export function giveBack(context: SandboxContext, text: string, status: "REFUNDED" | "CANCELLED"): OrderRow {
  const { orders, tickets, events } = context.store;
  const order = orders.get(text) ?? [...orders.all()].find(({ orderNumber }) => orderNumber === text);
  if (order === undefined)
    throw controlError(`There is no order "${text}".`, "`ticketing orders EVENT` lists the numbers.");
  const from = status === "REFUNDED" ? "COMPLETED" : "PENDING";
  if (order.status !== from) {
    const message = `Order ${order.orderNumber} is ${order.status}; only a ${from} order can become ${status}.`;
    throw controlError(message, "Choose another: `ticketing orders EVENT` lists them.");
  }
  const now = stamp(context);
  const changed = orders.put({ ...order, status, updatedAt: now });
  const returnsTickets = status === "CANCELLED" || context.profile.refundReturns === "yes";
  for (const item of returnsTickets ? order.orderItems : []) {
    const ticket = tickets.get(item.eventTicket.id);
    if (ticket === undefined) continue;
    const sold = Math.max(0, ticket.sold - item.quantity);
    const remainingQuantity = Math.min(ticket.quantity - sold, ticket.remainingQuantity + item.quantity);
    tickets.put({ ...ticket, sold, remainingQuantity, updatedAt: now });
  }
  const event = events.get(order.eventId);
  if (status === "REFUNDED" && event !== undefined)
    context.notify({ type: "order.refunded", event, data: { order: showOrder(changed, context.profile) } });
  return changed;
}
