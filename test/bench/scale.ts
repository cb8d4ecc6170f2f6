// Ten thousand events, sixty thousand objects: the files checked, a plan of one edit, and a plan of everything.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Figure } from "./figure.ts";
import { callBare, planEverything } from "./full-plan.ts";
import { writeProject } from "./night-project.ts";
import { type BenchService, bundle, type Ran, run, startService } from "./processes.ts";

const events = 10_000;
const program = resolve("bin", "ticketing.js");

export async function measure(): Promise<readonly Figure[]> {
  const [service, bare] = [await bundle("full-plan-service"), await bundle("bare-calls")];
  const folder = writeProject(events);
  const live = await startService(service, [String(events)]);
  try {
    commit(folder);
    const full = await planEverything(folder, live);
    const calls = await live.calls();
    const bareMs = await callBare(bare, folder, live, calls);
    await live.calls();
    edit(folder);
    const validate = await validated(folder);
    const since = await planSinceBase(folder, live);
    const reads = (await live.calls()).length;
    return [
      mb("validate, 10,000 events, peak memory", validate, 350),
      {
        name: "plan --base, one edit in 10,000 events, against validate",
        measured: since.ms / validate.ms,
        goal: 1.5,
        bound: "at most",
        unit: "×",
        detail: `${seconds(since.ms)} against ${seconds(validate.ms)}`,
      },
      { name: "plan --base, reads", measured: reads, goal: 10, bound: "at most", unit: "calls" },
      mb("plan --base, peak memory", since, 350),
      {
        name: "full plan, 10,000 events, 60,000 objects",
        measured: full.ms / bareMs,
        goal: 1.5,
        bound: "at most",
        unit: "×",
        detail: `${seconds(full.ms)} for ${calls.length.toLocaleString("en")} calls, against ${seconds(bareMs)} bare`,
      },
      mb("full plan, 10,000 events, peak memory", full, 350),
    ];
  } finally {
    live.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function mb(name: string, { peakMb }: Ran, goal: number): Figure {
  return { name, measured: peakMb, goal, bound: "at most", unit: "MB" };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function commit(folder: string): void {
  const git = (...argv: readonly string[]) => execFileSync("git", ["-C", folder, ...argv], { stdio: "ignore" });
  git("init", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "-m", "Ten thousand nights");
}

/** Another price in one of the files, or the former one again. */
export function edit(folder: string, night = 4711, undone?: "undone"): void {
  const [from, to] = undone === undefined ? ["1500", "1600"] : ["1600", "1500"];
  const file = join(folder, "events", `night-${night}.yaml`);
  writeFileSync(file, readFileSync(file, "utf8").replace(`price: ${from}`, `price: ${to}`));
}

export async function validated(folder: string): Promise<Ran> {
  const ran = await run([program, "validate", "-C", folder]);
  if (ran.status !== 0) throw new Error(`the files are not valid: ${ran.stdout.slice(0, 2000)}`);
  return ran;
}

export async function planSinceBase(folder: string, live: BenchService): Promise<Ran> {
  const env = { TICKETING_BASE_URL: live.baseUrl, TICKETING_API_KEY: live.apiKey };
  const ran = await run([program, "plan", "--base", "HEAD", "-C", folder], env);
  if (!ran.stdout.includes("1 to change") && !ran.stdout.includes("1,600"))
    throw new Error(`the plan is not of one edit: ${ran.stdout.slice(0, 2000)}`);
  return ran;
}
