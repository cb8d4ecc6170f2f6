// Any series equals its dates written out by hand.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Wish } from "../../../../src/model/wish.ts";
import { projectOf } from "../../project-of.ts";

const first = Date.UTC(2027, 0, 1);

function dayAfter(days: number): string {
  return new Date(first + days * 86_400_000).toISOString().slice(0, 10);
}

const special = fc.record(
  {
    eventCapacity: fc.integer({ min: 1, max: 900 }),
    description: fc.constantFrom("d", "${var.who} again"),
    who: fc.constantFrom("Ana", "Ben"),
    price: fc.integer({ min: 0, max: 9_000 }),
    moved: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: [] },
);

const seriesOfDays = fc.record({
  every: fc.integer({ min: 1, max: 9 }),
  count: fc.integer({ min: 1, max: 8 }),
  skipped: fc.subarray([0, 1, 2, 3]),
  zone: fc.constantFrom("Asia/Manila", "Europe/Berlin", "America/New_York"),
  specials: fc.array(fc.tuple(fc.integer({ min: 0, max: 7 }), special), { maxLength: 3 }),
  rows: fc.array(fc.tuple(fc.integer({ min: 0, max: 7 }), fc.constantFrom("", "Cleo", "Dan")), { maxLength: 3 }),
  hour: fc.constantFrom("12:00", "19:30", "22:00"),
});

/** What does not say where the document is written. */
function meant(wish: Wish): unknown {
  const { source: _, places: __, own, children, ...rest } = wish;
  const { series: ___, composed: ____, ...settings } = own;
  return {
    ...rest,
    own: settings,
    children: Object.fromEntries(Object.entries(children).map(([kind, list]) => [kind, list.map(meant)])),
  };
}

test("any series equals its dates written out by hand", async () => {
  await fc.assert(
    fc.asyncProperty(seriesOfDays, async ({ every, count, skipped, zone, specials, rows, hour }) => {
      const days = Array.from({ length: count }, (_, index) => dayAfter(index * every)).filter(
        (_, index) => !skipped.includes(index),
      );
      fc.pre(days.length > 0);
      const skip = skipped.filter((index) => index < count).map((index) => dayAfter(index * every));
      const byDay = new Map(specials.map(([index, one]) => [dayAfter(index * every), one] as const));
      const rowsByDay = new Map(rows.map(([index, who]) => [dayAfter(index * every), who] as const));
      const known = [...byDay].filter(([day]) => days.includes(day));
      const sheet = [...rowsByDay].filter(([day]) => days.includes(day));

      const common = `name: "Club: \${var.who}"\ntimezone: ${zone}\nendDateTime: +3h\ntickets: [{ name: GA, price: 5, quantity: 9 }]\nschedules: [{ title: Doors, startTime: -1h, endTime: +90m }]\n`;
      const overlay = ({ eventCapacity, description, who, price }: (typeof specials)[number][1]) => ({
        ...(eventCapacity === undefined ? {} : { eventCapacity }),
        ...(description === undefined ? {} : { description }),
        ...(who === undefined ? {} : { vars: { who } }),
        ...(price === undefined ? {} : { tickets: [{ name: "GA", price }] }),
      });
      const dates = known.map(([day, one]) => {
        const moved = one.moved === undefined ? {} : { dateTime: `${dayAfter(one.moved)}T20:00` };
        return `    ${day}: ${JSON.stringify({ ...overlay(one), ...moved })}\n`;
      });
      const together = `${common}vars: { who: Residents }\ndateTime: ${hour}\nseries:\n  every: ${every} days\n  from: ${dayAfter(0)}\n  count: ${count}\n  skip: ${JSON.stringify(skip)}\n${dates.length === 0 ? "" : `  dates:\n${dates.join("")}`}${sheet.length === 0 ? "" : "  table: t.csv\n"}`;

      const apart = days.map((day) => {
        const one = byDay.get(day) ?? {};
        const who = one.who ?? (rowsByDay.get(day) || "Residents");
        const price = one.price ?? 5;
        const start = one.moved === undefined ? `${day}T${hour}` : `${dayAfter(one.moved)}T20:00`;
        const text = common.replace("price: 5", `price: ${price}`);
        const fields = [
          ...(one.eventCapacity === undefined ? [] : [`eventCapacity: ${one.eventCapacity}`]),
          ...(one.description === undefined ? [] : [`description: ${JSON.stringify(one.description)}`]),
        ];
        return `${text}key: club@${day}\nvars: { who: ${who} }\ndateTime: ${start}\n${fields.join("\n")}\n`;
      });
      const csv = `date,who\n${sheet.map(([day, who]) => `${day},${who}`).join("\n")}\n`;
      const series = await projectOf({ "events/club.yaml": together, "events/t.csv": csv });
      const written = await projectOf({ "events/club.yaml": apart.join("---\n") });
      // A sheet may leave out a date on purpose.
      expect(series.diagnostics.filter(({ code }) => code !== "bad-sheet")).toEqual([]);
      expect(written.diagnostics).toEqual([]);
      const order = ({ key }: { key?: string }) => String(key);
      const sorted = (events: readonly Wish[]) =>
        events.toSorted((one, other) => order(one.own).localeCompare(order(other.own))).map(comparable);
      expect(sorted(series.events)).toEqual(sorted(written.events));
    }),
    { numRuns: 60 },
  );
});

/** How a value is written is the one difference: `22:00` is a date and a time elsewhere. */
function comparable(wish: Wish): unknown {
  const { written: _, ...rest } = meant(wish) as { written: unknown; fields: Record<string, unknown> };
  return JSON.parse(JSON.stringify(rest, (key, value) => (key === "written" ? undefined : value)));
}
