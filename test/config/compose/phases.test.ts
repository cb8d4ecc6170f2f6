import { describe, expect, it } from "vitest";
import { sortDiagnostics } from "../../../src/model/diagnostic.ts";
import { projectOf, reported } from "../project-of.ts";

// Asia/Manila: 11:00Z
const event = `name: A
dateTime: 2027-03-14T19:00
endDateTime: +4h
status: DRAFT
tickets:
  - { name: Early bird, price: 500, quantity: 100, published: true }
  - { name: Regular, price: 800, quantity: 500, published: false }
`;
const phases = `phases:
  - { name: Announce, from: -6w at 10:00, status: PUBLISHED }
  - name: Early bird ends
    from: -2w
    tickets:
      - { name: Early bird, soldOut: true }
      - { name: Regular, published: true }
  - { from: end +3d, status: ARCHIVED, allow: [archive-with-sales] }
`;

async function at(now: string, text: string, more: Readonly<Record<string, string>> = {}) {
  const project = await projectOf({ "events/a.yaml": text, ...more }, { now: Date.parse(now) });
  const problems = sortDiagnostics(project.diagnostics).filter(({ severity }) => severity !== "info");
  return { ...project, event: project.events[0], problems, reported: reported(problems) };
}

describe("phases", () => {
  it("lie over the document from their time on", async () => {
    const soldOut = (tickets: Awaited<ReturnType<typeof at>>) =>
      tickets.event?.children.ticket?.map(({ fields }) => [fields.soldOut ?? false, fields.published]);
    const before = await at("2027-01-31T01:59:59Z", event + phases);
    expect(before.problems).toEqual([]);
    expect(before.event?.own.status).toBe("DRAFT");
    const announced = await at("2027-01-31T02:00:00Z", event + phases);
    expect(announced.event?.own.status).toBe("PUBLISHED");
    expect(soldOut(announced)).toEqual([
      [false, true],
      [false, false],
    ]);
    expect(soldOut(await at("2027-02-28T11:00:00Z", event + phases))).toEqual([
      [true, true],
      [false, true],
    ]);
    const over = await at("2027-03-17T15:00:00Z", event + phases);
    expect(over.event?.own).toMatchObject({ status: "ARCHIVED", allow: [{ risk: "archive-with-sales" }] });
    expect(over.upcoming).toEqual([]);
  });

  it.each([
    [
      "[{ from: -2w, tickets: [{ name: Regular, soldOut: true }] }, { from: -1w, tickets: [{ name: Regular, soldOut: false }] }]",
      '`soldOut` of "Regular" would become false again, but no API call can do that.',
    ],
    ["[{ name: SOLD OUT, from: -1w }]", "This phase changes nothing: `name` is only what the phase is called."],
    [
      "[{ from: +6w at 10:00, status: PUBLISHED }, { from: end +3d, status: ARCHIVED }]",
      "This phase publishes the event only after it is over.",
    ],
    [
      "[{ from: +1w at 12:00, tickets: [{ name: Early bird, soldOut: true }, { name: Regular, published: true }] }]",
      "This phase changes ticket sales only after the event is over.",
    ],
    [
      "[{ from: 2028-02-28T12:00, tickets: [{ name: Regular, price: 900 }] }]",
      "This phase changes ticket sales only after the event is over.",
    ],
    ["[{ from: -1m, status: PUBLISHED }]", "-1m is only minutes before the start: `m` does not stand for months."],
  ])("that hardly do what was meant are a warning: %s", async (list, message) => {
    const { problems } = await at("2027-01-01T00:00:00Z", `${event}phases: ${list}\n`);
    expect(problems).toMatchObject([{ severity: "warning", code: "bad-phase", message }]);
  });

  it.each([
    "[{ from: -2w, tickets: [{ name: Regular, soldOut: false }] }, { from: -1w, tickets: [{ name: Regular, soldOut: true }] }]",
    "[{ from: -30m, status: PUBLISHED }]",
    "[{ from: -5m, tickets: [{ name: Regular, soldOut: true }] }]",
    "[{ from: end +1h, tickets: [{ name: Regular, soldOut: true }] }]",
    "[{ from: +0m, tickets: [{ name: Regular, price: 900 }] }]",
  ])("that may be meant as they are written are fine: %s", async (list) => {
    expect((await at("2027-01-01T00:00:00Z", `${event}phases: ${list}\n`)).problems).toEqual([]);
  });

  it("change the one that they mean of several entries that share a name", async () => {
    const twins = (overlay: string) =>
      `${event}  - { name: GA, section: A, row: "1", price: 1, quantity: 5 }\n  - { name: GA, section: B, row: "1", price: 2, quantity: 5 }\nphases: [{ from: -1d, until: -2h, ${overlay} }]\n`;
    const during = "2027-03-14T00:00:00Z";
    const one = twins("tickets: [{ name: GA, section: B, price: 3 }]");
    const { event: then, problems } = await at(during, one);
    expect(problems).toEqual([]);
    expect(then?.children.ticket?.map(({ fields }) => fields.price)).toEqual([500, 800, 1, 3]);
    const { upcoming } = await at("2027-01-01T00:00:00Z", one);
    expect(upcoming.map(({ fields }) => fields)).toEqual(Array(2).fill(["/tickets/3/price"]));
    const open = await at(during, twins("tickets: [{ name: GA, price: 3 }]"));
    expect(open.problems).toMatchObject([
      { code: "ambiguous-entry", hint: "Add the `section` of the one that you mean." },
    ]);
    const none = await at(during, twins("tickets: [{ name: GA, section: C, price: 3 }]"));
    expect(none.problems).toMatchObject([
      {
        code: "bad-phase",
        message: '"A" has no ticket type "GA (section C)", and this entry lacks the fields needed to create it.',
        hint: "Remove this entry if the ticket type is gone. If not, use one of: GA (section A, row 1), GA (section B, row 1); or add the missing fields.",
      },
    ]);
    const added = await at(during, twins("tickets: [{ name: GA, section: C, price: 3, quantity: 4 }]"));
    expect(added.event?.children.ticket).toHaveLength(5);
    const early = await at("2027-01-01T00:00:00Z", twins("tickets: [{ name: GA, section: C, price: 3, quantity: 4 }]"));
    expect(early.problems[0]?.message).toBe('The ticket type "GA (section C)" exists only in this phase, which ends.');
  });

  it("may end when another phase removes the entry that they change", async () => {
    const { problems } = await at(
      "2027-01-01T00:00:00Z",
      `${event}phases:\n  - { from: -4w, until: -1w, tickets: [{ name: Regular, price: 700 }] }\n  - { from: -1w, tickets: [{ name: Regular, remove: true }] }\n`,
    );
    expect(problems).toEqual([]);
  });

  it.each([
    ["performers", "{ name: Bo }", "performers: [{ name: Bo, remove: true }]", [0, 1, 0]],
    ["tickets", "{ name: Early, price: 1, quantity: 4 }", "tickets: [{ name: Early, soldOut: true }]", [0, 1, 1]],
  ])("that alone have an entry of %s end with another phase", async (list, entry, ending, counts) => {
    const text = (end: string) =>
      `name: A\ndateTime: 2027-03-14T19:00\nphases:\n  - { from: -4w, ${end}${list}: [${entry}] }\n`;
    const { problems } = await at("2027-01-01T00:00:00Z", text("until: -1w, "));
    expect(problems).toMatchObject([{ code: "bad-phase", hint: expect.stringContaining(`with \`${ending}\``) }]);
    const fixed = `${text("")}  - { from: -1w, ${ending} }\n`;
    for (const [index, time] of ["2027-01-01", "2027-03-01", "2027-03-10"].entries()) {
      const { event, problems } = await at(`${time}T00:00:00Z`, fixed);
      expect(problems).toEqual([]);
      const entries = Object.values(event?.children ?? {}).flat();
      expect(entries).toHaveLength(counts[index] ?? 0);
    }
  });

  it("that end keep what cannot end in another phase", async () => {
    const text = "name: A\ndateTime: 2027-03-14T19:00\ndescription: One\nphases:\n";
    const one = "  - { from: -4w, until: -1w, description: Two, status: ARCHIVED }\n";
    const { problems } = await at("2027-01-01T00:00:00Z", text + one);
    const hint = "Remove `until`, or set `status` in a separate phase without `until`.";
    expect(problems).toMatchObject([{ code: "bad-phase", hint }]);
    const two = "  - { from: -4w, until: -1w, description: Two }\n  - { from: -4w, status: ARCHIVED }\n";
    expect((await at("2027-01-01T00:00:00Z", text + two)).problems).toEqual([]);
  });

  it("are listed while they are to come, in order of time", async () => {
    const { upcoming } = await at("2027-02-01T00:00:00Z", event + phases);
    expect(upcoming).toMatchObject([
      {
        at: "2027-02-28T11:00:00.000Z",
        address: "events/a",
        type: "phase",
        phase: "Early bird ends",
        fields: ["/tickets/0/soldOut", "/tickets/1/published"],
      },
      { at: "2027-03-17T15:00:00.000Z", address: "events/a", type: "phase", phase: null, fields: ["/status"] },
    ]);
  });

  it("fall back when they end; at one instant, the later in the file wins", async () => {
    const text = `${event}description: usual
visibility: PUBLIC
phases:
  - { from: -2d, until: -1d, description: soon }
  - { from: -2d, until: 2027-03-14T10:00, visibility: PRIVATE, description: very soon }
`;
    const described = async (now: string) => (await at(now, text)).event?.fields;
    expect((await at("2027-03-01T00:00:00Z", text)).problems).toEqual([]);
    expect(await described("2027-03-12T11:00:00Z")).toMatchObject({ description: "very soon", visibility: "PRIVATE" });
    expect(await described("2027-03-14T01:59:00Z")).toMatchObject({ description: "very soon" });
    expect(await described("2027-03-14T02:00:00Z")).toMatchObject({ description: "usual", visibility: "PUBLIC" });
    const { upcoming } = await at("2027-03-13T00:00:00Z", text);
    expect(upcoming.map(({ type, fields }) => [type, fields])).toEqual([
      ["phase-end", []],
      ["phase-end", ["/visibility", "/description"]],
    ]);
  });

  it("remove all entries of a list with an empty one, but not with one whose entries are wrong", async () => {
    const text = (tickets: string) => `${event}phases: [{ from: -2d, tickets: ${tickets} }]\n`;
    expect((await at("2027-03-13T00:00:00Z", text("[]"))).event?.children.ticket).toEqual([]);
    expect((await at("2027-01-01T00:00:00Z", text("[]"))).upcoming).toMatchObject([{ fields: ["/tickets"] }]);
    const slip = await at("2027-03-13T00:00:00Z", text("[{ name: Regulr, soldOut: true }]"));
    expect(slip.problems.map(({ code }) => code)).toEqual(["bad-phase"]);
    expect(slip.event?.children.ticket).toHaveLength(2);
  });

  it("build on the phases before them", async () => {
    const text = `${event}
schedules: []
phases:
  - { from: -4w, eventCapacity: 7 }
  - { from: -3w, until: -1w, eventCapacity: 5 }
  - { from: -2w, tickets: [{ name: New, price: 50, quantity: 100, published: true }] }
  - { from: -2w, schedules: [{ title: Late set, startTime: +2h, endTime: +1h }] }
  - { from: -3d, tickets: [{ name: New, price: 60 }], schedules: [{ title: Late set, startTime: +3h }] }
  - { from: -2d, tickets: [{ name: New, remove: true }] }
`;
    expect((await at("2027-01-01T00:00:00Z", text)).problems).toEqual([]);
    expect((await at("2027-03-08T00:00:00Z", text)).event?.fields.eventCapacity).toBe(7);
    const last = await at("2027-03-12T00:00:00Z", text);
    expect(last.event?.children.ticket?.at(-1)).toMatchObject({ name: "New", fields: { price: 60 } });
    expect(last.event?.children.schedule?.[0]?.fields.startTime).toBe("2027-03-14T14:00:00.000Z");
    expect((await at("2027-03-13T00:00:00Z", text)).event?.children.ticket).toHaveLength(2);
  });

  it("change nothing once one of them has archived the event", async () => {
    const text = `${event}description: usual
phases:
  - { from: -3w, status: ARCHIVED }
  - { from: -2w, description: late }
  - { name: Announce, from: -1w, status: PUBLISHED }
`;
    const first = await at("2027-01-01T00:00:00Z", text);
    expect(first.problems).toEqual([]);
    expect(first.upcoming.map(({ at: when, fields }) => [when, fields])).toEqual([
      ["2027-02-21T11:00:00.000Z", ["/status"]],
    ]);
    for (const now of ["2027-02-22T00:00:00Z", "2027-03-01T00:00:00Z", "2027-03-13T00:00:00Z"]) {
      const { event: archived, upcoming } = await at(now, text);
      expect(archived).toMatchObject({ own: { status: "ARCHIVED" }, fields: { description: "usual" } });
      expect(upcoming).toEqual([]);
    }
  });

  it("of an event in a zone with daylight saving may add a local time, and take out nothing that is not there", async () => {
    const text = `name: A
dateTime: 2027-03-14T19:00-04:00
timezone: America/New_York
schedules: []
phases:
  - { from: 2027-03-01T10:00Z, schedules: [{ title: Set, startTime: 2027-03-14T20:00, endTime: 2027-03-14T21:00 }] }
  - { from: 2027-03-02T10:00Z, schedules: [{ title: Sett, remove: true }] }
`;
    expect((await at("2027-01-01T00:00:00Z", text)).reported).toEqual(["events/a.yaml:7:44 nothing-to-remove"]);
    expect((await at("2027-03-01T10:00:00Z", text)).event?.children.schedule?.[0]?.fields.startTime).toBe(
      "2027-03-15T00:00:00.000Z",
    );
  });

  it("of templates and of series work per event, with their own vars", async () => {
    const { events, upcoming, problems } = await at(
      "2027-01-11T00:00:00Z",
      `extends: t
dateTime: 22:00
vars: { lead: -5d }
phases: [{ name: Doors, from: "\${var.lead}", vars: { mood: now }, eventCapacity: 5 }]
series: { every: friday, from: 2027-01-08, count: 3 }
`,
      {
        "templates/t.yaml":
          'name: A\nvars: { mood: later }\ndescription: "${var.mood}"\nphases: [{ name: Close, from: start +1h, status: ARCHIVED }]\n',
      },
    );
    expect(problems).toEqual([]);
    expect(events.map(({ own, fields }) => [own.key, own.status, fields.description, fields.eventCapacity])).toEqual([
      ["a@2027-01-08", "ARCHIVED", "now", 5],
      ["a@2027-01-15", undefined, "now", 5],
      ["a@2027-01-22", undefined, "later", undefined],
    ]);
    expect(upcoming.map(({ at: when, address, phase }) => `${when} ${address} ${phase}`)).toEqual([
      "2027-01-15T15:00:00.000Z events/a@2027-01-15 Close",
      "2027-01-17T14:00:00.000Z events/a@2027-01-22 Doors",
      "2027-01-22T15:00:00.000Z events/a@2027-01-22 Close",
    ]);
  });

  it("that set only vars change the values that those fill in", async () => {
    const text = `${event}vars: { w: one, v: "\${var.w}!" }
description: "hello \${var.v}"
schedules: [{ title: "\${var.w}", startTime: +0m, endTime: +1h }]
galleryUrls: ["https://example.com/\${var.w}.jpg", "https://example.com/2.jpg"]
phases: [{ name: W, from: -3w, until: -1w, vars: { w: two } }]
`;
    const { upcoming, problems } = await at("2027-01-01T00:00:00Z", text);
    expect(problems).toEqual([]);
    const fields = ["/description", "/schedules/0/title", "/galleryUrls/0"];
    expect(upcoming.map((one) => [one.type, one.fields])).toEqual([
      ["phase", fields],
      ["phase-end", fields],
    ]);
  });

  it("have variables in their names, filled in with their own vars over those of the document", async () => {
    const text = `${event}vars: { who: Ana, day: 7 }
phases:
  - { name: "Announce \${var.who}", from: -6w, eventCapacity: 5 }
  - { name: "\${var.day}", from: -5w, eventCapacity: 6 }
  - { name: "\${var.who} again", from: -4w, vars: { who: Bea }, eventCapacity: 7 }
`;
    const { upcoming, problems } = await at("2027-01-01T00:00:00Z", text);
    expect(problems).toEqual([]);
    expect(upcoming.map(({ phase }) => phase)).toEqual(["Announce Ana", "7", "Bea again"]);
    expect((await at("2027-01-01T00:00:00Z", text.replace("var.day", "var.dya"))).reported).toEqual([
      "events/a.yaml:11:14 unknown-variable",
    ]);
  });

  it("keep a date of a series managed for seven days", async () => {
    const text = `name: A\ndateTime: 22:00\nphases: [{ from: +1d, status: ARCHIVED }]\nseries: { every: friday, from: 2027-01-08, count: 1 }\n`;
    expect((await at("2027-01-16T13:59:59Z", text)).events).toHaveLength(1);
    expect((await at("2027-01-16T14:00:00Z", text)).ended).toMatchObject([{ address: "events/a@2027-01-08" }]);
  });
});

