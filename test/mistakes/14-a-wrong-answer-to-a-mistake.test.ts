// Everyday mistakes of somebody who writes events, and what the messages say: the place, the fact, and what to do.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject } from "../stage/open-project.ts";
import { ticketing } from "../stage/test-world.ts";

const good = "name: Manila Nights\ndateTime: 2027-03-14T19:00\n";

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-mistake-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

interface Told {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string;
  readonly source?: { readonly file: string; readonly line: number; readonly column: number };
}

async function validate(files: Readonly<Record<string, string>>): Promise<readonly Told[]> {
  const ran = await ticketing(["validate", "--format", "json"], { cwd: folderOf(files) });
  return (JSON.parse(ran.stdout) as { diagnostics: Told[] }).diagnostics.filter(({ severity }) => severity === "error");
}

function eventOf(text: string): Promise<readonly Told[]> {
  return validate({ "events/a.yaml": text });
}

function placed({ code, source }: Told): string {
  return `${source?.line}:${source?.column} ${code}`;
}

describe("a text that a comment cuts short", () => {
  it.each([
    ["name: Jazz Night #3\ndateTime: 2027-03-14T19:00\n", "1:18", '"Jazz Night #3"'],
    ["name: #1 Party\ndateTime: 2027-03-14T19:00\n", "1:7", '"#1 Party"'],
    [`${good}venue: Hall #2\n`, "3:13", '"Hall #2"'],
    [`${good}venue: { name: Hall #2\n  }\n`, "3:21", '"Hall #2"'],
    [`${good}key: nights #2\n`, "3:13", '"nights #2"'],
    [`${good}description: We play\n  at the corner #7\n`, "4:17", '"We play at the corner #7"'],
    [`${good}tickets:\n  - name: GA #1\n    price: 100\n    quantity: 5\n`, "4:14", '"GA #1"'],
    [`${good}description: He said "no" #7\n`, "3:27", "'He said \"no\" #7'"],
  ])("%j", async (text, place, quoted) => {
    const [first, ...more] = await eventOf(text);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ code: "yaml-trap", hint: expect.stringContaining(`Write ${quoted} in quotes`) });
    expect(placed(first as Told)).toBe(`${place} yaml-trap`);
  });

  it.each([
    [`${good}tickets:\n  - { name: GA #1, price: 100, quantity: 5 }\n`, "4:16"],
    [`${good}tickets:\n  - { name: GA #1,\n      price: 100, quantity: 5 }\n`, "4:16"],
    [`${good}description: We play\n  at #7 street\n  all night\n`, "4:6"],
  ])("which breaks the lines after it: %j", async (text, place) => {
    expect((await eventOf(text)).map(placed)).toEqual([`${place} yaml-trap`]);
  });

  it("in webhooks and the project file", async () => {
    const reported = await validate({
      "ticketing.yaml": "organization: acme #1\nvars:\n  host: hooks #2\n  Jazz: 3 #4\n",
      "events/a.yaml": good,
      "webhooks.yaml":
        "- url: https://hooks.example.com/a\n  events: [order.completed]\n  secretName: HOOK #1\n- url: https://hooks.example.com/b #1\n  events: [order.completed] #2\n",
    });
    expect(reported.map((one) => `${one.source?.file}:${placed(one)}`)).toEqual([
      "ticketing.yaml:1:20 yaml-trap",
      "ticketing.yaml:3:15 yaml-trap",
      "webhooks.yaml:3:20 yaml-trap",
    ]);
  });

  it("a key whose colon belongs to the comment", async () => {
    const reported = await validate({ "ticketing.yaml": "vars:\n  host: a\n  Jazz #3: x\n", "events/a.yaml": good });
    expect(reported.map(placed)).toEqual(["3:8 yaml-trap"]);
  });

  it.each([
    "name: Jazz Night # the third\ndateTime: 2027-03-14T19:00\n",
    `${good}eventCapacity: 300 #people\n`,
    `${good}status: DRAFT #todo\n`,
    `${good}endDateTime: 2027-03-14T23:00 #or later\n`,
    `${good}imageUrl: https://example.com/a.jpg #new\n`,
    'name: "Jazz Night" #3\ndateTime: 2027-03-14T19:00\n',
    "name: Jazz Night#3\ndateTime: 2027-03-14T19:00\n",
    "name: Jazz Night #--------\ndateTime: 2027-03-14T19:00\n",
    `${good}description: |\n  Stage #3\n`,
    `${good}performers: #none yet\n  []\n`,
    `#todo\n${good}  #todo\n`,
  ])("not an honest comment: %j", async (text) => {
    expect(await eventOf(text)).toEqual([]);
  });
});

