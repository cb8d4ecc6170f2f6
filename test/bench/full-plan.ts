// A full plan without changes, against bare calls of the same kind and number.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Figure, median } from "./figure.ts";
import { writeProject } from "./night-project.ts";
import { type BenchService, bundle, type Ran, run, startService } from "./processes.ts";

const atOnce = 8;
const rounds = 3;

export async function measure(): Promise<readonly Figure[]> {
  const [service, bare] = [await bundle("full-plan-service"), await bundle("bare-calls")];
  const half = await measureSize(service, bare, 1000);
  const full = await measureSize(service, bare, 2000);
  const least = (full.leastMs / full.bareMs).toFixed(2);
  const detail = `${Math.round(full.plan.ms)} ms for ${full.calls} calls, against ${Math.round(full.bareMs)} ms bare; calls and YAML parser alone: ${least} ×`;
  return [
    {
      name: "full plan, 2,000 events, 12,000 objects",
      measured: full.plan.ms / full.bareMs,
      goal: 1.5,
      bound: "at most",
      unit: "×",
      detail,
    },
    { name: "full plan, peak memory", measured: full.plan.peakMb, goal: 350, bound: "at most", unit: "MB" },
    {
      name: "full plan, 2,000 events against 1,000",
      measured: full.plan.ms / half.plan.ms,
      goal: 2.2,
      bound: "at most",
      unit: "×",
    },
  ];
}

interface Measured {
  readonly plan: Ran;
  readonly bareMs: number;
  /** Calls and YAML parser, and nothing else. */
  readonly leastMs: number;
  readonly calls: number;
}

async function measureSize(service: string, bare: string, count: number): Promise<Measured> {
  const live = await startService(service, [String(count)]);
  try {
    const folder = writeProject(count);
    const plans: Ran[] = [];
    const bareTimes: number[] = [];
    const leastTimes: number[] = [];
    let calls: readonly string[] = [];
    for (let round = 0; round < rounds; round++) {
      plans.push(await planEverything(folder, live));
      calls = await live.calls();
      bareTimes.push(await callBare(bare, folder, live, calls));
      leastTimes.push(await callBare(bare, folder, live, calls, folder));
      await live.calls();
    }
    const plan = [...plans].sort((one, other) => one.ms - other.ms)[Math.floor(rounds / 2)] as Ran;
    return { plan, bareMs: median(bareTimes), leastMs: median(leastTimes), calls: calls.length };
  } finally {
    live.stop();
  }
}

/** A plan that finds everything as it is wished. */
export async function planEverything(folder: string, live: BenchService): Promise<Ran> {
  const env = {
    TICKETING_BASE_URL: live.baseUrl,
    TICKETING_API_KEY: live.apiKey,
    TICKETING_NOW: "2027-01-10T00:00:00Z",
  };
  const ran = await run([resolve("bin", "ticketing.js"), "plan", "-C", folder, "--parallelism", String(atOnce)], env);
  if (ran.status !== 0 || !ran.stdout.includes("No changes"))
    throw new Error(`the plan is not empty: ${ran.stdout.slice(0, 2000)}`);
  return ran;
}

/** The same calls without us, in milliseconds; with a project, its files are parsed as well. */
export async function callBare(
  program: string,
  folder: string,
  live: BenchService,
  calls: readonly string[],
  project?: string,
): Promise<number> {
  const job = join(folder, "job.json");
  const list = calls.map((call) => ({ method: "GET", path: call.slice("GET ".length) }));
  writeFileSync(
    job,
    JSON.stringify({ origin: new URL(live.baseUrl).origin, apiKey: live.apiKey, atOnce, calls: list, project }),
  );
  const ran = await run([program, job]);
  if (ran.status !== 0) throw new Error("the bare calls failed");
  return ran.ms;
}
