// Every rule that needs what is live: a case that fires it, as a diagnostic of its severity and place, and one that does not.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { Plan } from "../../../src/model/plan.ts";
import { renderPlanText } from "../../../src/report/formats/plan-text.ts";
import { createService, type SeedEvent, startSandbox } from "../../../src/sandbox/index.ts";
import { openProject } from "../../stage/open-project.ts";
import { now, planOf, type Setup } from "../../stage/plan-of.ts";
import { rewriteBodies } from "../../stage/rewrite-bodies.ts";
import { ticketing } from "../../stage/test-world.ts";

const other = "bbbbbbbb-0000-4000-8000-00000000000b";
const id = "aaaaaaaa-0000-4000-8000-000000000001";

function event(more = ""): Setup["files"] {
  return { "events/one.yaml": `name: One\ndateTime: 2027-03-14T19:00\n${more}` };
}

function quantity(count: number): Setup["files"] {
  return event(`tickets:\n  - { name: GA, price: 1000, quantity: ${count}, published: true }\n`);
}

function tickets(more: string): Setup["files"] {
  return event(`tickets:\n  - { name: GA, quantity: 100, published: true, ${more} }\n`);
}

function live(more: Partial<SeedEvent> = {}, ticket: object = {}): NonNullable<Setup["live"]> {
  const start = "2027-03-14T11:00:00.000Z";
  const ga = { name: "GA", price: 1000, quantity: 100, remainingQuantity: 100, published: true, ...ticket };
  return { events: [{ id, name: "One", dateTime: start, status: "PUBLISHED", tickets: [ga], ...more } as SeedEvent] };
}

const sold = { remainingQuantity: 60 };
const webhooks = { "webhooks.yaml": "- { url: https://hooks.example.com/x, events: [order.completed] }\n" };

interface Row {
  readonly code: string;
  readonly severity: Diagnostic["severity"];
  /** `file:line:column`, or the address where there is no place, or nothing. */
  readonly where: string | null;
  readonly fires: Setup;
  readonly silent: Setup;
}

