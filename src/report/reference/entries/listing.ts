// What buyers read: names, texts, images.
import type { CodeEntries } from "./entry.ts";

export const listing = {
  "duplicate-name": {
    levels: ["error"],
    summary: "Two objects of one kind that cannot be told apart.",
    details:
      "Regardless of case: ticket types with the same name, section and row; performers or brands with the same name; schedule entries with the same title and start; events with the same name and start; webhooks with the same url. Entries with different `id`s are never twins.",
    fix: "Give one of them another name, or remove it.",
    example: {
      wrong: "performers:\n  - name: DJ Ana\n  - name: dj ana",
      right: "performers:\n  - name: DJ Ana\n  - name: DJ Ben",
    },
  },
  "invisible-characters": {
    levels: ["warning"],
    summary: "Zero-width characters, double or outer spaces in a name.",
    fix: "Type the name again instead of pasting it.",
    example: { wrong: 'name: "Manila  Nights"', right: "name: Manila Nights" },
  },
  "placeholder-text": {
    levels: ["warning"],
    summary: "TBD, TBA, lorem or xxx in an event to be published.",
    fix: "Write the real text, or leave the line out until it is known.",
    example: { wrong: 'description: "Line-up: TBA"', right: "description: DJ Ana and friends." },
  },
  "bare-listing": {
    levels: ["warning"],
    summary: "An event to be published without image, description or end.",
    fix: "Add what is missing: events without an image sell worse.",
    example: {
      wrong: "imageUrl: null\nstatus: PUBLISHED",
      right: "imageUrl: https://example.com/cover.jpg\nstatus: PUBLISHED",
    },
  },
  "year-in-name": {
    levels: ["warning"],
    summary: "A name that holds another year than the event's date.",
    details:
      "The name of an event or a ticket type, off by up to three years: often a file that was copied from last year.",
    fix: "Correct the year in the name, or the date.",
    example: { wrong: "name: Manila Nights 2026", right: "name: Manila Nights 2027" },
  },
  "secret-in-file": {
    levels: ["error"],
    summary: "What looks like a key or a secret, or a user name and password in an address.",
    details: "What is in git stays in its history. The line is never shown in a message.",
    fix: "Remove it, and revoke that key or secret: others may have read it. A key belongs in a variable of the CI.",
    example: {
      wrong: 'description: "Scanner: whsec_9fK2mQ7xT4vB1nZ8pL5d"',
      right: "description: Tickets are scanned at the gate.",
    },
  },
  "not-a-public-url": {
    levels: ["error"],
    summary: "An address that others cannot open.",
    details: "Relative, `localhost`, in a private network, or `data:`.",
    fix: "Upload the file to a public https address and write that.",
    example: { wrong: "imageUrl: posters/cover.jpg", right: "imageUrl: https://example.com/cover.jpg" },
  },
  "http-image": {
    levels: ["warning"],
    summary: "An image that is not https.",
    details: "Browsers do not show it on a page that is.",
    fix: "Use the https address of the image.",
    example: { wrong: "imageUrl: http://example.com/cover.jpg", right: "imageUrl: https://example.com/cover.jpg" },
  },
  "expiring-image-link": {
    levels: ["warning"],
    summary: "An image address that stops working after a while.",
    details: "Signed addresses, and those of social networks and chats.",
    fix: "Upload the image to a place of your own, and use that address.",
    example: {
      wrong: 'imageUrl: "https://example.com/c.jpg?Expires=1800000000&Signature=a1b2"',
      right: "imageUrl: https://example.com/c.jpg",
    },
  },
} as const satisfies CodeEntries;

export const places = {
  "venue-missing": {
    levels: ["warning"],
    summary: "An event at a venue, without saying which one.",
    fix: "Name the venue, or write `locationType: ONLINE`. `ticketing venues search TEXT` finds venues.",
    example: { wrong: "locationType: VENUE\nvenueId: null", right: "locationType: VENUE\nvenue: Palace" },
  },
  "venue-twice": {
    levels: ["error"],
    summary: "A venue given both by name and by id.",
    details: "In one event or in `defaults`. An event that gives it in one way takes neither from `defaults`.",
    fix: "Keep one of the two lines.",
    example: {
      wrong: "venueId: 5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f\nvenue: Palace",
      right: "venue: Palace",
    },
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
    details: "The message lists the nearest names. Nothing of the event is sent until it is found.",
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
    fix: "Add the city, or write the id as `venueId`.",
    example: {
      live: "venue: { name: Palace, city: Baguio }",
      wrong: "venue: Palace",
      right: "venue: { name: Palace, city: Baguio }",
    },
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
    fix: "Run `ticketing plan` once the service answers: it compares them.",
    example: "`ticketing status` while the venues of the service cannot be read.",
  },
} as const satisfies CodeEntries;
