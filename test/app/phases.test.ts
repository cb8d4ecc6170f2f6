// What is due by time, through the whole program: plan, apply, saved plans, and what was applied last.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { ticketing } from "../stage/test-world.ts";

let directory: string;

function git(...words: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], { cwd: directory });
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-phases-"));
  mkdirSync(join(directory, "events"));
  writeFileSync(join(directory, ".gitignore"), ".ticketing/\nplan.json\n");
  writeFileSync(join(directory, "ticketing.yaml"), "version: 1\ndefaults: { timezone: Asia/Manila }\n");
  writeFileSync(
    join(directory, "events", "nights.yaml"),
    `name: Manila Nights
dateTime: 2027-03-14T19:00
endDateTime: +4h
status: DRAFT
locationType: ONLINE
tickets:
  - { name: Early bird, price: 500, quantity: 100, published: true }
  - { name: Regular, price: 800, quantity: 500, published: false }
phases:
  - { name: Announce, from: -6w at 10:00, status: PUBLISHED }
  - { from: -2w, tickets: [{ name: Regular, published: true }, { name: Early bird, soldOut: true }] }
`,
  );
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "a");
});

afterAll(() => rmSync(directory, { recursive: true }));

function run(now: string, ...argv: readonly string[]) {
  return ticketing([...argv, "-C", directory, "--env", "sandbox"], { now: () => Date.parse(now) });
}

async function planAt(now: string, ...argv: readonly string[]): Promise<Plan> {
  return JSON.parse((await run(now, "plan", "--format", "json", ...argv)).stdout) as Plan;
}

function originsOf({ changes }: Plan): readonly string[] {
  return changes.flatMap(({ address, transition, origin, edits }) => [
    ...(transition === null ? [] : [`${address} ${transition.to} ${origin}`]),
    ...edits.map(({ path, origin: own }) => `${address}${path} ${own}`),
  ]);
}

test("what is due by time is planned when it is due, and has the origin phase", async () => {
  const before = "2027-01-10T00:00:00Z";
  const first = await planAt(before);
  expect(first.upcoming).toMatchObject([
    { at: "2027-01-31T02:00:00.000Z", address: "events/nights", type: "phase", phase: "Announce", fields: ["/status"] },
    { at: "2027-02-28T11:00:00.000Z", phase: null, fields: ["/tickets/1/published", "/tickets/0/soldOut"] },
  ]);
  expect((await run(before, "apply", "--yes")).exitCode).toBe(0);
  expect((await planAt(before)).changes).toEqual([]);

  const ahead = await run(before, "plan", "--at", "2027-01-31T10:00");
  expect(ahead.stdout).toMatch(
    /This is the plan for Sun 31 Jan 2027 10:00 Asia\/Manila\s+\(02:00Z\), not for now: it cannot be applied\./,
  );
  expect(ahead.stdout).toContain('1. publish event "Manila Nights"');
  expect(ahead.stdout).toMatch(/Later: Sun 28 Feb 2027 19:00 Early bird sold out; Regular on sale in/);
  expect((await planAt(before, "--at", "2027-01-31T09:59")).changes).toEqual([]);

  const announced = "2027-01-31T02:00:00Z";
  expect(originsOf(await planAt(announced))).toEqual(["events/nights PUBLISHED phase"]);
  // The files and the time of what was applied last: what came due since then differs.
  expect(originsOf(await planAt(announced, "--base", "last"))).toEqual(["events/nights PUBLISHED phase"]);

  // A plan that was saved before is stale once a phase of what it touches has started.
  const out = join(directory, "plan.json");
  expect((await run("2027-02-28T10:59:00Z", "plan", "--out", out)).exitCode).toBe(0);
  const late = await run("2027-02-28T11:00:00Z", "apply", out, "--yes");
  expect(late.exitCode).toBe(1);
  expect(late.stdout + late.stderr).toMatch(/stale[\s\S]*a phase of events\/nights has started/);

  expect((await run("2027-02-28T11:00:00Z", "apply", "--yes")).exitCode).toBe(0);
  expect((await planAt("2027-02-28T11:00:00Z")).changes).toEqual([]);
  // By the clock of another machine, which is slow, none of it has come due yet: that undoes nothing.
  expect((await planAt("2027-02-28T10:59:57Z")).changes).toEqual([]);
  expect((await planAt("2027-02-28T10:59:57Z", "--base", "last")).changes).toEqual([]);

  // Nor after a run that could not apply everything.
  const blocked = join(directory, "events", "blocked.yaml");
  writeFileSync(
    blocked,
    "name: Blocked\ndateTime: 2027-05-01T19:00\nid: { sandbox: 5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f }\n",
  );
  expect((await run("2027-02-28T11:05:00Z", "apply", "--yes", "--skip-blocked")).exitCode).toBe(1);
  rmSync(blocked);
  expect((await planAt("2027-02-28T10:59:57Z")).changes).toEqual([]);

  // Time makes no webhook: one that the files did not have is an edit.
  const file = join(directory, "webhooks.yaml");
  writeFileSync(file, "- { url: https://hooks.example.com/orders, events: [order.completed] }\n");
  expect((await planAt("2027-03-01T00:00:00Z")).changes.map(({ origin }) => origin)).toEqual(["edit"]);
  rmSync(file);
}, 60_000);

