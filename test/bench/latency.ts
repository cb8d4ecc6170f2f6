// The comparisons of full-plan.ts and full-apply.ts with a service that is as far away as services are.
import { rmSync } from "node:fs";
import type { Figure } from "./figure.ts";
import { applyBare, applyEverything } from "./full-apply.ts";
import { callBare, planEverything } from "./full-plan.ts";
import { writeProject } from "./night-project.ts";
import { type BenchService, bundle, startService } from "./processes.ts";

/** How long a response takes on its way: a service on the same continent. */
const latencyMs = 50;

export async function measure(): Promise<readonly Figure[]> {
  const service = await bundle("full-plan-service");
  const start = (events: number) => startService(service, [String(events), String(latencyMs)]);
  const plan = await measurePlan(2000, start);
  const apply = await measureApply(1000, start);
  return [
    figure(`full plan, 2,000 events, ${latencyMs} ms a call`, plan, 1.5),
    figure(`apply of 1,000 new events, ${latencyMs} ms a call`, apply, 1.6),
  ];
}

interface Measured {
  readonly ms: number;
  readonly bareMs: number;
}

type Start = (events: number) => Promise<BenchService>;

async function measurePlan(count: number, start: Start): Promise<Measured> {
  const folder = writeProject(count);
  const live = await start(count);
  const { ms } = await planEverything(folder, live);
  const bareMs = await callBare(await bundle("bare-calls"), folder, live, await live.calls());
  live.stop();
  rmSync(folder, { recursive: true });
  return { ms, bareMs };
}

async function measureApply(count: number, start: Start): Promise<Measured> {
  const folder = writeProject(count);
  const live = await start(0);
  const { ms } = await applyEverything(folder, live);
  const calls = await live.calls();
  live.stop();
  const fresh = await start(0);
  const bareMs = await applyBare(await bundle("bare-apply"), count, fresh, calls);
  fresh.stop();
  rmSync(folder, { recursive: true });
  return { ms, bareMs };
}

function figure(name: string, { ms, bareMs }: Measured, goal: number): Figure {
  const detail = `${(ms / 1000).toFixed(1)} s, against ${(bareMs / 1000).toFixed(1)} s bare`;
  return { name, measured: ms / bareMs, goal, bound: "at most", unit: "×", detail };
}
