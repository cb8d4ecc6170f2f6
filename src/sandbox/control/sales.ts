// What buyers do: the API has no call for it, the control face has.
import { randomUUID } from "node:crypto";
import type { EventRow, OrderRow, OrderStatus, TicketRow } from "../data/records.ts";
import { noticeSoldOut, type SandboxContext, stamp } from "../endpoints/call.ts";
import { showOrder } from "../endpoints/records/show.ts";
import { ControlError } from "../errors.ts";

export interface Sale {
  /** Id, slug or name of the event. */
  readonly event: string;
  /** Id or name of the ticket type. */
  readonly ticket: string;
  readonly count: number;
  readonly status?: OrderStatus;
  readonly buyerName?: string;
  readonly buyerEmail?: string;
  /** Sells also what is not on sale, and as many as asked for in one order. */
  readonly force?: boolean;
}

export function findByWord(desk: SandboxContext, word: string): EventRow {
  const all = [...desk.store.events.all()];
  const found = all.filter((event) => event.id === word || event.slug === word);
  const named = found.length > 0 ? found : all.filter((event) => event.name.toLowerCase() === word.toLowerCase());
  const [event] = named;
  if (event !== undefined && named.length === 1) return event;
  const known = (event === undefined ? all : named).slice(0, 10).map(({ id, slug }) => `${slug} (${id})`);
  throw new ControlError(
    event === undefined ? `There is no event "${word}".` : `"${word}" names ${named.length} events.`,
    known.length === 0 ? "The sandbox holds no events yet." : `Name one by its slug or id: ${known.join(", ")}.`,
  );
}

function findTicket(desk: SandboxContext, event: EventRow, word: string): TicketRow {
  const all = desk.store.tickets.of(event.id);
  const found = all.filter((ticket) => ticket.id === word);
  const named = found.length > 0 ? found : all.filter((ticket) => ticket.name.toLowerCase() === word.toLowerCase());
  const [ticket] = named;
  if (ticket !== undefined && named.length === 1) return ticket;
  const known = all.map(({ id, name }) => `${name} (${id})`);
  throw new ControlError(
    `Event ${event.slug} has ${named.length === 0 ? "no" : named.length} ticket types "${word}".`,
    known.length === 0 ? "It has no ticket types." : `It has: ${known.join(", ")}.`,
  );
}

export function sell(desk: SandboxContext, sale: Sale): OrderRow[] {
  const event = findByWord(desk, sale.event);
  const ticket = findTicket(desk, event, sale.ticket);
  if (!Number.isSafeInteger(sale.count) || sale.count < 1) {
    throw new ControlError(`${sale.count} tickets cannot be sold.`, "The number is a whole one from 1 on.");
  }
  if (sale.force !== true) refuseUnsellable(event, ticket, sale.count);
  const perOrder = sale.force === true ? sale.count : ticket.maximumPurchaseQuantity;
  const orders: OrderRow[] = [];
  for (let left = sale.count; left > 0; left -= perOrder)
    orders.push(sellOne(desk, event, ticket.id, Math.min(left, perOrder), sale));
  return orders;
}

function refuseUnsellable(event: EventRow, ticket: TicketRow, count: number): void {
  if (event.status !== "PUBLISHED") {
    throw new ControlError(`Event ${event.slug} is ${event.status}: nobody can buy tickets.`, "Publish it first.");
  }
  if (!ticket.published) {
    throw new ControlError(`Ticket type ${ticket.name} is not on sale.`, "Publish the ticket type first.");
  }
  if (ticket.remainingQuantity < count) {
    throw new ControlError(`Only ${ticket.remainingQuantity} tickets of ${ticket.name} remain.`, "Sell fewer.");
  }
}

function sellOne(desk: SandboxContext, event: EventRow, ticketId: string, count: number, sale: Sale): OrderRow {
  const { tickets, orders } = desk.store;
  const ticket = tickets.get(ticketId) as TicketRow;
  const number = orders.size + 1;
  const now = stamp(desk);
  const status = sale.status ?? "COMPLETED";
  const holds = status === "COMPLETED" || status === "PENDING";
  const order = orders.put({
    id: randomUUID(),
    eventId: event.id,
    orderNumber: `ORD-${String(number).padStart(6, "0")}`,
    status,
    totalAmount: ticket.price * count,
    currency: event.currency,
    quantity: count,
    buyerName: sale.buyerName ?? `Buyer ${number}`,
    buyerEmail: sale.buyerEmail ?? `buyer${number}@example.com`,
    paymentMethod: "CARD",
    orderItems: [
      {
        id: randomUUID(),
        quantity: count,
        price: ticket.price,
        eventTicket: { id: ticket.id, name: ticket.name, section: ticket.section },
      },
    ],
    createdAt: now,
    updatedAt: now,
  });
  if (!holds) return order;
  const remainingQuantity = Math.max(0, ticket.remainingQuantity - count);
  const after = tickets.put({ ...ticket, sold: ticket.sold + count, remainingQuantity, updatedAt: now });
  if (status === "COMPLETED")
    desk.notify({ type: "order.completed", event, data: { order: showOrder(order, desk.profile()) } });
  tellInventory(desk, event, ticket, after);
  return order;
}

function tellInventory(desk: SandboxContext, event: EventRow, before: TicketRow, after: TicketRow): void {
  const low = Math.floor((after.quantity * desk.profile().inventoryLowAt) / 100);
  if (before.remainingQuantity > low && after.remainingQuantity <= low) {
    const { id: ticketId, name, remainingQuantity, quantity } = after;
    desk.notify({
      type: "ticket.inventory_low",
      event,
      data: { ticketId, name, remainingQuantity, quantity, eventId: event.id },
    });
  }
  if (before.remainingQuantity > 0 && after.remainingQuantity === 0) noticeSoldOut(desk, event.id);
}

/** Refunds or cancels an order, given by id or number. */
export function giveBack(desk: SandboxContext, word: string, status: "REFUNDED" | "CANCELLED"): OrderRow {
  const { orders, tickets, events } = desk.store;
  const order = orders.get(word) ?? [...orders.all()].find(({ orderNumber }) => orderNumber === word);
  if (order === undefined) throw new ControlError(`There is no order "${word}".`, "Name it by its id or number.");
  const from = status === "REFUNDED" ? "COMPLETED" : "PENDING";
  if (order.status !== from) {
    throw new ControlError(
      `Order ${order.orderNumber} is ${order.status}.`,
      `Only a ${from} order can become ${status}.`,
    );
  }
  const now = stamp(desk);
  const changed = orders.put({ ...order, status, updatedAt: now });
  const returns = status === "CANCELLED" || desk.profile().refundReturns === "yes";
  for (const item of returns ? order.orderItems : []) {
    const ticket = tickets.get(item.eventTicket.id);
    if (ticket === undefined) continue;
    const sold = Math.max(0, ticket.sold - item.quantity);
    const remainingQuantity = Math.min(ticket.quantity - sold, ticket.remainingQuantity + item.quantity);
    tickets.put({ ...ticket, sold, remainingQuantity, updatedAt: now });
  }
  const event = events.get(order.eventId);
  if (status === "REFUNDED" && event !== undefined) {
    desk.notify({ type: "order.refunded", event, data: { order: showOrder(changed, desk.profile()) } });
  }
  return changed;
}
