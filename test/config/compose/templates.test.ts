import { describe, expect, it } from "vitest";
import { lint } from "../../../src/lint/lint.ts";
import { sortDiagnostics } from "../../../src/model/diagnostic.ts";
import { projectOf, reported } from "../project-of.ts";

const start = "name: A\ndateTime: 2027-03-14T19:00\n";

async function composed(texts: Readonly<Record<string, string>>) {
  const { events, diagnostics } = await projectOf(texts);
  const problems = sortDiagnostics(diagnostics).filter(({ severity }) => severity !== "info");
  return { events, event: events[0], problems, reported: reported(problems) };
}

describe("templates", () => {
  it("give an event what it does not say itself, named by their path below the folder", async () => {
    const { event, problems } = await composed({
      "templates/clubs/night.yaml": "type: FREE\nvenue: Palace\nvisibility: PRIVATE\n",
      "events/a.yaml": `${start}extends: clubs/night\nvisibility: PUBLIC\n`,
    });
    expect(problems).toEqual([]);
    expect(event?.fields).toMatchObject({ type: "FREE", visibility: "PUBLIC" });
    expect(event?.own.venue).toEqual({ name: "Palace" });
    expect(event?.places.type).toEqual({ file: "templates/clubs/night.yaml", line: 1, column: 7 });
    expect(event?.places.visibility?.file).toBe("events/a.yaml");
    expect(event?.own).not.toHaveProperty("extends");
  });

  it("lie over defaults, left to right, each over its own", async () => {
    const { event, problems } = await composed({
      "ticketing.yaml":
        "defaults: { eventCapacity: 1, description: d, type: FREE, visibility: PRIVATE, locationType: ONLINE }\n",
      "templates/base.yaml": "eventCapacity: 2\ndescription: base\ntype: PAID\n",
      "templates/left.yaml": "extends: base\neventCapacity: 3\ndescription: left\n",
      "templates/right.yaml": "extends: [base]\neventCapacity: 4\n",
      "events/a.yaml": `${start}extends: [left, right]\nlocationType: VENUE\n`,
    });
    expect(problems).toEqual([]);
    expect(event?.fields).toMatchObject({
      eventCapacity: 4,
      description: "base",
      type: "PAID",
      visibility: "PRIVATE",
      locationType: "VENUE",
    });
  });

  it("reached twice are merged twice: the later way wins, and their phases and entries come once", async () => {
    const { event, problems } = await composed({
      "templates/base.yaml": `status: DRAFT
tickets: [{ name: GA, price: 500, quantity: 1 }, { name: VIP, price: 900, quantity: 1 }]
phases: [{ name: Announce, from: -6w, status: PUBLISHED, allow: [{ risk: delete-event, why: r }] }]
`,
      "templates/mid.yaml": "extends: base\ntickets: [{ name: VIP, remove: true }]\n",
      "templates/one.yaml": "extends: mid\ntickets: [{ name: GA, price: 600 }]\n",
      "templates/two.yaml": "extends: mid\ntickets: [{ name: Late, price: 700, quantity: 1 }]\n",
      "templates/three.yaml": "extends: base\n",
      "events/a.yaml": `${start}extends: [one, two, three]\n`,
    });
    expect(problems).toEqual([]);
    expect(event?.children.ticket?.map(({ fields }) => [fields.name, fields.price])).toEqual([
      ["GA", 500],
      ["Late", 700],
      ["VIP", 900],
    ]);
    const { upcoming } = await projectOf({
      "templates/base.yaml": "status: DRAFT\nphases: [{ name: Announce, from: -6w, status: PUBLISHED }]\n",
      "templates/one.yaml": "extends: base\n",
      "templates/two.yaml": "extends: base\n",
      "events/a.yaml": `${start}extends: [one, two]\n`,
    });
    expect(upcoming.map(({ phase }) => phase)).toEqual(["Announce"]);
  });

  it("reached twice do not remove with an empty list what came since", async () => {
    const { event } = await composed({
      "templates/base.yaml": "brands: []\n",
      "templates/sponsored.yaml": "extends: base\nbrands: [{ name: San Miguel }]\n",
      "templates/club.yaml": "extends: base\n",
      "events/a.yaml": `${start}extends: [sponsored, club]\n`,
    });
    expect(event?.children.brand?.map(({ fields }) => fields.name)).toEqual(["San Miguel"]);
  });

  it("are walked once, however many ways lead to them", async () => {
    const texts: Record<string, string> = { "events/a.yaml": `${start}extends: [a40, b40]\n` };
    for (let level = 0; level <= 40; level += 1) {
      const below = level === 0 ? "type: FREE\n" : `extends: [a${level - 1}, b${level - 1}]\n`;
      texts[`templates/a${level}.yaml`] = below;
      texts[`templates/b${level}.yaml`] = below;
    }
    const { event, problems } = await composed(texts);
    expect(problems).toEqual([]);
    expect(event?.fields.type).toBe("FREE");
  });

  it("merge entries that share a name by what else identifies them", async () => {
    const { event, problems } = await composed({
      "templates/t.yaml": `tickets:
  - { name: GA, price: 100, quantity: 5 }
  - { name: GA, section: A, row: "1", price: 200, quantity: 5 }
  - { name: GA, section: B, row: "1", price: 300, quantity: 5 }
  - { name: GA, section: B, row: "2", price: 400, quantity: 5 }
  - { name: VIP, price: 900, quantity: 5 }
  - { name: Seat, id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11, price: 10, quantity: 5 }
  - { name: Seat, id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c12, price: 20, quantity: 5 }
schedules:
  - { title: Set, startTime: "+1h", endTime: "+1h" }
  - { title: Set, startTime: "+3h", endTime: "+1h" }
`,
      "templates/u.yaml": "extends: t\n",
      "events/a.yaml": `${start}extends: [t, u]
tickets:
  - { name: GA, section: B, row: 2, remove: true }
  - { name: GA, section: A, quantity: 6 }
  - { name: GA, quantity: 7 }
  - { name: GA, section: C, price: 500, quantity: 8 }
  - { name: VIP, section: D }
  - { name: Seat, id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c12, quantity: 9 }
schedules: [{ title: Set, startTime: "+3h", remove: true }]
`,
    });
    expect(problems).toEqual([]);
    const values = event?.children.ticket?.map(({ fields: { section, price, quantity } }) => [
      section,
      price,
      quantity,
    ]);
    expect(values).toEqual([
      [undefined, 100, 7],
      ["A", 200, 6],
      ["B", 300, 5],
      ["D", 900, 5],
      [undefined, 10, 5],
      [undefined, 20, 9],
      ["C", 500, 8],
    ]);
    expect(event?.children.schedule?.map(({ fields }) => fields.startTime)).toEqual(["2027-03-14T12:00:00.000Z"]);
  });

  it("merge lists entry by entry, by name, the n-th of a title with the n-th", async () => {
    const { event, problems } = await composed({
      "ticketing.yaml": "defaults: { tickets: { maximumPurchaseQuantity: 4, quantity: 9 } }\n",
      "templates/t.yaml": `tickets:
  - { name: VIP, price: 4500, quantity: 200, maximumPurchaseQuantity: 2 }
  - { name: GA, price: 1500, quantity: 500 }
  - { name: Crew, price: 0 }
schedules:
  - { title: Set, startTime: "+1h", endTime: "+1h", color: "#111111" }
  - { title: Set, startTime: "+3h", endTime: "+1h", color: "#222222" }
galleryUrls: [https://example.com/1.jpg, https://example.com/2.jpg]
allow: [price-change-with-sales]
venue: { name: Palace, city: Baguio }
`,
      "events/a.yaml": `${start}extends: t
tickets:
  - { name: GA, price: 1800 }
  - { name: Balcony, price: 900 }
  - { name: Crew, remove: true }
schedules: [{ title: Set }, { title: Set, color: "#333333" }]
galleryUrls: [https://example.com/3.jpg]
allow: [delete-event, price-change-with-sales]
venue: { name: Arena }
`,
    });
    expect(problems).toEqual([]);
    expect(event?.children.ticket?.map(({ fields }) => fields)).toEqual([
      { name: "VIP", price: 4500, quantity: 200, maximumPurchaseQuantity: 2 },
      { name: "GA", price: 1800, quantity: 500, maximumPurchaseQuantity: 4 },
      { name: "Balcony", price: 900, quantity: 9, maximumPurchaseQuantity: 4 },
    ]);
    expect(event?.children.schedule?.map(({ fields }) => fields.color)).toEqual(["#111111", "#333333"]);
    expect(event?.fields.galleryUrls).toEqual(["https://example.com/3.jpg"]);
    expect(event?.own.allow).toEqual([{ risk: "price-change-with-sales" }, { risk: "delete-event" }]);
    expect(event?.own.venue).toEqual({ name: "Arena", city: "Baguio" });
  });

  it("give no entries to a list that the event leaves empty", async () => {
    const { event, problems } = await composed({
      "templates/t.yaml": "tickets: [{ name: GA, price: 1, quantity: 1 }]\nbrands: [{ name: San Miguel }]\n",
      "templates/none.yaml": "extends: t\nbrands: []\n",
      "events/a.yaml": `${start}extends: none\ntickets: []\n`,
    });
    expect(problems).toEqual([]);
    expect(event?.children).toMatchObject({ ticket: [], brand: [] });
  });

  it("are overridden with null, which clears, and with `without`, which leaves unmanaged", async () => {
    const { event, problems } = await composed({
      "ticketing.yaml": "defaults: { callbackUrl: https://hooks.example.com/a, imageUrl: https://example.com/1.jpg }\n",
      "templates/t.yaml":
        "description: d\nbrands: [{ name: San Miguel }]\ntickets: [{ name: GA, price: 1, quantity: 1 }]\n",
      "events/a.yaml": `${start}extends: t\ndescription: null\nwithout: [brands, callbackUrl, tickets]\ntickets: []\n`,
    });
    expect(problems).toEqual([]);
    expect(event?.fields).toMatchObject({ description: null, imageUrl: "https://example.com/1.jpg" });
    expect(event?.fields).not.toHaveProperty("callbackUrl");
    expect(event?.children).toEqual({ ticket: [] });
  });

  it("may say a part of the venue, which the document completes", async () => {
    const texts = {
      "ticketing.yaml": "defaults: { venue: { country: Philippines } }\n",
      "templates/t.yaml": "venue: { city: Baguio }\n",
      "events/a.yaml": `${start}extends: t\nvenue: { name: Palace }\n`,
    };
    const { event, problems } = await composed(texts);
    expect(problems).toEqual([]);
    expect(event?.own.venue).toEqual({ name: "Palace", city: "Baguio", country: "Philippines" });
    const { reported: places } = await composed({ ...texts, "events/a.yaml": `${start}extends: t\n` });
    expect(places).toEqual(["templates/t.yaml:1:8 missing-field"]);
  });

  it("may say the venue in the other way", async () => {
    const { event, problems } = await composed({
      "templates/t.yaml": "venueId: 5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f\n",
      "events/a.yaml": `${start}extends: t\nvenue: Palace\n`,
    });
    expect(problems).toEqual([]);
    expect(event?.fields).not.toHaveProperty("venueId");
    expect(event?.own.venue).toEqual({ name: "Palace" });
  });

  it("fill variables in after merging: project, environment, template, document", async () => {
    const { event, problems } = await composed({
      "ticketing.yaml": `vars: { headliner: Nobody, hall: Hall, price: 100, seats: 5 }
environments: { sandbox: { vars: { hall: Sandbox hall } } }
defaults: { eventCapacity: "\${var.seats}", description: "\${var.headliner} in \${var.hall}" }
`,
      "templates/t.yaml":
        'name: "Club: ${var.headliner}"\nvars: { headliner: Residents, seats: 7, title: "${var.headliner}!" }\ntickets: [{ name: GA, price: "${var.price}", quantity: 1 }]\nimageUrl: https://example.com/${var.title}.jpg\n',
      "events/a.yaml": "extends: t\ndateTime: 2027-03-14T19:00\nvars: { headliner: DJ Ana, price: 1500 }\n",
    });
    expect(problems).toEqual([]);
    expect(event?.fields).toMatchObject({
      name: "Club: DJ Ana",
      eventCapacity: 7,
      description: "DJ Ana in Sandbox hall",
      imageUrl: "https://example.com/DJ Ana!.jpg",
    });
    expect(event?.children.ticket?.[0]?.fields.price).toBe(1500);
  });

  it("are found where the setting says, and are no events then", async () => {
    const { events, problems } = await composed({
      "ticketing.yaml": 'events: "**/*.yaml"\ntemplates: [shared/*.yaml, more/deep/*.yaml]\n',
      "shared/t.yaml": "type: FREE\n",
      "more/deep/u.yaml": "visibility: PRIVATE\n",
      "a.yaml": `${start}extends: [t, u]\n`,
    });
    expect(problems).toEqual([]);
    expect(events).toHaveLength(1);
    expect(events[0]?.fields).toMatchObject({ type: "FREE", visibility: "PRIVATE" });
  });
});

