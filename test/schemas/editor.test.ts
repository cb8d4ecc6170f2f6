import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Editor, startEditor } from "./language-server.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "examples", "typed", "events");

let editor: Editor;
let opened = 0;

beforeAll(async () => {
  editor = await startEditor(root);
});

afterAll(() => editor.close());

/** Types a file that names its schema as the examples do. The bar `|` is where the cursor is. */
async function type(schema: string, lines: readonly string[]) {
  opened += 1;
  const path = join(folder, `typed-${opened}.yaml`);
  const marked = [`# yaml-language-server: $schema=../../../schemas/${schema}.json`, ...lines].join("\n");
  const before = marked.split("|")[0] ?? "";
  const text = marked.replace("|", "");
  const found = await editor.open(path, text);
  const cursor = { line: before.split("\n").length - 1, character: before.length - before.lastIndexOf("\n") - 1 };
  return {
    messages: found.map((one) => `${one.range.start.line + 1}:${one.range.start.character + 1} ${one.message}`),
    complete: async () => [...(await editor.complete(path, cursor)).keys()],
    offers: () => editor.complete(path, cursor),
    hover: () => editor.hover(path, cursor),
  };
}

const start = ["name: Manila Nights", "dateTime: 2027-03-14T19:00"];

describe("an editor that knows the event schema", () => {
  test("finds nothing wrong with a right file", async () => {
    const { messages } = await type("event", [
      "status: PUBLISHED",
      ...start,
      "endDateTime: null",
      'venueId: "${var.hall}"',
      "eventCapacity: ${var.seats}",
      "absorbFees: ${env.TICKETING_VAR_FEES}",
      'visibility: "${var.who}"',
      "galleryUrls: [https://example.com/1.jpg]",
      "tickets:",
      "  - { name: VIP, type: VIP, price: 4500, quantity: 200, published: true }",
      '  - { name: GA, price: "${var.price}", quantity: 500, published: "${var.onSale}" }',
      "  - { id: 0B0E7A4E-52A5-4B0C-9A53-3F1D6F5F7C11, soldOut: true }",
      "performers: [{ name: DJ Ana, type: DJ }]",
      "schedules:",
      "  - { title: Doors, startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00, color: '#FF8800', performer: DJ Ana }",
      "brands: []",
    ]);
    expect(messages).toEqual([]);
  });

  test("finds nothing wrong with a venue by name", async () => {
    expect((await type("event", [...start, "venue: { name: Palace, city: Baguio }"])).messages).toEqual([]);
  });

  test.each([
    ["a typo in a key", [...start, "nmae: x"], /^4:1 Property nmae is not allowed/],
    [
      "a typo in a ticket's key",
      [...start, "tickets:", "  - { name: a, price: 1, quantity: 1, pirce: 2 }"],
      /^5:39 Property pirce is not allowed/,
    ],
    [
      "a word of the wrong case",
      [...start, "visibility: public"],
      /^4:13 Value is not accepted. Valid values: "PUBLIC", "PRIVATE"/,
    ],
    ["a price that is not whole", [...start, "tickets: [{ name: a, price: 1.5, quantity: 1 }]"], /^4:29 .*"integer\b/],
    [
      "a bad color",
      [...start, "schedules:", "  - { title: a, startTime: x, endTime: y, color: '#f00' }"],
      /^5:50 Write a color as # and six hexadecimal digits, in quotes, such as "#FF8800"\.$/,
    ],
    ["a missing name", ["dateTime: 2027-03-14T19:00"], /Missing property "name"/],
    ["a ticket without a name", [...start, "tickets: [{ price: 1, quantity: 3 }]"], /Missing property "name"/],
    ["a ticket without a price", [...start, "tickets: [{ name: GA, quantity: 3 }]"], /^4:11 Missing property "price"/],
    [
      "a ticket without a quantity",
      [...start, "tickets: [{ name: GA, price: 3 }]"],
      /^4:11 Missing property "quantity"/,
    ],
    [
      "a ticket without a price, in an event with an id",
      [...start, "id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11", "tickets: [{ name: GA, quantity: 3 }]"],
      /^5:11 Missing property "price"/,
    ],
    [
      "a time without a date",
      ["name: Manila Nights", "dateTime: 19:00"],
      /^3:11 Write a date and a time, such as 2027-03-14T19:00\. Only a `series` uses a time without a date\.$/,
    ],
    [
      "a date in a series",
      [...start, "series: { every: friday, from: 2027-03-12, count: 3 }"],
      /^3:11 In a `series`, the start is only a time, such as 22:00;/,
    ],
    ["no day of the week", [...start, "weekday: fryday"], /^4:10 Use a day of the week, such as friday\.$/],
    ["what is no id", [...start, "id: manila"], /^4:5 An id is 32 hexadecimal digits/],
    [
      "what is no id of a venue",
      [...start, "venueId: palace"],
      /^4:10 A venue's id is .* To give the venue by its name, write `venue: Palace`\.$/,
    ],
    [
      "what is no day",
      [...start, "allow: [{ risk: delete-event, until: soon }]"],
      /^4:38 Write it as YYYY-MM-DD, such as/,
    ],
    ["a switch of another kind", [...start, "absorbFees: yes"], /^4:13 Write true or false, without quotes\.$/],
    ["a schedule entry without a title", [...start, "schedules: [{ color: '#FF8800' }]"], /Missing property "title"/],
  ])("shows %s where it is", async (_, lines, message) => {
    const { messages } = await type("event", lines);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(message);
  });

  test("with an id, nothing else is asked for", async () => {
    expect((await type("event", ["id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11"])).messages).toEqual([]);
  });

  test("what the project's defaults may supply is not asked for", async () => {
    const { messages } = await type("event", ["name: x", "schedules: [{ title: Doors }]"]);
    expect(messages).toEqual([]);
  });

  test("what a template or a date of the series may supply is not asked for", async () => {
    const tickets = "tickets: [{ name: GA }]";
    const series = ["name: x", "dateTime: 22:00", "series:", "  also: [2027-02-12]"];
    expect((await type("event", ["extends: club-night", tickets])).messages).toEqual([]);
    const date = ["  dates:", "    2027-02-12: { dateTime: 2027-02-13T22:00, tickets: [{ name: GA, price: 1 }] }"];
    expect((await type("event", [...series, ...date, tickets])).messages).toEqual([]);
    expect((await type("event", [...series, tickets])).messages).toHaveLength(2);
    expect((await type("event", [...start, "phases: [{ from: -2w, tickets: [{ name: GA }] }]"])).messages).toEqual([]);
  });

  test("with a template, nothing else is asked for", async () => {
    const { messages } = await type("event", [
      "extends: [club-night, free]",
      "dateTime: 2027-03-14T19:00",
      "vars: { headliner: DJ Ana, seats: 700, open: true }",
      "without: [brands, vars]",
      "tickets: [{ name: GA, remove: true }]",
    ]);
    expect(messages).toEqual([]);
  });

  test("completes and explains how an event is composed", async () => {
    const { complete } = await type("event", [...start, "ext|"]);
    expect(await complete()).toEqual(expect.arrayContaining(["extends", "without", "vars"]));
    expect(await (await type("event", [...start, "without:", "  - |"])).complete()).toEqual(
      expect.arrayContaining(["brands", "callbackUrl"]),
    );
    expect(await (await type("event", [...start, "ext|ends: club-night"])).hover()).toContain(
      "fields written here override them all.",
    );
    const { hover } = await type("event", [...start, "brands:", "  - { name: San Miguel, rem|ove: true }"]);
    expect(await hover()).toContain("removes the inherited entry");
  });

  test("knows a series, and what a date of it may say", async () => {
    const { messages } = await type("event", [
      "name: Friday Club",
      "dateTime: 22:00",
      "series:",
      "  every: [friday, saturday]",
      "  from: 2027-01-08",
      "  count: 50",
      "  skip: [2027-04-02]",
      "  table: line-up.csv",
      "  dates:",
      "    2027-02-12: { vars: { headliner: DJ Ana }, tickets: [{ name: GA, price: 650 }], without: [brands] }",
    ]);
    expect(messages).toEqual([]);
    const inSeries = ["name: Friday Club", "dateTime: 22:00", "series:", "  every: friday"];
    expect(await (await type("event", [...inSeries, "  |"])).complete()).toEqual(
      expect.arrayContaining(["until", "skip", "also", "dates", "table", "keepEnded"]),
    );
    expect(await (await type("event", [...inSeries, "  ta|ble: line-up.csv"])).hover()).toContain(
      "The path of a CSV file, from the folder of this file",
    );
    const { complete } = await type("event", [...inSeries, "  dates:", "    2027-02-12:", "      |"]);
    expect(await complete()).toEqual(expect.arrayContaining(["vars", "tickets", "dateTime", "id"]));
    expect((await type("event", [...inSeries, "  untill: x"])).messages).toEqual([
      expect.stringMatching(/Property untill is not allowed/),
    ]);
  });

  test("knows phases, and what one may say", async () => {
    const { messages } = await type("event", [
      ...start,
      "phases:",
      "  - { name: Announce, from: -6w at 10:00, status: PUBLISHED }",
      "  - name: Early bird ends",
      "    from: -2w",
      "    until: -1d",
      "    tickets: [{ name: Early bird, soldOut: true }]",
      "    allow: [archive-with-sales]",
    ]);
    expect(messages).toEqual([]);
    const { complete } = await type("event", [...start, "phases:", "  - name: Announce", "    |"]);
    const known = await complete();
    expect(known).toEqual(expect.arrayContaining(["from", "until", "status", "tickets", "allow"]));
    for (const field of ["dateTime", "key", "timezone", "series"]) expect(known).not.toContain(field);
    const { hover } = await type("event", [...start, "phases:", "  - fr|om: -2w"]);
    expect(await hover()).toContain("When the phase begins");
  });

  test("completes keys", async () => {
    const { complete } = await type("event", [...start, "ti|"]);
    expect(await complete()).toEqual(expect.arrayContaining(["timezone", "tickets"]));
  });

  test("completes keys of a ticket type", async () => {
    const { complete } = await type("event", [...start, "tickets:", "  - name: VIP", "    |"]);
    expect(await complete()).toEqual(expect.arrayContaining(["price", "quantity", "soldOut"]));
  });

  test("completes values", async () => {
    const { complete } = await type("event", [...start, "status: |"]);
    expect((await complete()).toSorted()).toEqual(["ARCHIVED", "DELETED", "DRAFT", "PUBLISHED"]);
  });

  test.each([
    ["status: |", "ARCHIVED", "Closed for good: kept for its orders, never changed again."],
    ["type: |", "null", "The service's default."],
    ["tickets:\n  - name: GA\n    type: |", "RESERVED_SEAT", "An assigned seat: give section and row."],
    ["allow: [|]", "delete-event", "An event is deleted."],
    ["without: [|]", "brands", "Brands"],
    ["abs|", "absorbFees", "`true`: buyers pay exactly the price, and fees are taken out of it."],
  ])("says what it offers: %s", async (line, label, text) => {
    const { offers } = await type("event", [...start, line]);
    expect((await offers()).get(label)).toContain(text);
  });

  test("knows the days of the week, in any case", async () => {
    const { complete, messages } = await type("event", [...start, "weekday: |"]);
    expect(messages).toHaveLength(1);
    expect(await complete()).toEqual(expect.arrayContaining(["monday", "friday", "sunday"]));
    for (const day of ["friday", "Friday", "FRI", '"${var.day}"'])
      expect((await type("event", [...start, `weekday: ${day}`])).messages).toEqual([]);
  });

  test("completes switches and numbers", async () => {
    expect(await (await type("event", [...start, "absorbFees: |"])).complete()).toEqual(["true", "false", "null"]);
    expect(await (await type("event", [...start, "eventCapacity: |"])).complete()).toEqual(["700", "null"]);
  });

  test("explains what the cursor is on, with an example", async () => {
    const { hover } = await type("event", [...start, "absorb|Fees: true"]);
    const text = await hover();
    expect(text).toMatch(/^#### Absorb fees\n\n`true`: buyers pay exactly the price/);
    expect(text).toMatch(/Example:\s+```yaml\s+true/);
  });

  test.each([
    ["da|teTime: 2027-03-14T19:00", "Start"],
    ["i|d: { production: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11 }", "ID"],
    ["exten|ds: club-night", "Extends"],
    ["ven|ue: Palace", "Venue"],
    ["ven|ue: { name: Palace }", "Venue"],
    ["im|ageUrl: https://example.com/1.jpg", "Image URL"],
    ["tick|ets: [{ name: GA, price: 1, quantity: 1 }]", "Ticket types"],
    ["tickets: [{ name: GA, price: 1, quant|ity: 1 }]", "Quantity"],
    ["phases: [{ from: -2w, tickets: [{ name: GA, sold|Out: true }] }]", "Sold out"],
  ])("shows the title of the field, once, and clean Markdown: %s", async (line, title) => {
    const text = await (await type("event", ["name: Manila Nights", line])).hover();
    expect(text.split("\n")[0]).toBe(`#### ${title}`);
    expect(text).not.toMatch(/\\|\|\|/);
    expect(text.split("\n")[2]).toMatch(/^\S.*\.$/);
  });

  test("explains a choice with its words", async () => {
    const text = await (await type("event", [...start, "visi|bility: PUBLIC"])).hover();
    expect(text).toMatch(
      /Allowed Values:\s+\* `PUBLIC`: Anyone can find it\.\n\* `PRIVATE`: The .*\n\* `null`: The service's default\./,
    );
  });

  test("explains a clearable field of a ticket type's sibling", async () => {
    const { hover } = await type("event", [...start, "performers:", "  - { name: DJ Ana, im|ageUrl: null }"]);
    expect(await hover()).toContain("The https URL of a picture");
  });

  test("checks every document of a file that names the schema", async () => {
    const second = [
      "---",
      "# yaml-language-server: $schema=../../../schemas/event.json",
      "key: b",
      ...start,
      "nmae: x",
    ];
    const { messages } = await type("event", ["key: a", ...start, ...second]);
    expect(messages).toEqual([expect.stringMatching(/^10:1 Property nmae is not allowed/)]);
  });
});

describe("an editor that knows the template schema", () => {
  test("asks for nothing, and knows the fields that events share", async () => {
    expect((await type("template", ["extends: base", "venue: Palace", "tickets: [{ name: GA }]"])).messages).toEqual(
      [],
    );
    const { complete } = await type("template", ["venue: Palace", "|"]);
    const known = await complete();
    expect(known).toEqual(expect.arrayContaining(["tickets", "extends", "vars", "status"]));
    for (const field of ["key", "id", "new", "renamedFrom"]) expect(known).not.toContain(field);
  });

  test("shows what belongs to one event alone", async () => {
    expect((await type("template", ["key: a"])).messages).toEqual([
      expect.stringMatching(/^2:1 Property key is not allowed/),
    ]);
  });

  test("explains a field", async () => {
    const text = await (await type("template", ["visi|bility: PUBLIC"])).hover();
    expect(text).toMatch(/^#### Visibility\n/);
  });
});

describe("an editor that knows the webhooks schema", () => {
  test("completes the types of notification", async () => {
    const { complete } = await type("webhooks", ["- url: https://hooks.example.com/orders", "  events:", "    - |"]);
    expect(await complete()).toEqual(expect.arrayContaining(["order.completed", "ticket.inventory_low"]));
  });

  test("shows a webhook without events", async () => {
    const { messages } = await type("webhooks", ["- url: https://hooks.example.com/orders"]);
    expect(messages).toEqual([expect.stringMatching(/Missing property "events"/)]);
  });
});

describe("an editor that knows the project schema", () => {
  const project = ["version: 1", "organization: acme-live"];

  test("finds nothing wrong with a right file", async () => {
    const { messages } = await type("project", [
      ...project,
      "events: [events/*.yaml, more/*.yaml]",
      "environments:",
      "  production: { baseUrl: https://api.example.com/open-api/v1, apiKeyEnv: KEY, vars: { hooksHost: a } }",
      "defaults: { timezone: Asia/Manila, eventCapacity: '${var.n}', tickets: { maximumPurchaseQuantity: 6 } }",
      "vars: { n: 700, who: acme, open: true }",
      "allow: [price-change-with-sales]",
      "secrets: { sink: file, path: .ticketing/secrets.json }",
      "state: { backend: file }",
    ]);
    expect(messages).toEqual([]);
  });

  test("shows a variable where none is filled in", async () => {
    const { messages } = await type("project", [...project, "maxDeletes: ${var.n}"]);
    expect(messages).toEqual([expect.stringMatching(/^4:13 Write a whole number/)]);
  });

  test("completes keys of an environment", async () => {
    const { complete } = await type("project", [...project, "environments:", "  production:", "    b|"]);
    expect(await complete()).toEqual(expect.arrayContaining(["baseUrl", "apiKeyEnv"]));
  });

  test("explains a key", async () => {
    const { hover } = await type("project", [...project, "max|Deletes: 3"]);
    expect(await hover()).toContain("The maximum number of events that one apply can delete");
  });

  test("shows a typo where it is", async () => {
    const { messages } = await type("project", [...project, "maxDelete: 3"]);
    expect(messages).toEqual([expect.stringMatching(/^4:1 Property maxDelete is not allowed/)]);
  });
});
