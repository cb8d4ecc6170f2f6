// The pace, in simulated time: close to the fastest that the limits allow, and never refused when alone.
import { describe, expect, it } from "vitest";
import type { WaitNote } from "../../../src/service/calls.ts";
import { type ClientOptions, TicketingClient } from "../../../src/service/client.ts";
import type { Transport } from "../../../src/service/http/transport.ts";
import type { LedgerData, LedgerStore } from "../../../src/service/pace/ledger.ts";
import { resetUnits, simulatePace } from "../../bench/pace-simulation.ts";
import { type ServiceOptions, simulatedService } from "../../bench/simulated-service.ts";
import { simulatedTime } from "../../stage/simulated-time.ts";
import { type Scripted, scripted } from "../client-of.ts";

describe("alone", () => {
  for (const kind of ["fixed", "sliding"] as const) {
    for (const speaks of ["minute", "hour", "tighter", "both"] as const) {
      it(`keeps to ${kind} windows whose headers speak of ${speaks}`, async () => {
        for (const unit of resetUnits) {
          const outcome = await simulatePace({ calls: 150, kind, speaks, unit });
          expect(outcome).toMatchObject({ refusals: 0, failures: 0 });
          expect(outcome.efficiency).toBeGreaterThan(0.95);
        }
        const long = await simulatePace({ calls: 1100, kind, speaks });
        expect(long).toMatchObject({ refusals: 0, failures: 0 });
        expect(long.efficiency).toBeGreaterThan(0.95);
      });
    }
  }

  it.each([
    { concurrency: 8 },
    { concurrency: 8, latencyMs: 400 },
    { concurrency: 3, phaseMs: 2_417_000, kind: "fixed" },
    { clockErrorMs: 3_600_000, unit: "epoch-seconds" },
    { clockErrorMs: -3_600_000, unit: "iso", kind: "fixed" },
    { minute: 300, hour: 5000, calls: 700, concurrency: 8 },
    { minute: 1000, hour: 20_000, calls: 2500, concurrency: 8, latencyMs: 20 },
    { minute: 37, hour: 1_000_000, calls: 100 },
    { minute: 45, hour: 700, speaks: "both", calls: 800 },
  ] as const)("keeps to its limits with %j", async (scenario) => {
    const outcome = await simulatePace({ calls: 200, ...scenario });
    expect(outcome).toMatchObject({ refusals: 0, failures: 0 });
    expect(outcome.efficiency).toBeGreaterThan(0.95);
  });

  it("learns by few refusals where 1,000 an hour looks like 1,000 a minute", async () => {
    const outcome = await simulatePace({
      calls: 200,
      kind: "fixed",
      speaks: "hour",
      phaseMs: 3_577_000,
      concurrency: 4,
    });
    expect(outcome.failures).toBe(0);
    expect(outcome.refusals).toBeLessThanOrEqual(4);
    const reported = await simulatePace({
      calls: 200,
      kind: "fixed",
      speaks: "hour",
      phaseMs: 3_577_000,
      concurrency: 4,
      tier: "free",
    });
    expect(reported.refusals).toBe(0);
  });
});

describe("next to another client that makes 15 calls a minute", () => {
  for (const kind of ["fixed", "sliding"] as const) {
    it.each(["minute", "hour", "tighter", "both"] as const)(
      `shares ${kind} windows whose headers speak of %s`,
      async (speaks) => {
        for (const calls of [500, 1500]) {
          const outcome = await simulatePace({ calls, kind, speaks, foreignPerMinute: 15 });
          expect(outcome).toMatchObject({ refusals: 0, failures: 0 });
          expect(outcome.efficiency).toBeGreaterThan(0.9);
        }
      },
    );
  }

  it("is seldom refused even when eight calls go at once", async () => {
    for (const kind of ["fixed", "sliding"] as const) {
      const outcome = await simulatePace({ calls: 500, kind, foreignPerMinute: 15, concurrency: 8 });
      expect(outcome.failures).toBe(0);
      expect(outcome.refusals).toBeLessThan(10);
      expect(outcome.efficiency).toBeGreaterThan(0.9);
    }
  });
});