describe("mistakes about templates", () => {
  it("names that nothing has, with a suggestion", async () => {
    const { problems } = await composed({
      "templates/club-night.yaml": "type: FREE\n",
      "events/a.yaml": `${start}extends: [club-nigth]\n`,
    });
    expect(problems).toMatchObject([
      {
        code: "unknown-template",
        hint: "Did you mean club-night?",
        source: { line: 3, column: 11 },
      },
    ]);
  });

  it("a circle is shown once, whoever extends it", async () => {
    const texts = {
      "templates/a.yaml": "extends: c\n",
      "templates/b.yaml": "extends: a\n",
      "templates/c.yaml": "extends: [b]\n",
      "templates/self.yaml": "extends: self\n",
    };
    for (const events of [{}, { "events/x.yaml": `${start}extends: [b, self]\n` }]) {
      const { problems } = await composed({ ...texts, ...events });
      expect(problems.filter(({ code }) => code === "template-circle")).toMatchObject([
        { message: "Templates extend each other in a circle: a → c → b → a.", source: { file: "templates/b.yaml" } },
        { message: "Templates extend each other in a circle: self → self." },
      ]);
    }
  });

  it("a template that nothing extends is a notice", async () => {
    const { diagnostics } = await projectOf({
      "templates/base.yaml": "type: FREE\n",
      "templates/t.yaml": "extends: base\n",
      "events/a.yaml": start,
    });
    expect(diagnostics).toMatchObject([
      { code: "unused-template", severity: "info", source: { file: "templates/t.yaml", line: 1, column: 1 } },
    ]);
  });

  it("are reported at their own place, once, with the events that have them", async () => {
    const { reported: places, problems } = await composed({
      "templates/t.yaml": `nmae: x
tickets:
  - { name: GA, price: 1.5, quantity: 1 }
  - { name: VIP, price: 5 }
`,
      "events/a.yaml": `${start}extends: t\n`,
      "events/b.yaml": `${start}extends: t\ntickets: [{ name: GA, price: 2 }]\n`,
      "events/c.yaml": `${start}extends: t\n`,
    });
    expect(places).toEqual([
      "templates/t.yaml:1:1 unknown-key",
      "templates/t.yaml:3:24 price-not-whole",
      "templates/t.yaml:4:5 missing-field",
    ]);
    expect(problems.map(({ message }) => /\(in \d events.*\)$/.exec(message)?.[0])).toEqual([
      "(in 3 events: a, b, c)",
      "(in 2 events: a, c)",
      "(in 3 events: a, b, c)",
    ]);
    expect(problems.every(({ address }) => address === undefined)).toBe(true);
  });

  it("a variable that an event forgot is reported once, at the event", async () => {
    const { reported: places, problems } = await composed({
      "templates/t.yaml": 'name: "Club: ${var.act}"\ndescription: "Dance with ${var.act}"\n',
      "events/a.yaml": `${start}extends: t\nvars: { act: Ana }\n`,
      "events/b.yaml": `${start}extends: t\nphases: [{ from: -1d, eventCapacity: 5 }]\n`,
    });
    expect(places).toEqual(["events/b.yaml:3:10 unknown-variable"]);
    expect(problems[0]?.message).toBe("templates/t.yaml:2 uses the variable `act`, and this event does not set it.");
    expect(problems[0]?.hint).toMatch(/^Add `vars: \{ act: … \}` to events\/b\.yaml;/);
  });

  it.each(["null", "[A, B]"])("a variable with the value %s is not unknown besides", async (value) => {
    const { reported: places } = await composed({
      "templates/t.yaml": 'name: "Club: ${var.act}"\n',
      "events/a.yaml": `${start}extends: t\nvars: { act: ${value} }\n`,
    });
    expect(places).toEqual([expect.stringMatching(/^events\/a\.yaml:4:14 (empty-text|wrong-type)$/)]);
  });

  it("a message that names an event names the first of those it lists", async () => {
    const project = await projectOf({
      "templates/t.yaml": "endDateTime: 2027-01-01T19:00\n",
      "events/a.yaml": "extends: t\nname: Zarzuela\ndateTime: 2027-03-14T19:00\nvenue: Palace\n",
      "events/b.yaml": "extends: t\nname: Ballet\ndateTime: 2027-03-14T19:00\nvenue: Palace\n",
    });
    const found = lint(project, { now: Date.parse("2026-11-01T00:00:00Z"), environment: "sandbox" });
    const { message } = found.find(({ code }) => code === "ends-before-start") ?? {};
    expect(message).toMatch(/^"Zarzuela" .* \(in 2 events: a, b\)$/);
  });

  it("what webhooks share is reported of webhooks, by their URLs", async () => {
    const shared = "- &a { url: https://a.example.com/1, events: [] }\n- { <<: *a, url: https://a.example.com/2 }\n";
    const project = await projectOf({ "webhooks.yaml": shared });
    const found = lint(project, { now: Date.parse("2026-11-01T00:00:00Z"), environment: "sandbox" });
    expect(found.map(({ message }) => /\(in .*\)$/.exec(message)?.[0])).toEqual([
      "(in 2 webhooks: https://a.example.com/1, https://a.example.com/2)",
    ]);
  });

  it("one that cannot be read is the only thing reported: what events lack for it is its consequence", async () => {
    const { reported: places, events } = await composed({
      "templates/quiz.yaml": 'name: "Quiz\nvenue: Palace\ntickets: [{ name: GA, price: 1, quantity: 1 }]\n',
      "templates/hard.yaml": "extends: quiz\n",
      "events/a.yaml": "extends: hard\ndateTime: 2027-03-14T19:00\ntickets: [{ name: GA, price: 1.5 }]\n",
      "events/b.yaml": "extends: quiz\nvars: { x: 1 }\ndateTime: 22:00\nseries: { every: friday, count: 3 }\n",
    });
    expect(places).toEqual(["events/a.yaml:3:30 price-not-whole", "templates/quiz.yaml:1:7 yaml-syntax"]);
    expect(events).toEqual([]);
  });

  it("one that does not exist is the only thing reported, too", async () => {
    const remove = "tickets: [{ name: VIP, remove: true }, { name: GA, price: 1.5 }]\n";
    const { reported: places } = await composed({
      "templates/quiz.yaml": "tickets: [{ name: GA, price: 1, quantity: 1 }, { name: VIP, price: 1, quantity: 1 }]\n",
      "templates/hard.yaml": "extends: quizz\ntickets: [{ name: VIP, remove: true }]\n",
      "events/a.yaml": `${start}extends: quizz\n${remove}`,
      "events/b.yaml": `${start}extends: hard\n${remove}`,
    });
    expect(places).toEqual([
      "events/a.yaml:3:10 unknown-template",
      "events/a.yaml:4:59 price-not-whole",
      "events/b.yaml:4:59 price-not-whole",
      "templates/hard.yaml:1:10 unknown-template",
    ]);
  });

  it("a misspelled field is stated: no rule says that it is missing", async () => {
    const project = await projectOf({
      "templates/t.yaml": "tickets: [{ name: GA, price: 500, quantity: 1, publishd: true }]\n",
      "events/a.yaml": `${start}locationType: ONLINE\nextends: t\n`,
    });
    const found = lint(project, { now: Date.parse("2026-11-01T00:00:00Z"), environment: "default" }).map(
      ({ code }) => code,
    );
    expect(found).not.toContain("published-not-stated");
  });

  it("are found in one that nothing uses, too", async () => {
    const { reported: places } = await composed({
      "templates/t.yaml": "key: x\nid: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11\nvisibility: public\nextends: gone\n",
      "templates/u.yaml": "- a list\n",
      "templates/two.yaml": "type: FREE\n---\ntype: PAID\n",
      "templates/empty.yaml": "# nothing\n",
      "templates/twin.yaml": "type: FREE\n",
      "templates/twin.yml": "type: FREE\n",
      "events/a.yaml": start,
    });
    expect(places).toEqual([
      "templates/empty.yaml:1:1 empty-file",
      "templates/t.yaml:1:1 unknown-key",
      "templates/t.yaml:2:1 unknown-key",
      "templates/t.yaml:3:13 wrong-case",
      "templates/t.yaml:4:10 unknown-template",
      "templates/twin.yml:1:1 duplicate-template",
      "templates/two.yaml:3:1 wrong-type",
      "templates/u.yaml:1:1 wrong-type",
    ]);
  });

  it("entries that leave open which of several of one name they mean, or that name none of them", async () => {
    const { event, problems } = await composed({
      "templates/t.yaml": `tickets:
  - { name: GA, section: A, row: "1", price: 100, quantity: 5 }
  - { name: GA, section: A, row: "2", price: 200, quantity: 5 }
  - { name: VIP, section: A, price: 900, quantity: 5 }
`,
      "events/a.yaml": `${start}extends: t
tickets:
  - { name: GA, price: 1 }
  - { name: GA, section: A, remove: true }
  - { name: GA, section: B, remove: true }
  - { name: VIP, section: B, remove: true }
`,
    });
    expect(problems).toMatchObject([
      {
        code: "ambiguous-entry",
        message: "It is not clear which ticket type this entry means: GA (section A, row 1), GA (section A, row 2).",
        hint: "Add the `row` of the one that you mean.",
        source: { file: "events/a.yaml", line: 5, column: 5 },
      },
      { code: "ambiguous-entry", source: { line: 6 } },
      {
        code: "nothing-to-remove",
        message: "There is no inherited ticket type GA (section B) to remove.",
        hint: "Inherited: GA (section A, row 1), GA (section A, row 2). Name one of them, or delete this entry.",
      },
      { code: "nothing-to-remove", message: "There is no inherited ticket type VIP (section B) to remove." },
    ]);
    expect(event?.children.ticket?.map(({ fields }) => fields.price)).toEqual([100, 200, 900]);
  });

  it("an entry to remove that is not inherited, and fields to drop that do not exist", async () => {
    const { problems } = await composed({
      "templates/t.yaml": "brands: [{ name: San Miguel }]\n",
      "events/a.yaml": `${start}extends: t\nbrands: [{ name: San Migel, remove: true }]\nwithout: [brand]\ntickets: [{ name: GA, remove: true }]\nextend: t\n`,
    });
    expect(problems).toMatchObject([
      { code: "nothing-to-remove", hint: "Did you mean San Miguel?", source: { line: 4, column: 10 } },
      { code: "unknown-value", hint: "Did you mean brands?" },
      { code: "nothing-to-remove", hint: "Delete this entry." },
      { code: "unknown-key", hint: expect.stringContaining("`extends`") },
    ]);
  });

  it("vars that are none, and vars made of each other", async () => {
    const { reported: places } = await composed({
      "templates/t.yaml": 'vars: { a: "${var.b}" }\ndescription: "${var.a}"\n',
      "events/a.yaml": `${start}extends: t\nvars: { b: '\${var.a}', c: [1] }\n`,
    });
    expect(places).toEqual(["events/a.yaml:4:12 variable-circle", "events/a.yaml:4:27 wrong-type"]);
  });
});
