// Several runs with one ledger, in simulated time: together close to the fastest that the limits allow, and never refused.
import { TicketingClient } from "../../src/service/client.ts";
import type { Clock } from "../../src/service/clock.ts";
import type { Transport } from "../../src/service/http/transport.ts";
import type { LedgerChange, LedgerData, LedgerStore } from "../../src/service/pace/ledger.ts";
import { type SimulatedTime, simulatedTime } from "../stage/simulated-time.ts";
import { fastestAlone } from "./fastest.ts";
import type { Figure } from "./figure.ts";
import { optionsOf, type PaceScenario } from "./pace-simulation.ts";
import { simulatedService } from "./simulated-service.ts";

export interface Run {
  readonly calls: number;
  /** How long after the first it begins. */
  readonly startMs?: number;
  /** How far its machine's clock is ahead. */
  readonly aheadMs?: number;
  /** When it is cut off, after the first began. */
  readonly killedMs?: number;
}

export interface SharedScenario extends Omit<PaceScenario, "calls" | "ledger"> {
  readonly runs: readonly Run[];
  /** How long an update of the ledger takes. */
  readonly storeMs?: number;
}

export interface SharedOutcome {
  readonly scenario: SharedScenario;
  readonly calls: number;
  readonly seconds: number;
  readonly efficiency: number;
  readonly refusals: number;
  readonly failures: number;
  /** Updates of the ledger that wrote something. */
  readonly writes: number;
}

const start = Date.UTC(2027, 0, 4, 9, 0, 0, 137);

export async function simulateRuns(scenario: SharedScenario): Promise<SharedOutcome> {
  const concurrency = scenario.concurrency ?? 1;
  const options = optionsOf(scenario);
  const time = simulatedTime(start);
  const service = simulatedService(time, options);
  const ledger = sharedLedger(time, scenario.storeMs ?? 5);
  let answered = 0;
  let failures = 0;
  let lastMs = 0;
  let foreignEnded = false;
  const foreign = scenario.foreignPerMinute ?? 0;
  const others = async () => {
    while (foreign > 0 && !foreignEnded) {
      service.foreignCall();
      await time.sleep(60_000 / foreign);
    }
  };
  void others();

  async function play(run: Run): Promise<void> {
    await time.sleep(run.startMs ?? 0);
    const isDead = () => run.killedMs !== undefined && time.now() - start >= run.killedMs;
    const clock: Clock = { now: () => time.now() + (run.aheadMs ?? 0), sleep: (ms, signal) => time.sleep(ms, signal) };
    const client = new TicketingClient({
      baseUrl: "https://simulated.example/open-api/v1",
      apiKey: "simulated",
      transport: mortal(service, isDead),
      clock,
      concurrency,
      maxWaitSeconds: Number.POSITIVE_INFINITY,
      ledger: ledger.open(isDead),
      random: seeded(run.startMs ?? 0),
      ...(scenario.tier === undefined ? {} : { tier: scenario.tier }),
    });
    const work = Array.from({ length: run.calls }, async () => {
      const result = await client.request("GET", "/me");
      if (isDead()) return;
      answered++;
      if (!result.ok) failures++;
      lastMs = Math.max(lastMs, time.now() - start);
    });
    const killed = run.killedMs === undefined ? [] : [time.sleep(run.killedMs - (run.startMs ?? 0))];
    await Promise.race([Promise.all(work), ...killed]);
    if (!isDead()) await client.close();
  }

  await time.run(Promise.all(scenario.runs.map(play)));
  foreignEnded = true;
  const first = Math.min(...scenario.runs.map(({ startMs }) => startMs ?? 0));
  const seconds = (lastMs - first) / 1000;
  const optimum = fastestAlone(answered, options, concurrency * scenario.runs.length);
  return {
    scenario,
    calls: answered,
    seconds,
    efficiency: optimum / seconds,
    refusals: service.refusals,
    failures,
    writes: ledger.writes(),
  };
}

function mortal(transport: Transport, isDead: () => boolean): Transport {
  const never = new Promise<never>(() => undefined);
  return {
    send: async (call) => {
      if (isDead()) return never;
      const outcome = await transport.send(call);
      return isDead() ? never : outcome;
    },
    close: async () => undefined,
  };
}

/** Half of an update's time it reads, half it writes; who was overtaken begins again. */
function sharedLedger(time: SimulatedTime, storeMs: number) {
  let data: LedgerData | null = null;
  let version = 0;
  async function update(change: LedgerChange, isDead: () => boolean): Promise<void> {
    for (;;) {
      await time.sleep(storeMs / 2);
      const seen = version;
      const next = change(JSON.parse(JSON.stringify(data)));
      if (next === undefined) return;
      await time.sleep(storeMs / 2);
      if (isDead()) return new Promise(() => undefined);
      if (seen !== version) continue;
      version++;
      data = next;
      return;
    }
  }
  return {
    writes: () => version,
    open: (isDead: () => boolean): LedgerStore => ({
      async load() {
        await time.sleep(storeMs / 2);
        return JSON.parse(JSON.stringify(data));
      },
      update: (change) => update(change, isDead),
    }),
  };
}

function seeded(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const each = (count: number, calls: number, more: (nth: number) => Partial<Run> = () => ({})): readonly Run[] =>
  Array.from({ length: count }, (_, nth) => ({ calls, startMs: nth, ...more(nth) }));

/** Who shares a limit, and how. */
export const casts: Readonly<Record<string, readonly Run[]>> = {
  "2 together": each(2, 250),
  "3 together": each(3, 170),
  "8 together": each(8, 64),
  "2 staggered": each(2, 250, (nth) => ({ startMs: nth * 20_000 })),
  "8 staggered": each(8, 64, (nth) => ({ startMs: nth * 7000 })),
  "one long, one short": [{ calls: 480 }, { calls: 20, startMs: 65_000 }],
  "one killed": [...each(2, 230), { calls: 200, startMs: 2, killedMs: 61_500 }],
  "clocks 40 s apart": each(2, 250, (nth) => ({ aheadMs: nth * 40_000 })),
  "clocks 40 s apart, staggered": [
    { calls: 250, aheadMs: 40_000 },
    { calls: 250, startMs: 20_000 },
  ],
  "a clock 40 s ahead joins": [{ calls: 250 }, { calls: 250, startMs: 20_000, aheadMs: 40_000 }],
};

export function sharedScenarios(): readonly (SharedScenario & { readonly cast: string })[] {
  return Object.entries(casts).flatMap(([cast, runs]) =>
    (["fixed", "sliding"] as const).flatMap((kind) =>
      (["minute", "hour", "tighter", "both"] as const).flatMap((speaks) =>
        [5, 1500].map((storeMs) => ({ cast, runs, kind, speaks, storeMs })),
      ),
    ),
  );
}

export async function measure(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const cast of Object.keys(casts)) {
    const outcomes: SharedOutcome[] = [];
    for (const scenario of sharedScenarios()) if (scenario.cast === cast) outcomes.push(await simulateRuns(scenario));
    const refusals = outcomes.reduce((sum, outcome) => sum + outcome.refusals, 0);
    const detail = `the worst of ${outcomes.length} simulated services and stores, ${refusals} answers 429`;
    const measured = Math.min(...outcomes.map(({ efficiency }) => efficiency));
    figures.push(
      {
        name: `pace of runs that share a ledger, ${cast}`,
        measured,
        goal: 0.9,
        bound: "at least",
        unit: "of the fastest",
        detail,
      },
      { name: `answers 429, ${cast}`, measured: refusals, goal: 0, bound: "at most", unit: "answers" },
    );
  }
  return figures;
}