describe("a field that does not exist", () => {
  const ticket = (line: string) =>
    `${good}tickets:\n  - { name: GA, price: 100, quantity: 5, published: true, ${line} }\n`;

  it.each([
    ["name: Manila Nights\ndatetime: 2027-03-14T19:00\n", "2:1", "Did you mean `dateTime`?"],
    ["name: Manila Nights\nDateTime: 2027-03-14T19:00\n", "2:1", "Did you mean `dateTime`?"],
    ["name: Manila Nights\ndate_time: 2027-03-14T19:00\n", "2:1", "Did you mean `dateTime`?"],
    ["Name: Manila Nights\ndateTime: 2027-03-14T19:00\n", "1:1", "Did you mean `name`?"],
    [`${good}Title: x\n`, "3:1", "This seems to mean `name`"],
    [`${good}performer: x\n`, "3:1", "Did you mean `performers`?"],
    [`${good}hidden: true\n`, "3:1", "`visibility: PRIVATE`"],
    [`${good}publishAt: 2027-01-01T10:00\n`, "3:1", "status: PUBLISHED"],
    [`${good}template: base\n`, "3:1", "Did you mean `extends`?"],
    [`${good}basedOn: [base]\n`, "3:1", "Did you mean `extends`?"],
    [`${good}recurring: weekly\n`, "3:1", "Did you mean `series`?"],
    [`${good}phase: []\n`, "3:1", "Did you mean `phases`?"],
    [`${good}secretName: HOOK_SECRET\n`, "3:1", "in webhooks.yaml"],
    [ticket("saleStarts: 2027-01-01T10:00"), "4:59", "`published: true`"],
    [ticket("saleEnds: 2027-01-01T10:00"), "4:59", "`soldOut: true`"],
    [ticket("hidden: true"), "4:59", "`published: false`"],
    [ticket("minimumPurchaseQuantity: 2"), "4:59", "Remove this field"],
    [ticket("Price: 2"), "4:59", "This seems to mean `price`"],
    [ticket("maxPurchaseQuantity: 2"), "4:59", "Did you mean `maximumPurchaseQuantity`?"],
    [`${good}schedules:\n  - { name: x, startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00 }\n`, "4:7", "`title`"],
  ])("%j", async (text, place, words) => {
    const reported = (await eventOf(text)).filter(({ code }) => code !== "missing-field");
    expect(reported.map(placed)).toEqual([`${place} unknown-key`]);
    expect(reported[0]?.hint).toContain(words);
  });

  it("is never answered with its opposite, or with what is within it by chance", async () => {
    for (const [key, not] of [
      ["minimumPurchaseQuantity", "Did you mean"],
      ["hidden", "`id`"],
      ["startDateTime", "`endDateTime`"],
      ["offline", "Did you mean"],
    ] as const) {
      for (const text of [`${good}${key}: x\n`, ticket(`${key}: x`)]) {
        const reported = await eventOf(text);
        expect(reported.map(({ code }) => code)).toEqual(["unknown-key"]);
        expect(reported[0]?.hint).not.toContain(not);
      }
    }
  });
});

describe("a value that does not exist", () => {
  it.each([
    ["status: CANCELLED", "unknown-value", ["ARCHIVED", "DRAFT", "DELETED", "refund"]],
    ["status: postponed", "unknown-value", ["`dateTime`", "DRAFT"]],
    ["status: LIVE", "unknown-value", ["PUBLISHED"]],
    ["status: SOLD_OUT", "unknown-value", ["`soldOut: true`"]],
    ["visibility: UNLISTED", "unknown-value", ["PRIVATE"]],
    ["type: CONCERT", "unknown-value", ["PAID or FREE"]],
    ["venueId: palace", "bad-id", ["`venue: palace`", "ticketing venues search"]],
  ])("%s", async (line, code, words) => {
    const reported = await eventOf(`${good}${line}\n`);
    expect(reported.map(({ code }) => code)).toEqual([code]);
    for (const word of words) expect(reported[0]?.hint).toContain(word);
  });
});

