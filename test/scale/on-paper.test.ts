import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { State, StateEntry } from "../../src/model/live.ts";
import { createService } from "../../src/sandbox/index.ts";
import { makeMeter } from "../../src/service/pace/meter.ts";
import { tiers } from "../../src/service/pace/rate-headers.ts";
import { type Files, now, planOf, type Setup } from "../stage/plan-of.ts";
import {
  applyCalls,
  basePlanCalls,
  callsTable,
  driftEvents,
  driftTable,
  fullPlanCalls,
  shardCalls,
} from "./on-paper.ts";

const page = readFileSync("docs/scale.md", "utf8");

test("the page shows the tables as they are computed", () => {
  expect(page).toContain(callsTable());
  expect(page).toContain(driftTable());
});

test.each([60, 130])("a full plan of %d events makes as many calls as on paper", async (count) => {
  const calls = await callsOf({ files: files(count) }, count);
  expect(calls).toBe(fullPlanCalls(count));
});

test("the shards of a full plan make as many calls together as on paper", async () => {
  const [count, shards] = [130, 2];
  const calls = await Promise.all(
    Array.from({ length: shards }, (_, index) =>
      callsOf({ files: files(count), shard: `${index + 1}/${shards}` }, count),
    ),
  );
  expect(calls[0]).not.toBe(calls[1]);
  expect(calls.reduce((sum, each) => sum + each)).toBe(shards * shardCalls(count, shards));
});

test.each([1, 12])("a plan of %d edited events makes as many calls as on paper", async (edited) => {
  const edits = files(edited, "eventCapacity: 9\n", 300);
  const calls = await callsOf({ files: { ...files(800), ...edits }, base: files(800), state: state(800) }, 800);
  expect(calls).toBe(basePlanCalls(edited));
});

test("a drift check compares as many events with its calls as on paper", async () => {
  const targets = Array.from({ length: driftEvents(64) }, (_, index) => `events/night-${300 + index}`);
  const calls = await callsOf({ files: files(800), state: state(800), targets }, 800);
  expect(calls).toBe(64);
});

test("a plan of new events looks through what is live as often as on paper", async () => {
  const calls = await callsOf({ files: files(140), base: files(120), state: state(120) }, 120);
  expect(calls).toBe(applyCalls(0, 120));
});

test("the time of so many calls is what the limits allow and no more", () => {
  const [calls, seconds] = [402_003, 0.15];
  for (const [tier, { minute, hour }] of Object.entries(tiers)) {
    const rest = (calls - 1) % hour;
    const optimum =
      3600 * Math.floor((calls - 1) / hour) + 60 * Math.floor(rest / minute) + ((rest % minute) + 1) * seconds;
    const estimate = makeMeter(tier as keyof typeof tiers).estimateSeconds(calls, 0, 1000 * seconds);
    expect(Math.abs(estimate - optimum)).toBeLessThan(1);
  }
});

test("what the page says would use a new feature of the service is there", () => {
  const named = [...page.matchAll(/`(src\/[\w/-]+\.ts)`: ((?:`\w+`(?:, )?)+)/g)];
  expect(named.length).toBeGreaterThan(5);
  for (const [, file = "", names = ""] of named) {
    const source = readFileSync(file, "utf8");
    for (const [, name] of names.matchAll(/`(\w+)`/g)) expect(source, file).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

function files(count: number, more = "", from = 0): Files {
  const text = (index: number) => `name: Night ${index}
dateTime: 2027-03-14T19:00
${more}tickets:
  - { name: GA, price: 1500, quantity: 10, published: true }
performers: []
schedules: []
brands: []
`;
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`events/night-${from + index}.yaml`, text(from + index)] as const),
  );
}

function idOf(index: number): string {
  return `aaaaaaaa-0000-4000-8000-${String(index).padStart(12, "0")}`;
}

function state(count: number): State {
  const objects: Record<string, StateEntry> = {};
  for (let index = 0; index < count; index++) {
    const applied = { name: `Night ${index}`, dateTime: "2027-03-14T11:00:00.000Z" };
    objects[`events/night-${index}`] = { kind: "event", id: idOf(index), applied };
  }
  return { formatVersion: 1, lineage: "paper", serial: 1, organization: null, objects };
}

async function callsOf(setup: Setup, count: number): Promise<number> {
  const service = createService({ now: () => now });
  service.control.seed({
    events: Array.from({ length: count }, (_, index) => ({
      id: idOf(index),
      name: `Night ${index}`,
      dateTime: "2027-03-14T11:00:00.000Z",
      slug: `night-${index}`,
      status: "PUBLISHED" as const,
      tickets: [{ name: "GA", price: 1500, quantity: 10, remainingQuantity: 10, published: true }],
    })),
  });
  return (await planOf({ ...setup, service })).calls.length;
}