describe("after other clients have nearly used up the minute", () => {
  for (const kind of ["fixed", "sliding"] as const) {
    it.each([50, 55, 58, 59])(`waits for the end of a ${kind} window that has %i of 60 calls`, async (used) => {
      for (const speaks of ["minute", "tighter", "both"] as const) {
        const { time, calls, service } = play({ kind, speaks }, { concurrency: 8 });
        for (let call = 0; call < used; call++) service.foreignCall();
        const results = await calls(40);
        expect(results.filter(({ ok }) => !ok)).toEqual([]);
        expect(service.refusals).toBe(0);
        expect(time.now() - start).toBeLessThan(65_000);
      }
    });
  }
});

const start = Date.UTC(2027, 0, 4, 9, 0, 0, 137);

function play(service: Partial<ServiceOptions>, options: Partial<ClientOptions> = {}, from = start) {
  const time = simulatedTime(from);
  const waits: WaitNote[] = [];
  const transport = simulatedService(time, {
    kind: "sliding",
    minute: 60,
    hour: 1000,
    speaks: "minute",
    unit: "seconds",
    latencyMs: 100,
    phaseMs: 0,
    ...service,
  });
  const client = open(transport, { clock: time, listener: { onWait: (note) => waits.push(note) }, ...options });
  const calls = (count: number) =>
    time.run(Promise.all(Array.from({ length: count }, () => client.request("GET", "/me"))));
  return { time, client, calls, waits, service: transport };
}

function open(transport: Transport, options: Partial<ClientOptions>): TicketingClient {
  return new TicketingClient({ baseUrl: "https://tickets.example/", apiKey: "simulated", transport, ...options });
}

const lost: Scripted = { fault: { code: "connection-lost", detail: "cut", sent: true } };

describe("waiting", () => {
  it("is announced once, with the reason and the length", async () => {
    const { calls, waits } = play({});
    await calls(70);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toMatchObject({ reason: "minute" });
    expect(waits[0]?.message).toMatch(
      /^Waiting (59|60|61) s: the calls that the service allows per minute are used up\.$/,
    );
  });

  it("ends with a problem where it would be too long, without sending", async () => {
    const { calls, service, client } = play({ speaks: "both" }, { maxWaitSeconds: 30 });
    const results = await calls(70);
    expect(results.filter((result) => result.ok)).toHaveLength(60);
    const [failed] = results.filter((result) => !result.ok);
    expect(failed).toMatchObject({ problem: { class: "throttled", code: "rate-limited-too-long", status: null } });
    expect(failed?.ok === false && failed.problem.hint).toMatch(/--max-wait \d+/);
    expect([service.refusals, client.counts.reads]).toEqual([0, 60]);
  });

  it("ends when the run is stopped", async () => {
    const stop = new AbortController();
    const { time, calls } = play({}, { signal: stop.signal });
    void time.sleep(20_000).then(() => stop.abort());
    const results = await calls(70);
    expect(time.now() - start).toBeLessThan(21_000);
    expect(results.filter((result) => !result.ok)).toHaveLength(10);
    expect(results.find((result) => !result.ok)).toMatchObject({ problem: { class: "not-sent", code: "interrupted" } });
  });

  it.each([
    ["after a 429 nothing was done", [], { class: "not-sent", code: "interrupted" }],
    ["what was lost before it stays ambiguous", [lost], { class: "ambiguous", code: "connection-lost" }],
  ])("is stopped: %s", async (_, before, problem) => {
    const time = simulatedTime(start);
    const stop = new AbortController();
    const [first, ...more] = [...before, { status: 429, headers: { "retry-after": "100" } }] as const;
    const client = open(scripted(first, ...more), { clock: time, signal: stop.signal });
    void time.sleep(20_000).then(() => stop.abort());
    const result = await time.run(client.request("DELETE", "/webhooks/x"));
    expect(result).toMatchObject({ ok: false, problem });
  });

  it("can be foretold", async () => {
    const { calls, client } = play({});
    expect([client.limits.callsLeft, client.estimateSeconds(100)]).toEqual([null, 0]);
    await calls(10);
    expect(client.limits).toMatchObject({
      tier: "free",
      callsLeft: 50,
      windows: [
        { span: "minute", limit: 60, left: 50 },
        { span: "hour", limit: 1000, left: 990, resetsInSeconds: null },
      ],
    });
    expect([
      client.estimateSeconds(50),
      client.estimateSeconds(51),
      client.estimateSeconds(171),
      client.estimateSeconds(2000),
    ]).toEqual([
      // No wait, but a tenth of a second each, eight at once.
      1, 60, 180,
      // Two hours for 1,990 of them, and the last ten of a minute.
      7200,
    ]);
  });

  it("is foretold by when the service says that its limit resets", async () => {
    const time = simulatedTime(start);
    const headers = { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "5", "x-ratelimit-reset": "1800" };
    const client = open(scripted({ status: 200, headers, body: '{"data":{}}' }), { clock: time });
    await time.run(client.request("GET", "/me"));
    const [first, second] = [client.estimateSeconds(20), client.estimateSeconds(5020)];
    expect(first).toBeGreaterThanOrEqual(1800);
    expect(first).toBeLessThan(1810);
    expect(second - first).toBe(3600);
  });
});

