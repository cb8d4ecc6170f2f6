// What is said of mistakes that are easy to make, and whether it helps.
import { describe, expect, it, test } from "vitest";
import { lint } from "../../../src/lint/lint.ts";
import { projectOf } from "../project-of.ts";

const start = "name: A\ndateTime: 2027-03-14T19:00\n";

/** `line:column code: message | hint` of everything that is reported. */
async function say(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const { diagnostics } = await projectOf({ "events/a.yaml": start, ...texts });
  return diagnostics.map(
    ({ code, message, hint, source }) => `${source?.line}:${source?.column} ${code}: ${message} | ${hint}`,
  );
}

function messagesOfEvent(text: string): Promise<string[]> {
  return say({ "events/a.yaml": start + text });
}

describe("a key of digits", () => {
  const split = "Inside brackets a comma ends the value, so it splits this number.";

  it.each([
    ["price: 1,500", "Write 1500, without the comma."],
    ["price: 200,50", "Write 200 or 201, without the comma."],
    ["price: 12,000", "Write 12000, without the comma."],
    ["price: 200,00", "Write 200, without the comma."],
    ["price: 9,00", "Write 9 or 900, without the comma."],
    ["price: 12,500.00", "Write 12500, without the comma."],
    ["price: 12,500.75", "Write 12500 or 12501, without the comma."],
    ["price: ₱1,500", "Write 1500, without the comma."],
    ["price: PHP 1,500", "Write 1500, without the comma."],
    ["price: many,500", "Write the number without a comma."],
  ])("is half a number within brackets: %s", async (field, hint) => {
    const said = await messagesOfEvent(`tickets: [{ name: GA, quantity: 1, ${field} }]\n`);
    expect(said).toContainEqual(expect.stringContaining(`unknown-key: ${split} | ${hint}`));
    // No message says to write a price of 1.
    expect(said.join()).not.toContain("Write 1,");
  });

  it("is part of no price that others are compared with", async () => {
    const vip = "{ name: VIP, price: 12,500.00, quantity: 5, published: true }";
    const ga = "{ name: GA, price: 1500, quantity: 5, published: true }";
    const project = await projectOf({ "events/a.yaml": `${start}tickets: [${vip}, ${ga}]\n` });
    expect(project.diagnostics).toMatchObject([{ code: "unknown-key" }]);
    const codes = lint(project, { now: 0, environment: "sandbox" }).map(({ code }) => code);
    expect(codes).not.toContain("price-looks-like-centavos");
    expect(codes).not.toContain("vip-cheaper-than-ga");
  });

  it.each(["1: x\n", "1:\n", "eventCapacity: 5\n500: x\n", "eventCapacity: 5\n500:\n"])(
    "is a key as any other without them: %j",
    async (text) => {
      const said = await messagesOfEvent(text);
      expect(said).toEqual([expect.stringMatching(/unknown-key: Unknown field `\d+`\./)]);
    },
  );
});

describe("a number with separators", () => {
  it.each([
    ['price: "200,50"', "Write 200 or 201."],
    ['price: "200,00"', "Write 200, which means ₱200.00."],
    ['price: "9,00"', "Write 9 or 900."],
    ['price: "0,00"', "Write 0, which means ₱0.00."],
    ['price: "₱1,500.00"', "Write 1500, which means ₱1,500.00."],
    ['price: "1.500,00"', "Write 1500, which means ₱1,500.00."],
    ['price: "1.500.000"', "Write 1500000, which means ₱1,500,000.00."],
    ['price: "1,500.50 pesos"', "Write 1500 or 1501."],
    ['price: "1,50,0"', "Write a number such as 1500, which means ₱1,500.00."],
    ["price: 1.500", "Write 1, 2 or 1500."],
    ["price: 150.5", "Write 150 or 151."],
    ['price: 1, quantity: "1,5"', "Write 1 or 2, without quotes or commas."],
    ['price: 1, quantity: "1,500"', "Write 1500, without quotes or commas."],
    ["price: 1, quantity: 1.500", "Write a whole number, such as 2 or 1500."],
  ])("is not read as another: %s", async (fields, hint) => {
    const said = await messagesOfEvent(
      `tickets: [{ name: GA, ${fields}${fields.includes("quantity") ? "" : ", quantity: 1"} }]\n`,
    );
    expect(said.map((one) => one.split(" | ")[1])).toEqual([hint]);
  });
});

