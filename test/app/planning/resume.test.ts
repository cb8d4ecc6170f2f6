// At the rate limit of the free tier a large organization is read in many runs, over hours or days.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { Plan } from "../../../src/model/plan.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { localCaches } from "../../../src/state/file/local-caches.ts";
import { ticketing } from "../../stage/test-world.ts";

const count = 70;
const hour = 3_600_000;
let time: number;
let sandbox: Sandbox;
let folder: string;

beforeEach(async () => {
  time = Date.parse("2027-01-10T00:00:00Z");
  const now = () => time;
  sandbox = await startSandbox({ now, elapsed: now });
  folder = mkdtempSync(join(tmpdir(), "ticketing-resume-"));
  mkdirSync(join(folder, "events"));
  const events = Array.from({ length: count }, (_, index) => ({
    name: `Night ${index}`,
    dateTime: "2027-03-14T11:00:00.000Z",
    slug: `night-${index}`,
    brands: [{ name: "Acme", url: `https://example.com/${index}` }],
  }));
  sandbox.control.seed({ events });
  for (let index = 0; index < count; index++) {
    const brands = `brands: [{ name: Acme, url: "https://example.com/${index === 0 ? "wanted" : index}" }]`;
    writeFileSync(
      join(folder, "events", `night-${index}.yaml`),
      `name: Night ${index}\ndateTime: 2027-03-14T19:00\n${brands}\n`,
    );
  }
  sandbox.control.setProfile("tier=free,window=sliding");
});

afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

async function run(...argv: readonly string[]): Promise<Plan> {
  // Our own ledger goes by the machine's clock, to which hardly any time has passed.
  const local = join(folder, ".ticketing");
  for (const file of existsSync(local) ? readdirSync(local) : [])
    if (file.startsWith("pace.")) rmSync(join(local, file));
  sandbox.control.clearCalls();
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const flags = ["--max-wait", "1", "--format", "json", "-C", folder];
  return JSON.parse((await ticketing([...argv, ...flags], { env, now: () => time })).stdout);
}

function codesIn(plan: Plan): readonly Diagnostic["code"][] {
  return plan.diagnostics.map(({ code }) => code);
}

interface Records {
  readonly data: readonly { readonly id: string; readonly name: string }[];
}

const snapshotFile = () => join(folder, ".ticketing", "snapshot.default.json");
const listsRead = () => sandbox.control.calls().filter(({ path }) => path.endsWith("/brands")).length;

/** Runs it every few hours until it is through. */
async function planUntilMade(): Promise<Plan> {
  for (let runs = 0; runs < 6; runs += 1) {
    const plan = await run("plan");
    if (!codesIn(plan).includes("rate-limited-too-long")) return plan;
    time += 3 * hour;
  }
  throw new Error("it does not come to an end");
}

test("runs that are hours apart come to an end, and the plan says how old its reading is", async () => {
  const plan = await planUntilMade();
  expect(plan.diagnostics.find(({ code }) => code === "older-reading")).toMatchObject({
    severity: "warning",
    message: expect.stringMatching(
      /^This plan reuses \d+ responses that earlier runs received, the oldest about 3 h ago/,
    ),
    hint: expect.stringContaining("An apply always rereads what it changes."),
  });
  expect(plan.changes.map(({ address }) => address)).toEqual(["events/night-0/brands/Acme"]);
  // The next one is made of nothing old.
  expect(existsSync(snapshotFile())).toBe(false);
});

test("a plan that goes on right away says so too, in a notice", async () => {
  let plan = await run("plan");
  for (let runs = 0; runs < 6 && codesIn(plan).includes("rate-limited-too-long"); runs += 1) {
    time += hour / 2;
    plan = await run("plan");
  }
  expect(plan.diagnostics.find(({ code }) => code === "older-reading")).toMatchObject({ severity: "info" });
});

test("what the plan would change is read again before it is shown", async () => {
  expect(codesIn(await run("plan"))).toContain("rate-limited-too-long");
  time += 3 * hour;
  sandbox.control.setProfile("tier=off");
  const found = (await sandbox.service.call("GET", "/events?search=Night%200")).body as Records;
  const path = `/events/${found.data.find(({ name }) => name === "Night 0")?.id}/brands`;
  const brands = (await sandbox.service.call("GET", path)).body as Records;
  await sandbox.service.call("DELETE", `${path}/${brands.data[0]?.id}`);
  await sandbox.service.call("POST", path, { name: "Acme", url: "https://example.com/wanted" });
  sandbox.control.setProfile("tier=free,window=sliding");
  const plan = await planUntilMade();
  expect(plan.changes).toEqual([]);
  expect(codesIn(plan)).toContain("older-reading");
});

test("all that is old is read again where that takes no waiting", async () => {
  expect(codesIn(await run("plan"))).toContain("rate-limited-too-long");
  time += 3 * hour;
  sandbox.control.setProfile("tier=off");
  expect(codesIn(await run("plan"))).not.toContain("older-reading");
  expect(listsRead()).toBe(count);
});

test("neither a plan of something else nor an apply ends a long reading", async () => {
  expect(codesIn(await run("plan"))).toContain("rate-limited-too-long");
  time += hour;
  expect((await run("plan", "--target", "events/night-69")).changes).toEqual([]);
  time += hour;
  await run("apply", "--yes", "--target", "events/night-0");
  time += hour;
  const plan = await planUntilMade();
  expect(plan.changes).toEqual([]);
  expect(codesIn(plan)).toContain("older-reading");
});

/** Whether the plan says that a reading is kept which fails from this list on. */
async function keepsReading(failsFrom: number): Promise<boolean> {
  sandbox.control.setProfile("tier=off");
  sandbox.control.addFault({ kind: "error-before", status: 503, path: "/brands", at: failsFrom, times: 0 });
  const { diagnostics } = await run("plan");
  sandbox.control.clearFaults();
  const [problem, ...others] = diagnostics.filter(({ severity }) => severity === "error");
  expect(others).toEqual([]);
  return problem?.hint?.includes("What was read so far is kept") === true;
}

test("a long reading that a failure of the service cuts off is continued", async () => {
  expect(await keepsReading(65)).toBe(true);
  const plan = await run("plan");
  expect(plan.changes.map(({ address }) => address)).toEqual(["events/night-0/brands/Acme"]);
  expect(plan.calls.reads).toBeLessThan(20);
});

test("a short one starts over", async () => {
  expect(await keepsReading(20)).toBe(false);
  expect(existsSync(snapshotFile())).toBe(false);
});

test("without a state, nothing that was read before an apply is used", async () => {
  writeFileSync(join(folder, "ticketing.yaml"), "version: 1\nstate: { backend: none }\n");
  expect(codesIn(await run("plan"))).toContain("rate-limited-too-long");
  sandbox.control.setProfile("tier=off");
  await run("apply", "--yes", "--target", "events/night-0");
  expect((await run("plan")).changes).toEqual([]);
});

test("a reading that no one continues for a day is started over", async () => {
  const secrets = () => ({ current: "key", previous: null });
  const { snapshots } = localCaches({ directory: folder, environment: "default", baseUrl: "u", secrets });
  const [first, second] = [0, 20 * hour];
  await snapshots.save(
    [
      ["/a?{}", { data: 1, at: first }],
      ["/b?{}", { data: 2 }],
    ],
    "o",
    second,
  );
  expect(await snapshots.load("o", second + 23 * hour)).toEqual([
    ["/a?{}", { data: 1, at: first }],
    ["/b?{}", { data: 2, at: second }],
  ]);
  expect(await snapshots.load("o", second + 24 * hour)).toEqual([]);
});
