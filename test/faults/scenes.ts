// The applies that every fault is tried on.
import { readFiles } from "../stage/golden.ts";
import type { Files } from "../stage/theater.ts";

export interface Scene {
  readonly name: string;
  /** What was applied before; null: nothing. */
  readonly before: Files | null;
  readonly files: Files;
}

const project = "version: 1\nsecrets: { sink: file, path: .ticketing/secrets.json }\n";

export const festival: Scene = { name: "festival from nothing", before: null, files: readFiles("examples/festival") };

/** Renames, replacements, deletions, a move to draft and back to public, an event that goes and one that comes. */
export const largeEdit: Scene = {
  name: "large edit",
  before: {
    "ticketing.yaml": project,
    "events/nights.yaml": `
status: PUBLISHED
name: Manila Nights
dateTime: 2027-03-14T19:00+08:00
description: A night of music
eventCapacity: 700
tickets:
  - { name: VIP, price: 4500, quantity: 200, published: true }
  - { name: GA, price: 1500, quantity: 500, published: true }
  - { name: Early, price: 900, quantity: 50, published: false }
performers:
  - { name: DJ Ana, type: DJ, description: House }
  - { name: Ben, type: ARTIST }
schedules:
  - { title: Doors, startTime: 2027-03-14T19:00+08:00, endTime: 2027-03-14T20:00+08:00 }
  - { title: Ana plays, startTime: 2027-03-14T20:00+08:00, endTime: 2027-03-14T22:00+08:00, performer: DJ Ana }
  - { title: Ben plays, startTime: 2027-03-14T22:00+08:00, endTime: 2027-03-14T23:00+08:00, performer: Ben }
brands:
  - { name: San Miguel, url: "https://example.com" }
  - { name: Tubig }
`,
    "events/quiet.yaml":
      "status: PUBLISHED\nname: Quiet Night\ndateTime: 2027-04-01T19:00+08:00\ntickets: [{ name: GA, price: 100, quantity: 10, published: true }]\n",
    "events/gone.yaml":
      "name: Old Night\ndateTime: 2027-05-01T19:00+08:00\ntickets: [{ name: GA, price: 100, quantity: 10, published: false }]\n",
  },
  files: {
    "ticketing.yaml": project,
    "events/nights.yaml": `
status: PUBLISHED
name: Manila Nights II
renamedFrom: Manila Nights
dateTime: 2027-03-14T19:00+08:00
description: A longer night of music
tickets:
  - { name: VIP, price: 4800, quantity: 220, published: true }
  - { name: General, renamedFrom: GA, price: 1500, quantity: 500, published: true, soldOut: true }
  - { name: Balcony, price: 2000, quantity: 80, published: true }
performers:
  - { name: DJ Ana, type: DJ, description: House and disco }
  - { name: Cora, type: HOST }
schedules:
  - { title: Doors, startTime: 2027-03-14T18:30+08:00, endTime: 2027-03-14T20:00+08:00 }
  - { title: Ana plays, startTime: 2027-03-14T20:00+08:00, endTime: 2027-03-14T22:00+08:00, performer: DJ Ana }
  - { title: Cora speaks, startTime: 2027-03-14T22:00+08:00, endTime: 2027-03-14T23:00+08:00, performer: Cora, color: "#112233" }
brands:
  - { name: San Miguel, url: "https://example.com/new" }
`,
    "events/quiet.yaml":
      "status: DRAFT\nname: Quiet Night\ndateTime: 2027-04-01T19:00+08:00\ndescription: Not yet\ntickets: [{ name: GA, price: 100, quantity: 10, published: true }]\n",
    "events/fresh.yaml":
      "status: PUBLISHED\nname: Fresh Night\ndateTime: 2027-06-01T19:00+08:00\ntickets: [{ name: GA, price: 300, quantity: 30, published: true }]\nperformers: [{ name: Dan }]\n",
  },
};

export const webhooks: Scene = {
  name: "webhooks",
  before: {
    "ticketing.yaml": project,
    "webhooks.yaml": `
- { url: "https://hooks.example.com/orders", events: [order.completed], isActive: true }
- { url: "https://hooks.example.com/old", events: [order.completed] }
`,
  },
  files: {
    "ticketing.yaml": project,
    "webhooks.yaml": `
- { url: "https://hooks.example.com/orders", events: [order.completed, order.refunded], isActive: false }
- { url: "https://hooks.example.com/new", events: [order.completed] }
- { url: "https://hooks.example.com/stock", events: [ticket.inventory_low], isActive: false }
`,
  },
};

export const scenes: readonly Scene[] = [festival, largeEdit, webhooks];