const rows: readonly Row[] = [
  {
    code: "starts-in-the-past",
    severity: "error",
    where: "events/one.yaml:2:11",
    fires: { files: { "events/one.yaml": "name: One\ndateTime: 2026-03-14T19:00\n" } },
    silent: { files: event() },
  },
  {
    code: "starts-in-the-past",
    severity: "warning",
    where: "events/one.yaml:2:11",
    fires: { files: { "events/one.yaml": `id: ${id}\ndateTime: 2026-03-14T19:00\n` }, live: live() },
    silent: {
      files: { "events/one.yaml": `id: ${id}\ndateTime: 2026-03-14T19:00\n` },
      live: live({ dateTime: "2026-03-15T11:00:00.000Z" }),
    },
  },
  {
    code: "nothing-on-sale",
    severity: "warning",
    where: "events/one.yaml:3:9",
    fires: { files: event("status: PUBLISHED\n") },
    silent: { files: event("status: PUBLISHED\n"), live: live() },
  },
  {
    code: "price-looks-like-centavos",
    severity: "error",
    where: "events/one.yaml:4:56",
    fires: { files: tickets("price: 90000"), live: live({}, { price: 900 }) },
    silent: { files: tickets("price: 90050"), live: live({}, { price: 900 }) },
  },
  {
    code: "price-looks-like-centavos",
    severity: "warning",
    where: "events/one.yaml:4:56",
    fires: { files: tickets("price: 18000"), live: live({}, { price: 900 }) },
    silent: { files: tickets("price: 17900"), live: live({}, { price: 900 }) },
  },
  {
    code: "large-price-change",
    severity: "warning",
    where: "events/one.yaml:4:56",
    fires: { files: tickets("price: 1501"), live: live() },
    silent: { files: tickets("price: 1500"), live: live() },
  },
  {
    code: "large-price-change",
    severity: "warning",
    where: "events/one.yaml:4:56",
    fires: { files: tickets("price: 499"), live: live() },
    silent: { files: tickets("price: 499"), live: live({ status: "DRAFT" }) },
  },
  {
    code: "large-price-change",
    severity: "warning",
    where: "events/one.yaml:4:56",
    fires: { files: tickets("price: 900"), live: live({}, { price: 0 }) },
    silent: { files: tickets("price: 0"), live: live({}, { price: 0 }) },
  },
  {
    code: "rename-changes-address",
    severity: "warning",
    where: "events/one.yaml:2:7",
    fires: { files: { "events/one.yaml": `id: ${id}\nname: Uno\n` }, live: live() },
    silent: { files: { "events/one.yaml": `id: ${id}\nname: Uno\n` }, live: live({ status: "DRAFT" }) },
  },
  {
    code: "buyers-not-told",
    severity: "warning",
    where: "events/one.yaml:2:11",
    fires: { files: { "events/one.yaml": `id: ${id}\ndateTime: 2027-03-15T19:00\n` }, live: live({}, sold) },
    silent: { files: { "events/one.yaml": `id: ${id}\ndateTime: 2027-03-15T19:00\n` }, live: live() },
  },
  {
    code: "buyers-not-told",
    severity: "warning",
    where: "events/one.yaml:3:10",
    fires: { files: event(`venueId: ${other}\n`), live: live({}, sold) },
    silent: { files: event("description: More.\n"), live: live({}, sold) },
  },
  {
    code: "buyers-not-told",
    severity: "warning",
    where: "events/one.yaml:3:13",
    fires: { files: event("visibility: PRIVATE\n"), live: live({}, sold) },
    silent: { files: event("visibility: PUBLIC\n"), live: live({}, sold) },
  },
  {
    code: "sold-out-stays",
    severity: "warning",
    where: "events/one.yaml:4:5",
    fires: { files: quantity(150), live: live({}, { remainingQuantity: 0 }) },
    silent: { files: quantity(150), live: live({}, { remainingQuantity: 1 }) },
  },
  {
    code: "sold-out-stays",
    severity: "warning",
    where: "events/one.yaml:4:5",
    fires: { files: quantity(101), live: live({}, { remainingQuantity: 0 }) },
    silent: { files: quantity(90), live: live({}, { remainingQuantity: 0 }) },
  },
  {
    code: "sold-out-stays",
    severity: "info",
    where: "events/one.yaml:4:71",
    fires: { files: tickets("price: 1000, soldOut: false"), live: live({}, { remainingQuantity: 0 }) },
    silent: { files: tickets("price: 1000, soldOut: true"), live: live({}, { remainingQuantity: 0 }) },
  },
  {
    code: "secret-on-this-runner-only",
    severity: "warning",
    where: "webhooks.yaml:1:3",
    fires: { files: webhooks, onRunner: true },
    silent: { files: webhooks, onRunner: true, sink: "command" },
  },
  {
    code: "wrong-organization",
    severity: "error",
    where: null,
    fires: { files: event(), pin: "others" },
    silent: { files: event(), pin: "sandbox" },
  },
];

function placeOf({ source, address }: Diagnostic): string | null {
  return source === undefined ? (address ?? null) : `${source.file}:${source.line}:${source.column}`;
}

test.each(["null", '{ "id": "1" }'])(
  "an organization that the service does not name is not called a wrong one: %s",
  async (shown) => {
    const service = createService({ now: () => now });
    rewriteBodies(service, (body) => body.replace(/"organization":\{[^}]*\}/, `"organization":${shown}`));
    const { plan } = await planOf({ files: event(), pin: "sandbox", service });
    expect(plan.diagnostics).toMatchObject([{ code: "wrong-organization", severity: "error" }]);
    expect(plan.diagnostics[0]?.message).toMatch(
      /^The service did not say which organization the API key belongs to, but/,
    );
  },
);

