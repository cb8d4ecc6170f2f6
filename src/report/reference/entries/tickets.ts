// Prices, quantities, and what is on sale.
import { type CodeEntries, swap } from "./entry.ts";

export const prices = {
  "price-looks-like-centavos": {
    levels: ["error", "warning"],
    summary: "A price that looks like centavos: prices are whole pesos.",
    details:
      "It is an error if a price is ₱100,000 or more, or if it is in whole hundreds and at least 100 times the median of the event's other prices, or 100 times its own live price. It is a warning if it is only 20 times as high, or if no paid ticket of the event costs less than ₱20,000. A difference from the live price is only a warning if it comes from a phase that has begun, or if the price goes back to what it was before somebody changed it on the service. The plan of the pull request that adds such a phase does fail.",
    fix: "Write whole pesos. If the price is right, silence the check on the ticket type.",
    example: swap("tickets:\n  - { name: GA, price: «150000→1500», quantity: 500, published: true }"),
  },
  "price-not-whole": {
    summary: "A price with a fraction, below zero, or written as text with a currency sign or commas.",
    fix: "Write a whole number of pesos, without a currency sign and without commas; 0 for a free ticket.",
    example: swap('tickets:\n  - { name: GA, price: «"₱1,500"→1500», quantity: 500, published: true }'),
  },
  "currency-not-php": {
    summary: "A currency other than PHP.",
    details: "The service sells in Philippine pesos only.",
    fix: "Write `currency: PHP`, or leave the line out, and give prices in pesos.",
    example: { wrong: "currency: USD", right: "currency: PHP" },
  },
  "free-event-with-price": {
    summary: "A price in a FREE event.",
    details: "Every ticket of a FREE event costs 0.",
    fix: "Set the price to 0, or write `type: PAID`.",
    example: swap("type: FREE\ntickets:\n  - { name: GA, price: «200→0», quantity: 500, published: true }"),
  },
  "paid-event-all-free": {
    levels: ["warning"],
    summary: "A PAID event whose ticket types are all free.",
    details: "PAID is the service's default for an event without a `type`.",
    fix: "Write `type: FREE`, or set the prices.",
    example: swap("tickets:\n  - { name: GA, price: 0, quantity: 500, published: true }\ntype: «PAID→FREE»"),
  },
  "rsvp-with-price": {
    levels: ["warning"],
    summary: "A price in an RSVP event.",
    details: "Guests of an RSVP event only say whether they are coming.",
    fix: "Set the price to 0, or write `journeyType: STANDARD`.",
    example: swap("journeyType: RSVP\ntickets:\n  - { name: Guest, price: «500→0», quantity: 90, published: true }"),
  },
  "vip-cheaper-than-ga": {
    levels: ["warning"],
    summary: "A VIP ticket that costs less than general admission.",
    fix: "Check both prices: often a digit is missing.",
    example: swap(
      "tickets:\n  - { name: GA, price: 1500, quantity: 500, published: true }\n  - { name: VIP, type: VIP, price: «450→4500», quantity: 50, published: true }",
    ),
  },
} as const satisfies CodeEntries;

