// A document with phases is, at any time, the document that a person would have edited by hand; and a mistake in it is reported now
// exactly if one of those documents, from now on, has one.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Wish } from "../../../src/model/wish.ts";
import { projectOf } from "../project-of.ts";

const start = Date.parse("2027-03-14T11:00:00Z");
const hour = 3_600_000;

type Entry = Readonly<Record<string, unknown>> & { readonly name: string; readonly remove?: true };
type Document = Readonly<Record<string, unknown>> & {
  readonly status?: string;
  readonly venue?: Readonly<Record<string, string>>;
  readonly tickets?: readonly Entry[];
};

interface Phase {
  readonly from: number;
  readonly until: number | null;
  readonly overlay: Document;
}

const bare: Document = {
  status: "DRAFT",
  description: "usual",
  venue: { name: "Palace", city: "Baguio" },
  tickets: [
    { name: "GA", price: 500, quantity: 100, published: false, soldOut: false },
    { name: "VIP", price: 900, quantity: 10, published: true },
  ],
};

const ticket: fc.Arbitrary<Entry> = fc.record(
  {
    name: fc.constantFrom("GA", "VIP", "New"),
    price: fc.integer({ min: 0, max: 900 }),
    quantity: fc.constantFrom(1, 100),
    soldOut: fc.constant(true),
    published: fc.boolean(),
  },
  { requiredKeys: ["name"] },
);
const whole: fc.Arbitrary<Entry> = fc.constant({ name: "New", price: 50, quantity: 100, published: true });
const removed = fc.constantFrom<Entry>({ name: "VIP", remove: true }, { name: "New", remove: true });

/** `slips` may be mistakes: a capacity of 0, an entry that is not complete, one to remove that is not there, a value without one below. */
function storyOf(slips: boolean) {
  const overlay: fc.Arbitrary<Document> = fc.record(
    {
      status: fc.constantFrom("DRAFT", "PUBLISHED", "PUBLISHED", "ARCHIVED"),
      description: fc.constantFrom("one", "two", null),
      eventCapacity: fc.constantFrom(5, 7, ...(slips ? [0] : [])),
      venue: fc.constantFrom({ city: "Cebu" }, { name: "Arena" }, { state: "Benguet" }),
      tickets: fc.uniqueArray(slips ? fc.oneof(ticket, ticket, whole, removed) : whole, {
        maxLength: 2,
        selector: ({ name }) => name,
      }),
    },
    { requiredKeys: [] },
  );
  const phase = fc
    .record({ from: fc.integer({ min: -9, max: 9 }), length: fc.option(fc.integer({ min: 1, max: 8 })), overlay })
    .map(
      ({ from, length, overlay: one }): Phase => ({
        from,
        until: length === null || (!slips && one.status !== undefined) ? null : from + length,
        overlay: one,
      }),
    );
  return fc.record({ phases: fc.array(phase, { maxLength: 5 }), now: fc.integer({ min: -11, max: 11 }) });
}

/** As a person would who changes the lines that the phase names; null: there is no such line. */
function edited(document: Document | null, overlay: Document): Document | null {
  if (document === null) return null;
  const isEmptied = overlay.tickets?.length === 0;
  const tickets = new Map(isEmptied ? [] : document.tickets?.map((one) => [one.name, one]));
  for (const { remove, ...one } of overlay.tickets ?? []) {
    if (remove && !tickets.delete(one.name)) return null;
    if (!remove) tickets.set(one.name, { ...tickets.get(one.name), ...one });
  }
  return {
    ...document,
    ...overlay,
    venue: { ...document.venue, ...overlay.venue },
    tickets: [...tickets.values()],
  };
}

function boundariesOf(phases: readonly Phase[]): readonly number[] {
  return phases
    .flatMap(({ from, until }) => (until === null ? [from] : [from, until]))
    .sort((one, other) => one - other);
}

/** The document at a time: what was archived stays as it is. */
function byHand(phases: readonly Phase[], now: number): Document | null {
  const at = (time: number) =>
    phases
      .filter(({ from, until }) => from <= time && (until === null || time < until))
      .toSorted((one, other) => one.from - other.from)
      .reduce((document, { overlay }) => edited(document, overlay), bare as Document | null);
  const archived = boundariesOf(phases).find((time) => time <= now && statusAt(phases, time) === "ARCHIVED");
  return at(archived ?? now);
}

