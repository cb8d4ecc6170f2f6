// New events with everything below them, published, against bare calls of the same kind and number.
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { type Figure, median } from "./figure.ts";
import { writeProject } from "./night-project.ts";
import { type BenchService, bundle, type Ran, run, startService } from "./processes.ts";

const atOnce = 8;
const rounds = 3;

export async function measure(): Promise<readonly Figure[]> {
  const [service, bare] = [await bundle("full-plan-service"), await bundle("bare-apply")];
  const small = await measureSize(service, bare, 100);
  const full = await measureSize(service, bare, 1000);
  const writes = full.calls.filter((call) => !call.startsWith("GET")).length;
  return [
    {
      name: "apply of 1,000 new events, 5,000 writes",
      measured: full.apply.ms / full.bareMs,
      goal: 1.6,
      bound: "at most",
      unit: "×",
      detail: `${Math.round(full.apply.ms)} ms for ${full.calls.length} calls, against ${Math.round(full.bareMs)} ms bare; calls, YAML parser and a journal alone: ${(full.leastMs / full.bareMs).toFixed(2)} ×`,
    },
    { name: "apply, peak memory", measured: full.apply.peakMb, goal: 350, bound: "at most", unit: "MB" },
    {
      name: "apply, 1,000 events against 100",
      measured: full.apply.ms / small.apply.ms,
      goal: 11,
      bound: "at most",
      unit: "×",
    },
    { name: "apply, writes for each event", measured: writes / 1000, goal: 5, bound: "at most", unit: "calls" },
  ];
}

interface Measured {
  readonly apply: Ran;
  readonly bareMs: number;
  /** Calls, YAML parser and a journal, and nothing else. */
  readonly leastMs: number;
  readonly calls: readonly string[];
}

async function measureSize(service: string, bare: string, count: number): Promise<Measured> {
  const applies: Ran[] = [];
  const bareTimes: number[] = [];
  const leastTimes: number[] = [];
  let calls: readonly string[] = [];
  for (let round = 0; round < rounds; round++) {
    const folder = writeProject(count);
    const live = await startService(service, ["0"]);
    applies.push(await applyEverything(folder, live));
    calls = await live.calls();
    live.stop();
    for (const [times, project] of [[bareTimes], [leastTimes, folder]] as const) {
      const fresh = await startService(service, ["0"]);
      times.push(await applyBare(bare, count, fresh, calls, project));
      fresh.stop();
    }
    rmSync(folder, { recursive: true });
  }
  const apply = [...applies].sort((one, other) => one.ms - other.ms)[Math.floor(rounds / 2)] as Ran;
  return { apply, bareMs: median(bareTimes), leastMs: median(leastTimes), calls };
}

/** An apply to a service without events. */
export async function applyEverything(folder: string, live: BenchService): Promise<Ran> {
  const env = {
    TICKETING_BASE_URL: live.baseUrl,
    TICKETING_API_KEY: live.apiKey,
    TICKETING_NOW: "2027-01-10T00:00:00Z",
  };
  const argv = [resolve("bin", "ticketing.js"), "apply", "--yes", "-C", folder, "--parallelism", String(atOnce)];
  const ran = await run(argv, env);
  if (ran.status !== 0) throw new Error(`the apply failed: ${ran.stdout.slice(-2000)}`);
  return ran;
}

/** The same events made without us in a service without events, in milliseconds; with a project, its files are parsed and a journal is kept. */
export async function applyBare(
  program: string,
  count: number,
  fresh: BenchService,
  calls: readonly string[],
  project?: string,
): Promise<number> {
  const lists = calls.filter((call) => /^GET .*\/tickets$/.test(call)).length;
  const others = calls.filter((call) => call.startsWith("GET")).length - lists;
  const job = JSON.stringify({ baseUrl: fresh.baseUrl, apiKey: fresh.apiKey, atOnce, count, lists, others, project });
  const ran = await run([program, job]);
  if (ran.status !== 0) throw new Error("the bare calls failed");
  const made = await fresh.calls();
  if (made.length !== calls.length) throw new Error(`bare made ${made.length} calls, apply ${calls.length}`);
  return ran.ms;
}