describe("a field of another kind", () => {
  it.each([
    ["color: red", "3:1", "It belongs one level down, in an entry of `schedules`."],
    ["colour: red", "3:1", "It is called `color`, and belongs one level down, in an entry of `schedules`."],
    ["qty: 5", "3:1", "It is called `quantity`, and belongs one level down, in an entry of `tickets`."],
    ["isActive: true", "3:1", "It belongs in a webhook, in webhooks.yaml."],
    ["performers: [{ name: B, price: 5 }]", "3:25", "It belongs in an entry of `tickets`."],
    ["performers: [{ name: B, startTime: x }]", "3:25", "It belongs in an entry of `schedules`."],
    ["performers: [{ name: B, visibility: PUBLIC }]", "3:25", "It belongs one level up, next to `performers`."],
    ["venue: { name: B, color: red }", "3:19", "It belongs in an entry of `schedules`."],
  ])("is reported with its place: %s", async (text, place, hint) => {
    const [said] = await messagesOfEvent(text);
    expect(said).toMatch(new RegExp(`^${place} unknown-key: .* does not belong here\\.`));
    expect(said?.split(" | ")[1]).toBe(hint);
  });

  it("around the whole event is reported alone, without what is within it", async () => {
    const said = await say({ "events/a.yaml": `event:\n  ${start.trim().replace("\n", "\n  ")}\n` });
    expect(said).toEqual([expect.stringContaining("1:1 unknown-key: Unknown field `event`.")]);
  });

  it.each([
    ["performers: [{ name: B, role: DJ }]", "Did you mean `type`?"],
    ["brands: [{ name: B, logo: x }]", "Did you mean `imageUrl`?"],
  ])("of a performer or brand by another name is known: %s", async (text, hint) => {
    expect((await messagesOfEvent(text)).map((said) => said.split(" | ")[1])).toEqual([hint]);
  });

  it.each(["earlyBird: 300", "tickets: [{ name: GA, price: 500, quantity: 5, earlyBird: 300 }]"])(
    "that stands for an early bird is answered with a ticket type and a phase that ends it: %s",
    async (text) => {
      const [said] = await messagesOfEvent(text);
      expect(said).toMatch(/ \| Remove this field, and add a ticket type.* a phase that sets `soldOut: true` in it\.$/);
    },
  );

  it("in the defaults is reported with its place there", async () => {
    expect(await say({ "ticketing.yaml": "defaults: { color: red, tickets: { colour: red } }\n" })).toEqual([
      expect.stringContaining("| It is called `color`, and belongs in `schedules`."),
      expect.stringContaining("| It belongs one level down, in `schedules`."),
    ]);
  });
});

it("a version in quotes is to be written without them", async () => {
  expect(await say({ "ticketing.yaml": 'version: "1"\n' })).toEqual([
    '1:10 wrong-type: `version` is the text "1", but must be a number. | Write 1, without quotes.',
  ]);
});

it("many words to choose from are said once", async () => {
  const [said = ""] = await messagesOfEvent("allow: [bogus]\n");
  expect(said).toMatch(
    /^3:9 unknown-value: Entry 1 of `allow` is "bogus", which is not a known value\. \| Use one of: delete-event, /,
  );
  expect(said.match(/delete-webhook/g)).toHaveLength(1);
});

describe("the events of a webhook", () => {
  const url = "url: https://hooks.example.com";

  it("that are missing are reported once", async () => {
    expect(await say({ "webhooks.yaml": `- ${url}\n` })).toEqual([
      '1:3 webhook-without-events: `events` is missing in "https://hooks.example.com". | Add a line such as `events: [order.completed, order.refunded]`.',
    ]);
  });

  it("that go by another name are not missing", async () => {
    expect(await say({ "webhooks.yaml": `- { ${url}, event: [order.completed] }\n` })).toEqual([
      "1:37 unknown-key: Unknown field `event`. | Did you mean `events`?",
    ]);
  });

  it.each([
    [
      "order.completed",
      'wrong-type: `events` of "https://hooks.example.com" is the text "order.completed" where a list is expected. | Write it as a list: [order.completed], or with a dash before each entry.',
    ],
    ["", 'webhook-without-events: `events` of "https://hooks.example.com" is empty. | List at least one.'],
    ["[order.paid]", "unknown-event-type: "],
  ])("are a list: %j", async (events, said) => {
    expect(await say({ "webhooks.yaml": `- ${url}\n  events: ${events}\n` })).toEqual([expect.stringContaining(said)]);
  });
});

