// `ticketing plan` as people and CI type it.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { Plan } from "../../../src/model/plan.ts";
import { seal } from "../../../src/plan/fingerprint.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { expectPlanShape } from "../../stage/plan-shape.ts";
import { type Ran, ticketing } from "../../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
let sandbox: Sandbox;
let folder: string;

beforeEach(async () => {
  sandbox = await startSandbox({ now });
  folder = mkdtempSync(join(tmpdir(), "ticketing-plan-"));
  mkdirSync(join(folder, "events"));
  write("events/one.yaml", "name: One\ndateTime: 2027-03-14T19:00\n");
});

afterEach(async () => {
  await sandbox.close();
});

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}

function run(...argv: readonly string[]): Promise<Ran> {
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  return ticketing([...argv, "-C", folder], { env, now });
}

function errorsIn(ran: Ran): readonly Diagnostic[] {
  return jsonOf(ran).diagnostics.filter((one) => one.severity === "error");
}

function jsonOf(ran: Ran): Plan {
  return JSON.parse(ran.stdout) as Plan;
}

describe("ticketing plan", () => {
  test("never writes: a service that refuses every write is good enough", async () => {
    sandbox.control.refuseWrites(true);
    const ran = await run("plan", "--format", "json");
    expect(ran.exitCode).toBe(0);
    expect(jsonOf(ran).operations).toHaveLength(1);
    expect(sandbox.control.calls().filter((call) => call.method !== "GET")).toEqual([]);
  });

  test("stopped, it says so, and its JSON is whole", async () => {
    const stop = new AbortController();
    sandbox.control.addFault({ kind: "slow", delayMs: 300, at: 2 });
    const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
    const argv = ["plan", "--format", "json", "-C", folder];
    const work = ticketing(argv, { env, now, interrupted: stop.signal });
    await vi.waitUntil(() => sandbox.control.calls().length >= 2, { timeout: 30_000, interval: 5 });
    stop.abort();
    const ran = await work;
    expect(ran.exitCode).toBe(130);
    expect(ran.stderr).toContain("Stopped. Nothing was changed.");
    expectPlanShape(ran.stdout);
    expect(errorsIn(ran).map(({ code }) => code)).toEqual(["interrupted"]);
  });

  test("says by its exit code: 0 fine, 2 not empty where asked, 1 blocked", async () => {
    expect((await run("plan")).exitCode).toBe(0);
    expect((await run("plan", "--detailed-exitcode")).exitCode).toBe(2);
    await run("apply", "--yes");
    expect((await run("plan", "--detailed-exitcode")).exitCode).toBe(0);
    write("events/one.yaml", "status: DELETED\nname: One\ndateTime: 2027-03-14T19:00\n");
    expect((await run("plan", "--detailed-exitcode")).exitCode).toBe(1);
    expect((await run("plan", "--detailed-exitcode", "--allow", "delete-event")).exitCode).toBe(2);
  });

  test("prints the whole object when the files have errors, with nothing to do and no organization", async () => {
    write("events/one.yaml", "name: One\ndateTime: tomorrow\n");
    const ran = await run("plan", "--format", "json");
    expect(ran.exitCode).toBe(1);
    expectPlanShape(ran.stdout);
    expect(jsonOf(ran)).toMatchObject({
      formatVersion: 1,
      operations: [],
      changes: [],
      target: { organization: null },
    });
    expect(errorsIn(ran)[0]).toMatchObject({
      code: "unreadable-time",
      source: { file: "events/one.yaml", line: 2 },
    });
    expect(sandbox.control.calls()).toEqual([]);
  });

  test("shows the line of an error in a file with a caret, as validate does, and so does apply", async () => {
    write("events/one.yaml", "name: One\ndatetime: 2027-03-14T19:00\nimageUrl: https://user:pass@example.com/a.png\n");
    for (const ran of [await run("plan"), await run("apply", "--yes")]) {
      expect(ran.stdout).toContain("    2 | datetime: 2027-03-14T19:00\n      | ^\n  fix: Did you mean `dateTime`?\n");
      expect(ran.stdout).not.toContain("user:pass");
    }
    write("events/one.yaml", "name: Nights  TBA\ndateTime: 2027-03-14T19:00+08:00\n");
    expect((await run("plan")).stdout).toContain("    1 | name: Nights  TBA\n      |       ^\n");
  });

  test("saves a plan without key or secret", async () => {
    write("webhooks.yaml", '- { url: "https://hooks.example.com/x", events: [order.completed] }\n');
    const ran = await run("plan", "--out", "plan.json");
    expect(ran.exitCode).toBe(1);
    write("ticketing.yaml", "version: 1\nsecrets: { sink: file, path: .ticketing/secrets.json }\n");
    expect((await run("plan", "--out", "plan.json")).exitCode).toBe(0);
    const text = readFileSync(join(folder, "plan.json"), "utf8");
    expect(text).not.toContain(sandbox.apiKey);
    const { fingerprint, revision, ...rest } = JSON.parse(text) as Plan;
    expect(fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(revision).toBeNull();
    // As earlier versions saved it.
    write("plan.json", JSON.stringify(seal(rest, null)));
    expect((await run("apply", "plan.json", "--yes")).exitCode).toBe(0);
  });

  test("a corrupt state file is reported, with what losing it costs", async () => {
    mkdirSync(join(folder, ".ticketing"));
    write(".ticketing/state.default.json", "{ not json");
    const ran = await run("plan");
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout + ran.stderr).toMatch(/state\.default\.json/);
    expect(ran.stdout + ran.stderr).not.toMatch(/at .*\.ts:\d+/);
  });

  test("state of another organization is refused", async () => {
    await run("apply", "--yes");
    const path = join(folder, ".ticketing/state.default.json");
    const state = JSON.parse(readFileSync(path, "utf8")) as { organization: { id: string; slug: string } };
    state.organization = { id: "11111111-1111-4111-8111-111111111111", slug: "others" };
    writeFileSync(path, JSON.stringify(state));
    await run("state", "reseal", "--yes");
    const ran = await run("plan", "--format", "json");
    expect(ran.exitCode).toBe(1);
    expect(errorsIn(ran).map((one) => one.code)).toEqual(["state-of-another-organization"]);
  });

  test("losing state costs calls and labels, not correctness", async () => {
    await run("apply", "--yes");
    rmSync(join(folder, ".ticketing"), { recursive: true });
    expect(jsonOf(await run("plan", "--format", "json")).changes).toEqual([]);
  });

  test("a wrong key and an unreachable service are reported, exit 1, in valid JSON", async () => {
    const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: "wrong-key" };
    const wrong = await ticketing(["plan", "--format", "json", "-C", folder], { env, now });
    expect(wrong.exitCode).toBe(1);
    expect(errorsIn(wrong)).toHaveLength(1);
    expectPlanShape(wrong.stdout);
    expect(wrong.stdout + wrong.stderr).not.toContain("wrong-key");
    const away = { TICKETING_BASE_URL: "http://127.0.0.1:9/open-api/v1", TICKETING_API_KEY: "some-key" };
    const gone = await ticketing(["plan", "--format", "json", "-C", folder], { env: away, now });
    expect(gone.exitCode).toBe(1);
    expectPlanShape(gone.stdout);
    expect(errorsIn(gone)[0]?.hint).toBeDefined();
  });

  test("a reading that the rate limit cuts short is kept and continued", { timeout: 60_000 }, async () => {
    for (let index = 0; index < 70; index++)
      write(`events/night-${index}.yaml`, `name: Night ${index}\ndateTime: 2027-03-14T19:00\ntickets: []\n`);
    const events = Array.from({ length: 70 }, (_, index) => ({
      name: `Night ${index}`,
      dateTime: "2027-03-14T11:00:00.000Z",
      slug: `night-${index}`,
    }));
    sandbox.control.seed({ events });
    sandbox.control.setProfile("tier=free,window=sliding");
    const first = await run("plan", "--max-wait", "1", "--format", "json");
    expect(first.exitCode).toBe(1);
    expect(errorsIn(first).map((one) => one.code)).toEqual(["rate-limited-too-long"]);
    expect(existsSync(join(folder, ".ticketing/snapshot.default.json"))).toBe(true);
    sandbox.control.setProfile("tier=off");
    sandbox.control.clearCalls();
    const second = await run("plan", "--format", "json");
    expect(jsonOf(second).operations).toHaveLength(1);
    // Most was read the first time: under sixty calls were left.
    expect(sandbox.control.calls().length).toBeLessThan(40);
    expect(existsSync(join(folder, ".ticketing/snapshot.default.json"))).toBe(false);
  });

  test("an error that blocks one change is skipped with it, and does not keep a plan from being saved", async () => {
    write("events/past.yaml", "name: Past\ndateTime: 2026-03-14T19:00\n");
    const planned = await run("plan", "--verbose", "--format", "json", "--out", "plan.json");
    expect(planned.exitCode).toBe(1);
    expect(errorsIn(planned).map((one) => one.code)).toEqual(["starts-in-the-past"]);
    expect(jsonOf(planned).diagnostics.filter((one) => one.code === "starts-in-the-past")).toHaveLength(1);
    expect(existsSync(join(folder, "plan.json"))).toBe(true);
    expect((await run("apply", "--yes")).exitCode).toBe(1);
    expect(sandbox.control.dump().events).toEqual([]);
    await run("apply", "--yes", "--skip-blocked");
    expect(sandbox.control.dump().events).toMatchObject([{ name: "One" }]);
  });

  test("a target takes what is below it and nothing else", async () => {
    write(
      "events/two.yaml",
      "name: Two\ndateTime: 2027-03-14T19:00\ntickets:\n  - { name: GA, price: 100, quantity: 10, published: true }\n",
    );
    const plan = jsonOf(await run("plan", "--target", "events/t*", "--format", "json"));
    expect(plan.changes.map((change) => change.address)).toEqual(["events/two", "events/two/tickets/GA"]);
  });

  test("unreadable fields wait for the next change, or are sent at once where asked", async () => {
    sandbox.control.setProfile("minimal");
    sandbox.control.seed({
      events: [{ name: "One", dateTime: "2027-03-14T11:00:00.000Z", slug: "one", status: "DRAFT" }],
    });
    const quiet = jsonOf(await run("plan", "--format", "json"));
    expect(quiet.changes).toEqual([]);
    expect(quiet.diagnostics.map((one) => one.code)).toContain("unreadable-fields");
    const resent = jsonOf(await run("plan", "--resend-unreadable", "--format", "json"));
    expect(resent.changes[0]?.edits).toMatchObject([{ path: "/dateTime", unreadable: true }]);
  });

  test("whether a key has expired is judged by the service's clock, not by this machine's", async () => {
    const expiresAt = "2027-01-20T00:00:00.000Z";
    const [key] = sandbox.control.seed({ keys: [{ name: "Short", scopes: ["events:read"], expiresAt }] }).keys;
    const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: key?.value ?? "" };
    const fast = () => Date.parse("2027-02-01T00:00:00Z");
    const ran = await ticketing(["plan", "--format", "json", "-C", folder], { env, now: fast });
    expect(jsonOf(ran).diagnostics.map((one) => one.code)).toContain("key-expires-soon");
    expect(ran.exitCode).toBe(0);
  });
});
