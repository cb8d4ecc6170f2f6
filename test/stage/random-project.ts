// Random small projects and live organizations that have enough in common to be matched, edited, replaced and removed.
import fc from "fast-check";
import { stringify } from "yaml";
import type { Seed } from "../../src/sandbox/index.ts";
import type { Files } from "./plan-of.ts";

const names = fc.constantFrom("Ana", "Ben", "Chito & Co", "Dós", "日本", "E/F", "G*", "h%");
const optionalText = fc.option(fc.constantFrom("one", "two", "  spaced  ", "línea\nnext"), { nil: undefined });
const optionalUrl = fc.option(fc.constantFrom("https://a.example/1", "https://b.example/2"), { nil: undefined });

function distinct<T>(item: fc.Arbitrary<T>, key: (item: T) => string, max: number): fc.Arbitrary<T[]> {
  return fc.uniqueArray(item, { selector: key, maxLength: max });
}

const ticket = fc.record({
  name: names,
  price: fc.constantFrom(0, 500, 1500, 2000),
  quantity: fc.constantFrom(10, 50, 100),
  section: fc.option(fc.constantFrom("A", "B"), { nil: undefined }),
  published: fc.boolean(),
});
const performer = fc.record({ name: names, type: optionalText, imageUrl: optionalUrl, description: optionalText });
const brand = fc.record({ name: names, url: optionalUrl, description: optionalText });
const schedule = fc.record({
  title: names,
  hour: fc.integer({ min: 0, max: 3 }),
  color: fc.option(fc.constantFrom("#aabbcc", "#112233"), { nil: undefined }),
  performerIndex: fc.option(fc.nat(7), { nil: undefined }),
});

export const randomEvent = fc.record({
  name: fc.constantFrom("Jazz", "Rock", "Indie"),
  day: fc.integer({ min: 10, max: 12 }),
  status: fc.constantFrom("DRAFT" as const, "PUBLISHED" as const),
  description: optionalText,
  eventCapacity: fc.option(fc.constantFrom(100, 200), { nil: undefined }),
  tickets: distinct(ticket, (one) => `${one.name} ${one.section}`, 4),
  performers: distinct(performer, (one) => one.name, 3),
  schedules: distinct(schedule, (one) => `${one.title} ${one.hour}`, 3),
  brands: distinct(brand, (one) => one.name, 2),
});

export type RandomEvent = typeof randomEvent extends fc.Arbitrary<infer Event> ? Event : never;

export const randomEvents = fc.uniqueArray(randomEvent, {
  selector: (event) => `${event.name} ${event.day}`,
  maxLength: 3,
});

const webhook = fc.record({
  url: fc.constantFrom("https://hooks.example.com/a", "https://hooks.example.com/b", "https://hooks.example.com/c"),
  events: fc.subarray(["order.completed", "order.refunded", "ticket.inventory_low"] as const, { minLength: 1 }),
  isActive: fc.boolean(),
});

export const randomWebhooks = distinct(webhook, (one) => one.url, 3);

export type RandomWebhook = typeof webhook extends fc.Arbitrary<infer Webhook> ? Webhook : never;

/** An empty list means that there are to be none. */
export function toWebhookFile(webhooks: readonly RandomWebhook[]): Files {
  return { "webhooks.yaml": stringify(webhooks) };
}

/** Which lists a document leaves out, so that they are not managed. */
export const randomLists = fc.subarray(["tickets", "performers", "schedules", "brands"] as const);

function startOf(event: RandomEvent, hour = 0): string {
  return `2027-03-${event.day}T${String(11 + hour).padStart(2, "0")}:00:00.000Z`;
}

export function toFiles(events: readonly RandomEvent[], leftOut: readonly string[]): Files {
  return Object.fromEntries(
    events.map((event) => {
      const { day: _, schedules, performers, ...fields } = event;
      const document = {
        ...fields,
        dateTime: startOf(event),
        new: true,
        // A public event with nothing on sale is a mistake in the files, which is not what is looked at here.
        ignore: ["nothing-on-sale"],
        performers,
        schedules: schedules.map(({ hour, performerIndex, ...entry }) => {
          const named = leftOut.includes("performers") ? undefined : performers[performerIndex ?? -1]?.name;
          return {
            ...entry,
            startTime: startOf(event, hour),
            endTime: startOf(event, hour + 1),
            ...(named === undefined ? {} : { performer: named }),
          };
        }),
      };
      const kept = Object.fromEntries(
        Object.entries(document).filter(([key, value]) => value !== undefined && !leftOut.includes(key)),
      );
      return [`events/${event.name}-${event.day}.yaml`.toLowerCase(), stringify(JSON.parse(JSON.stringify(kept)))];
    }),
  );
}

export function toSeed(events: readonly RandomEvent[]): Seed {
  const seeded = events.map((event, index) => {
    const { day: _, ...fields } = event;
    return {
      ...fields,
      dateTime: startOf(event),
      slug: `live-${index}`,
      tickets: event.tickets.map((one) => ({ ...one, remainingQuantity: one.quantity })),
      schedules: event.schedules.map(({ hour, performerIndex, ...entry }) => ({
        ...entry,
        startTime: startOf(event, hour),
        endTime: startOf(event, hour + 1),
        performer: event.performers[performerIndex ?? -1]?.name,
      })),
    };
  });
  // What is undefined is not there; the sandbox then shows it as empty.
  return JSON.parse(JSON.stringify({ events: seeded })) as Seed;
}