function statusAt(phases: readonly Phase[], time: number): string | undefined {
  const holding = phases.filter(
    ({ from, until, overlay }) => overlay.status !== undefined && from <= time && (until === null || time < until),
  );
  return holding.toSorted((one, other) => one.from - other.from).at(-1)?.overlay.status;
}

/** `venue/city`, `tickets/GA/price`: what a document says something about. */
function saidIn({ venue, tickets, ...fields }: Document): readonly string[] {
  return [
    ...Object.keys(fields),
    ...Object.keys(venue ?? {}).map((field) => `venue/${field}`),
    ...(tickets ?? []).flatMap((one) => Object.keys(one).map((field) => `tickets/${one.name}/${field}`)),
  ];
}

/** Whether what the phase has set is there no longer once it ends. */
function losesValue(phases: readonly Phase[], { overlay, until }: Phase): boolean {
  if (until === null) return false;
  const [before, after] = [byHand(phases, until - 1), byHand(phases, until)];
  if (before === null || after === null) return true;
  return saidIn(overlay).some((said) => saidIn(before).includes(said) && !saidIn(after).includes(said));
}

function offsetOf(hours: number): string {
  return `${hours < 0 ? "-" : "+"}${Math.abs(hours)}h`;
}

function projectAt(now: number, document: Document, phases: readonly Phase[]) {
  const list = phases.map(({ from, until, overlay }) => ({
    from: offsetOf(from),
    ...(until === null ? {} : { until: offsetOf(until) }),
    ...overlay,
  }));
  const all = { ...document, ...(list.length === 0 ? {} : { phases: list }) };
  const lines = Object.entries(all).map(([field, value]) => `${field}: ${JSON.stringify(value)}\n`);
  const text = `name: A\ndateTime: 2027-03-14T19:00\n${lines.join("")}`;
  return projectOf({ "events/a.yaml": text }, { now: start + now * hour });
}

function meant({ fields, own, children }: Wish): unknown {
  const { composed: _composed, phased: _phased, ended: _ended, timeless: _timeless, ...settings } = own;
  return { fields, own: settings, tickets: children.ticket?.map((one) => one.fields) };
}

test("any phase equals the document edited by hand at that time", async () => {
  await fc.assert(
    fc.asyncProperty(storyOf(false), async ({ phases, now }) => {
      const document = byHand(phases, now);
      if (document === null) throw new Error("Nothing is removed here.");
      const phased = await projectAt(now, bare, phases);
      expect(phased.events.map(meant)).toEqual((await projectAt(now, document, [])).events.map(meant));
      const archived = boundariesOf(phases).find((time) => statusAt(phases, time) === "ARCHIVED") ?? Infinity;
      expect(phased.upcoming.map(({ at }) => Date.parse(at))).toEqual(
        boundariesOf(phases)
          .filter((at) => at > now && at <= archived)
          .map((at) => start + at * hour),
      );
    }),
    { numRuns: 100 },
  );
});

test("a mistake is reported now exactly if the document that a person would have edited by hand has one, now or at a time to come", async () => {
  const met = { good: 0, bad: 0 };
  await fc.assert(
    fc.asyncProperty(storyOf(true), async ({ phases, now }) => {
      const archived = boundariesOf(phases).find((time) => statusAt(phases, time) === "ARCHIVED") ?? Infinity;
      const times = [now, ...boundariesOf(phases).filter((time) => time > now && time <= archived)];
      const documents = times.map((time) => byHand(phases, time));
      const checked = await Promise.all(
        documents.map(
          async (document) => document === null || (await projectAt(now, document, [])).diagnostics.length > 0,
        ),
      );
      const ends = phases.filter(({ until }) => until !== null && until > now && until <= archived);
      const archives = phases.filter(({ overlay }) => overlay.status === "ARCHIVED");
      const isBad =
        checked.includes(true) ||
        ends.some((phase) => losesValue(phases, phase)) ||
        // What is archived does not come back.
        (archives.findLast(({ from }) => from === archived)?.until ?? null) !== null;
      const { diagnostics } = await projectAt(now, bare, phases);
      expect(diagnostics.some(({ severity }) => severity === "error")).toBe(isBad);
      met[isBad ? "bad" : "good"] += 1;
    }),
    { numRuns: 200 },
  );
  // Neither response is a lucky guess.
  expect(Math.min(met.good, met.bad)).toBeGreaterThan(30);
});