describe("mistakes about phases", () => {
  const now = "2027-01-01T00:00:00Z";

  it("that leave an entry without its performer are to be corrected in the phase", async () => {
    const schedules = "schedules: [{ title: Set, performer: Ana, startTime: +1h, endTime: +2h }]";
    const phases = "phases: [{ name: Y, from: -1d, performers: [{ name: Ana, remove: true }] }]";
    const { problems } = await at(
      now,
      `name: A\ndateTime: 2027-03-14T19:00\nperformers: [{ name: Ana }, { name: Cy }]\n${schedules}\n${phases}`,
    );
    expect(problems).toMatchObject([{ code: "unknown-performer", hint: expect.stringMatching(/^The phase removes/) }]);
  });

  it("of a template name the event that they are one in", async () => {
    const phases = "phases: [{ from: -1d, tickets: [{ name: Door, published: true }] }]\n";
    const { diagnostics } = await projectOf({
      "templates/t.yaml": phases,
      "events/a.yaml": "extends: t\nname: Open Mic\ndateTime: 2027-03-14T19:00\n",
    });
    expect(diagnostics).toMatchObject([
      {
        code: "bad-phase",
        message: '"Open Mic" has no ticket type "Door", and this entry lacks the fields needed to create it.',
        hint: "Remove this entry if the ticket type is gone. If not, add the missing fields. Or write `without: [phases]` in events/a.yaml, and list the phases of that event there.",
      },
    ]);
  });

  it("about a name that has a variable say how it is written", async () => {
    const { diagnostics } = await projectOf({
      "templates/t.yaml": 'vars: { year: 2027 }\ntickets:\n  - { name: "Pass ${var.year} A", price: 1, quantity: 2 }\n',
      "events/a.yaml":
        "extends: t\nname: Open Mic\ndateTime: 2027-03-14T19:00\nphases: [{ from: -1d, tickets: [{ name: Pass 2027 A, soldOut: true }] }]\n",
    });
    expect(diagnostics).toMatchObject([
      {
        message:
          'No ticket type is written as "Pass 2027 A" (names are matched before variables are filled in), and this entry lacks the fields needed to create one.',
        hint: 'Write `name: "Pass ${var.year} A"`, as in templates/t.yaml:3.',
      },
    ]);
  });

  it.each([
    ["without a time", "[{ status: PUBLISHED }]", ["9:10 bad-phase"]],
    ["that ends before it begins", "[{ from: -1d, until: -2d, status: PUBLISHED }]", ["9:30 bad-phase"]],
    [
      "of what belongs to the event",
      "[{ from: -1d, dateTime: 2027-03-15T19:00, key: b }]",
      ["9:23 unknown-key", "9:51 unknown-key"],
    ],
    [
      "about an entry that is not there",
      "[{ from: -1d, tickets: [{ name: Erly bird, soldOut: true }] }]",
      ["9:33 bad-phase"],
    ],
    ["without a value to fall back to", "[{ from: -2d, until: -1d, description: x }]", ["9:35 bad-phase"]],
    [
      "that adds what has nothing below it when the phase ends",
      "[{ from: -2d, until: -1d, tickets: [{ name: New, price: 1, quantity: 1, published: true }] }]",
      ["9:45 bad-phase"],
    ],
    [
      "that ends before one that builds on it",
      "[{ from: -4d, tickets: [{ name: New, price: 1, quantity: 1 }] }, { from: -3d, tickets: [{ name: New, remove: true }] }, { from: -2d, tickets: [{ name: New, price: 2 }] }]",
      ["9:152 bad-phase"],
    ],
    [
      "without a part of a value to fall back to",
      "[{ from: -4d, venue: { name: Palace } }, { from: -2d, until: -1d, venue: { state: Benguet } }]",
      ["9:84 bad-phase"],
    ],
    ["that ends what is final", "[{ from: -2d, until: -1d, status: ARCHIVED }]", ["9:35 bad-phase"]],
    ["with a mistake in a field, to come", "[{ from: -1d, visibility: public }]", ["9:35 wrong-case"]],
    ["that counts from an end that is not there", "[{ from: end +1d, status: ARCHIVED }]", ["9:18 unreadable-time"]],
    ["of the wrong type", "yes please", ["9:9 wrong-type"]],
  ])("a phase %s", async (_, written, places) => {
    const text = written.includes("end +1d") ? event.replace("endDateTime: +4h", "journeyType: STANDARD") : event;
    const { reported: found, problems } = await at(now, `${text}type: PAID\nphases: ${written}\n`);
    expect(found.map((one) => one.replace(/^[^:]*:/, ""))).toEqual(places);
    if (written.includes("Erly")) expect(problems[0]?.hint).toBe("Did you mean Early bird?");
  });

  it("leave open what a final status of the document means, before and after they begin; a phase says it", async () => {
    for (const status of ["ARCHIVED", "DELETED"]) {
      for (const [moment, why] of [
        ["2027-01-01T00:00:00Z", "begins later"],
        ["2027-02-01T00:00:00Z", "sets it to PUBLISHED"],
      ] as const) {
        const { reported: found, problems } = await at(moment, event.replace("DRAFT", status) + phases);
        expect(found).toContain("events/a.yaml:4:9 bad-phase");
        const { message = "", hint = "" } = problems.find(({ code }) => code === "bad-phase") ?? {};
        expect(message).toContain(`the phase "Announce" ${why}.`);
        const [, phase = ""] = /a phase: `(.*)` under/.exec(hint) ?? [];
        const fixed = event + phases.replace("phases:", `phases:\n  - ${phase}`);
        // The same files mean the same whenever they are read.
        for (const later of [moment, "2027-02-20T00:00:00Z", "2027-03-13T00:00:00Z"]) {
          const closed = await at(later, fixed);
          expect([closed.reported, closed.event?.own.status, closed.upcoming]).toEqual([[], status, []]);
        }
      }
    }
  });

  it("a value falls back to the other way of saying it", async () => {
    const venueId = "5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f";
    const { reported: found } = await at(
      now,
      `${event}venue: Palace\nphases: [{ from: -2d, until: -1d, venueId: ${venueId} }]\n`,
    );
    expect(found).toEqual([]);
  });

  it("are reported with the field that was meant, which the document below may have", async () => {
    const slips = `phases:
  - { from: -2w, statsu: PUBLISHED }
  - { from: -1w, unitl: -1d, description: X, tickets: [{ name: Regular, prcie: 900 }] }
`;
    const { problems } = await at("2026-11-01T00:00:00Z", event + slips);
    expect(problems.map(({ code, source, hint }) => [code, source?.line, hint])).toEqual([
      ["unknown-key", 9, "Did you mean `status`?"],
      ["unknown-key", 10, "Did you mean `until`?"],
      ["unknown-key", 10, "Did you mean `price`?"],
    ]);
    const twice = await at(
      "2026-11-01T00:00:00Z",
      `${event}phases: [{ from: -2w, status: PUBLISHED, statsu: DRAFT }]\n`,
    );
    expect(twice.problems.map(({ hint }) => hint)).toEqual([
      "This seems to mean `status`, which is already here: remove one of the two.",
    ]);
  });

  it.each([
    ["form: -2w at 10:00, status: PUBLISHED", ["Did you mean `from`?"]],
    ["start: -2w, ends: -1w, status: PUBLISHED", ["Did you mean `from`?", "Did you mean `until`?"]],
    [
      "from: -2w, form: -3w, status: PUBLISHED",
      ["This seems to mean `from`, which is already here: remove one of the two."],
    ],
    ["from: -2w, published: true", [expect.stringContaining("Write `status: PUBLISHED`")]],
    [
      "from: -2w, status: PUBLISHED, foo: 1",
      [expect.stringMatching(/^Use one of these fields: name, from, until, status,/)],
    ],
    ["status: PUBLISHED", ["Add a field such as `from: -2w at 10:00` inside the braces."]],
  ])("{ %s } is told about the fields that a phase has", async (written, hints) => {
    const { problems } = await at("2026-11-01T00:00:00Z", `${event}phases: [{ ${written} }]\n`);
    expect(problems.map(({ hint }) => hint)).toEqual(hints);
  });

  it("have one entry for each ticket type", async () => {
    const twice = "tickets: [{ name: Regular, price: 90 }, { name: Regular, maximumPurchaseQuantity: 2 }]";
    const { problems } = await at("2026-11-01T00:00:00Z", `${event}phases: [{ from: -2w, ${twice} }]\n`);
    expect(problems).toMatchObject([
      { code: "duplicate-name", message: 'The phase lists "Regular" twice.', hint: "Write its fields in one entry." },
    ]);
  });

  it("keep reporting a secret as a secret", async () => {
    const key = `sk_live_${"0123456789abcdef".repeat(2)}`;
    const { problems } = await at("2026-11-01T00:00:00Z", `${event}phases: [{ from: -2w, apiKey: ${key} }]\n`);
    expect(problems.map(({ code }) => code)).toContain("secret-in-file");
  });
});