describe("a name of nothing but spaces", () => {
  it.each(['tickets: [{ name: "  ", price: 5, quantity: 9 }]', 'performers: [{ name: " " }]', 'key: "\\t"'])(
    "is empty: %s",
    async (text) => {
      const said = await messagesOfEvent(`${text}\n`);
      expect(said).toEqual([expect.stringMatching(/empty-text: .*is empty\. \| Give it a value/)]);
    },
  );
});

it("a number without end is not offered as its own correction", async () => {
  expect(await messagesOfEvent("eventCapacity: .inf\n")).toEqual([expect.stringContaining("| Write 1 or more.")]);
});

test("a text with a colon and quotes is shown in the quotes that it needs", async () => {
  const said = await say({ "events/a.yaml": 'name: Act 1: "Doors"\ndateTime: 2027-03-14T19:00\n' });
  expect(said.join()).toContain(`Put the text in quotes: 'Act 1: "Doors"'.`);
});

describe("a text in place of fields", () => {
  it("is answered with a field that fits there", async () => {
    const hint = "Write its fields below it, one per line";
    expect(await messagesOfEvent("series: friday\n")).toContain(
      `3:9 wrong-type: \`series\` is the text "friday" where fields are expected. | ${hint}, such as \`every: friday\`.`,
    );
    const each = "Write one line below it for each entry, such as";
    expect((await say({ "ticketing.yaml": "environments: x\n" })).join()).toContain(
      `${each} \`production: { baseUrl: `,
    );
    expect((await messagesOfEvent("series: { dates: [2026-12-25] }\n")).join()).toContain(
      `${each} \`2027-02-12: { vars: { headliner: DJ Ana } }\`.`,
    );
  });
});