describe.each(rows)("$code as $severity", ({ code, severity, where, fires, silent }) => {
  test("fires, in JSON and in text", async () => {
    const { plan } = await planOf(fires);
    const found = plan.diagnostics.filter((one) => one.code === code);
    expect(found.map((one) => [one.severity, placeOf(one)])).toEqual([[severity, where]]);
    expect(found[0]?.hint).toMatch(/\w/);
    const text = renderPlanText(plan, { columns: 400, color: false, verbose: false });
    const oneLine = (lines: string) => lines.replace(/\s+/g, " ");
    expect(oneLine(text).split(oneLine(found[0]?.message ?? "-")).length - 1).toBe(1);
    // What is an error keeps its change back; what is not keeps nothing back.
    const blocks = plan.changes.flatMap((change) => change.blockedBy).filter((block) => block.code === code);
    expect(blocks.length).toBe(severity === "error" && plan.changes.length > 0 ? 1 : 0);
    if (severity === "error") expect(plan.operations).toEqual([]);
  });

  test("does not fire", async () => {
    const { plan } = await planOf(silent);
    expect(plan.diagnostics.filter((one) => one.code === code && one.severity === severity)).toEqual([]);
  });

  test.skipIf(["wrong-organization"].includes(code))("is silenced at its object", async () => {
    const files = Object.fromEntries(
      Object.entries(fires.files).map(([file, text]) => [
        file,
        file === "webhooks.yaml" ? text.replace(" }", `, ignore: [${code}] }`) : `${text}ignore: [${code}]\n`,
      ]),
    );
    const { plan } = await planOf({ ...fires, files });
    expect(plan.diagnostics.filter((one) => one.code === code)).toEqual([]);
    expect(plan.changes.flatMap((change) => change.blockedBy).filter((block) => block.code === code)).toEqual([]);
  });
});

test.each([
  [15, "If two zeros are missing, write `price: 1500`; the price applies to the next buyer."],
  [16, "Check the price; it applies to the next buyer."],
  [0, "Check the price; it applies to the next buyer."],
])("a price that falls from 1500 to %d", async (price, hint) => {
  const { plan } = await planOf({ files: tickets(`price: ${price}`), live: live({}, { price: 1500 }) });
  expect(plan.diagnostics).toMatchObject([{ code: "large-price-change", severity: "warning", hint }]);
});

describe("about the key", () => {
  test.each([
    ["key-expires-soon", "warning", ["events:read", "events:write"], "2027-01-20T00:00:00.000Z"],
    ["scope-missing", "error", ["events:write"], null],
    ["scope-missing", "warning", ["events:read"], null],
  ] as const)("%s as %s", async (code, severity, scopes, expiresAt) => {
    const service = createService({ now: () => now });
    const [key] = service.control.seed({ keys: [{ name: "Poster", scopes, expiresAt }] }).keys;
    const { plan } = await planOf({ files: event(), service, apiKey: key?.value ?? "" });
    const found = plan.diagnostics.filter((one) => one.code === code);
    expect(found.map((one) => one.severity)).toEqual([severity]);
    expect(found[0]?.message).toContain("Poster");
    expect(plan.operations.length).toBe(severity === "error" ? 0 : 1);
  });

  test("none of it for a key that may do all and does not expire", async () => {
    const { plan } = await planOf({ files: event() });
    expect(plan.diagnostics).toEqual([]);
  });
});

test.each([
  [1010, ["over-budget"]],
  [10, []],
])("%d calls on the free tier", async (count, codes) => {
  const clock = () => now;
  const sandbox = await startSandbox({ now: clock, profile: "tier=free" });
  const folder = mkdtempSync(join(tmpdir(), "ticketing-budget-"));
  const list = Array.from(
    { length: count },
    (_, nth) => `- { url: https://h.example.com/${nth}, events: [order.completed] }`,
  );
  writeFileSync(join(folder, "ticketing.yaml"), "version: 1\nsecrets: { sink: file, path: .ticketing/secrets.json }\n");
  writeFileSync(join(folder, "webhooks.yaml"), `${list.join("\n")}\n`);
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const argv = ["plan", "--tier", "free", "--format", "json", "-C", folder];
  const plan = JSON.parse((await ticketing(argv, { env, now: clock })).stdout) as Plan;
  await sandbox.close();
  expect(plan.operations).toHaveLength(count);
  expect(plan.diagnostics.map((one) => one.code)).toEqual(codes);
  for (const { severity, message } of plan.diagnostics) {
    expect(severity).toBe("warning");
    expect(message).toMatch(/needs 1,?010 calls, .* \d+ minutes/);
  }
});