describe("the calls' own time", () => {
  it.each([
    [1, 200],
    [8, 25],
  ])("is foretold by that of the calls answered so far, %i at once", async (concurrency, seconds) => {
    const time = simulatedTime(start);
    let silent = true;
    const transport: Transport = {
      async send() {
        await time.sleep(silent ? 30_000 : 40);
        if (silent) {
          silent = false;
          return { kind: "fault", fault: { code: "timeout", detail: "no response", sent: true } };
        }
        return { kind: "response", response: { status: 200, headers: {}, body: '{"data":{}}', cut: null } };
      },
      async close() {},
    };
    const client = open(transport, { clock: time, concurrency });
    expect(client.estimateSeconds(5000)).toBe(0);
    for (let nth = 0; nth < 5; nth++) await time.run(client.request("GET", "/me"));
    expect([client.estimateSeconds(3), client.estimateSeconds(5000)]).toEqual([0, seconds]);
  });
});

describe("the first call", () => {
  it("goes alone, so that its response can say how many may follow", async () => {
    let most = 0;
    let underWay = 0;
    const order: number[] = [];
    const transport: Transport = {
      close: async () => {},
      async send() {
        underWay++;
        order.push(underWay);
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 5));
        underWay--;
        return { kind: "response", response: { status: 200, headers: {}, body: "", cut: null } };
      },
    };
    const client = open(transport, { concurrency: 4 });
    await Promise.all(Array.from({ length: 9 }, () => client.request("GET", "/me")));
    expect(order.slice(0, 2)).toEqual([1, 1]);
    expect(most).toBe(4);
  });
});

/** Answers at once with these headers. */
function fixedHeaders(
  headersAt: (call: number) => Record<string, string>,
  statusAt: (call: number) => number = () => 200,
): Transport {
  let call = 0;
  return {
    close: async () => {},
    async send() {
      const headers = headersAt(call);
      const status = statusAt(call++);
      return { kind: "response", response: { status, headers, body: '{"data":null}', cut: null } };
    },
  };
}

async function timeOf(transport: Transport, calls: number, options: Partial<ClientOptions> = {}) {
  const time = simulatedTime(start);
  const client = open(transport, { clock: time, random: () => 0, ...options });
  const results = await time.run(Promise.all(Array.from({ length: calls }, () => client.request("GET", "/me"))));
  return { seconds: (time.now() - start) / 1000, failed: results.filter((result) => !result.ok).length, client };
}

