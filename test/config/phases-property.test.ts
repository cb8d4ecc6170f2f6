// Any phase equals the document edited by hand at that time.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Wish } from "../../src/model/wish.ts";
import { projectOf } from "./project-of.ts";

const start = Date.parse("2027-03-14T11:00:00Z");
const hour = 3_600_000;

const overlay = fc.record(
  {
    status: fc.constantFrom("DRAFT", "PUBLISHED", "ARCHIVED"),
    description: fc.constantFrom("one", "two", null),
    eventCapacity: fc.integer({ min: 1, max: 900 }),
    ga: fc.record(
      { price: fc.integer({ min: 0, max: 900 }), soldOut: fc.constant(true), published: fc.boolean() },
      { requiredKeys: [] },
    ),
    remove: fc.constant(true),
    venue: fc.constantFrom({ city: "Cebu" }, { name: "Arena" }),
  },
  { requiredKeys: [] },
);
type Overlay = typeof overlay extends fc.Arbitrary<infer Value> ? Value : never;

const story = fc.record({
  phases: fc.array(
    fc.record({ from: fc.integer({ min: -50, max: 50 }), length: fc.option(fc.integer({ min: 1, max: 40 })), overlay }),
    {
      maxLength: 5,
    },
  ),
  now: fc.integer({ min: -60, max: 60 }),
});

interface Document {
  readonly status: string;
  readonly description: string | null;
  readonly eventCapacity: number;
  readonly venue: { readonly name: string; readonly city: string };
  readonly tickets: readonly Record<string, unknown>[];
}

const plain: Document = {
  status: "DRAFT",
  description: "usual",
  eventCapacity: 700,
  venue: { name: "Palace", city: "Baguio" },
  tickets: [
    { name: "GA", price: 500, quantity: 100, published: false, soldOut: false },
    { name: "VIP", price: 900, quantity: 10, published: true, soldOut: false },
  ],
};

/** As a person would who changes the lines that the phase names. */
function edited(document: Document, { ga, remove, venue, ...fields }: Overlay): Document {
  return {
    ...document,
    ...(fields as Partial<Document>),
    venue: { ...document.venue, ...venue },
    tickets: document.tickets
      .map((ticket) => (ticket.name === "GA" ? { ...ticket, ...ga } : ticket))
      .filter((ticket) => ticket.name !== "VIP" || remove !== true),
  };
}

function written({ ga, remove, ...fields }: Overlay): Record<string, unknown> {
  const tickets = [...(ga === undefined ? [] : [{ name: "GA", ...ga }]), ...(remove ? [{ name: "VIP", remove }] : [])];
  return { ...fields, ...(tickets.length === 0 ? {} : { tickets }) };
}

function meant({ fields, own, children }: Wish): unknown {
  const { composed: _, ...settings } = own;
  return { fields, own: settings, tickets: children.ticket?.map((ticket) => ticket.fields) };
}

test("any phase equals the document edited by hand at that time", async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ phases: given, now }) => {
      // What is taken out once cannot be taken out again.
      let removes = 0;
      const phases = given.map((phase) => {
        if (phase.overlay.remove) removes += 1;
        const { remove: _, ...rest } = phase.overlay;
        return removes > 1 && phase.overlay.remove ? { ...phase, overlay: rest } : phase;
      });
      const text = (document: object) => `name: A\ndateTime: 2027-03-14T19:00\n${lines(document)}`;
      const list = phases.map(({ from, length, overlay: one }) => ({
        from: `${from < 0 ? "-" : "+"}${Math.abs(from)}h`,
        ...(length === null ? {} : { until: `${from + length < 0 ? "-" : "+"}${Math.abs(from + length)}h` }),
        ...written(one),
      }));
      const due = phases
        .filter(({ from, length }) => from <= now && (length === null || now < from + length))
        .toSorted((one, other) => one.from - other.from);
      const byHand = due.reduce((document, one) => edited(document, one.overlay), plain);
      const clock = { now: start + now * hour };
      const phased = await projectOf({ "events/a.yaml": text({ ...plain, phases: list }) }, clock);
      const hand = await projectOf({ "events/a.yaml": text(byHand) }, clock);
      expect(phased.diagnostics).toEqual([]);
      expect(phased.events.map(meant)).toEqual(hand.events.map(meant));
      const later = phases.flatMap(({ from, length }) => [from, ...(length === null ? [] : [from + length])]);
      expect(phased.upcoming.map(({ at }) => Date.parse(at))).toEqual(
        later
          .filter((at) => at > now)
          .sort((one, other) => one - other)
          .map((at) => start + at * hour),
      );
    }),
    { numRuns: 100 },
  );
});

function lines(document: object): string {
  return Object.entries(document)
    .map(([field, value]) => `${field}: ${JSON.stringify(value)}\n`)
    .join("");
}