describe("advice that can be followed where it is shown", () => {
  it("adds a field inside the braces of an entry that is written in them", async () => {
    const said = await messagesOfEvent("tickets:\n  - { name: VIP, quantity: 5 }\n  - name: GA\n    quantity: 5\n");
    expect(said).toEqual([
      '4:5 missing-field: `price` is missing in "VIP". | Add a field such as `price: 1500` inside the braces.',
      '5:5 missing-field: `price` is missing in "GA". | Add a line such as `price: 1500`.',
    ]);
  });

  it("never removes a line, which may be a whole entry", async () => {
    const said = await messagesOfEvent(
      "tickets: [{ name: VIP, price: 1, quantity: 5, currency: USD }]\nphases: [{ from: -1w, dateTime: 2027-03-15T19:00 }]\n",
    );
    expect(said.join("\n")).toContain("Remove this field.");
    expect(said.join("\n")).toContain("Remove `dateTime` here, and set it in the event itself.");
    expect(said.join("\n")).not.toMatch(/the line|this line/);
  });

  it("says once that a dash too many makes a field an entry", async () => {
    const said = await messagesOfEvent("tickets:\n  - name: VIP\n  - price: 4500\n  - quantity: 200\n");
    expect(said).toEqual([
      '5:5 missing-field: Each dash starts a new ticket type, and this one has only `price`. | If it belongs to "VIP", replace the dash with a space.',
    ]);
  });

  it("takes an entry with nothing but its id for a live one that stays unmanaged", async () => {
    const entries =
      "  - { name: GA, price: 1000, quantity: 5, published: true }\n  - { id: 5e8d1b68-a432-49e1-b689-ca3f2bf571e7 }\n";
    expect(await messagesOfEvent(`tickets:\n${entries}`)).toEqual([]);
  });

  it("writes a date and a time as one field", async () => {
    const said = await say({ "events/a.yaml": "name: A\ndate: 2027-03-14\ntime: 19:00\n" });
    expect(said).toEqual([
      "2:1 unknown-key: Unknown field `date`. | Did you mean `dateTime`?",
      "3:1 unknown-key: Unknown field `time`. | Write both as the one field `dateTime`.",
    ]);
  });

  it("does not publish an event, or sell its tickets, before the time that is meant", async () => {
    const said = await messagesOfEvent(
      "status: PUBLISHED\npublishAt: 2027-02-01\ntickets: [{ name: GA, price: 1, quantity: 9, published: true, salesStart: 2027-02-01 }]\n",
    );
    expect(said.join("\n")).toContain(
      "| Write `status: DRAFT` and `phases: [{ from: -6w at 10:00, status: PUBLISHED }]`",
    );
    expect(said.join("\n")).toContain("| Write `published: false` in the ticket type, and give the event a phase");
  });

  it("adds a performer without taking others off the event", async () => {
    const entry = "schedules: [{ title: Set, startTime: +1h, endTime: +2h, performer: Cy }]\n";
    const add = 'Add the performer: `performers: [{ name: "Cy" }]`.';
    const [unlisted] = await messagesOfEvent(entry);
    const more = "List the event's other performers there too: live ones that the list leaves out are removed.";
    expect(unlisted?.split(" | ")[1]).toBe(`${add} ${more}`);
    const [listed] = await messagesOfEvent(`performers: []\n${entry}`);
    expect(listed?.split(" | ")[1]).toBe(add);
  });

  it("keeps one of two fields that mean the same text", async () => {
    const said = await say({ "events/a.yaml": "Name: A\ntitle: B\ndateTime: 2027-03-14T19:00\n" });
    expect(said).toEqual([
      "1:1 unknown-key: Unknown field `Name`. | Did you mean `name`?",
      "2:1 unknown-key: Unknown field `title`. | This seems to mean `name`, like a field above: keep one of the two, and name it `name`.",
    ]);
  });

  it("says what a word such as yes means where the schema knows it", async () => {
    const said = await say({
      "events/a.yaml": `${start}absorbFees: Off\ndescription: no\ntickets: [{ name: GA, price: 1, quantity: 9, published: yes }]\nphases: [{ from: -1d, tickets: [{ name: GA, soldOut: on }] }]\n`,
      "templates/t.yaml": "absorbFees: yes\n",
      "webhooks.yaml": "- { url: https://example.com/a, events: [order.completed], isActive: no }\n",
    });
    const hints = said.filter((one) => one.includes("yaml-trap")).map((one) => one.replace(/ .* \| /, " "));
    expect(hints.sort()).toEqual([
      "1:13 Write true.",
      "1:70 Write false.",
      "3:13 Write false.",
      '4:14 Write false if the field is true or false, or "no" if it is text.',
      "5:57 Write true.",
      "6:54 Write true.",
    ]);
  });

  it.each([
    ["27-03-14T19:00", "Write 2027-03-14T19:00."],
    ["14-03-27T19:00", "Write 2027-03-14T19:00."],
    ["March 14, 2027 7pm", "Write 2027-03-14T19:00."],
    ["2027-03-14T19:00 PHT", "Write 2027-03-14T19:00: it is local time in `timezone`."],
  ])("reads %s as a time to come", async (text, hint) => {
    const said = await say({ "events/a.yaml": `name: A\ndateTime: ${text}\n` });
    expect(said).toEqual([expect.stringMatching(/2:11 unreadable-time: .* \| (.*)$/)]);
    expect(said[0]?.split(" | ")[1]).toBe(hint);
  });

  it.each([
    ["-6 weeks", "Write -6w."],
    ["6 weeks before", "Write -6w."],
    ["2 days after", "Write +2d."],
    ["end +3 days", "Write end +3d."],
    ["-1month", "Count in weeks, such as -4w, or write a date and a time."],
    ["6 weeks", "Write +6w for later, or -6w for earlier."],
  ])("says how to write the offset %s", async (text, hint) => {
    const said = await messagesOfEvent(`phases: [{ from: ${text}, status: PUBLISHED }]\n`);
    expect(said).toEqual([expect.stringContaining(`| ${hint}`)]);
  });

  it.each([
    ["endDateTime: +5", "Add the unit: +5h is in hours, +5m in minutes."],
    ["endDateTime: 5h", "Write +5h for later, or -5h for earlier."],
  ])("says how to write the length in %s", async (line, hint) => {
    expect(await messagesOfEvent(`${line}\n`)).toEqual([expect.stringContaining(`| ${hint}`)]);
  });

  it("says that git could not merge two versions", async () => {
    const text = "dateTime: 2027-03-14T19:00\n<<<<<<< HEAD\nname: A\n=======\nname: B\n>>>>>>> prices\n";
    expect(await say({ "events/a.yaml": text })).toEqual([
      "2:1 yaml-syntax: git could not merge two versions of these lines, and left both in the file. | Keep one version, or combine them, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>.",
    ]);
  });

  it("names event files that are not read because of their extension", async () => {
    const said = await say({ "events/B.YAML": start, "events/c.yml.txt": start, "events/notes.txt": "x" });
    expect(said).toEqual([
      "1:1 wrong-file-name: events/B.YAML is not read, because of how its name ends. | Rename it to events/B.yaml.",
      "1:1 wrong-file-name: events/c.yml.txt is not read, because of how its name ends. | Rename it to events/c.yml.",
    ]);
  });

  it("names no date for an end that is only a clock time", async () => {
    const [said] = await messagesOfEvent("endDateTime: 2am\n");
    expect(said).toContain("Write 02:00, which means the first 02:00 at or after the start, or write its date too.");
  });

  it("does not call the template unused that a typo meant", async () => {
    const files = { "events/a.yaml": `${start}extends: clubnight\n`, "templates/club-night.yaml": "status: DRAFT\n" };
    expect((await say(files)).join()).not.toContain("unused-template");
    expect((await say({ ...files, "events/a.yaml": start })).join()).toContain("unused-template");
  });

  it("does not rename a file to one that is there", async () => {
    const said = await say({ "events/a.YAML": start, "events/a.yml.txt": start, "events/c.yaml.txt": start });
    expect(said).toEqual([
      "1:1 wrong-file-name: events/a.YAML is not read, because of how its name ends. | events/a.yaml is there already: delete this file, or give it a different name that ends in .yaml.",
      "1:1 wrong-file-name: events/a.yml.txt is not read, because of how its name ends. | Rename it to events/a.yml.",
      "1:1 wrong-file-name: events/c.yaml.txt is not read, because of how its name ends. | Rename it to events/c.yaml.",
    ]);
  });

  it("names the time zone of the defaults even if every event has its own", async () => {
    const files = {
      "events/a.yaml": `${start}timezone: Asia/Tokyo\n`,
      "ticketing.yaml": "version: 1\ndefaults: { timezone: Manila }\n",
    };
    const said = ['2:23 unknown-timezone: "Manila" is not the name of a time zone. | Use Asia/Manila.'];
    expect(await say(files)).toEqual(said);
    // Once, where events inherit it.
    const project = await projectOf({ ...files, "events/b.yaml": start.replace("A", "B") });
    const found = [...project.diagnostics, ...lint(project, { now: 0, environment: "sandbox" })];
    expect(found.filter(({ code }) => code === "unknown-timezone")).toHaveLength(1);
  });
});

