// A document that is there already keeps its layout and its comments; only what differs from the live event changes.
import { describe, expect, it } from "vitest";
import type { Seed, SeedEvent } from "../../../src/sandbox/index.ts";
import { importInto, serviceWith } from "../../stage/import-into.ts";
import { planOf } from "../../stage/plan-of.ts";

const id = "00000000-0000-4000-8000-000000000001";
const venueId = "5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f";
const file = "events/manila-nights.yaml";

const nights: SeedEvent = {
  id,
  slug: "manila-nights",
  name: "Manila Nights",
  status: "PUBLISHED",
  dateTime: "2027-03-14T11:00:00Z",
  tickets: [
    { name: "VIP", type: "VIP", price: 4500, quantity: 200, published: true },
    { name: "GA", price: 1500, quantity: 500, published: true },
  ],
};

const written = `# Our biggest night.   Ask Ana before you touch it!

status:   PUBLISHED      # since the permit is here
name: Manila Nights # the marketing name
dateTime: 2027-03-14T19:00

# --- money ---
tickets:
  # the dear ones
  - { name: VIP, type: VIP, price: 4500, quantity: 200, published: true } # front
  - name: GA
    price: 1500   # was 1200
    quantity: 500
    published: true
protected: true # really
`;

/** The file after an import, once it is certain that the plan is empty and that a second import changes nothing. */
async function reimport(
  text: string,
  live: SeedEvent,
  further: Seed = {},
  beside: Readonly<Record<string, string>> = {},
): Promise<string> {
  const service = serviceWith({ ...further, events: [live] });
  const ran = await importInto({ service, files: { ...beside, [file]: text } });
  expect(ran.diagnostics.filter(({ code }) => code !== "not-live")).toEqual([]);
  const { plan } = await planOf({ files: ran.files, service });
  expect(plan.changes).toEqual([]);
  const again = await importInto({ service, files: ran.files });
  expect(again.imported.files).toEqual([]);
  return ran.files[file] ?? "";
}

function withId(text: string): string {
  return text.replace("status:", `id: { sandbox: ${id} }\nstatus:`);
}