describe("a change on the service since the last apply", () => {
  const file = (more: string, price = 1000, ga = "") =>
    `name: One\ndateTime: 2027-03-14T19:00\n${more}tickets:\n  - { name: GA, price: ${price}, quantity: 100${ga} }\n`;
  const long = (word: string) => `${"A long night. ".repeat(6)}${word}`;

  /** What is applied, what somebody changes then, and what the files say next: all that a plan says of it. */
  async function overwritten(
    before: string,
    dashboard: Readonly<Record<"event" | "ticket", object>>,
    after: string,
    flags: readonly string[] = [],
    forget = false,
  ): Promise<readonly string[]> {
    const project = await openProject({ "events/one.yaml": before });
    try {
      expect((await project.apply()).exitCode).toBe(0);
      const { call, dump } = project.sandbox.service;
      const [[one], [ga]] = [dump().events, dump().tickets];
      for (const [path, body] of [
        [`/events/${one?.id}`, dashboard.event],
        [`/events/${one?.id}/tickets/${ga?.id}`, dashboard.ticket],
      ] as const)
        if (Object.keys(body).length > 0) expect((await call("PATCH", path, body)).status).toBe(200);
      if (forget) await project.remove(".ticketing/state.default.json");
      await project.write("events/one.yaml", after);
      const { diagnostics } = (await project.plan(...flags)).plan;
      return diagnostics.filter(({ code }) => code === "overwrites-a-change").map(({ message }) => message);
    } finally {
      await project.close();
    }
  }

  test("is named where the files set another value, once for each object", async () => {
    const said = await overwritten(
      file(`eventCapacity: 300\ndescription: ${long("Old")}\nendDateTime: +3h\n`),
      {
        event: { eventCapacity: 400, description: long("Live"), endDateTime: "2027-03-14T15:00:00.000Z" },
        ticket: { price: 1200, quantity: 150 },
      },
      file(`eventCapacity: 500\ndescription: ${long("New")}\nendDateTime: +5h\n`, 1500),
    );
    expect(said).toEqual([
      'Somebody changed "One" on the service after the last apply, and this plan overwrites that change: endDateTime Sun 14 Mar 2027 23:00 (last applied: Sun 14 Mar 2027 22:00) becomes Mon 15 Mar 2027 00:00; description is not the text that was applied last; eventCapacity 400 (last applied: 300) becomes 500.',
      'Somebody changed "GA" of "One" on the service after the last apply, and this plan overwrites that change: price ₱1,200.00 (last applied: ₱1,000.00) becomes ₱1,500.00.',
    ]);
  });

  test.each([
    ["is drift where the files still say what was applied", { ticket: { price: 1200 } }, file(""), []],
    ["is not overwritten where it is what the files say now", { ticket: { price: 1500 } }, file("", 1500), []],
    ["is not overwritten by an edit of another field", { ticket: { quantity: 150 } }, file("", 1500), []],
    ["is not overwritten outside the targets", { ticket: { price: 1200 } }, file("", 1500), ["--target", "events/two"]],
  ] as const)("%s", async (_, { ticket }, after, flags) => {
    expect(await overwritten(file(""), { event: {}, ticket }, after, flags)).toEqual([]);
  });

  test("cannot be told without a record", async () => {
    const ticket = { price: 1200 };
    expect(await overwritten(file(""), { event: {}, ticket }, file("", 1500), [], true)).toEqual([]);
  });
});
