// What ten thousand events cost is measured by `npm run bench -- scale`; here that it has not become another order.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { planEverything } from "../bench/full-plan.ts";
import { writeProject } from "../bench/night-project.ts";
import { type BenchService, bundle, run, startService } from "../bench/processes.ts";
import { hasGit } from "../stage/has-git.ts";
import { removeFolder } from "../stage/remove-folder.ts";

const program = join(import.meta.dirname, "../../bin/ticketing.js");
const [few, many] = [300, 1500];
const folders: string[] = [];
let service = "";
let live: BenchService;

beforeAll(async () => {
  service = await bundle("full-plan-service");
  live = await startService(service, [String(many)]);
}, 60_000);

afterAll(() => {
  live.stop();
  for (const folder of folders) removeFolder(folder);
});

function project(count: number): string {
  const folder = writeProject(count);
  folders.push(folder);
  return folder;
}

// Other releases of Node let the heap grow further before they collect: on 24 it was 94 KB an event.
test.skipIf(!process.version.startsWith("v20."))(
  "of events that are as wished, a plan keeps little",
  { timeout: 180_000 },
  async () => {
    const small = await startService(service, [String(few)]);
    const { peakMb: before } = await planEverything(project(few), small);
    small.stop();
    const { peakMb } = await planEverything(project(many), live);
    expect(((peakMb - before) * 1024) / (many - few)).toBeLessThan(90);
  },
);

test.skipIf(!hasGit)("one edit since the base costs a few calls", { timeout: 180_000 }, async () => {
  const folder = project(many);
  const git = (...argv: readonly string[]) => execFileSync("git", ["-C", folder, ...argv], { stdio: "ignore" });
  git("init", "-b", "main");
  git("add", "events");
  git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-m", "Nights");
  const file = join(folder, "events", "night-471.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("price: 1500", "price: 1600"));
  await live.calls();
  const env = { TICKETING_BASE_URL: live.baseUrl, TICKETING_API_KEY: live.apiKey };
  const { stdout } = await run([program, "plan", "--base", "HEAD", "-C", folder], env);
  expect(stdout).toContain("1 to change");
  expect((await live.calls()).length).toBeLessThanOrEqual(10);
});