describe("an event that a document describes already", () => {
  it("gets its id, and nothing else where all is as written", async () => {
    expect(await reimport(written, nights)).toBe(withId(written));
  });

  it("is not touched at all where it says everything", async () => {
    expect(await reimport(withId(written), nights)).toBe(withId(written));
  });

  it("has changed values in their places, with the comments next to them", async () => {
    const [vip = {}, ga = {}] = nights.tickets ?? [];
    const live = {
      ...nights,
      status: "DRAFT" as const,
      tickets: [
        { ...vip, price: 5000 },
        { ...ga, quantity: 600 },
      ],
    };
    expect(await reimport(written, live)).toBe(
      withId(written)
        .replace("status:   PUBLISHED", "status:   DRAFT")
        .replace("price: 4500", "price: 5000")
        .replace("quantity: 500", "quantity: 600"),
    );
  });

  it("has new fields and lists where they belong", async () => {
    const live = {
      ...nights,
      endDateTime: "2027-03-14T18:00:00Z",
      description: "Two\nlines",
      tickets: [...(nights.tickets ?? []), { name: "Late", price: 2000, quantity: 50 }],
      performers: [{ name: "DJ Ana" }],
      brands: [{ name: "San Miguel", url: "https://example.com" }],
    };
    expect(await reimport(written, live)).toBe(
      withId(written)
        .replace(
          "2027-03-14T19:00\n",
          "2027-03-14T19:00\nendDateTime: 2027-03-15T02:00\ndescription: |-\n  Two\n  lines\n",
        )
        .replace(
          "published: true\nprotected",
          "published: true\n  - name: Late\n    price: 2000\n    quantity: 50\n    published: false\n\nperformers:\n  - { name: DJ Ana }\n\nbrands:\n  - { name: San Miguel, url: https://example.com }\nprotected",
        ),
    );
  });

  it("loses what is not live, and its remarks stay", async () => {
    const text = written
      .replace("dateTime:", "eventCapacity: 700 # the fire brigade says\ndateTime:")
      .replace("    quantity: 500\n", "    quantity: 500\n    maximumPurchaseQuantity: 2\n")
      .replace("protected", "  - { name: Gone, price: 1, quantity: 1, published: false }\nprotected");
    expect(await reimport(text, nights)).toBe(
      withId(written)
        .replace("dateTime:", "# the fire brigade says\ndateTime:")
        .replace("    quantity: 500\n", "    quantity: 500\n    maximumPurchaseQuantity: 8\n"),
    );
  });

  it("loses an entry that is not live with the comments that belong to it", async () => {
    const ghost = `  # when Ben has the permit
  # and the money
  - name: Ghost # maybe
    price: 1
    quantity: 1
    published: false # not yet
    # ask Ben
`;
    const between = written.replace("  - name: GA\n", `${ghost}  - name: GA\n`);
    expect(await reimport(between, nights)).toBe(withId(written));
    const last = written.replace("protected", `\n${ghost}# below\nprotected`);
    expect(await reimport(last, nights)).toBe(withId(written).replace("protected", "\n# below\nprotected"));
  });

  it("keeps entries that are not live where git does not have the file", async () => {
    const ghost = "  # when Ben has the permit\n  - { name: Ghost, price: 1, quantity: 1, published: false } # maybe\n";
    const ana = "performers:\n  - { name: Ana } # not asked yet\n";
    const text = written.replace("price: 4500", "price: 4000").replace("protected", `${ghost}${ana}protected`);
    const service = serviceWith({ events: [nights] });
    const ran = await importInto({ service, files: { [file]: text }, committed: false });
    expect(ran.files[file]).toBe(withId(text).replace("price: 4000", "price: 4500"));
    expect(ran.diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'not-live: The ticket type "Ghost" is not live; the next apply would create it. It was left in the file, because the file has uncommitted changes.',
      'not-live: The performer "Ana" is not live; the next apply would create it. It was left in the file, because the file has uncommitted changes.',
    ]);
    const at = ran.files[file]?.split("\n").findIndex((line) => line.includes("Ghost")) ?? 0;
    expect(ran.diagnostics[0]?.source?.line).toBe(at + 1);
    expect(ran.imported.events).toMatchObject([{ action: "updated", changed: ["tickets", "performers"] }]);
    const { plan } = await planOf({ files: ran.files, service });
    expect(plan.changes.map(({ action, address }) => `${action} ${address}`)).toEqual([
      "create events/manila-nights/tickets/Ghost",
      "create events/manila-nights/performers/Ana",
    ]);
    const again = await importInto({ service, files: ran.files, committed: false });
    expect(again.imported.files).toEqual([]);
  });

  it("ignores no rule that only an entry which is not live breaks", async () => {
    const ghost = "  - { name: General Admission, price: 5000, quantity: 1, published: false }\n";
    const text = written.replace("price: 4500", "price: 5200").replace("protected", `${ghost}protected`);
    const service = serviceWith({ events: [nights] });
    const ran = await importInto({ service, files: { [file]: text }, committed: false });
    expect(ran.files[file]).not.toContain("ignore");
    expect(ran.diagnostics.map(({ code }) => code)).toEqual(["not-live"]);
  });

  it("keeps them also where another entry could mean several", async () => {
    const seats = ["Balcony", "Floor"].map((section) => ({
      name: "Seat",
      section,
      row: "A",
      price: 900,
      quantity: 20,
    }));
    const live = { ...nights, tickets: [...(nights.tickets ?? []), ...seats] };
    const entries =
      "  - { name: Seat, price: 900, quantity: 20, published: false }\n  - { name: Ghost, price: 1, quantity: 1, published: false } # maybe\n";
    const service = serviceWith({ events: [live] });
    const files = { [file]: written.replace("protected", `${entries}protected`) };
    const ran = await importInto({ service, files, committed: false });
    expect(ran.files[file]).toContain("# was 1200");
    expect(ran.files[file]).toContain("name: Ghost, price: 1, quantity: 1, published: false } # maybe\n");
    const { plan } = await planOf({ files: ran.files, service });
    expect(plan.changes.map(({ action, address }) => `${action} ${address}`)).toEqual([
      "create events/manila-nights/tickets/Ghost",
    ]);
  });

  it("keeps a venue by name while it is the live one, and names the id where it is not", async () => {
    const venues = [{ id: venueId, name: "Hall", city: "Manila" }];
    const text = written.replace("dateTime:", "venue: { name: Hall, city: Manila } # by the bay\ndateTime:");
    expect(await reimport(text, { ...nights, venueId }, { venues })).toBe(withId(text));
    const moved = "5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e50";
    expect(await reimport(text, { ...nights, venueId: moved }, { venues })).toBe(
      withId(written).replace(
        "dateTime: 2027-03-14T19:00\n",
        `# by the bay\ndateTime: 2027-03-14T19:00\nvenueId: ${moved}\n`,
      ),
    );
  });

  it("has its times by the clocks of its zone, even where the zone changes", async () => {
    const live = { ...nights, timezone: "Asia/Tokyo" };
    expect(await reimport(written, live)).toBe(
      withId(written).replace("2027-03-14T19:00\n", "2027-03-14T20:00\ntimezone: Asia/Tokyo\n"),
    );
  });

  it("is pinned below as well where the file cannot say what every entry must", async () => {
    const ticket = "00000000-0000-4000-8000-000000000011";
    const [vip = {}, ga = {}] = nights.tickets ?? [];
    const live = { ...nights, tickets: [vip ?? {}, { ...ga, id: ticket, price: 1500.5 }] };
    expect(await reimport(written, live)).toBe(
      withId(written).replace(
        "  - name: GA\n    price: 1500   # was 1200\n",
        `  - id: { sandbox: ${ticket} }\n    name: GA\n    # was 1200\n`,
      ),
    );
  });

  it("keeps variables that resolve to what is live", async () => {
    const project = "version: 1\nvars: { city: Manila }\n";
    const service = serviceWith({ events: [nights] });
    const text = withId(written).replace("name: Manila Nights", "name: ${var.city} Nights");
    const ran = await importInto({ service, files: { "ticketing.yaml": project, [file]: text } });
    expect(ran.files[file]).toBe(text);
  });

  it("keeps the line ends of its file", async () => {
    const live = { ...nights, description: "Two\nlines" };
    const windows = written.replaceAll("\n", "\r\n");
    const text = await reimport(windows, live);
    expect(text).toContain("description: |-\r\n  Two\r\n  lines\r\n");
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("is one of several in its file", async () => {
    const other = "key: other\nname: Other # stays\ndateTime: 2027-04-01T19:00\n";
    const first = `key: nights\n${written}`;
    const live = { ...nights, name: "Manila Nights", endDateTime: "2027-03-14T18:00:00Z" };
    const service = serviceWith({ events: [live] });
    const ran = await importInto({ service, files: { [file]: `${other}---\n${first}` } });
    expect(ran.files[file]).toBe(
      `${other}---\n${first
        .replace("key: nights\n", `key: nights\nid: { sandbox: ${id} }\n`)
        .replace("2027-03-14T19:00\n", "2027-03-14T19:00\nendDateTime: 2027-03-15T02:00\n")}`,
    );
  });

  it("is brought up to date through anchors as well", async () => {
    const text = written.replace(
      /tickets:[\s\S]*$/,
      "tickets:\n  - &vip { name: VIP, type: VIP, price: 4500, quantity: 200, published: true }\n  - { <<: *vip, name: GA, type: GENERAL_ADMISSION, price: 1500 }\n",
    );
    const [vip = {}, ga = {}] = nights.tickets ?? [];
    const service = serviceWith({
      events: [
        {
          ...nights,
          tickets: [
            { ...vip, quantity: 100 },
            { ...ga, quantity: 200 },
          ],
        },
      ],
    });
    const ran = await importInto({ service, files: { [file]: text } });
    const { plan } = await planOf({ files: ran.files, service });
    expect(plan.changes).toEqual([]);
    expect(ran.files[file]).toContain("<<: *vip");
  });

  it("is found by name and start without an id, and by an id under another name", async () => {
    const renamed = { ...nights, name: "Manila Days", slug: "manila-days" };
    expect(await reimport(withId(written), renamed)).toBe(
      withId(written).replace("name: Manila Nights", "name: Manila Days"),
    );
  });
});

describe("a document that extends a template", () => {
  const templates = {
    "templates/night.yaml": `eventCapacity: 700
description: Doors at 19:00.
tickets:
  - { name: VIP, type: VIP, price: 4500, quantity: 200, published: true }
  - { name: GA, price: 1500, quantity: 500, published: true }
`,
  };
  const short = "extends: night\nstatus: PUBLISHED\nname: Manila Nights\ndateTime: 2027-03-14T19:00\n";
  const pinned = `id: { sandbox: ${id} }\n${short}`;
  const [vip = {}, ga = {}] = nights.tickets ?? [];
  const live: SeedEvent = { ...nights, eventCapacity: 700, description: "Doors at 19:00." };
  const withTickets = (...tickets: SeedEvent["tickets"] & object): SeedEvent => ({ ...live, tickets });

  it("overrides what differs of an inherited entry", async () => {
    const dearer = withTickets({ ...vip, price: 5000 }, ga);
    expect(await reimport(short, dearer, {}, templates)).toBe(`${pinned}
tickets:
  - { name: VIP, price: 5000 }
`);
  });

  it("changes its own entry of that name, and keeps how it is written", async () => {
    const own = `${short}tickets: [{ name: VIP, price: 4600 }] # the sponsor's price\n`;
    const dearer = withTickets({ ...vip, price: 5000 }, { ...ga, quantity: 400 });
    const changed = "tickets: [{ name: VIP, price: 5000 }, { name: GA, quantity: 400 }] # the sponsor's price";
    expect(await reimport(own, dearer, {}, templates)).toBe(`${pinned}${changed}\n`);
  });

  it("takes an inherited entry out, and adds what is live besides", async () => {
    const table = { name: "Table", price: 9000, quantity: 10, published: true };
    expect(await reimport(short, withTickets(ga, table), {}, templates)).toBe(`${pinned}
tickets:
  - { name: Table, price: 9000, quantity: 10, published: true }
  - { name: VIP, remove: true }
`);
  });

  it("empties an inherited list of which nothing is live, or takes all its entries out", async () => {
    const branded = { "templates/night.yaml": `${templates["templates/night.yaml"]}brands: [{ name: San Miguel }]\n` };
    expect(await reimport(short, live, {}, branded)).toBe(`${pinned}\nbrands: []\n`);
    const table = { name: "Table", price: 9000, quantity: 10, published: true };
    const expected = `
tickets:
  - { name: Table, price: 9000, quantity: 10, published: true }
  - { name: VIP, remove: true }
  - { name: GA, remove: true }
`;
    expect(await reimport(short, withTickets(table), {}, templates)).toBe(pinned + expected);
    const own = `${short}\ntickets:\n  - { name: Crew, price: 0, quantity: 5 }\n`;
    expect(await reimport(own, withTickets(table), {}, templates)).toBe(pinned + expected);
  });

  it("says which file inherits an entry that is not live, and what to write there", async () => {
    const service = serviceWith({ events: [withTickets(ga)] });
    const files = { ...templates, [file]: short };
    const [left] = (await importInto({ service, files, committed: false })).diagnostics;
    expect(left).toMatchObject({
      message: `The ticket type "VIP", which ${file} inherits, is not live; the next apply would create it. Because ${file} has uncommitted changes, import did not remove the ticket type there.`,
      hint: expect.stringContaining(`add \`- { name: "VIP", remove: true }\` to \`tickets\` in ${file}`),
      source: { file: "templates/night.yaml", line: 4 },
    });
    const said = async (text: string) =>
      (await importInto({ service, files: { ...files, [file]: text } })).diagnostics.map(({ message }) => message);
    const removed = 'The ticket type "VIP", which a template adds, is not live, so the file now removes it.';
    expect(await said(short)).toEqual([removed]);
    expect(await said(`${short}tickets: [{ name: VIP, price: 4600 }]\n`)).toEqual([removed]);
    const own = "tickets: [{ name: VIP, remove: true }, { name: Crew, price: 0, quantity: 5 }]\n";
    expect(await said(short + own)).toEqual([
      'The ticket type "Crew" is not live, so its entry was removed from the file.',
    ]);
  });

  it("removes a list of which only inherited entries are live", async () => {
    const own = `${short}tickets:\n  - { name: Crew, price: 0, quantity: 5 }\n`;
    expect(await reimport(own, live, {}, templates)).toBe(pinned);
  });

  it("clears an inherited field that is not live", async () => {
    const { description: _, ...bare } = live;
    expect(await reimport(short, bare, {}, templates)).toContain("\ndescription: null\n");
  });

  it("says where what is live replaced a variable, and only if nothing in the file uses it now", async () => {
    const service = serviceWith({ events: [live] });
    const text = short.replace("Manila Nights", '"Manila ${var.act}"');
    const texts = [`${text}vars: { act: Days }\n`, `${text}vars: { act: Days, again: "\${var.act}" }\n`];
    const remarks = texts.map(async (one) => {
      const ran = await importInto({ service, files: { ...templates, [file]: `id: ${id}\n${one}` } });
      expect(ran.files[file]).toContain("name: Manila Nights\n");
      return ran.diagnostics.filter(({ code }) => code === "variable-replaced").map(({ message }) => message);
    });
    const words = "The live value replaced `${var.act}`, so this file no longer uses the variable.";
    expect(await Promise.all(remarks)).toEqual([[words], []]);
  });

  it("is left alone where it would have an error, which is then the reason", async () => {
    const service = serviceWith({ events: [{ ...withTickets(vip, ga), status: "ARCHIVED" }] });
    const text = `${short}phases: [{ name: Late, from: 2027-03-13T00:00, description: late }]\n`;
    const ran = await importInto({ service, files: { ...templates, [file]: text }, statuses: ["ARCHIVED"] });
    const left = ran.diagnostics.find(({ code }) => code === "cannot-update-in-place");
    expect(left?.message).toContain("would have an error if it said what is live: `status: ARCHIVED` does not say");
    expect(left?.hint).toMatch(/^Replace it with a phase: .* Then import again\.$/);
    expect(ran.files[file]).toBe(text);
  });

  it("has no warning silenced where it is left alone", async () => {
    const cheap = { ...vip, price: 100 };
    const service = serviceWith({ events: [{ ...withTickets(cheap, ga), status: "ARCHIVED" }] });
    const text = `${short}phases: [{ name: Late, from: 2027-03-13T00:00, description: late }]\n`;
    const ran = await importInto({ service, files: { ...templates, [file]: text }, statuses: ["ARCHIVED"] });
    expect(ran.files[file]).toBe(text);
    const codes = ran.diagnostics.map(({ code }) => code);
    expect(codes).toContain("cannot-update-in-place");
    expect(codes).not.toContain("live-like-this");
  });

  it.each([
    [
      "a phase that has come sets the value",
      "phases: [{ from: 2026-01-01T00:00, tickets: [{ name: VIP, price: 4400 }] }]\n",
      "VIP",
      /^A phase sets `price` of "VIP", .*\(`price: 5000`\), then import again/,
    ],
    [
      "the name of the entry is a variable's value",
      "vars: { best: VIP }\n",
      "$" + "{var.best}",
      /cannot be edited in place \(a YAML anchor, a name with a variable/,
    ],
  ])("is left alone where %s", async (_name, more, best, words) => {
    const service = serviceWith({ events: [withTickets({ ...vip, price: 5000 }, ga)] });
    const inherited = {
      "templates/night.yaml": templates["templates/night.yaml"].replace("name: VIP", `name: "${best}"`),
    };
    const ran = await importInto({ service, files: { ...inherited, [file]: short + more } });
    const left = ran.diagnostics.find(({ code }) => code === "cannot-update-in-place");
    expect(`${left?.message} ${left?.hint}`).toMatch(words);
    expect(left?.source?.line).toBeGreaterThan(1);
    expect(ran.files[file]).toBe(short + more);
  });
});
