import { formatCount } from "../../model/value.ts";
import { isPinned, type Wish } from "../../model/wish.ts";
import type { LintFinding, LintScene } from "../define.ts";
import { callOf, childrenOf, findingAt, isRetired, isStated, lacks, numberField, textField } from "./finding.ts";

export function publishedNotStated(ticket: Wish, { event }: LintScene): LintFinding {
  // A field that a pinned ticket type leaves out is not managed; a missing name has its own error.
  if (ticket.name === "" || isStated(ticket, "published") || isPinned(ticket) || isRetired(event)) return null;
  return findingAt(ticket, [], {
    code: "published-not-stated",
    message: `${callOf(ticket)} does not say whether it is on sale; without \`published: true\`, a new ticket type is not put on sale.`,
    hint:
      ticket.fields.soldOut === true
        ? "If it has been on sale, write `published: true`: its sale still ends because of `soldOut: true`."
        : "Write `published: true` to sell it. For a ticket type that is not on sale yet, `published: false` keeps it off sale.",
  });
}

export function nothingOnSale(event: Wish): LintFinding {
  const tickets = event.children.ticket;
  if (event.own.status !== "PUBLISHED" || tickets === undefined) return null;
  if (tickets.length === 0 && needsNoTickets(event)) return null;
  if (tickets.some(mayBeOnSale)) return allSoldOut(event, tickets);
  const isEmpty = tickets.length === 0;
  return findingAt(event, isEmpty ? ["tickets", "status"] : ["status", "tickets"], {
    code: "nothing-on-sale",
    severity: "error",
    message: `Buyers see ${callOf(event)} with nothing to buy: ${isEmpty ? "it has no ticket types" : "no ticket type has `published: true`"}.`,
    hint: isEmpty
      ? "Add a ticket type, or keep the event at `status: DRAFT`. To end a sale, keep the ticket types, with `soldOut: true` in each."
      : "Write `published: true` in a ticket type, or keep the event at `status: DRAFT`.",
  });
}

/** A phase closes the early birds and forgets to open the regular sale. */
function allSoldOut(event: Wish, tickets: readonly Wish[]): LintFinding {
  const next = tickets.find((ticket) => !mayBeOnSale(ticket) && ticket.fields.soldOut !== true);
  const isOpen = tickets.some((ticket) => mayBeOnSale(ticket) && ticket.fields.soldOut !== true);
  if (next === undefined || isOpen) return null;
  return findingAt(next, ["published"], {
    code: "nothing-on-sale",
    severity: "warning",
    message: `Buyers see ${callOf(event)} with nothing to buy: what was on sale has \`soldOut: true\`, and ${callOf(next)} is not on sale.`,
    hint: `If the sale of ${callOf(next)} should begin then, write \`published: true\` for it in the same place as \`soldOut\`. If not, add \`ignore: [nothing-on-sale]\` to the ticket type.`,
  });
}

export function needsNoTickets(event: Wish): boolean {
  return textField(event, "type") === "FREE" || textField(event, "journeyType") === "RSVP";
}

// A pinned ticket type that leaves the field out may already be on sale. An unreadable value is reported elsewhere.
function mayBeOnSale(ticket: Wish): boolean {
  const published = ticket.fields.published;
  if (published !== undefined) return published === true;
  return isStated(ticket, "published") || isPinned(ticket);
}

export function reservedSeatWithoutSeat(ticket: Wish): LintFinding {
  if (textField(ticket, "type") !== "RESERVED_SEAT") return null;
  const missing = ["section", "row"].filter((field) => lacks(ticket, field));
  if (missing.length === 0) return null;
  return findingAt(ticket, ["type"], {
    code: "reserved-seat-without-seat",
    message: `${callOf(ticket)} is a reserved seat without a ${missing.join(" and a ")}: buyers would not know where to sit.`,
    hint: `Write its ${missing.map((field) => `\`${field}\``).join(" and ")}, or make it \`type: GENERAL_ADMISSION\`.`,
  });
}

/** How many tickets one order may hold by default. */
export const defaultMost = 8;

