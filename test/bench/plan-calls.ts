// How many reads a plan makes, held to the fewest that can show the truth, situation by situation.
import type { State, StateEntry } from "../../src/model/live.ts";
import { createService, type Seed } from "../../src/sandbox/index.ts";
import { type Files, now, planOf, type Setup } from "../stage/plan-of.ts";
import type { Figure } from "./figure.ts";

interface Situation {
  readonly name: string;
  readonly setup: () => Setup;
  readonly fewest: number;
  /** Why no fewer will do. */
  readonly why: string;
}

function file(index: number, more = ""): Files {
  return { [`events/night-${index}.yaml`]: `name: Night ${index}\ndateTime: 2027-03-14T19:00\n${more}` };
}

function files(count: number, more = ""): Files {
  return Object.assign({}, ...Array.from({ length: count }, (_, index) => file(index, more))) as Files;
}

function idOf(index: number): string {
  return `aaaaaaaa-0000-4000-8000-${String(index).padStart(12, "0")}`;
}

function live(count: number, more: object = {}): Seed {
  const events = Array.from({ length: count }, (_, index) => ({
    id: idOf(index),
    name: `Night ${index}`,
    dateTime: "2027-03-14T11:00:00.000Z",
    slug: `night-${index}`,
    status: "PUBLISHED" as const,
    ...more,
  }));
  return { events };
}

function state(count: number): State {
  const objects: Record<string, StateEntry> = {};
  for (let index = 0; index < count; index++) {
    const applied = { name: `Night ${index}`, dateTime: "2027-03-14T11:00:00.000Z" };
    objects[`events/night-${index}`] = { kind: "event", id: idOf(index), applied };
  }
  return { formatVersion: 1, lineage: "bench", serial: 1, organization: null, objects };
}

const lists =
  "tickets:\n  - { name: GA, price: 1500, quantity: 10, published: true }\nperformers: []\nschedules: []\nbrands: []\n";
const ticket = { name: "GA", price: 1500, quantity: 10, remainingQuantity: 10, published: true };

const palace = "5a9db0c0-7e1d-4b0e-8f00-000000000001";

const situations: readonly Situation[] = [
  {
    name: "one new event, empty organization",
    setup: () => ({ files: file(1) }),
    fewest: 4,
    why: "/me; one page each of PUBLISHED, DRAFT and ARCHIVED, because it could be any of them",
  },
  {
    name: "100 new events, empty organization",
    setup: () => ({ files: files(100) }),
    fewest: 5,
    why: "as for one; and one page size that this service refuses",
  },
  {
    name: "one event, live, lists not managed",
    setup: () => ({ files: file(1), live: live(3) }),
    fewest: 3,
    why: "/me; a page of PUBLISHED and of DRAFT, which might hold a twin",
  },
  {
    name: "one event, live, all lists managed",
    setup: () => ({ files: file(1, lists), live: live(3, { tickets: [ticket] }) }),
    fewest: 7,
    why: "as before; each of the four lists",
  },
  {
    name: "only ticket types managed",
    setup: () => ({ files: file(1, lists.split("performers")[0]), live: live(3, { tickets: [ticket] }) }),
    fewest: 4,
    why: "as before; one list",
  },
  {
    name: "1 of 1,000 with state",
    setup: () => ({ files: file(7), live: live(1000), state: state(1000), targets: ["events/night-7"] }),
    fewest: 2,
    why: "/me; the event by the id that state holds",
  },
  {
    name: "1,000 unchanged with state",
    setup: () => ({ files: files(1000), live: live(1000), state: state(1000) }),
    fewest: 23,
    why: "/me; 20 pages of 50 PUBLISHED; a page of DRAFT; one page size refused",
  },
  {
    name: "1,000 unchanged without state",
    setup: () => ({ files: files(1000), live: live(1000) }),
    fewest: 23,
    why: "the same: lists are cheaper than ids",
  },
  {
    name: "1 edited of 1,000 with base",
    setup: () => ({
      files: { ...files(1000, lists), ...file(7, `eventCapacity: 9\n${lists}`) },
      base: files(1000, lists),
      live: live(1000, { tickets: [ticket] }),
    }),
    fewest: 7,
    why: "/me; a search among PUBLISHED and among DRAFT; four lists",
  },
  {
    name: "1 edited of 1,000 with base and state",
    setup: () => ({
      files: { ...files(1000), ...file(7, "eventCapacity: 9\n") },
      base: files(1000),
      live: live(1000),
      state: state(1000),
    }),
    fewest: 2,
    why: "/me; the event by its id",
  },
  {
    name: "nothing differs from the base",
    setup: () => ({ files: files(1000), base: files(1000), live: live(1000) }),
    fewest: 1,
    why: "/me alone: whose key it is must be known",
  },
  {
    name: "minimal records, 20 events",
    setup: () => ({ files: files(20), live: live(20, { status: "DRAFT" }), profile: "minimal" }),
    fewest: 5,
    why: "/me; a page of each status; one page size refused; one look by id, which shows no more than the list",
  },
  {
    name: "short in lists, 20 events",
    setup: () => ({ files: files(20), live: live(20), profile: "eventRecord=short-in-lists" }),
    fewest: 24,
    why: "/me; a page of each status; one page size refused; each event by id, because only there is the start",
  },
  {
    name: "one new beside 100",
    setup: () => ({ files: { "events/new.yaml": "name: New\ndateTime: 2027-04-01T19:00\n" }, live: live(100) }),
    fewest: 8,
    why: "/me; a page of DRAFT and of PUBLISHED; a search, which finds nothing; one page size refused, two pages of 50, because it could be any of them under another name; a page of ARCHIVED",
  },
  {
    name: "one new beside 20, short in lists",
    setup: () => ({
      files: { "events/new.yaml": "name: New\ndateTime: 2027-04-01T19:00\n" },
      live: live(20),
      profile: "eventRecord=short-in-lists",
    }),
    fewest: 26,
    why: "as before, with one page of 50; each of the 20 by id, because only there is the start",
  },
  {
    name: "webhooks alone",
    setup: () => ({ files: { ...file(1), "webhooks.yaml": "[]\n" }, live: live(1), targets: ["webhooks/*"] }),
    fewest: 2,
    why: "/me; the list",
  },
  {
    name: "price edit, nothing sold",
    setup: () => ({
      files: file(1, "tickets:\n  - { name: GA, price: 1600, quantity: 10, published: true }\n"),
      live: live(1, { tickets: [ticket] }),
    }),
    fewest: 4,
    why: "/me; two pages; ticket types, whose quantities tell that nothing is sold",
  },
  {
    name: "delete, quantities tell",
    setup: () => ({
      files: file(1, "status: DELETED\nallow: [delete-event]\n"),
      live: live(1, { status: "DRAFT", tickets: [ticket] }),
    }),
    fewest: 4,
    why: "/me; two pages; ticket types for what is sold",
  },
  {
    name: "ten events at one venue",
    setup: () => ({ files: files(10, "venue: { name: Palace, city: Baguio }\n"), live: live(10, { venueId: palace }) }),
    fewest: 4,
    why: "/me; two pages; the venue once",
  },
];

export async function measure(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { name, setup, fewest, why } of situations) {
    const { profile, live: seed, ...rest } = setup();
    const service = createService({ now: () => now, ...(profile === undefined ? {} : { profile }) });
    if (seed !== undefined) service.control.seed(seed);
    const { calls } = await planOf({ ...rest, service });
    figures.push({
      name: `reads: ${name}`,
      measured: calls.length,
      goal: fewest,
      bound: "at most",
      unit: "calls",
      detail: why,
    });
  }
  return figures;
}
