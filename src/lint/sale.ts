import type { Diagnostic } from "../model/diagnostic.ts";
import { isPinned, type Wish } from "../model/wish.ts";
import { callOf, isRetired, isStated, lacks, textOf } from "./fields.ts";
import { remarkAt } from "./remark.ts";
import { none, type Scene } from "./rule.ts";

export function publishedNotStated(ticket: Wish, { event }: Scene): readonly Diagnostic[] {
  // What a pinned ticket type leaves out is not managed.
  if (isStated(ticket, "published") || isPinned(ticket) || isRetired(event)) return none;
  return [
    remarkAt(ticket, [], {
      code: "published-not-stated",
      severity: "warning",
      message: `${callOf(ticket)} does not say whether it is on sale; left out, a new ticket type is not.`,
      hint: "Write `published: true` to sell it, or `published: false` to hold it back.",
    }),
  ];
}

export function nothingOnSale(event: Wish): readonly Diagnostic[] {
  const tickets = event.children.ticket;
  if (event.own.status !== "PUBLISHED" || tickets === undefined) return none;
  if (tickets.length === 0 && needsNoTickets(event)) return none;
  if (tickets.some(mayBeOnSale)) return none;
  return [
    remarkAt(event, ["status", "tickets"], {
      code: "nothing-on-sale",
      severity: "error",
      message: `${callOf(event)} would be published with nothing to buy: no ticket type has \`published: true\`.`,
      hint: "Write `published: true` in a ticket type, or keep the event at `status: DRAFT`.",
    }),
  ];
}

function needsNoTickets(event: Wish): boolean {
  return textOf(event, "type") === "FREE" || textOf(event, "journeyType") === "RSVP";
}

// A pinned ticket type that leaves the field out may be on sale already; an unreadable value is told elsewhere.
function mayBeOnSale(ticket: Wish): boolean {
  const published = ticket.fields.published;
  if (published !== undefined) return published === true;
  return isStated(ticket, "published") || isPinned(ticket);
}

export function reservedSeatWithoutSeat(ticket: Wish): readonly Diagnostic[] {
  if (textOf(ticket, "type") !== "RESERVED_SEAT") return none;
  const missing = ["section", "row"].filter((field) => lacks(ticket, field));
  if (missing.length === 0) return none;
  return [
    remarkAt(ticket, ["type"], {
      code: "reserved-seat-without-seat",
      severity: "warning",
      message: `${callOf(ticket)} is a reserved seat without a ${missing.join(" and a ")}: buyers would not know where to sit.`,
      hint: `Write its ${missing.map((field) => `\`${field}\``).join(" and ")}, or make it \`type: GENERAL_ADMISSION\`.`,
    }),
  ];
}