describe("a service that limits nothing", () => {
  it.each([
    ["sends no headers", {}],
    ["always shows all of 60", { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "60", "x-ratelimit-reset": "60" }],
    ["always shows 59 of 60", { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "59", "x-ratelimit-reset": "60" }],
    [
      "always shows 999 of 1,000",
      { "x-ratelimit-limit": "1000", "x-ratelimit-remaining": "999", "x-ratelimit-reset": "3600" },
    ],
    [
      "always shows 980 of 1,000",
      { "x-ratelimit-limit": "1000", "x-ratelimit-remaining": "980", "x-ratelimit-reset": "3600" },
    ],
  ])("is not waited for when it %s", async (_name, headers) => {
    expect(
      await timeOf(
        fixedHeaders(() => headers as Record<string, string>),
        5000,
      ),
    ).toMatchObject({ seconds: 0, failed: 0 });
  });

  it("is not waited for when it counts down from a million", async () => {
    const headers = (call: number) => ({
      "x-ratelimit-limit": "1000000",
      "x-ratelimit-remaining": String(999_999 - call),
      "x-ratelimit-reset": "60",
    });
    expect(await timeOf(fixedHeaders(headers), 5000)).toMatchObject({ seconds: 0, failed: 0 });
  });

  it("does not fool one who calls slowly and steadily", async () => {
    const { time, client, service } = play({});
    for (let call = 0; call < 40; call++) {
      await time.run(client.request("GET", "/me"));
      await time.run(time.sleep(6000));
    }
    await time.run(Promise.all(Array.from({ length: 80 }, () => client.request("GET", "/me"))));
    expect(service.refusals).toBe(0);
  });
});

