// Long lists, in the files and on the service: eight times the entries take about eight times the time.
import { describe, expect, test } from "vitest";
import { renderPlan } from "../../src/app/planning/save-plan.ts";
import { type DriftReport, renderDriftIssue, renderDriftJson } from "../../src/report/comment.ts";
import { layOut } from "../../src/report/page/timetable.ts";
import { remarksOf } from "../../src/report/plan.ts";
import { load, planOf, type Setup } from "../stage/plan-of.ts";
import { change, edit, plan } from "../stage/plan-samples.ts";
import { cpuMs, expectLinear } from "./growth.ts";

const start = "2027-03-14T11:00:00.000Z";
const end = "2027-03-14T12:00:00.000Z";
const event = "name: A\ndateTime: 2027-03-14T19:00\nlocationType: ONLINE\n";

function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function lines(count: number, make: (index: number) => string): string {
  return times(count, make).join("");
}

const tickets = (count: number) => times(count, (index) => ({ name: `T${index}`, price: 1, quantity: 5 }));
const onSale = (count: number, more: { remainingQuantity?: number } = {}) =>
  tickets(count).map((ticket) => ({ ...ticket, published: true, ...more }));
const hookUrl = (index: number) => `https://hooks.example.com/${index}`;
const hookText = (index: number) => `{ url: "${hookUrl(index)}", events: [order.completed] }`;
const wishedTickets = (count: number) => lines(count, (index) => `  - { name: T${index}, price: 2, quantity: 5 }\n`);
const program = (count: number) =>
  `performers:\n${lines(count, (index) => `  - { name: P${index} }\n`)}schedules:\n${lines(
    count,
    (index) =>
      `  - { title: S${index}, startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00, performer: P${index} }\n`,
  )}`;
const liveProgram = (count: number) => ({
  performers: times(count, (index) => ({ name: `P${index}` })),
  schedules: times(count, (index) => ({ title: `S${index}`, startTime: start, endTime: end, performer: `P${index}` })),
});

const lists: Readonly<Record<string, { readonly most: number; readonly setup: (count: number) => Setup }>> = {
  "live ticket types that the file does not name": {
    most: 5_000,
    setup: (count) => ({
      files: { "events/a.yaml": `${event}tickets: [{ name: T0, price: 1, quantity: 5 }]\n` },
      live: { events: [{ name: "A", dateTime: start, tickets: tickets(count) }] },
    }),
  },
  "ticket types of a public event that cannot be deleted without consent": {
    most: 2_500,
    setup: (count) => ({
      files: { "events/a.yaml": `${event}tickets: [{ name: T0, price: 1, quantity: 5, published: true }]\n` },
      live: { events: [{ name: "A", dateTime: start, status: "PUBLISHED", tickets: onSale(count) }] },
    }),
  },
  "ticket types that are closed, whose sales only orders show": {
    most: 10_000,
    setup: (count) => ({
      files: { "events/a.yaml": `${event}tickets: []\n` },
      live: {
        events: [{ name: "A", dateTime: start, status: "PUBLISHED", tickets: onSale(count, { remainingQuantity: 0 }) }],
      },
      allow: ["delete-ticket-on-sale"],
    }),
  },
  "ticket types that take the place of others": {
    most: 400,
    setup: (count) => ({
      files: { "events/a.yaml": `${event}tickets:\n${wishedTickets(count).replaceAll("T", "New ")}` },
      live: { events: [{ name: "A", dateTime: start, tickets: tickets(count) }] },
    }),
  },
  "brands to remove": {
    most: 4_000,
    setup: (count) => ({
      files: { "events/a.yaml": `${event}brands: []\n` },
      live: { events: [{ name: "A", dateTime: start, brands: times(count, (index) => ({ name: `B${index}` })) }] },
    }),
  },
  "webhooks to remove": {
    most: 2_500,
    setup: (count) => ({
      files: { "webhooks.yaml": "[]\n" },
      base: { "webhooks.yaml": lines(count, (index) => `- ${hookText(index)}\n`) },
      live: { webhooks: times(count, (index) => ({ url: hookUrl(index), events: ["order.completed" as const] })) },
      allow: ["delete-webhook"],
    }),
  },
  "ticket types to change": {
    most: 2_500,
    setup: (count) => ({
      files: { "events/a.yaml": `${event}tickets:\n${wishedTickets(count)}` },
      live: { events: [{ name: "A", dateTime: start, tickets: tickets(count) }] },
    }),
  },
  "a program to make": {
    most: 2_000,
    setup: (count) => ({ files: { "events/a.yaml": event + program(count) } }),
  },
  "a program to remove": {
    most: 2_000,
    setup: (count) => ({
      files: { "events/a.yaml": `${event}performers: []\nschedules: []\n` },
      live: { events: [{ name: "A", dateTime: start, ...liveProgram(count) }] },
    }),
  },
  "performers that no one finds": {
    most: 1_000,
    setup: (count) => ({
      files: { "events/a.yaml": event + program(count).replaceAll("performer: P", "performer: Pp") },
    }),
  },
  "live events": {
    most: 10_000,
    setup: (count) => ({
      files: { "events/a.yaml": event },
      live: { events: times(count, (index) => ({ name: `E${index}`, dateTime: start })) },
    }),
  },
  "event files": {
    most: 2_500,
    setup: (count) => ({
      files: Object.fromEntries(times(count, (index) => [`events/e${index}.yaml`, event.replace("A", `A${index}`)])),
    }),
  },
  "webhooks whose addresses are partly hidden": {
    most: 1_000,
    setup: (count) => ({
      files: {
        "webhooks.yaml": lines(
          count,
          (index) => `- { url: "https://hooks.example.com/${index}/abc", events: [order.completed] }\n`,
        ),
      },
      live: {
        webhooks: times(count, (index) => ({
          url: `https://hooks.example.com/${index}/**`,
          events: ["order.completed" as const],
        })),
      },
    }),
  },
};

