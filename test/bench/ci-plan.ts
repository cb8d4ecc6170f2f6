// What `ci plan` asks of the service for one edit among 1,000 events, with state in git and a fresh clone.
import { draft, openLoop } from "../gitops/hosted-loop.ts";
import type { Figure } from "./figure.ts";

const events = 1_000;
const mostCalls = 7;

function night(at: number, capacity: number): string {
  const day = String((at % 28) + 1).padStart(2, "0");
  return draft(`Night ${at}`, capacity).replaceAll("05-01", `05-${day}`);
}

export async function measure(): Promise<readonly Figure[]> {
  const loop = await openLoop();
  try {
    loop.commit(
      Object.fromEntries(Array.from({ length: events }, (_, at) => [`events/night-${at}.yaml`, night(at, 100)])),
    );
    const applied = await loop.ci(["apply", "--yes"]);
    if (applied.exitCode !== 0) throw new Error(applied.stdout.slice(-600) + applied.stderr);
    const pullRequest = loop.openPullRequest({ "events/night-500.yaml": night(500, 120) });
    loop.takeCalls();
    const began = performance.now();
    const planned = await loop.ci(["ci", "plan"], { pullRequest });
    const seconds = (performance.now() - began) / 1000;
    if (planned.exitCode !== 0 || !(loop.comments(pullRequest)[0] ?? "").includes("Night 500"))
      throw new Error(planned.stdout.slice(-600) + planned.stderr);
    return [
      {
        name: "calls: ci plan of one edit among 1,000 events, state in git",
        measured: loop.takeCalls().length,
        goal: mostCalls,
        bound: "at most",
        unit: "calls",
        detail: `${seconds.toFixed(1)} s with clone, fetch and comment`,
      },
    ];
  } finally {
    await loop.close();
  }
}
