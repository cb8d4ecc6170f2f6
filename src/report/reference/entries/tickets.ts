// Prices, quantities, and what is on sale.
import type { CodeEntries } from "./entry.ts";

export const prices = {
  "price-looks-like-centavos": {
    levels: ["error", "warning"],
    summary: "A price that looks like centavos: prices are whole pesos.",
    details:
      "A price of ₱100,000 or more; a round one of 100 times the median of the event's other prices, or of its live price (from 20 times on a warning); or an event where every price is ₱20,000 or more (a warning).",
    fix: "Write whole pesos. If the price is right, silence the rule on the ticket type.",
    example: {
      wrong: "tickets:\n  - name: GA\n    price: 150000",
      right: "tickets:\n  - name: GA\n    price: 1500",
    },
  },
  "price-not-whole": {
    levels: ["error"],
    summary: "A price with a fraction, below zero, or written as text with a sign or commas.",
    fix: "Write a whole number of pesos, without a sign and without commas; 0 for a free ticket.",
    example: {
      wrong: 'tickets:\n  - name: GA\n    price: "₱1,500"',
      right: "tickets:\n  - name: GA\n    price: 1500",
    },
  },
  "currency-not-php": {
    levels: ["error"],
    summary: "A currency other than PHP.",
    details: "The service sells in Philippine pesos only.",
    fix: "Write `currency: PHP`, or leave the line out, and give prices in pesos.",
    example: { wrong: "currency: USD", right: "currency: PHP" },
  },
  "free-event-with-price": {
    levels: ["error"],
    summary: "A price in a FREE event.",
    fix: "Set the price to 0, or `type: PAID`.",
    example: {
      wrong: "type: FREE\ntickets:\n  - name: GA\n    price: 200",
      right: "type: FREE\ntickets:\n  - name: GA\n    price: 0",
    },
  },
  "paid-event-all-free": {
    levels: ["warning"],
    summary: "A PAID event (the service's default) where everything costs nothing.",
    fix: "Write `type: FREE`, or set the prices.",
    example: {
      wrong: "tickets:\n  - { name: GA, price: 0 }\ntype: PAID",
      right: "tickets:\n  - { name: GA, price: 0 }\ntype: FREE",
    },
  },
  "rsvp-with-price": {
    levels: ["warning"],
    summary: "A price in an RSVP event.",
    fix: "Set the price to 0, or sell it as a STANDARD event.",
    example: {
      wrong: "journeyType: RSVP\ntickets:\n  - name: Guest\n    price: 500",
      right: "journeyType: RSVP\ntickets:\n  - name: Guest\n    price: 0",
    },
  },
  "vip-cheaper-than-ga": {
    levels: ["warning"],
    summary: "A VIP ticket that costs less than general admission.",
    fix: "Check both prices: often a digit is missing.",
    example: {
      wrong: "tickets:\n  - { name: GA, price: 1500 }\n  - { name: VIP, type: VIP, price: 450 }",
      right: "tickets:\n  - { name: GA, price: 1500 }\n  - { name: VIP, type: VIP, price: 4500 }",
    },
  },
} as const satisfies CodeEntries;

export const tickets = {
  "quantity-not-positive": {
    levels: ["error"],
    summary: "A quantity that is not a whole number of 1 or more.",
    fix: "Write how many tickets there are. To stop a sale, keep the quantity and write `soldOut: true`.",
    example: {
      wrong: "tickets:\n  - name: GA\n    quantity: 0",
      right: "tickets:\n  - name: GA\n    quantity: 500",
    },
  },
  "max-purchase-not-positive": {
    levels: ["error"],
    summary: "A maximumPurchaseQuantity that is not a whole number of 1 or more.",
    fix: "Write how many tickets one order may hold.",
    example: {
      wrong: "tickets:\n  - name: GA\n    maximumPurchaseQuantity: 0",
      right: "tickets:\n  - name: GA\n    maximumPurchaseQuantity: 6",
    },
  },
  "max-purchase-above-quantity": {
    levels: ["error", "warning"],
    summary: "Orders that may hold more tickets than there are.",
    details: "A warning if it is the service's default of 8 that is above the quantity.",
    fix: "Write `maximumPurchaseQuantity` of at most the quantity.",
    example: {
      wrong: "tickets:\n  - name: Box\n    quantity: 4",
      right: "tickets:\n  - name: Box\n    quantity: 4\n    maximumPurchaseQuantity: 4",
    },
  },
  "tickets-exceed-capacity": {
    levels: ["warning"],
    summary: "Ticket types that add up to more than eventCapacity.",
    fix: "Lower a quantity, or raise `eventCapacity` to what the venue holds.",
    example: {
      wrong: "tickets:\n  - { name: GA, quantity: 700 }\neventCapacity: 650",
      right: "tickets:\n  - { name: GA, quantity: 700 }\neventCapacity: 700",
    },
  },
  "reserved-seat-without-seat": {
    levels: ["warning"],
    summary: "A RESERVED_SEAT without section or row.",
    fix: "Write `section` and `row`, or sell it as GENERAL_ADMISSION.",
    example: {
      wrong: "tickets:\n  - name: Seat\n    type: RESERVED_SEAT",
      right: "tickets:\n  - name: Seat\n    type: RESERVED_SEAT\n    section: Balcony\n    row: A",
    },
  },
  "published-not-stated": {
    levels: ["warning"],
    summary: "A ticket type that does not say whether it is on sale.",
    details: "Left out, a new ticket type is created hidden from buyers.",
    fix: "Write `published: true` to sell it, or `published: false` to keep it hidden.",
    example: {
      wrong: "status: DRAFT\ntickets:\n  - name: GA",
      right: "status: DRAFT\ntickets:\n  - name: GA\n    published: true",
    },
  },
  "nothing-on-sale": {
    levels: ["error"],
    summary: "An event to be published whose tickets have nothing on sale.",
    details: "`tickets: []` is fine for a FREE or RSVP event.",
    fix: "Write `published: true` on a ticket type, or leave the event a DRAFT.",
    example: {
      wrong: "tickets:\n  - { name: GA, published: false }\nstatus: PUBLISHED",
      right: "tickets:\n  - { name: GA, published: true }\nstatus: PUBLISHED",
    },
  },
  "born-sold-out": {
    levels: ["warning"],
    summary: "A ticket type that is sold out before it is live, often copied from an earlier event.",
    details:
      "`validate` reports it for every ticket type that is not pinned by an `id`, `plan` only for those that it would create.",
    fix: "Remove `soldOut: true`, unless the ticket type should not be sold.",
    example: {
      wrong: "tickets:\n  - name: GA\n    soldOut: true",
      right: "tickets:\n  - name: GA",
    },
  },
} as const satisfies CodeEntries;