async function planAndShow(setup: Setup): Promise<void> {
  const made = await planOf(setup);
  for (const format of ["text", "json", "markdown", "html"]) {
    await renderPlan(made, { format, color: false, verbose: false, directory: ".", columns: 80 });
  }
}

describe("planning takes time in proportion to", () => {
  test.each(Object.entries(lists))("%s", async (_, { most, setup }) => {
    await expectLinear((count) => planAndShow(setup(count)), most);
  });
});

describe("a live webhook with many hidden parts", () => {
  test("is compared in one pass", async () => {
    const file = `- { url: "https://hooks.example.com/${"a".repeat(4_000)}", events: [order.completed] }\n`;
    const webhooks = [{ url: "**a**a**a**a**a**a**a**b", events: ["order.completed" as const] }];
    const time = await cpuMs(() => planOf({ files: { "webhooks.yaml": file }, live: { webhooks } }));
    expect(time).toBeLessThan(2_000);
  });
});

describe("one file", () => {
  const documents = (count: number) => times(count, (index) => `key: k${index}\n${event}`).join("---\n");

  test("may hold a thousand events", async () => {
    const project = await load({ "events/a.yaml": documents(1_000) });
    expect(project.diagnostics).toEqual([]);
    expect(project.events).toHaveLength(1_000);
  });

  test.each([
    ["in plain YAML", documents(10_000)],
    ["with tabs", documents(10_000).replaceAll("name: A", "name:\tA")],
  ])("of ten thousand is refused at the first one too many, %s", async (_, text) => {
    const time = await cpuMs(async () => {
      const { diagnostics } = await load({ "events/a.yaml": text });
      expect(diagnostics).toMatchObject([
        { code: "too-many-documents", source: { file: "events/a.yaml", line: 10_001 } },
      ]);
      expect(diagnostics[0]?.message).toBe("This file contains more than 2,000 YAML documents.");
    });
    expect(time).toBeLessThan(5_000);
  });
});

