// How long a command takes to begin: the bundled program against a Node script that does nothing.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Figure, median } from "./figure.ts";

const rounds = 25;

export async function measure(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-bench-"));
  const empty = join(folder, "empty.js");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(empty, "");
  const project = join(folder, "project");
  cpSync(resolve("examples", "first-event"), project, { recursive: true });
  const program = resolve("bin", "ticketing.js");
  const runs = {
    empty: [empty],
    version: [program, "--version"],
    validate: [program, "validate", "-C", project],
  };
  const times = { empty: [] as number[], version: [] as number[], validate: [] as number[] };
  // One after the other in every round, so that a busy moment of the machine falls on all alike.
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ["empty", "version", "validate"] as const) times[name].push(timeOf(runs[name]));
  }
  const base = median(times.empty);
  const figure = (name: "version" | "validate", words: string, goal: number): Figure => ({
    name: words,
    measured: median(times[name]) / base,
    goal,
    bound: "at most",
    unit: "×",
    detail: `${median(times[name]).toFixed(0)} ms against ${base.toFixed(0)} ms for an empty script`,
  });
  return [figure("version", "ticketing --version", 1.25), figure("validate", "ticketing validate, one file", 1.8)];
}

function timeOf(argv: readonly string[]): number {
  const start = performance.now();
  const ran = spawnSync(process.execPath, argv, { stdio: "ignore" });
  if (ran.status !== 0) throw new Error(`${argv.join(" ")} ended with ${ran.status}`);
  return performance.now() - start;
}