export const ticketCodes = {
  "quantity-not-positive": {
    summary: "A quantity that is not a whole number of 1 or more.",
    fix: "Write how many tickets there are. To stop a sale, keep the quantity and write `soldOut: true`.",
    example: swap("tickets:\n  - { name: GA, price: 500, published: true, quantity: «0→500» }"),
  },
  "max-purchase-not-positive": {
    summary: "A maximumPurchaseQuantity that is not a whole number of 1 or more.",
    fix: "Write how many tickets one order may contain.",
    example: swap(
      "tickets:\n  - { name: GA, price: 1500, quantity: 500, published: true, maximumPurchaseQuantity: «0→6» }",
    ),
  },
  "max-purchase-above-quantity": {
    levels: ["error", "warning"],
    summary: "An order could contain more tickets than there are.",
    details: "It is a warning if the service's default of 8 is above the quantity.",
    fix: "Set `maximumPurchaseQuantity` to the quantity or less.",
    example: swap(
      "tickets:\n  - { name: Box, price: 9000, quantity: 4, published: «true→true, maximumPurchaseQuantity: 4» }",
    ),
  },
  "tickets-exceed-capacity": {
    levels: ["warning"],
    summary: "The quantities of the ticket types add up to more than `eventCapacity`.",
    fix: "Lower a quantity, or raise `eventCapacity` to what the venue holds.",
    example: swap("tickets:\n  - { name: GA, price: 500, quantity: 700, published: true }\neventCapacity: «650→700»"),
  },
  "reserved-seat-without-seat": {
    levels: ["warning"],
    summary: "A RESERVED_SEAT without a section or a row: buyers would not know where to sit.",
    fix: "Write `section` and `row`, or `type: GENERAL_ADMISSION`.",
    example: swap(
      "tickets:\n  - { name: Seat, type: RESERVED_SEAT, «price:→section: Balcony, row: A, price:» 1500, quantity: 20, published: true }",
    ),
  },
  "published-not-stated": {
    levels: ["warning"],
    summary: "A ticket type that does not say whether it is on sale.",
    details: "If `published` is left out, a new ticket type is not put on sale.",
    fix: "Write `published: true` to sell it. For a ticket type that is not on sale yet, `published: false` keeps it off sale.",
    example: swap("status: DRAFT\ntickets:\n  - { name: GA, price: 500, quantity: «90→90, published: true» }"),
  },
  "nothing-on-sale": {
    levels: ["error", "warning"],
    summary: "An event that will be public has no ticket type on sale.",
    details:
      "`tickets: []` is fine for a FREE or RSVP event. It is a warning if what was on sale has `soldOut: true`, perhaps because of a phase, while another ticket type has `published: false`; and, in the plan, for a new event that does not mention `tickets`.",
    fix: "Write `published: true` on a ticket type, or leave the event a DRAFT.",
    example: swap("tickets:\n  - { name: GA, price: 500, quantity: 90, published: «false→true» }\nstatus: PUBLISHED"),
  },
  "born-sold-out": {
    levels: ["warning"],
    summary: "A ticket type that is sold out before it is live, often copied from an earlier event.",
    details:
      "`validate` does not know what is live: it reports every such ticket type, unless the ticket type or its event has an `id` or `renamedFrom`, or the event has begun. `plan` reports only those that it would create.",
    fix: "Remove `soldOut: true`, unless the ticket type should not be sold.",
    example: swap("tickets:\n  - { name: GA, price: 500, quantity: 90, published: «true, soldOut: true→true» }"),
  },
} as const satisfies CodeEntries;

// What buyers read: names, texts, images.

export const listing = {
  "duplicate-name": {
    summary: "Two objects of the same kind that cannot be distinguished.",
    details:
      "That is: ticket types with the same name, section and row; performers or brands with the same name; schedule entries with the same title and start; events with the same name and start; webhooks with the same URL. Uppercase and lowercase letters count as the same. Entries with different `id`s never count as duplicates.",
    fix: "Give one of them a different name, or remove it.",
    example: swap("performers:\n  - name: DJ Ana\n  - name: «dj ana→DJ Ben»"),
  },
  "invisible-characters": {
    levels: ["warning"],
    summary: "Zero-width characters, or double, leading or trailing spaces in a name; or curly quotes around it.",
    details:
      "A name with such characters looks right, but counts as a different name; curly quotes become a part of it.",
    fix: "Type the name again instead of pasting it.",
    example: { wrong: 'name: "Manila  Nights"', right: "name: Manila Nights" },
  },
  "placeholder-text": {
    levels: ["warning"],
    summary:
      "TBD, TBA, lorem, xxx or {{…}} in an event that will be public, or an accepted risk whose `why` is still `…`.",
    fix: "Write the real text, or leave the line out until it is known.",
    example: { wrong: 'description: "Lineup: TBA"', right: "description: DJ Ana and friends." },
  },
  "bare-listing": {
    levels: ["warning"],
    summary: "An event that will be public lacks an image, a description or an end time.",
    fix: "Add what is missing: buyers see it on the event's page.",
    example: swap("imageUrl: «null→https://example.com/cover.jpg»\nstatus: PUBLISHED"),
  },
  "year-in-name": {
    levels: ["warning"],
    summary: "A name that contains a year other than that of the event's date.",
    details:
      "It is reported for the name of an event or a ticket type if the year is off by three years or less: often the file was copied from last year.",
    fix: "Correct the year in the name, or the date.",
    example: swap("dateTime: 2027-03-14T19:00\nname: Manila Nights «2026→2027»"),
  },
  "secret-in-file": {
    summary: "Something that looks like a key or a secret, or a user name and password in a URL.",
    details: "What is in git stays in its history. The line is never shown in a message.",
    fix: "Remove it, and revoke that key or secret: others may have read it. A key belongs in a CI variable.",
    example: swap('description: «"Scanner: whsec_9fK2mQ7xT4vB1nZ8pL5d"→Tickets are scanned at the gate.»'),
  },
  "not-a-public-url": {
    summary: "A URL that others cannot open.",
    details: "It is relative, begins with `data:`, or names `localhost` or a host in a private network.",
    fix: "Write a public https URL. Upload an image to a public site first.",
    example: { wrong: "imageUrl: posters/cover.jpg", right: "imageUrl: https://example.com/cover.jpg" },
  },
  "http-image": {
    levels: ["warning"],
    summary: "An image that is not https.",
    details: "Many browsers and apps do not show it on an https page.",
    fix: "Use the https URL of the image.",
    example: { wrong: "imageUrl: http://example.com/cover.jpg", right: "imageUrl: https://example.com/cover.jpg" },
  },
  "expiring-image-link": {
    levels: ["warning"],
    summary: "An image URL that stops working after a while.",
    details: "Signed URLs, and those of social networks and chats.",
    fix: "Upload the image to a site that you control, and use that URL.",
    example: swap(
      'imageUrl: «"https://example.com/c.jpg?Expires=1800000000&Signature=a1b2"→https://example.com/c.jpg»',
    ),
  },
} as const satisfies CodeEntries;