export function maxPurchaseAboveQuantity(ticket: Wish): LintFinding {
  const quantity = numberField(ticket, "quantity");
  if (quantity === undefined) return null;
  const isReset = ticket.written.maximumPurchaseQuantity === null;
  const most = isReset ? undefined : numberField(ticket, "maximumPurchaseQuantity");
  if (most !== undefined) {
    if (most <= quantity) return null;
    return findingAt(ticket, ["maximumPurchaseQuantity", "quantity"], {
      code: "max-purchase-above-quantity",
      severity: "error",
      message: `One order may contain ${formatCount(most)} of ${callOf(ticket)}, but there are only ${formatCount(quantity)}.`,
      hint: `Set \`maximumPurchaseQuantity\` to ${quantity}${quantity === 1 ? "" : " or less"}.`,
    });
  }
  // A field that a pinned ticket type leaves out is not managed. An unreadable value is reported elsewhere.
  const isLeft = !isReset && (isStated(ticket, "maximumPurchaseQuantity") || isPinned(ticket));
  if (isLeft || defaultMost <= quantity) return null;
  return findingAt(ticket, ["quantity"], {
    code: "max-purchase-above-quantity",
    message: `There ${quantity === 1 ? "is" : "are"} only ${formatCount(quantity)} of ${callOf(ticket)}, but one order may contain ${defaultMost} by default.`,
    hint: `Write \`maximumPurchaseQuantity: ${quantity}\`${quantity === 1 ? "" : " or less"}.`,
  });
}

export function ticketsExceedCapacity(event: Wish): LintFinding {
  const capacity = numberField(event, "eventCapacity");
  if (capacity === undefined) return null;
  let sum = 0;
  for (const ticket of childrenOf(event, "ticket")) sum += numberField(ticket, "quantity") ?? 0;
  if (sum <= capacity) return null;
  return findingAt(event, ["eventCapacity", "tickets"], {
    code: "tickets-exceed-capacity",
    message: `The ticket types of ${callOf(event)} add up to ${formatCount(sum)}, which is ${formatCount(sum - capacity)} more than its capacity of ${formatCount(capacity)}.`,
    hint: "Lower the quantities, or raise `eventCapacity` if the venue holds that many.",
  });
}

export function bareListing(event: Wish): LintFinding {
  if (event.own.status !== "PUBLISHED") return null;
  const missing = shownToBuyers.filter(({ field }) => lacks(event, field));
  if (missing.length === 0) return null;
  return findingAt(event, ["status"], {
    code: "bare-listing",
    message: `Buyers see ${callOf(event)} without ${joinWords(
      missing.map(({ word }) => word),
      "disjunction",
    )}.`,
    hint: `Add ${joinWords(
      missing.map(({ field }) => `\`${field}\``),
      "conjunction",
    )}.`,
  });
}

const shownToBuyers = [
  { field: "imageUrl", word: "an image" },
  { field: "description", word: "a description" },
  { field: "endDateTime", word: "an end time" },
];

/** Without a comma before the last, as everywhere. */
function joinWords(words: readonly string[], type: Intl.ListFormatType): string {
  return new Intl.ListFormat("en-GB", { type }).format(words);
}

export function venueMissing(event: Wish): LintFinding {
  if (isRetired(event) || !takesPlaceSomewhere(event)) return null;
  if (
    event.own.venue !== undefined ||
    (event.places.venue !== undefined && event.written.venue !== null) ||
    !lacks(event, "venueId")
  )
    return null;
  return findingAt(event, ["venueId", "locationType"], {
    code: "venue-missing",
    message: `${callOf(event)} takes place at a venue, but does not say which.`,
    hint: "Write `venue: <its name>` (see `ticketing venues search`), or `locationType: ONLINE`.",
  });
}

/** A venue is given by name, so its own zone is not known. */
export function abroadWithoutTimezone(event: Wish, { zone }: LintScene): LintFinding {
  const country = event.own.venue?.country?.trim() ?? "";
  if (country === "" || /^(?:the )?(?:philippines|pilipinas|phl?)$/i.test(country)) return null;
  if (isStated(event, "timezone") || isPinned(event) || isRetired(event)) return null;
  return findingAt(event, ["dateTime"], {
    code: "local-time-odd",
    message: `${callOf(event)} takes place in ${country}, but has no \`timezone\`: its times count as times in ${zone}.`,
    hint: `Add the time zone of its venue, such as \`timezone: Asia/Tokyo\`. If the times are right, write \`timezone: ${zone}\`.`,
  });
}

// If left out, the service uses VENUE; but what a pinned event leaves out is not managed and may be ONLINE.
function takesPlaceSomewhere(event: Wish): boolean {
  return isStated(event, "locationType") ? textField(event, "locationType") === "VENUE" : !isPinned(event);
}

export function venueOnOnlineEvent(event: Wish): LintFinding {
  if (textField(event, "locationType") !== "ONLINE") return null;
  if (event.own.venue === undefined && textField(event, "venueId") === undefined) return null;
  return findingAt(event, ["venue", "venueId", "locationType"], {
    code: "venue-on-online-event",
    message: `${callOf(event)} is ONLINE, but names a venue.`,
    hint: "Remove the venue, or write `locationType: VENUE`.",
  });
}
