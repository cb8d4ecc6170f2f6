// A series through the whole program: what one changed date costs, and what --target takes.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { ticketing } from "../stage/test-world.ts";

let directory: string;

function git(...words: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], { cwd: directory });
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-series-"));
  mkdirSync(join(directory, "events"));
  writeFileSync(join(directory, ".gitignore"), ".ticketing/\n");
  writeFileSync(join(directory, "ticketing.yaml"), "version: 1\n");
  writeFileSync(
    join(directory, "events", "club.yaml"),
    `name: "Club: \${var.headliner}"
vars: { headliner: Residents }
dateTime: 22:00
endDateTime: +5h
locationType: ONLINE
series: { every: day, from: 2027-01-08, count: 60 }
`,
  );
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "a");
  expect((await run("2027-01-01T00:00:00Z", "apply", "--yes")).exitCode).toBe(0);
}, 60_000);

afterAll(() => rmSync(directory, { recursive: true }));

function run(now: string, ...argv: readonly string[]) {
  return ticketing([...argv, "-C", directory, "--env", "sandbox"], { now: () => Date.parse(now) });
}

async function planAt(now: string, ...argv: readonly string[]): Promise<Plan> {
  return JSON.parse((await run(now, "plan", "--format", "json", ...argv)).stdout) as Plan;
}

test("one changed date of many costs at most seven calls", async () => {
  const file = join(directory, "events", "club.yaml");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("60 }", "60, dates: { 2027-02-05: { vars: { headliner: DJ Ana } } } }"));
  const plan = await planAt("2027-01-01T00:00:00Z", "--base", "HEAD");
  expect(plan.changes.map(({ address }) => address)).toEqual(["events/club@2027-02-05"]);
  expect(plan.calls.reads).toBeLessThanOrEqual(7);
  writeFileSync(file, text);
}, 60_000);

test("--target takes all dates of a series", async () => {
  const file = join(directory, "events", "club.yaml");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, `${text}eventCapacity: 90\n`);
  const { changes } = await planAt("2027-01-01T00:00:00Z", "--target", "events/club");
  expect(changes).toHaveLength(60);
  writeFileSync(file, text);
}, 60_000);

test("dates that are over are neither planned nor taken for removed documents", async () => {
  const plan = await planAt("2027-02-01T00:00:00Z");
  expect(plan.changes).toEqual([]);
  expect(plan.diagnostics.map(({ code }) => code)).not.toContain("forgotten");
  expect(plan.summary.unchanged).toBe(36);
}, 60_000);
