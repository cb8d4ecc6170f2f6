// Rules and risks that block a change in a plan.
import type { CodeEntries } from "./entry.ts";

const onSale = "status: PUBLISHED\ntickets:\n  - { name: GA, price: 1500, quantity: 500, published: true }";

export const risks = {
  "delete-event": {
    levels: ["risk"],
    summary: "An event would be deleted.",
    details:
      "Its file is gone or says `status: DELETED`, or it is a date that was removed from its series. Nothing brings a deleted event back.",
    fix: "To keep it, bring the file back, remove `status: DELETED`, or bring the date back into its series (the message says how). To delete it, accept the risk.",
    example: { live: "status: DRAFT", wrong: "status: DELETED", right: "status: DELETED\nallow: [delete-event]" },
  },
  "delete-webhook": {
    levels: ["risk"],
    summary: "A webhook would be deleted: its receiver would get no more notifications.",
    fix: "List it again, or accept the risk in ticketing.yaml.",
    example: "A webhook that an earlier apply created is removed from webhooks.yaml.",
  },
  "delete-ticket-on-sale": {
    levels: ["risk"],
    summary: "A ticket type that is on sale would be deleted.",
    details:
      "A ticket type is on sale if it is published and its event is PUBLISHED. If it was only renamed, write `renamedFrom`: then it stays, with its sales.",
    fix: "Write `renamedFrom` in the new entry, list the old one again, or accept the risk.",
    example: {
      live: onSale,
      wrong: "status: PUBLISHED\ntickets:\n  - { name: Standard, price: 1500, quantity: 500, published: true }",
      right:
        "status: PUBLISHED\ntickets:\n  - { name: Standard, renamedFrom: GA, price: 1500, quantity: 500, published: true }",
    },
  },
  "unpublish-with-sales": {
    levels: ["risk"],
    summary: "An event would leave the marketplace after tickets have been sold.",
    fix: "To stop sales for good, keep `status: PUBLISHED` and write `soldOut: true` (it cannot be undone); to take the event down for now, accept the risk.",
    example: {
      live: onSale,
      sold: 2,
      wrong: onSale.replace("PUBLISHED", "DRAFT"),
      right: onSale.replace("published: true", "published: true, soldOut: true"),
    },
  },
  "archive-with-sales": {
    levels: ["risk"],
    summary: "An event would be archived after tickets have been sold.",
    details: "Archiving is final. Orders are kept.",
    fix: "Accept the risk if that is what you want, for example for a canceled event; write to the buyers.",
    example: {
      live: onSale,
      sold: 2,
      wrong: onSale.replace("PUBLISHED", "ARCHIVED"),
      right: `${onSale.replace("PUBLISHED", "ARCHIVED")}\nallow: [archive-with-sales]`,
    },
  },
  "price-change-with-sales": {
    levels: ["risk"],
    summary: "A price would change after tickets of that type have been sold.",
    fix: "Keep the price and sell a new ticket type at the new price; or accept the risk.",
    example: {
      live: onSale,
      sold: 2,
      wrong: onSale.replace("1500", "1800"),
      right: `${onSale.replace("published: true", "published: true, soldOut: true")}\n  - { name: GA from March, price: 1800, quantity: 300, published: true }`,
    },
  },
  "reschedule-with-sales": {
    levels: ["risk"],
    summary: "The start of an event would move after tickets have been sold.",
    details: "The service does not notify buyers.",
    fix: "Accept the risk, and write to the buyers yourself.",
    example: {
      live: onSale,
      sold: 2,
      wrong: `${onSale}\ndateTime: 2027-03-21T19:00\nendDateTime: 2027-03-22T02:00`,
      right: `${onSale}\ndateTime: 2027-03-21T19:00\nendDateTime: 2027-03-22T02:00\nallow: [reschedule-with-sales]`,
    },
  },
  "venue-change-with-sales": {
    levels: ["risk"],
    summary: "The venue of an event would change after tickets have been sold.",
    details: "The service does not notify buyers.",
    fix: "Accept the risk, and write to the buyers yourself.",
    example: {
      live: `${onSale}\nvenue: { name: Palace, city: Baguio }`,
      sold: 2,
      wrong: `${onSale}\nvenue: { name: Palace, city: Taguig }`,
      right: `${onSale}\nvenue: { name: Palace, city: Taguig }\nallow: [venue-change-with-sales]`,
    },
  },
  "make-private-with-sales": {
    levels: ["risk"],
    summary: "An event would be hidden from the public after tickets have been sold.",
    fix: "Keep `visibility: PUBLIC`, or accept the risk.",
    example: {
      live: `${onSale}\nvisibility: PUBLIC`,
      sold: 2,
      wrong: `${onSale}\nvisibility: PRIVATE`,
      right: `${onSale}\nvisibility: PUBLIC`,
    },
  },
  "too-many-deletes": {
    levels: ["risk"],
    summary:
      "More events would be deleted than `maxDeletes` allows, or at least three events and more than half of the project's.",
    details: "Often a folder was moved or a file pattern is wrong.",
    fix: "Check that no file was moved or lost. If this is intended, run `ticketing apply --max-deletes N`; up to half of the events can also be allowed with `maxDeletes: N` in ticketing.yaml.",
    example: "A folder with six of ten events is deleted in one pull request.",
  },
} as const satisfies CodeEntries;