describe("variables", () => {
  const sound = (description: string) => ({ "events/a.yaml": `${event}description: ${description}\n` });
  const reported = async (files: Readonly<Record<string, string>>) =>
    (await load(files)).diagnostics.map(({ code, source }) => `${source?.file}:${source?.line} ${code}`);

  test("that are not closed, 45,000 of them, are reported a hundred times", async () => {
    expect(await reported(sound("${".repeat(45_000)))).toEqual(times(100, () => "events/a.yaml:4 unknown-variable"));
  });

  test("that make a text too long are refused where they do", async () => {
    const vars = `version: 1\nvars:\n  big: ${"x".repeat(90_000)}\n`;
    expect(await reported({ ...sound("${var.big}".repeat(900)), "ticketing.yaml": vars })).toEqual([
      "events/a.yaml:4 too-long",
    ]);
  });

  test("that double each other end at the limit", async () => {
    const vars = `version: 1\nvars:\n  v0: xxxxxxxx\n${lines(60, (index) => `  v${index + 1}: \${var.v${index}}\${var.v${index}}\n`)}`;
    expect(await reported({ ...sound("${var.v60}"), "ticketing.yaml": vars })).toEqual(["ticketing.yaml:17 too-long"]);
  });

  test("may add no more to a file than a file may hold", async () => {
    const vars = `version: 1\nvars:\n  big: ${"x".repeat(90_000)}\n`;
    const brands = `brands:\n${lines(20, (index) => `  - { name: B${index}, description: "\${var.big}" }\n`)}`;
    const found = await reported({ "events/a.yaml": event + brands, "ticketing.yaml": vars });
    expect(found).toEqual(["events/a.yaml:16 too-long"]);
  });
});

describe("a glob", () => {
  test("of many stars is refused at its place", async () => {
    const settings = `version: 1\nevents: events/${"*a".repeat(20)}.yaml\n`;
    const { diagnostics } = await load({ "ticketing.yaml": settings, [`events/${"a".repeat(250)}.yaml`]: event });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: "too-complex",
        message: "This file pattern has 20 stars; the limit is 16.",
        source: { file: "ticketing.yaml", line: 2, column: 9 },
      }),
    );
  });
});

test("entries of a program that all overlap", async () => {
  const at = (day: number, index: number) => new Date(Date.UTC(2027, 2, day) + index * 1000).toISOString();
  const bare = { performer: null, description: null, color: null, facts: [] };
  await expectLinear((count) => {
    const entries = times(count, (index) => {
      return { ...bare, key: `${index}`, name: `S${index}`, start: at(14, index), end: at(16, index) };
    });
    expect(layOut(entries)[0]?.slots.at(-1)).toMatchObject({ lane: count - 1, lanes: count });
  }, 80_000);
});

test("remarks of one code on a plan", async () => {
  await expectLinear((count) => {
    const diagnostics = times(count, (index) => {
      return { severity: "error", code: "unknown-key", message: `Unknown key k${index}.`, hint: "Remove it." } as const;
    });
    expect(remarksOf(plan({ diagnostics }), { full: false })).toHaveLength(count);
  }, 40_000);
});

test("events that were changed on the service", async () => {
  const edits = [edit("eventCapacity", 900, 700, { origin: "drift" })];
  const checked: Omit<DriftReport, "drifted"> = {
    environment: "production",
    flags: ["--env", "production"],
    project: "",
    unapplied: [],
    flagsInJob: ["--env", "production"],
    leaving: {},
    webhooksChecked: false,
    unmanaged: [],
    checked: [],
    events: 0,
    driftedBefore: [],
    oldestDays: 0,
    never: 0,
    diagnostics: [],
    errors: [],
    calls: 3,
  };
  await expectLinear((count) => {
    const report = { ...checked, drifted: times(count, (index) => change("event", `events/e${index}`, { edits })) };
    expect(JSON.parse(renderDriftJson(report)).drift).toHaveLength(count);
    expect(renderDriftIssue(report, null, 60_000)).toContain("This issue is shortened");
  }, 4_000);
});
