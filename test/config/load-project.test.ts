import { describe, expect, it } from "vitest";
import { eventProject, projectOf, reported } from "./project-of.ts";

const manila = `status: PUBLISHED
name: Manila Nights
dateTime: 2027-03-14T19:00
venue: { name: Palace, city: Baguio }
tickets:
  - { name: VIP, type: VIP, price: 4500, quantity: 200, published: true }
  - { name: GA, price: 1500, quantity: 500 }
performers:
  - { name: DJ Ana, type: DJ }
schedules:
  - { title: Doors, startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00 }
  - { title: DJ Ana, startTime: 2027-03-14T20:00, endTime: 2027-03-14T22:00, performer: DJ Ana, color: "#ff8800" }
brands: []
`;

describe("an event", () => {
  it("becomes a wish with canonical fields, what it says to this tool, and its lists", async () => {
    const project = await projectOf({ "events/2027/manila-nights.yaml": manila });
    expect(project.diagnostics).toEqual([]);
    const [event] = project.events;
    expect(event).toMatchObject({
      kind: "event",
      address: "events/manila-nights",
      parent: null,
      name: "Manila Nights",
      fields: { name: "Manila Nights", dateTime: "2027-03-14T11:00:00.000Z" },
      own: {
        key: "manila-nights",
        status: "PUBLISHED",
        venue: { name: "Palace", city: "Baguio" },
        timezone: "Asia/Manila",
      },
      source: { file: "events/2027/manila-nights.yaml", line: 1, column: 1 },
      places: { dateTime: { line: 3, column: 11 }, "venue/city": { line: 4, column: 30 } },
      written: { dateTime: "2027-03-14T19:00" },
    });
    expect(event?.children.brand).toEqual([]);
    expect(event?.children.ticket?.map(({ address }) => address)).toEqual([
      "events/manila-nights/tickets/VIP",
      "events/manila-nights/tickets/GA",
    ]);
    expect(event?.children.ticket?.[1]?.fields).toEqual({ name: "GA", price: 1500, quantity: 500 });
    expect(event?.children.schedule?.[1]?.fields).toMatchObject({
      color: "#FF8800",
      performerId: { $id: "events/manila-nights/performers/DJ Ana" },
    });
  });

  it("does not manage a list that it leaves out", async () => {
    const { events } = await eventProject("name: A\ndateTime: 2027-03-14T19:00\n");
    expect(events[0]?.children).toEqual({});
  });

  it("numbers twins in their addresses", async () => {
    const { events } = await eventProject(
      "name: A\ndateTime: 2027-03-14T19:00\nbrands: [{ name: X }, { name: X }, { name: Y }]\n",
    );
    expect(events[0]?.children.brand?.map(({ address }) => address)).toEqual([
      "events/a/brands/X",
      "events/a/brands/X#2",
      "events/a/brands/Y",
    ]);
  });

  it("may leave out required fields when it is pinned by an id", async () => {
    const project = await eventProject("id: 0B0E7A4E-52a5-4b0c-9a53-3f1d6f5f7c11\nvisibility: PRIVATE\n");
    expect(project.diagnostics).toEqual([]);
    expect(project.events[0]).toMatchObject({
      name: "a",
      own: { id: "0B0E7A4E-52a5-4b0c-9a53-3f1d6f5f7c11" },
      fields: { visibility: "PRIVATE" },
    });
  });

  it("clears with null", async () => {
    const { events, diagnostics } = await eventProject(
      "name: A\ndateTime: 2027-03-14T19:00\ndescription: null\nendDateTime: ~\nschedules:\n  - { title: X, startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00, performer: null }\n",
    );
    expect(diagnostics).toEqual([]);
    expect(events[0]?.fields).toMatchObject({ description: null, endDateTime: null });
    expect(events[0]?.children.schedule?.[0]?.fields.performerId).toBeNull();
  });

  it("keeps what is good next to what is wrong", async () => {
    const { events, diagnostics } = await eventProject(
      "name: A\ndateTime: someday\nvisibility: public\neventCapacity: 700\ntickets:\n  - { name: GA, price: free, quantity: 10 }\n",
    );
    expect(reported(diagnostics)).toEqual([
      "events/a.yaml:3:13 wrong-case",
      "events/a.yaml:6:24 price-not-whole",
      "events/a.yaml:2:11 unreadable-time",
    ]);
    expect(events[0]?.fields).toEqual({ name: "A", eventCapacity: 700 });
    expect(events[0]?.children.ticket?.[0]).toMatchObject({
      fields: { name: "GA", quantity: 10 },
      written: { price: "free" },
    });
  });
});