test.each([
  ["its time", "-2w", "-3w", "2027-02-21T11:00:00.000Z"],
  [
    "what it sets",
    "{ name: Early bird, soldOut: true }",
    "{ name: Early bird, price: 600 }",
    "2027-02-28T11:00:00.000Z",
  ],
])("with a base, a phase to come of which only %s has changed is reported", async (_, before, after, at) => {
  const file = join(directory, "events", "nights.yaml");
  const written = readFileSync(file, "utf8");
  writeFileSync(file, written.replace(before, after));
  const { upcoming } = await planAt("2027-01-10T00:00:00Z", "--base", "HEAD");
  writeFileSync(file, written);
  expect(upcoming.map((one) => one.at)).toEqual(["2027-01-31T02:00:00.000Z", at]);
});

test("a plan for another time is never applied", async () => {
  const now = "2027-01-10T00:00:00Z";
  const saved = await run(now, "plan", "--at", "2027-02-01T00:00", "--out", join(directory, "other.json"));
  expect(saved.exitCode).toBe(1);
  expect((await run(now, "apply", "--yes", "--at", "2027-02-01T00:00")).exitCode).toBe(1);
  const printed = await run(now, "plan", "--at", "2027-03-01T00:00", "--format", "json");
  expect(JSON.parse(printed.stdout).createdAt).toBe(new Date(now).toISOString());
  writeFileSync(join(directory, "plan.json"), printed.stdout);
  expect((await run(now, "apply", join(directory, "plan.json"), "--yes")).exitCode).toBe(1);
  expect((await run(now, "plan", "--at", "tomorrow")).exitCode).toBe(1);
}, 60_000);

test("a night that a phase archives stays as it is, and the phases of others continue", async () => {
  const night = (name: string, phases: string) => `name: ${name}
dateTime: 2027-06-18T22:00
endDateTime: +4h
status: DRAFT
locationType: ONLINE
description: usual
tickets: [{ name: GA, price: 500, quantity: 100, published: true }]
phases:
  - { name: Announce, from: -6w, status: PUBLISHED }
${phases}  - { name: Last call, from: -2w, description: last tickets, tickets: [{ name: GA, soldOut: true }] }
`;
  const canceled = "  - { name: Canceled, from: -3w, status: ARCHIVED, allow: [archive-with-sales] }\n";
  writeFileSync(join(directory, "events", "canceled.yaml"), night("Canceled night", canceled));
  writeFileSync(join(directory, "events", "other.yaml"), night("Other night", ""));
  git("add", ".");
  git("commit", "-qm", "b");
  for (const [now, expected] of [
    ["2027-04-01T00:00:00Z", null],
    ["2027-05-07T14:00:00Z", ["events/canceled PUBLISHED phase", "events/other PUBLISHED phase"]],
    ["2027-05-28T14:00:00Z", ["events/canceled ARCHIVED phase"]],
    ["2027-06-04T14:00:00Z", ["events/other/description phase", "events/other/tickets/GA/soldOut phase"]],
    ["2027-06-17T14:00:00Z", []],
  ] as const) {
    if (expected !== null) expect(originsOf(await planAt(now, "--base", "last"))).toEqual(expected);
    const applied = await run(now, "apply", "--yes", "--base", "last");
    expect(applied.stderr + applied.stdout).not.toContain("blocked");
    expect(applied.exitCode).toBe(0);
    const after = await planAt(now);
    expect(after.changes).toEqual([]);
    // Nothing will change in what is archived, although its document has a phase to come.
    const isArchived = Date.parse(now) >= Date.parse("2027-05-28T14:00:00Z");
    expect(after.upcoming.some(({ address }) => address === "events/canceled")).toBe(!isArchived);
  }
}, 60_000);

test("a phase that begins a list is announced with the values of its entries", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-list-"));
  mkdirSync(join(folder, "events"));
  const phase = "{ name: Late, from: -1d, tickets: [{ name: GA, price: 1, quantity: 9, published: true }] }";
  const text = `name: Gala\ndateTime: 2027-05-01T19:00\nlocationType: ONLINE\nphases: [${phase}]\n`;
  writeFileSync(join(folder, "events", "gala.yaml"), text);
  const { stdout } = await ticketing(["upcoming", "-C", folder], { now: () => Date.parse("2027-01-01T00:00:00Z") });
  expect(stdout.replace(/\s+/g, " ")).toContain("new ticket type GA (₱1");
  rmSync(folder, { recursive: true });
});