describe("a line that is in the wrong place", () => {
  const entries = "tickets:\n  - { name: GA, price: 5, quantity: 5 }\n";

  it.each([
    [`${good}${entries} - { name: VIP, price: 5, quantity: 5 }\n`, "5:2", "2 spaces"],
    [`${good}${entries}   - { name: VIP, price: 5, quantity: 5 }\n`, "5:4", "2 spaces"],
    [`${good}tickets:\n  - name: GA\n    price: 5\n    quantity: 5\n - name: VIP\n`, "7:2", "2 spaces"],
    [`${good}tickets:\n  - name: GA\n    price: 5\n    quantity: 5\n    - name: VIP\n`, "7:5", "2 spaces"],
    [`${good}tickets:\n  -name: GA\n   price: 5\n`, "4:3", "`- name: …`"],
    ["name Manila Nights\ndateTime: 2027-03-14T19:00\n", "1:1", "`name: …`"],
    ['name: "Manila" Nights\ndateTime: 2027-03-14T19:00\n', "1:16", "whole text in quotes"],
  ])("%j", async (text, place, words) => {
    const reported = await eventOf(text);
    expect(reported.map(placed)).toEqual([`${place} yaml-syntax`]);
    expect(reported[0]?.hint).toContain(words);
  });
});

describe("a value of another form", () => {
  it.each([
    ["performers: [DJ Ana]", "wrong-type", "`- { name: DJ Ana }`"],
    ["performers: DJ Ana", "wrong-type", "`- { name: DJ Ana }`"],
    ["performers: [Ana, Ben, Cora]", "wrong-type", "`- { name: Ana }`"],
    ["tickets: [GA, VIP]", "wrong-type", "`- { name: GA, price: …, quantity: … }`"],
    ["endDateTime: 2027-03-14 11:30 PM", "unreadable-time", "Write 2027-03-14T23:30."],
    ["endDateTime: 2027-03-15 12:30am", "unreadable-time", "Write 2027-03-15T00:30."],
    ["endDateTime: 2027-03-14T20:00 - 23:00", "unreadable-time", "Write 2027-03-14T20:00,"],
    ["endDateTime: 11pm", "unreadable-time", "Write 23:00, which means the first 23:00 at or after the start"],
    ["event: { name: x }", "unknown-key", "move its fields to the left"],
  ])("%s", async (line, code, words) => {
    const reported = await eventOf(`${good}${line}\n`);
    expect(reported.map((one) => one.code)).toEqual([code]);
    expect(reported[0]?.hint).toContain(words);
  });
});