describe("entries by their names", () => {
  const vip = "{ price: 500, quantity: 10, published: true }";

  it("become entries with a name, in one step", async () => {
    const [said] = await messagesOfEvent(`tickets:\n  VIP: ${vip}\n`);
    expect(said).toMatch(/\| Start each entry with a dash: `- { name: VIP, … }`\.$/);
    expect(await messagesOfEvent(`schedules:\n  Opening: { startTime: +0m, endTime: +1h }\n`)).toEqual([
      expect.stringContaining("`- { title: Opening, … }`"),
    ]);
  });

  it("are named once behind a dash", async () => {
    const text = `${start}tickets:\n  - VIP: ${vip}\n  - { name: GA, price: 1, quantity: 1, published: true }\n`;
    expect(await say({ "events/a.yaml": text })).toEqual([
      '4:5 unknown-key: Unknown field `VIP`. | If "VIP" is its name, write `- { name: VIP, … }`.',
    ]);
    // It is not asked either whether what has no name yet is on sale.
    const found = lint(await projectOf({ "events/a.yaml": text }), { now: 0, environment: "sandbox" });
    expect(found.map(({ code }) => code)).not.toContain("published-not-stated");
  });
});

it("says the same of every day that does not exist", async () => {
  const days = "February 2027 has 28 days: write a day from 01 to 28.";
  for (const line of [
    "allow: [{ risk: delete-event, until: 2027-02-30 }]",
    "phases: [{ from: 2027-02-30, status: DRAFT }]",
    "phases: [{ from: 2027-02-30T10:00, status: DRAFT }]",
  ])
    expect(await messagesOfEvent(`${line}\n`)).toEqual([expect.stringContaining(`| ${days}`)]);
});