test("a phase that changes nothing is not announced by a plan, and `upcoming` says so", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-idle-"));
  mkdirSync(join(folder, "events"));
  const phases =
    "phases:\n  - { name: Announce, from: -6w, status: PUBLISHED }\n  - { name: More, from: -5w, eventCapacity: 90 }\n";
  const text = `name: A\nlocationType: ONLINE\nstatus: PUBLISHED\ndateTime: 2027-03-14T19:00\neventCapacity: 50\ntickets: [{ name: GA, price: 100, quantity: 50, published: true }]\n${phases}`;
  writeFileSync(join(folder, "events", "a.yaml"), text);
  const at = { now: () => Date.parse("2027-01-10T00:00:00Z") };
  const planned = await ticketing(["plan", "-C", folder, "--env", "sandbox", "--format", "json"], at);
  expect((JSON.parse(planned.stdout) as Plan).upcoming).toMatchObject([{ phase: "More", fields: ["/eventCapacity"] }]);
  const { stdout } = await ticketing(["upcoming", "-C", folder], at);
  expect(stdout).toMatch(/Announce: nothing changes/);
  rmSync(folder, { recursive: true });
});

test.each([0, 2])(
  "who postpones an event whose phases have begun is told how to keep it on sale (%i sold)",
  async (sold) => {
    const folder = mkdtempSync(join(tmpdir(), "ticketing-postponed-"));
    mkdirSync(join(folder, "events"));
    const file = join(folder, "events", "nights.yaml");
    copyFileSync(join(directory, "events", "nights.yaml"), file);
    const at = { now: () => Date.parse("2027-03-01T00:00:00Z") };
    const go = (...argv: readonly string[]) => ticketing([...argv, "-C", folder, "--env", "sandbox"], at);
    expect((await go("apply", "--yes")).exitCode).toBe(0);
    if (sold > 0) expect((await go("sandbox", "sell", "nights", "Regular", String(sold))).exitCode).toBe(0);
    const edit = (from: string, to: string) => writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
    edit("2027-03-14T19:00", "2027-06-13T19:00\nallow: [reschedule-with-sales]");
    const { changes, diagnostics } = JSON.parse((await go("plan", "--format", "json")).stdout) as Plan;
    const found = [...changes.flatMap(({ blockedBy }) => blockedBy), ...diagnostics];
    const hintOf = (code: string) => found.find((one) => one.code === code)?.hint;
    expect(hintOf("no-withdrawal")).toBe(
      'In the entry "Regular", write `published: true` (or, in the phase that put it on sale, set `from` to the date on which that phase began). To end its sale for good, also write `soldOut: true`.',
    );
    const stay =
      "to keep the event published, write `status: PUBLISHED` in the event, or set `from` in that phase to the date on which the phase originally began.";
    expect(hintOf(sold > 0 ? "unpublish-with-sales" : "phases-moved")).toContain(stay);
    expect(hintOf(sold > 0 ? "phases-moved" : "unpublish-with-sales")).toBeUndefined();
    // Each way that the advice names.
    const moved = readFileSync(file, "utf8");
    edit("published: false", "published: true");
    edit("status: DRAFT", "status: PUBLISHED");
    const kept = await go("plan");
    expect(kept.stdout).not.toMatch(/blocked\[|phases-moved|unpublish/);
    writeFileSync(file, moved);
    edit("-6w at 10:00", "2027-01-31T10:00");
    edit("-2w", "2027-02-28T19:00");
    expect((await go("plan")).stdout.split("Later:")[0]).not.toMatch(/blocked\[|phases-moved|unpublish/);
    rmSync(folder, { recursive: true });
  },
);

test("a plan that was saved before is stale once a phase of what it touches has ended", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-phases-"));
  const file = join(folder, "gala.yaml");
  writeFileSync(join(folder, "ticketing.yaml"), "version: 1\nevents: gala.yaml\n");
  const discounted = (price: number) =>
    `name: Gala\ndateTime: 2027-03-14T19:00\nlocationType: ONLINE\ntickets: [{ name: GA, price: 1500, quantity: 9 }]
phases: [{ name: Sale, from: 2027-02-01T10:00, until: 2027-02-10T10:00, tickets: [{ name: GA, price: ${price} }] }]\n`;
  const go = (now: string, ...argv: readonly string[]) =>
    ticketing([...argv, "-C", folder, "--env", "sandbox"], { now: () => Date.parse(now) });
  writeFileSync(file, discounted(1000));
  expect((await go("2027-02-05T00:00:00Z", "apply", "--yes")).exitCode).toBe(0);
  writeFileSync(file, discounted(900));
  expect((await go("2027-02-05T00:00:00Z", "plan", "--out", "plan.json")).exitCode).toBe(0);
  const late = await go("2027-02-11T00:00:00Z", "apply", "plan.json", "--yes");
  expect(late.stdout + late.stderr).toMatch(/stale: the phase Sale of events\/gala has\s+ended/);
  rmSync(folder, { recursive: true });
});