describe("what only the service can say", () => {
  interface Planned {
    readonly changes: readonly {
      readonly blockedBy: readonly { readonly code: string; readonly message: string; readonly hint: string }[];
    }[];
  }

  async function blocksOf(cwd: string, env: Readonly<Record<string, string>> = {}) {
    const ran = await ticketing(["plan", "--format", "json"], { cwd, env });
    return (JSON.parse(ran.stdout) as Planned).changes.flatMap(({ blockedBy }) => blockedBy);
  }

  /** At a service that has its own venues alone; the embedded sandbox has those of the files too. */
  async function blocksAtService(venue: string) {
    const { directory, env, close } = await openProject({ "events/a.yaml": `${good}venue: ${venue}\n` });
    return blocksOf(directory, env).finally(close);
  }

  it.each([
    ["Lanern Theatre", "Lantern Theatre"],
    ["Qeuen City Arena", "Queen City Arena"],
    ["Arnea", "Queen City Arena"],
    ["Plaace", "Palace"],
  ])("a venue written %s shows %s, and none that is far from it", async (written, meant) => {
    const [block] = await blocksAtService(written);
    expect(block?.message).toContain(meant);
    const last = meant.split(" ").at(-1) ?? "";
    for (const line of block?.message.split("\n").slice(1) ?? []) expect(line).toContain(last);
  });

  it.each([
    ['"Palace, Baguio"', "Palace", "Baguio"],
    ['"palace, taguig"', "Palace", "Taguig"],
    ['"Palace, Taguig, Metro Manila, Philippines"', "Palace", "Taguig"],
  ])("a venue with its city in the name (%s) shows how to write it", async (written, name, city) => {
    const [block] = await blocksAtService(written);
    expect(block?.hint).toContain(`Did you mean \`venue: { name: ${name}, city: ${city} }\`?`);
  });

  it("a venue that is misspelled shows what is near, and how to write it", async () => {
    const [block] = await blocksAtService("Lantern Theater");
    expect(block?.code).toBe("venue-not-found");
    expect(block?.message).toContain("Lantern Theatre, Manila");
    expect(block?.hint).toContain("`venue: { name: Lantern Theatre, city: Manila }`");
  });

  it("a file of an event that has sold tickets is to be brought back", async () => {
    const cwd = folderOf({
      "events/a.yaml": `${good}status: PUBLISHED\ntickets:\n  - { name: GA, price: 5, quantity: 50, published: true }\n`,
      "events/b.yaml": "name: Other\ndateTime: 2027-04-14T19:00\n",
    });
    expect((await ticketing(["apply", "--yes"], { cwd })).exitCode).toBe(0);
    expect((await ticketing(["sandbox", "sell", "a", "GA", "3"], { cwd })).exitCode).toBe(0);
    writeFileSync(join(cwd, "events/a.yaml"), `${good}status: DELETED\nallow: [delete-event]\n`);
    expect((await blocksOf(cwd))[0]?.hint).toContain("and add `archive-with-sales` to its `allow`.");
    rmSync(join(cwd, "events/a.yaml"));
    const [block] = await blocksOf(cwd);
    expect(block?.code).toBe("delete-after-sales");
    expect(block?.hint).toMatch(
      /To keep it, bring its file back.*`ticketing import [0-9a-f-]{36}`.*moved or renamed.*`status: ARCHIVED`/,
    );
  });
});

describe("a mistake about one date of a series", () => {
  const club = [
    'name: "Club: ${var.act}"',
    "dateTime: 22:00",
    "endDateTime: +5h",
    "weekday: friday",
    "vars: { act: Residents }",
    'performers: [{ name: "${var.act}" }]',
    'schedules: [{ title: Set, startTime: +1h, endTime: +2h, performer: "${var.act}" }]',
    "tickets: [{ name: Early, price: 300, quantity: 50 }]",
    "phases: [{ from: -2w, tickets: [{ name: Early, soldOut: true }] }]",
    "series:",
    "  every: friday",
    "  from: 2027-01-01",
    "  until: 2027-01-15",
    "  dates:",
    "    2027-01-08: ",
  ].join("\n");

  it.each([
    ["{ tickets: [] }", "bad-phase", "`without: [phases]` for 2027-01-08 under `dates`"],
    [
      '{ performers: [{ name: "${var.act}", remove: true }] }',
      "unknown-performer",
      '`schedules: [{ title: "Set", performer: null }]`',
    ],
    [
      "{ performers: [{ name: Residents, remove: true }] }",
      "nothing-to-remove",
      '`{ name: "${var.act}", remove: true }`',
    ],
    ["{ dateTime: 2027-01-09T22:00 }", "wrong-weekday", "write `weekday: saturday` there"],
  ])("%s", async (entry, code, fix) => {
    const told = await eventOf(`${club}${entry}\n`);
    expect(told).toEqual([expect.objectContaining({ code, hint: expect.stringContaining(fix) })]);
  });

  it("what they advise works", async () => {
    const date =
      '{ weekday: saturday, dateTime: 2027-01-09T22:00, without: [phases], tickets: [], performers: [{ name: "${var.act}", remove: true }], schedules: [{ title: Set, performer: null }] }';
    expect(await eventOf(`${club}${date}\n`)).toEqual([]);
  });
});

it("a weekday that the project sets is corrected in the event, and defaults leave nothing out", async () => {
  const told = await validate({
    "ticketing.yaml": "defaults:\n  weekday: friday\n  without: [brands]\n",
    "events/a.yaml": "name: Gala\ndateTime: 2027-03-13T19:00\n",
  });
  const hints = Object.fromEntries(told.map(({ code, hint }) => [code, hint]));
  expect(hints["wrong-weekday"]).toContain("in events/a.yaml for a Friday");
  expect(hints["wrong-weekday"]).toContain("its own `weekday: saturday` there");
  expect(hints["unknown-key"]).toContain("write `without` in the event or template");
});
