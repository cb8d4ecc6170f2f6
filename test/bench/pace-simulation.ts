// How close the client comes to the fastest pace that the limits allow, and how often it is refused on the way.
import { TicketingClient } from "../../src/service/client.ts";
import type { Clock } from "../../src/service/clock.ts";
import type { LedgerStore } from "../../src/service/pace/ledger.ts";
import type { Tier } from "../../src/service/pace/rate-headers.ts";
import { simulatedTime } from "../stage/simulated-time.ts";
import { fastestAlone, fastestBeside } from "./fastest.ts";
import type { Figure } from "./figure.ts";
import { type ResetUnit, type ServiceOptions, type SimulatedService, simulatedService } from "./simulated-service.ts";

export interface PaceScenario extends Partial<ServiceOptions> {
  readonly calls: number;
  readonly concurrency?: number;
  /** Another client's calls per minute, evenly spread. */
  readonly foreignPerMinute?: number;
  readonly tier?: Tier;
  readonly ledger?: LedgerStore;
}

export interface PaceOutcome {
  readonly scenario: PaceScenario;
  readonly seconds: number;
  readonly optimumSeconds: number;
  readonly efficiency: number;
  /** Answers 429. */
  readonly refusals: number;
  readonly failures: number;
}

const start = Date.UTC(2027, 0, 4, 9, 0, 0, 137);
export const resetUnits: readonly ResetUnit[] = [
  "seconds",
  "milliseconds",
  "epoch-seconds",
  "epoch-milliseconds",
  "iso",
  "http-date",
];

export async function simulatePace(scenario: PaceScenario): Promise<PaceOutcome> {
  const options = optionsOf(scenario);
  const time = simulatedTime(start);
  const service = simulatedService(time, options);
  const client = new TicketingClient({
    baseUrl: "https://simulated.example/open-api/v1",
    apiKey: "simulated",
    transport: service,
    clock: time,
    concurrency: scenario.concurrency ?? 1,
    maxWaitSeconds: Number.POSITIVE_INFINITY,
    ...(scenario.tier === undefined ? {} : { tier: scenario.tier }),
    ...(scenario.ledger === undefined ? {} : { ledger: scenario.ledger }),
  });
  const ended = endSignal();
  const others: number[] = [];
  void playForeign(service, time, scenario.foreignPerMinute ?? 0, ended, others);
  const results = await time.run(
    Promise.all(Array.from({ length: scenario.calls }, () => client.request("GET", "/me"))),
  );
  ended.aborted = true;
  const seconds = (time.now() - start) / 1000;
  await client.close();
  const concurrency = scenario.concurrency ?? 1;
  const optimumSeconds =
    others.length === 0
      ? fastestAlone(scenario.calls, options, concurrency)
      : fastestBeside(scenario.calls, options, concurrency, start, others);
  return {
    scenario,
    seconds,
    optimumSeconds,
    efficiency: optimumSeconds / seconds,
    refusals: service.refusals,
    failures: results.filter((result) => !result.ok).length,
  };
}

function endSignal(): { aborted: boolean } {
  return { aborted: false };
}

async function playForeign(
  service: SimulatedService,
  clock: Clock,
  perMinute: number,
  ended: { aborted: boolean },
  accepted: number[],
): Promise<void> {
  if (perMinute === 0) return;
  while (!ended.aborted) {
    if (service.foreignCall()) accepted.push(clock.now());
    await clock.sleep(60_000 / perMinute);
  }
}

export function optionsOf(scenario: Omit<PaceScenario, "calls">): ServiceOptions {
  return {
    kind: scenario.kind ?? "sliding",
    minute: scenario.minute ?? 60,
    hour: scenario.hour ?? 1000,
    speaks: scenario.speaks ?? "minute",
    unit: scenario.unit ?? "seconds",
    latencyMs: scenario.latencyMs ?? 100,
    phaseMs: scenario.phaseMs ?? 0,
    clockErrorMs: scenario.clockErrorMs ?? 0,
    retryAfter: scenario.retryAfter ?? false,
  };
}

/** The scenarios of the table: alone and next to another client, for both kinds of window and every way to speak of them. */
export function paceScenarios(): readonly PaceScenario[] {
  const scenarios: PaceScenario[] = [];
  for (const calls of [500, 1500]) {
    for (const kind of ["fixed", "sliding"] as const) {
      for (const speaks of ["minute", "hour", "tighter", "both"] as const) {
        for (const unit of resetUnits) scenarios.push({ calls, kind, speaks, unit });
        scenarios.push({ calls, kind, speaks, foreignPerMinute: 15 });
      }
    }
  }
  return scenarios;
}

export async function measure(): Promise<readonly Figure[]> {
  const outcomes: PaceOutcome[] = [];
  for (const scenario of paceScenarios()) outcomes.push(await simulatePace(scenario));
  const alone = outcomes.filter(({ scenario }) => scenario.foreignPerMinute === undefined);
  const beside = outcomes.filter(({ scenario }) => scenario.foreignPerMinute !== undefined);
  return [
    ...[500, 1500].flatMap((calls) => [
      worst(
        `pace of ${calls} calls alone`,
        0.95,
        alone.filter(({ scenario }) => scenario.calls === calls),
      ),
      worst(
        `pace of ${calls} calls beside 15 a minute`,
        0.9,
        beside.filter(({ scenario }) => scenario.calls === calls),
      ),
    ]),
    {
      name: "answers 429, alone",
      measured: refusals(alone),
      goal: 0,
      bound: "at most",
      unit: "answers",
      detail: reported(alone),
    },
    {
      name: "answers 429, beside 15 a minute",
      measured: refusals(beside),
      goal: 0,
      bound: "at most",
      unit: "answers",
      detail: reported(beside),
    },
  ];
}

function worst(name: string, goal: number, outcomes: readonly PaceOutcome[]): Figure {
  const measured = Math.min(...outcomes.map(({ efficiency }) => efficiency));
  return {
    name,
    measured,
    goal,
    bound: "at least",
    unit: "of the fastest",
    detail: `the worst; ${reported(outcomes)}`,
  };
}

function refusals(outcomes: readonly PaceOutcome[]): number {
  return outcomes.reduce((sum, outcome) => sum + outcome.refusals, 0);
}

function reported(outcomes: readonly PaceOutcome[]): string {
  return `${outcomes.length} simulated services, ${refusals(outcomes)} answers 429`;
}
