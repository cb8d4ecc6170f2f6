import { describe, expect, test } from "vitest";
import { lint, lintAcross, lintEvent, lintWebhook } from "../../src/lint/lint.ts";
import { child, context, event, project, ticket, webhook } from "../stage/short-wishes.ts";

function codes(found: readonly { code: string }[]) {
  return found.map(({ code }) => code);
}

test("a sound project brings nothing up", () => {
  expect(lint(project([event()], [webhook()]), context)).toEqual([]);
});

test("everything reported has a place, an address and a fix", () => {
  const wish = event({ type: "FREE", endDateTime: "2027-03-14T02:00", imageUrl: "x", name: "A  B" });
  const found = lint(project([wish], [webhook({ url: "http://10.0.0.1", events: [] })]), context);
  expect(found.length).toBeGreaterThan(5);
  for (const diagnostic of found) {
    expect(diagnostic.source).toBeDefined();
    expect(diagnostic.address).toBeDefined();
    expect(diagnostic.hint).toMatch(/\.$|\?$/);
    expect(diagnostic.message).toMatch(/\.$|\?$/);
  }
});

test("results come by file, line, column and code", () => {
  const later = event({ imageUrl: "x", endDateTime: "2027-03-14T02:00" }, "events/b.yaml");
  const earlier = event({ imageUrl: "x", name: "Other" }, "events/a.yaml");
  const found = lint(project([later, earlier], [webhook({ events: [] })]), context);
  expect(found.map(({ code, source }) => `${source?.file} ${code}`)).toEqual([
    "events/a.yaml not-a-public-url",
    "events/b.yaml ends-before-start",
    "events/b.yaml not-a-public-url",
    "webhooks.yaml webhook-without-events",
  ]);
  const here = event({ tickets: [ticket({ price: 150_000 })], type: "FREE", journeyType: "RSVP" });
  expect(codes(lint(project([here]), context))).toEqual([
    "free-event-with-price",
    "price-looks-like-centavos",
    "rsvp-with-price",
  ]);
});

test("a mistake in the project's defaults is reported once, not for every event", () => {
  const place = { file: "ticketing.yaml", line: 4, column: 13 };
  const events = ["a", "b", "c"].map((key) => {
    const built = event({ name: key, imageUrl: "cover.jpg" }, `events/${key}.yaml`);
    return { ...built, places: { ...built.places, imageUrl: place } };
  });
  expect(lint(project(events), context)).toMatchObject([{ code: "not-a-public-url", source: place }]);
});

test("what reading the files brought up is not reported again", () => {
  const wish = event({ description: "whsec_9fK2mQ7xT4vB1nZ8pL5d" });
  const source = wish.places.description as NonNullable<typeof wish.places.description>;
  const reported = { code: "secret-in-file", severity: "error", message: "Told while reading.", source } as const;
  expect(codes(lint(project([wish]), context))).toEqual(["secret-in-file"]);
  expect(lint({ ...project([wish]), diagnostics: [reported] }, context)).toEqual([]);
});

test("one event, and one webhook, can be looked at alone", () => {
  expect(codes(lintEvent(event({ imageUrl: "x" }), context))).toEqual(["not-a-public-url"]);
  expect(codes(lintWebhook(webhook({ events: [] }), context))).toEqual(["webhook-without-events"]);
  expect(codes(lintAcross({ events: [], webhooks: [webhook(), webhook()] }))).toEqual(["duplicate-name"]);
});

describe("ignore", () => {
  const tickets = [
    ticket({ price: 150_000, ignore: ["price-looks-like-centavos"] }),
    ticket({ name: "VIP", price: 250_000 }),
  ];

  test("of an entry silences it there and nowhere else", () => {
    const wish = event({ tickets });
    expect(lint(project([wish]), context)).toMatchObject([
      { code: "price-looks-like-centavos", source: child(wish, "ticket", 1).places.price },
    ]);
  });

  test("of an event silences it below as well", () => {
    const ignore = ["price-looks-like-centavos"];
    expect(lint(project([event({ tickets, ignore })]), context)).toEqual([]);
    expect(codes(lint(project([event({ tickets, ignore, imageUrl: "x" })]), context))).toEqual(["not-a-public-url"]);
  });

  test("of a webhook silences it there", () => {
    const hooks = [webhook({ events: [], ignore: ["webhook-without-events"] })];
    expect(lint(project([], hooks), context)).toEqual([]);
  });

  test("is to be extended where there is one", () => {
    const [found] = lint(project([event({ name: "Gala 2026", ignore: ["far-future"] })]), context);
    expect(found?.hint).toMatch(/add `year-in-name` to the `ignore` that is there\.$/);
    const [alone] = lint(project([event({ name: "Gala 2026" })]), context);
    expect(alone?.hint).toMatch(/add `ignore: \[year-in-name\]`\.$/);
  });

  test("of one event does not reach another", () => {
    const silent = event({ imageUrl: "x", ignore: ["not-a-public-url"] });
    const loud = event({ imageUrl: "x", name: "Other" }, "events/other.yaml");
    expect(lint(project([silent, loud]), context)).toMatchObject([{ address: "events/other" }]);
  });
});

describe("a risk accepted for an event that no file has", () => {
  const found = (risk: string, key: string) => {
    const { settings, ...rest } = project([event()]);
    return lint({ ...rest, settings: { ...settings, allow: [{ risk, event: key }] } }, context);
  };

  test("is the ordinary case of a deletion, however near another key is", () => {
    expect(found("delete-event", "manila-night")).toEqual([
      {
        code: "allow-unknown-event",
        severity: "info",
        message: 'The deletion of the event "manila-night" is accepted, but no file describes this event.',
        hint: "Check the key, and remove the entry once the deletion is applied.",
      },
    ]);
    expect(found("delete-event", "manila-nights")).toEqual([]);
  });

  test("has no effect for another risk; a key that is near is suggested", () => {
    for (const slip of ["manila-night", "events/manila-nights"])
      expect(found("price-change-with-sales", slip)).toMatchObject([
        { severity: "warning", hint: expect.stringContaining("Did you mean manila-nights?") },
      ]);
    expect(found("price-change-with-sales", "gala")).toMatchObject([
      { severity: "warning", message: expect.stringContaining("the entry has no effect") },
    ]);
  });
});
