// Several runs that share a ledger, in simulated time: together never refused, and close to the fastest that the limits allow.
import { describe, expect, it } from "vitest";
import type { WaitNote } from "../../../src/service/calls.ts";
import { TicketingClient } from "../../../src/service/client.ts";
import type { LedgerData, LedgerStore } from "../../../src/service/pace/ledger.ts";
import { casts, type SharedScenario, simulateRuns } from "../../bench/shared-pace-simulation.ts";
import { simulatedService } from "../../bench/simulated-service.ts";
import { simulatedTime } from "../../stage/simulated-time.ts";

const quick: SharedScenario = { kind: "sliding", speaks: "minute", storeMs: 5, runs: [] };
const slow: SharedScenario = { kind: "fixed", speaks: "hour", storeMs: 1500, runs: [] };

// The bench plays all of them with every kind of service and store.
describe.each(Object.entries(casts))("%s", (cast, runs) => {
  it.each(cast.startsWith("8") ? [slow] : [quick, slow])(
    "keep to $kind windows whose headers speak of $speaks, with a store that takes $storeMs ms",
    async (service) => {
      const outcome = await simulateRuns({ ...service, runs });
      expect(outcome).toMatchObject({ refusals: 0, failures: 0 });
      expect(outcome.efficiency).toBeGreaterThan(0.9);
    },
  );
});

it("costs a run that is alone less than one write a second", async () => {
  const outcome = await simulateRuns({
    runs: [{ calls: 2000 }],
    minute: 1000,
    hour: 20_000,
    concurrency: 8,
    latencyMs: 40,
  });
  expect(outcome).toMatchObject({ refusals: 0, failures: 0 });
  expect(outcome.efficiency).toBeGreaterThan(0.95);
  expect(outcome.writes).toBeLessThan(outcome.seconds);
});

it("costs a run that is alone no more than two updates, however slow the store", async () => {
  const alone = { runs: [{ calls: 250 }], minute: 300, hour: 5000, concurrency: 8 };
  const [slow, fast] = [await simulateRuns({ ...alone, storeMs: 1500 }), await simulateRuns({ ...alone, storeMs: 1 })];
  expect(slow.seconds - fast.seconds).toBeLessThan(4);
});

const start = Date.UTC(2027, 0, 4, 9, 0, 0, 137);
const options = {
  kind: "sliding",
  minute: 60,
  hour: 1000,
  speaks: "minute",
  unit: "seconds",
  latencyMs: 100,
  phaseMs: 0,
} as const;

it.each([
  ["rejects", () => Promise.reject(new Error("no store"))],
  ["never answers", () => new Promise<never>(() => undefined)],
])("goes on where the store %s", async (_how, update) => {
  const time = simulatedTime(start);
  const service = simulatedService(time, options);
  const ledger: LedgerStore = { load: async () => null, update };
  const client = new TicketingClient({
    baseUrl: "https://a.example/",
    apiKey: "simulated",
    transport: service,
    clock: time,
    ledger,
  });
  const results = await time.run(Promise.all(Array.from({ length: 55 }, () => client.request("GET", "/me"))));
  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(time.now() - start).toBeLessThan(20_000);
  expect(service.refusals).toBe(0);
  await time.run(client.close());
});

it("shows a person that another run uses part of the limit", async () => {
  const time = simulatedTime(start);
  const service = simulatedService(time, options);
  let kept: LedgerData | null = null;
  const ledger: LedgerStore = {
    load: async () => kept,
    async update(change) {
      kept = change(kept) ?? kept;
    },
  };
  const waits: WaitNote[] = [];
  const open = () =>
    new TicketingClient({
      baseUrl: "https://a.example/",
      apiKey: "simulated",
      transport: service,
      clock: time,
      ledger,
      listener: { onWait: (note) => waits.push(note) },
    });
  const calls = (client: TicketingClient) => Array.from({ length: 40 }, () => client.request("GET", "/me"));
  await time.run(Promise.all([open(), open()].flatMap(calls)));
  expect(waits[0]?.message).toMatch(
    /^Waiting \d+ s: the calls that the service allows per minute are used up, in part by another run\.$/,
  );
});