describe("a field that may be text or something else", () => {
  it.each([
    ["venue: [Palace]", "Write `venue: Palace` or `venue: { name: Palace, city: Baguio }`."],
    ["extends: { night: true }", "Write `extends: club-night`."],
  ])("names its forms: %s", async (line, hint) => {
    expect(await messagesOfEvent(`${line}\n`)).toEqual([expect.stringContaining(`| ${hint}`)]);
  });
});

it("puts the name of a secret in quotes, which YAML reads as a map without them", async () => {
  const project = "version: 1\nsecrets: { sink: command, command: [gh, secret, set, {secretName}] }\n";
  const said = await say({ "ticketing.yaml": project });
  expect(said.join()).toContain('is a map where text is expected. | Put it in quotes: "{secretName}".');
  expect(await say({ "ticketing.yaml": project.replace("{secretName}", '"{secretName}"') })).toEqual([]);
});

describe("the name of the key's variable", () => {
  const settings = (name: string) =>
    say({
      "ticketing.yaml": `defaultEnvironment: sandbox\nenvironments: { live: { baseUrl: "https://a.example.com/open-api/v1", apiKeyEnv: "${name}" } }\n`,
    });

  it.each([
    ["prod-key", "PROD_KEY"],
    ["PROD KEY", "PROD_KEY"],
    ["$PROD_KEY", "PROD_KEY"],
    ["${PROD_KEY}", "PROD_KEY"],
  ])("is no secret when it is written as %s", async (written, name) => {
    const said = await settings(written);
    expect(said).toEqual([expect.stringMatching(/^2:\d+ wrong-value: `apiKeyEnv` is the name of a variable, and /)]);
    expect(said[0]?.split(" | ")[1]).toBe(`Write \`apiKeyEnv: ${name}\`.`);
  });

  it.each(["sk_live_abcdefghijklmnop", "k-9f8e7d6c5b4a39281706", "$9f8e7d6c5b4a3928", "correct-horse"])(
    "may be a key: %s",
    async (key) => {
      const said = await settings(key);
      expect(said).toEqual([expect.stringContaining("secret-in-file: `apiKeyEnv` contains what looks like a key")]);
      expect(said.join()).not.toContain(key);
    },
  );
});

describe("a sale that a phase would undo", () => {
  const end = "Remove `until` from the phase that sets it, or set it in a separate phase without `until`";
  it.each([
    ["soldOut", `${end}; to sell more tickets, add another ticket type.`],
    ["published", `${end}.`],
  ])("%s: the end of the phase is what is wrong", async (field, hint) => {
    const ticket = `tickets: [{ name: GA, price: 1, quantity: 1, ${field}: false }]`;
    const phase = (end: string) => `phases: [{ from: -4w, ${end}tickets: [{ name: GA, ${field}: true }] }]`;
    const said = await messagesOfEvent(`${ticket}\n${phase("until: -1w, ")}\n`);
    expect(said.filter((one) => one.includes("bad-phase"))).toEqual([
      expect.stringMatching(/^3:\d+ bad-phase: .* would become false again/),
    ]);
    expect(said.join()).toContain(`| ${hint}`);
    expect(await messagesOfEvent(`${ticket}\n${phase("")}\n`)).toEqual([]);
  });
});