export const stateRules = {
  "archived-is-final": {
    levels: ["rule"],
    summary: "An archived event would change, and the service no longer accepts changes to it.",
    fix: "Keep or set `status: ARCHIVED` and undo the other edits, or delete the file (for a date of a series, add the date to `skip`, or remove it from `also`). To run the event again, describe it in a new file, with a different name or start.",
    example: "`status: PUBLISHED` in the file of an event that is ARCHIVED on the service.",
  },
  "delete-after-sales": {
    levels: ["rule"],
    summary: "An event or ticket type would be deleted, but tickets for it have been sold.",
    details:
      "An event whose orders were all refunded cannot be deleted either, because its orders would be deleted with it; this is checked only if the API key can read orders.",
    fix: "For an event write `status: ARCHIVED` and accept the risk `archive-with-sales`; list a ticket type again with `soldOut: true`, or write `renamedFrom` in the new entry.",
    example: {
      live: onSale,
      sold: 2,
      wrong: "status: DELETED",
      right: "status: ARCHIVED\nallow: [archive-with-sales]",
    },
  },
  "no-withdrawal": {
    levels: ["rule"],
    summary: "A ticket type is on sale, and the service has no way to withdraw it.",
    fix: "In its entry, write `published: true`; if the event was postponed, you can instead set `from` of the phase that put the ticket type on sale to the date on which that phase began. To end its sale for good, also write `soldOut: true`.",
    example: {
      live: onSale,
      wrong: `status: DRAFT\n${onSale.split("\n").slice(1).join("\n").replace("published: true", "published: false")}`,
      right: onSale.replace("published: true", "published: true, soldOut: true"),
    },
  },
  "quantity-below-sold": {
    levels: ["rule"],
    summary: "A ticket type would have fewer tickets than have been sold.",
    fix: "Set `quantity` to the number sold or more; to stop the sale, also write `soldOut: true`.",
    example: {
      live: onSale,
      sold: 3,
      wrong: onSale.replace("quantity: 500", "quantity: 2, maximumPurchaseQuantity: 2"),
      right: onSale.replace("published: true", "published: true, soldOut: true"),
    },
  },
  "performer-in-use": {
    levels: ["rule"],
    summary: "A performer cannot be removed, because a schedule entry of the live event names that performer.",
    details:
      "This happens if the file does not list `schedules`, or leaves `performer` out of the entry: what a file leaves out is not changed. Or `--target` leaves out the change of that entry.",
    fix: "List `schedules` and name a different performer there (or `performer: null`), or keep the performer.",
    example: {
      live: "performers:\n  - name: DJ Ana\nschedules:\n  - { title: Set, startTime: 2027-03-14T20:00, endTime: 2027-03-14T22:00, performer: DJ Ana }",
      wrong: "performers: []",
      right: "performers: []\nschedules: []",
    },
  },
  "sales-unknown": {
    levels: ["rule"],
    summary:
      "An event or ticket type would be deleted, or a quantity lowered, and it is not known whether or how many tickets have been sold.",
    details:
      "The quantities do not show it. The orders do not show it either, or they could not be read, or the API key is not allowed to read them. If the event is published, other changes that may harm buyers are blocked as they are after a sale, for example with `price-change-with-sales`.",
    fix: "If the API key lacks the scope orders:read (or tickets:read), give it that scope; if the orders could not be read, run the command again. Otherwise, make the change by hand in the dashboard.",
    example: "An event would be deleted, the service hides what remains, and the API key lacks orders:read.",
  },
  "status-unknown": {
    levels: ["rule", "warning"],
    summary: "The service shows a status other than DRAFT, PUBLISHED or ARCHIVED.",
    details:
      "Changing the status and deleting the event are blocked. For all other changes, the event counts as published.",
    fix: "Change the status in the dashboard, or remove `status` from the file: then it is not managed.",
    example: "The service shows `SOLD_OUT` once nothing remains.",
  },
  protected: {
    levels: ["rule"],
    summary: "The event is protected: nothing in it is deleted, unpublished or archived.",
    fix: "Remove `protected: true` from the event; if it is inherited, write `protected: false` in the event (for a date of a series, under `dates`). If the event's file was deleted, or the date removed from its series, bring it back without the protection, apply, and then remove it again.",
    example: {
      live: "status: DRAFT\nprotected: true",
      wrong: "status: DELETED\nprotected: true\nallow: [delete-event]",
      right: "status: DRAFT\nprotected: true",
    },
  },
  "cannot-clear": {
    levels: ["rule", "error"],
    summary: "The service does not allow a field to be cleared.",
    fix: "Give it a different value, leave it out of the file, or clear it in the dashboard.",
    example: "`imageUrl: null`, which the service has refused before.",
  },
} as const satisfies CodeEntries;
