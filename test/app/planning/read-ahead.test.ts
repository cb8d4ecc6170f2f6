// Many files take a while to load: what a plan asks the service whatever they say is asked meanwhile.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { type Ran, ticketing } from "../../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
let sandbox: Sandbox;
let folder: string;

beforeEach(async () => {
  sandbox = await startSandbox({ now });
  folder = mkdtempSync(join(tmpdir(), "ticketing-ahead-"));
  mkdirSync(join(folder, "events"));
});

afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

function writeEvents(count: number): void {
  for (let index = 0; index < count; index++) write(index, `name: Night ${index}\ndateTime: 2027-03-14T19:00\n`);
}

function write(index: number, text: string): void {
  writeFileSync(join(folder, "events", `night-${index}.yaml`), text);
}

function plan(...argv: readonly string[]): Promise<Ran> {
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  return ticketing(["plan", "--format", "json", "-C", folder, ...argv], { env, now });
}

function calls(): readonly string[] {
  return sandbox.control.calls().map(({ method, path }) => `${method} ${path.replace("/open-api/v1", "")}`);
}

function errorsOf({ stdout }: Ran): readonly string[] {
  const { diagnostics } = JSON.parse(stdout) as Plan;
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

test("the account and the lists are read while many files are loaded, and a file with an error is still all that is said", async () => {
  writeEvents(500);
  write(499, "name: Night 499\ndateTime: tomorrow\n");
  sandbox.control.addFault({ kind: "redirect", at: 3 });
  const ran = await plan();
  expect(ran.exitCode).toBe(1);
  expect(errorsOf(ran)).toEqual(["unreadable-time"]);
  expect(calls().length).toBeGreaterThan(0);
  expect(calls().length).toBeLessThan(6);
  expect(calls().filter((call) => !/^GET \/(me|events\?status=\w+&take=\d+)$/.test(call))).toEqual([]);
});

test("a file with an error among few costs no call", async () => {
  writeEvents(499);
  write(498, "name: Night 498\ndateTime: tomorrow\n");
  expect(errorsOf(await plan())).toEqual(["unreadable-time"]);
  expect(calls()).toEqual([]);
});

test("what was read ahead is not read again", async () => {
  writeEvents(500);
  sandbox.control.seed({
    events: Array.from({ length: 300 }, (_, index) => ({
      name: `Night ${index}`,
      dateTime: "2027-03-14T11:00:00.000Z",
      status: "PUBLISHED" as const,
    })),
  });
  const ran = await plan();
  expect(ran.exitCode).toBe(0);
  expect((JSON.parse(ran.stdout) as Plan).summary).toMatchObject({ create: 200, unchanged: 300, unmanaged: 0 });
  expect(calls().filter((call, index, all) => all.indexOf(call) !== index)).toEqual([]);
});

test("a key of another organization: nothing is read after it", async () => {
  writeEvents(500);
  writeFileSync(join(folder, "ticketing.yaml"), "version: 1\norganization: another\n");
  expect(errorsOf(await plan())).toEqual(["wrong-organization"]);
  expect(calls()).toEqual(["GET /me"]);
});

test("not for a plan of some events", async () => {
  writeEvents(500);
  write(499, "name: Night 499\ndateTime: tomorrow\n");
  expect(errorsOf(await plan("--target", "events/night-1"))).toEqual(["unreadable-time"]);
  expect(calls()).toEqual([]);
});

test("what fails ahead is said once, by the plan", async () => {
  writeEvents(500);
  sandbox.control.addFault({ kind: "redirect", at: 2 });
  const ran = await plan();
  expect(ran.exitCode).toBe(1);
  expect(errorsOf(ran)).toHaveLength(1);
  expect(calls()).toHaveLength(2);
});

test("a file with an error does not wait for a response that was asked for ahead", async () => {
  writeEvents(500);
  write(499, "name: Night 499\ndateTime: tomorrow\n");
  sandbox.control.addFault({ kind: "slow", delayMs: 60_000, at: 1 });
  expect(errorsOf(await plan())).toEqual(["unreadable-time"]);
  expect(calls()).toEqual(["GET /me"]);
});