export const places = {
  "venue-missing": {
    levels: ["warning"],
    summary: "An event takes place at a venue, but does not say which one.",
    fix: "Name the venue, or write `locationType: ONLINE`. `ticketing venues search TEXT` finds venues.",
    example: { wrong: "locationType: VENUE\nvenueId: null", right: "locationType: VENUE\nvenue: Palace" },
  },
  "venue-twice": {
    summary: "A venue given both by name and by id.",
    details:
      "It may be in one event or in `defaults`. If an event itself gives a venue, in either form, both lines in `defaults` are ignored for it.",
    fix: "Keep one of the two lines.",
    example: { wrong: "venueId: 5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f\nvenue: Palace", right: "venue: Palace" },
  },
  "venue-on-online-event": {
    levels: ["warning"],
    summary: "An ONLINE event that names a venue.",
    fix: "Remove the venue, or write `locationType: VENUE`.",
    example: { wrong: "locationType: ONLINE\nvenue: Palace", right: "locationType: VENUE\nvenue: Palace" },
  },
  "venue-not-found": {
    levels: ["rule"],
    summary: "No venue of the service has the name that the file gives.",
    details:
      "The message lists the nearest names. Nothing of the event is sent until the venue is found. The sandbox does not report this: if it does not know a venue that the files name, it makes that venue up, and the plan says so.",
    fix: "Write the name as `ticketing venues search TEXT` prints it, or the id as `venueId`.",
    example: {
      live: "venue: { name: Palace, city: Baguio }",
      wrong: "venue: { name: Palace, city: Bagiuo }",
      right: "venue: { name: Palace, city: Baguio }",
    },
  },
  "venue-ambiguous": {
    levels: ["rule"],
    summary: "Several venues have the name that the file gives.",
    details:
      "In the sandbox, this is reported only if the project's files give that name with different cities. Otherwise the sandbox uses one venue of that name, or makes one up, and the plan says so.",
    fix: "Add the city, or write `venueId` with the id instead.",
    example: {
      live: "venue: { name: Palace, city: Baguio }",
      wrong: "venue: Palace",
      right: "venue: { name: Palace, city: Baguio }",
    },
  },
  "venue-made-up": {
    levels: ["notice"],
    summary:
      "A venue that only the sandbox has: if the sandbox does not know a venue that the files name, it makes that venue up.",
    details: "Only a plan for your service can say whether the venue exists there.",
    fix: "Check the name with `ticketing venues search TEXT` on your service.",
    example: "`ticketing plan --env sandbox` with `venue: Neon Cellar`.",
  },
  "venue-without-place": {
    levels: ["warning"],
    summary: "A venue without a location on the map.",
    details: "Its coordinates are 0, 0, so buyers may not find it.",
    fix: "Ask the service to correct the venue, or choose another entry for the same place.",
    example: "The venue that the file names was registered without coordinates.",
  },
  "venues-not-compared": {
    levels: ["warning"],
    summary: "`status` could not read the venues, so it does not compare them.",
    fix: "Run `ticketing plan` once the service responds: it compares them.",
    example: "`ticketing status` while the venues of the service cannot be read.",
  },
} as const satisfies CodeEntries;
