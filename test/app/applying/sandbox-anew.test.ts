// The embedded service loses its data: what the project remembers of it leads nowhere, and all is made again.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import { type Ran, ticketing } from "../../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ticketing-anew-"));
  mkdirSync(join(folder, "events"));
  write("ticketing.yaml", "version: 1\norganization: acme-live\n");
  write(
    "events/nights.yaml",
    `status: PUBLISHED
name: Manila Nights
dateTime: 2027-03-14T19:00
tickets:
  - { name: VIP, type: VIP, price: 4500, quantity: 200, published: true }
performers: [{ name: DJ Ana }]
schedules:
  - { title: Set, startTime: 2027-03-14T20:00, endTime: 2027-03-14T21:00, performer: DJ Ana }
brands: [{ name: Acme }]
`,
  );
  write(
    "webhooks.yaml",
    "- { url: https://hooks.example.com/orders, events: [order.completed], secretName: ORDERS }\n",
  );
});

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}

function run(...argv: readonly string[]): Promise<Ran> {
  return ticketing([...argv, "--env", "sandbox", "-C", folder], { now });
}

async function plan(): Promise<Plan> {
  return JSON.parse((await run("plan", "--format", "json")).stdout) as Plan;
}

async function makesAllAgain(): Promise<void> {
  const made = await plan();
  expect(made.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(made.changes.map(({ action, address }) => `${action} ${address}`).sort()).toEqual([
    "create events/nights",
    "create events/nights/brands/Acme",
    "create events/nights/performers/DJ Ana",
    "create events/nights/schedules/Set",
    "create events/nights/tickets/VIP",
    "create webhooks/https:%2F%2Fhooks.example.com%2Forders",
  ]);
  const applied = await run("apply", "--yes");
  expect(applied.exitCode, applied.stdout + applied.stderr).toBe(0);
  const again = await run("apply", "--yes", "--format", "json");
  expect(again.exitCode, again.stdout + again.stderr).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ outcomes: [], calls: { writes: 0 } });
}

describe("a sandbox that starts over", () => {
  test("after its data was deleted, all is planned and made again", async () => {
    expect((await run("apply", "--yes")).exitCode).toBe(0);
    for (const name of readdirSync(join(folder, ".ticketing")))
      if (name.startsWith("sandbox.json")) rmSync(join(folder, ".ticketing", name));
    await makesAllAgain();
  });

  test("after its data was damaged, that is reported once, and then all is made again", async () => {
    expect((await run("apply", "--yes")).exitCode).toBe(0);
    write(".ticketing/sandbox.json", "{ half");
    const reported = await run("plan");
    expect(reported.exitCode).toBe(1);
    expect(reported.stdout + reported.stderr).toContain("damaged");
    await makesAllAgain();
  });
});