describe("a 429", () => {
  const once = (headers: Record<string, string>) =>
    fixedHeaders(
      (call) => (call === 1 ? headers : {}),
      (call) => (call === 1 ? 429 : 200),
    );

  it.each([
    ["Retry-After in seconds", { "retry-after": "20" }, 20],
    ["Retry-After as a date", { "retry-after": new Date(Math.floor(start / 1000) * 1000 + 20_000).toUTCString() }, 20],
    [
      "Retry-After before Reset",
      { "retry-after": "5", "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "50" },
      5,
    ],
    [
      "Reset where there is no Retry-After",
      { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "50" },
      50,
    ],
    ["a pause of our own where there is neither", {}, 1],
  ])("is followed by a wait: %s", async (_name, headers, seconds) => {
    const outcome = await timeOf(once(headers as Record<string, string>), 3, { concurrency: 1 });
    expect(outcome.failed).toBe(0);
    expect(outcome.seconds).toBeGreaterThanOrEqual(seconds - 1);
    expect(outcome.seconds).toBeLessThan(seconds + 2.5);
  });

  it("says that the service asked for it where only Reset says how long", async () => {
    const waits: WaitNote[] = [];
    const headers = { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "50" };
    await timeOf(once(headers), 3, { concurrency: 1, listener: { onWait: (note) => waits.push(note) } });
    expect(waits).toMatchObject([{ reason: "asked" }]);
  });

  it("holds back all calls, not only the one that was refused", async () => {
    const outcome = await timeOf(once({ "retry-after": "20" }), 30, { concurrency: 8 });
    expect(outcome).toMatchObject({ failed: 0, client: { counts: { reads: 31, rateLimited: 1 } } });
  });

  it("is met more and more slowly where it repeats without a word", async () => {
    const transport = fixedHeaders(
      () => ({}),
      (call) => (call < 6 ? 429 : 200),
    );
    const outcome = await timeOf(transport, 1);
    expect(outcome.failed).toBe(0);
    expect(outcome.seconds).toBeGreaterThanOrEqual(1 + 2 + 4 + 8 + 16 + 32);
  });

  it("counts once for all calls that were under way", async () => {
    const transport = fixedHeaders(
      () => ({}),
      (call) => (call > 1 && call <= 9 ? 429 : 200),
    );
    const outcome = await timeOf(transport, 30, { concurrency: 8 });
    expect(outcome).toMatchObject({ failed: 0, client: { counts: { rateLimited: 8 } } });
    expect(outcome.seconds).toBeLessThan(10);
  });

  it("ends the call where the wait would be too long", async () => {
    const outcome = await timeOf(once({ "retry-after": "3000" }), 2, { concurrency: 1 });
    expect(outcome).toMatchObject({ failed: 1, seconds: 0 });
  });
});

describe("the ledger between runs", () => {
  function memoryStore(): LedgerStore & { data: LedgerData | null } {
    return {
      data: null,
      async load() {
        return JSON.parse(JSON.stringify(this.data));
      },
      async update(change) {
        this.data = change(this.data) ?? this.data;
      },
    };
  }

  it("keeps a run that follows at once within the limits of both", async () => {
    const store = memoryStore();
    const first = play({ speaks: "hour", unit: "iso" }, { ledger: store });
    await first.calls(50);
    await first.client.close();
    expect(store.data).toMatchObject({ version: 2, tier: "free", limits: { minute: 60, hour: 1000 } });
    expect(store.data?.calls.reduce((sum, [, count]) => sum + count, 0)).toBe(50);
    // The same service, the same minute, another process.
    const second = open(first.service, { clock: first.time, ledger: store });
    await first.time.run(Promise.all(Array.from({ length: 50 }, () => second.request("GET", "/me"))));
    expect(first.service.refusals).toBe(0);
    expect(first.time.now() - start).toBeGreaterThan(60_000);
  });

  it.each(["minute", "both"] as const)("does not keep a run from going on when a window resets: %s", async (speaks) => {
    const waits: WaitNote[] = [];
    const { calls, service, time } = play(
      { kind: "fixed", phaseMs: 48_000, speaks },
      { ledger: memoryStore(), concurrency: 8, listener: { onWait: (note) => waits.push(note) } },
    );
    await calls(90);
    expect(service.refusals).toBe(0);
    expect(time.now() - start).toBeLessThan(20_000);
    expect(waits.map(({ ms }) => ms).filter((ms) => ms > 20_000)).toEqual([]);
  });

  it.each([1, 30])(
    "may hold calls that are a moment ahead, beside others that use nearly all: %i of ours",
    async (ours) => {
      const others = [[start - 1000, 99]] as const;
      const data = {
        version: 2,
        tier: "free",
        limits: { minute: 60, hour: 1000 },
        calls: [[start + 900, ours]],
        others,
        runs: {},
      };
      const store: LedgerStore = { load: async () => data, update: async () => {} };
      const waits: WaitNote[] = [];
      const { calls, time } = play({}, { ledger: store, listener: { onWait: (note) => waits.push(note) } });
      expect(await calls(3)).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
      expect(time.now() - start).toBeLessThan(130_000);
    },
  );

  it("is not believed by a service with other limits", async () => {
    const store = memoryStore();
    const busy = play({ minute: 1_000_000, hour: 60_000_000 }, { ledger: store, concurrency: 8 });
    await busy.calls(1200);
    await busy.client.close();
    const limited = play({}, { ledger: store }, busy.time.now());
    await limited.calls(50);
    expect(limited.time.now() - busy.time.now()).toBeLessThan(10_000);
  });

  it.each([null, 7, "x", { version: 2 }, { version: 1, calls: "x", others: [[1], ["a", 2], [1, -1]] }])(
    "may be %j, which says nothing",
    async (data) => {
      const store: LedgerStore = { load: async () => data, update: async () => {} };
      const { calls, client } = play({}, { ledger: store });
      expect(await calls(3)).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
      expect(client.limits.callsLeft).toBe(57);
    },
  );

  it("may fail without a word: the calls still go", async () => {
    const store: LedgerStore = {
      load: () => Promise.reject(new Error("no disk")),
      update: () => Promise.reject(new Error("no disk")),
    };
    const { calls, client } = play({}, { ledger: store });
    expect(await calls(1)).toMatchObject([{ ok: true }]);
    await client.close();
  });
});