describe("several events", () => {
  it("may be in one file, each with a key", async () => {
    const project = await projectOf({
      "events/series.yaml":
        "key: one\nname: A\ndateTime: 2027-03-14T19:00\n---\nkey: two\nname: A\ndateTime: 2027-03-15T19:00\n---\n",
    });
    expect(project.diagnostics).toEqual([]);
    expect(project.events.map(({ address }) => address)).toEqual(["events/one", "events/two"]);
  });

  it("need keys when they are in one file", async () => {
    const project = await projectOf({
      "events/series.yaml": "name: A\ndateTime: 2027-03-14T19:00\n---\nkey: two\nname: A\ndateTime: 2027-03-15T19:00\n",
    });
    expect(reported(project.diagnostics)).toEqual(["events/series.yaml:1:1 missing-field"]);
  });

  it("of one key are reported at both places", async () => {
    const { diagnostics } = await projectOf({
      "events/a.yaml": "name: A\ndateTime: 2027-03-14T19:00\n",
      "events/other.yaml": "name: B\nkey: a\ndateTime: 2027-03-14T19:00\n",
    });
    expect(reported(diagnostics)).toEqual(["events/a.yaml:1:1 duplicate-key", "events/other.yaml:2:6 duplicate-key"]);
    expect(diagnostics[1]?.related?.[0]?.source.file).toBe("events/a.yaml");
  });

  it("of one key are so in whichever form an accent is written", async () => {
    const { events, diagnostics } = await projectOf({
      "events/cafe\u0301.yaml": "name: A\ndateTime: 2027-03-14T19:00\n",
      "events/other.yaml": "key: caf\u00e9\nname: B\ndateTime: 2027-03-14T19:00\n",
      "events/third.yaml": "key: cafe\u0301s\nname: C\ndateTime: 2027-03-14T19:00\n",
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(["duplicate-key", "duplicate-key"]);
    expect(events.map(({ address }) => address)).toEqual([
      "events/caf\u00e9",
      "events/caf\u00e9#2",
      "events/caf\u00e9s",
    ]);
    expect(events[2]?.own.key).toBe("caf\u00e9s");
  });
});

it("a former name has the form of the names that it is compared with", async () => {
  const { events, diagnostics } = await eventProject(
    'name: A\ndateTime: 2027-03-14T19:00\nrenamedFrom: " Cafe\u0301"\ntickets: [{ name: B, price: 1, quantity: 1, renamedFrom: Cafe\u0301 }]\n',
  );
  expect(diagnostics).toEqual([]);
  expect(events[0]?.own.renamedFrom).toBe("Caf\u00e9");
  expect(events[0]?.children.ticket?.[0]?.own.renamedFrom).toBe("Caf\u00e9");
});

describe("defaults", () => {
  const settings = `defaults:
  timezone: Asia/Tokyo
  visibility: PRIVATE
  description: Common text
  tickets: { maximumPurchaseQuantity: 6 }
`;

  it("lie under every event and every entry, with their place in the project file", async () => {
    const { events, diagnostics } = await projectOf({
      "ticketing.yaml": settings,
      "events/a.yaml": `name: A
dateTime: 2027-03-14T19:00
visibility: PUBLIC
description: null
tickets:
  - { name: GA, price: 1, quantity: 9 }
  - { name: VIP, price: 2, quantity: 9, maximumPurchaseQuantity: 2 }
`,
    });
    expect(diagnostics).toEqual([]);
    expect(events[0]).toMatchObject({
      fields: {
        dateTime: "2027-03-14T10:00:00.000Z",
        timezone: "Asia/Tokyo",
        visibility: "PUBLIC",
        description: null,
      },
      own: { timezone: "Asia/Tokyo" },
      places: { timezone: { file: "ticketing.yaml", line: 2, column: 13 } },
    });
    expect(events[0]?.children.ticket?.map(({ fields }) => fields.maximumPurchaseQuantity)).toEqual([6, 2]);
  });

  it("make no list where an event has none", async () => {
    const { events } = await projectOf({
      "ticketing.yaml": settings,
      "events/a.yaml": "name: A\ndateTime: 2027-03-14T19:00\n",
    });
    expect(events[0]?.children.ticket).toBeUndefined();
  });

  it("are reported once when they are wrong, and are then left out", async () => {
    const { events, diagnostics } = await projectOf({
      "ticketing.yaml": "defaults:\n  visibility: SECRET\n  tikets: {}\n  tickets: { quantity: none }\n",
      "events/a.yaml": "name: A\ndateTime: 2027-03-14T19:00\n",
      "events/b.yaml": "name: B\ndateTime: 2027-03-14T19:00\n",
    });
    expect(reported(diagnostics).sort()).toEqual([
      "ticketing.yaml:2:15 unknown-value",
      "ticketing.yaml:3:3 unknown-key",
      "ticketing.yaml:4:24 quantity-not-positive",
    ]);
    expect(events[0]?.fields).not.toHaveProperty("visibility");
  });
});

describe("performers", () => {
  it("that an entry names and no list has are reported with a suggestion", async () => {
    const { diagnostics } = await eventProject(manila.replace("performer: DJ Ana", "performer: DJ Anna"));
    expect(reported(diagnostics)).toEqual(["events/a.yaml:12:89 unknown-performer"]);
    expect(diagnostics[0]?.hint).toBe("Did you mean DJ Ana?");
  });

  it.each(["[DJ Ana]", "DJ Ana"])("that are plain texts are reported once: %s", async (performers) => {
    const { diagnostics } = await eventProject(
      `name: A\ndateTime: 2027-03-14T19:00\nperformers: ${performers}\nschedules: [{ title: Set, startTime: 20:00, endTime: 21:00, performer: DJ Ana }]\n`,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(["wrong-type"]);
  });
});

describe("webhooks", () => {
  it("are wishes with their url as their name", async () => {
    const project = await projectOf({
      "webhooks.yml": '- { url: "https://a.example/x", events: [order.refunded, order.completed], secretName: S }\n',
    });
    expect(project.webhooksManaged).toBe(true);
    expect(project.webhooks[0]).toMatchObject({
      address: "webhooks/https:%2F%2Fa.example%2Fx",
      fields: { url: "https://a.example/x", events: ["order.completed", "order.refunded"] },
      own: { secretName: "S" },
      places: { "events/1": { line: 1, column: 58 } },
    });
  });

  it("are not managed without a file, and are none with an empty list", async () => {
    expect((await eventProject(manila)).webhooksManaged).toBe(false);
    const empty = await projectOf({ "webhooks.yaml": "[]\n" });
    expect(empty).toMatchObject({ webhooksManaged: true, webhooks: [] });
    expect(empty.diagnostics).toEqual([]);
  });

  it("are a list", async () => {
    const { diagnostics } = await projectOf({ "webhooks.yaml": "url: https://a.example\n" });
    expect(reported(diagnostics)).toContain("webhooks.yaml:1:1 wrong-type");
  });
});

describe("files", () => {
  it("are found by the globs of the project file, and have one meaning each", async () => {
    const project = await projectOf({
      "ticketing.yaml": 'events: ["**/*.yaml", "shows/*.yml"]\nwebhooks: hooks/*.yaml\n',
      "a.yaml": "name: A\ndateTime: 2027-03-14T19:00\n",
      "shows/b.yml": "name: B\ndateTime: 2027-03-14T19:00\n",
      "hooks/main.yaml": "[]\n",
      "other.yml": "nothing: here\n",
    });
    expect(project.diagnostics).toEqual([]);
    expect(project.events.map(({ name }) => name)).toEqual(["A", "B"]);
    expect(project.files).toBe(4);
  });

  it("that the project file promises and no one wrote are reported", async () => {
    const texts = { "ticketing.yaml": "version: 1\nevents: shows/*.yaml\n", "webhooks.yaml": "[]\n" };
    expect(reported((await projectOf(texts)).diagnostics)).toEqual(["ticketing.yaml:2:9 no-files-matched"]);
    expect(reported((await projectOf({})).diagnostics)).toEqual(["no-files-matched"]);
    expect(reported((await projectOf({ "ticketing.yaml": "version: 1\nevents: ../a/*.yaml\n" })).diagnostics)).toEqual([
      "ticketing.yaml:2:9 outside-project",
    ]);
  });

  it("that are empty are reported", async () => {
    const { diagnostics } = await projectOf({ "events/a.yaml": "# soon\n", "webhooks.yaml": "" });
    expect(reported(diagnostics)).toEqual(["events/a.yaml:1:1 empty-file", "webhooks.yaml:1:1 empty-file"]);
  });
});
