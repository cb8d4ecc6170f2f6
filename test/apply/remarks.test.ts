// What a run says before it begins, and when it has to end early: each through the commands themselves.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { openProject, type Project } from "../stage/open-project.ts";

const gala = "name: Gala\ndateTime: 2027-03-14T19:00+08:00\n";
const hooks = '- { url: "https://hooks.example.com/orders", events: [order.completed], secretName: ORDERS }\n';
const many = (count: number) =>
  `${gala}brands: [${Array.from({ length: count }, (_, at) => `{ name: B${at} }`).join(", ")}]\n`;

let project: Project;
afterEach(() => project.close());

async function reported(code: string, ...flags: readonly string[]): Promise<Diagnostic | undefined> {
  return (await project.plan(...flags)).plan.diagnostics.find((each) => each.code === code);
}

describe("key-expired", () => {
  // Its clock passes the end of the key while the first response is on its way.
  async function openWithEndingKey(): Promise<void> {
    let now = Date.parse("2026-11-15T00:00:00Z");
    const log = () => {
      if (ending) now = Date.parse("2026-11-15T00:00:02Z");
    };
    let ending = false;
    project = await openProject({ "events/gala.yaml": gala }, { now: () => now, log });
    const { keys } = project.sandbox.control.seed({
      keys: [{ name: "CI", expiresAt: "2026-11-15T00:00:01.000Z" }],
    });
    project.env.TICKETING_API_KEY = String(keys[0]?.value);
    expect((await project.run(["plan", "--out", "plan.json"])).exitCode).toBe(0);
    project.sandbox.control.clearCalls();
    ending = true;
  }

  test("plan and apply read nothing further and say which key it was", async () => {
    await openWithEndingKey();
    const { exitCode, plan } = await project.plan();
    expect(exitCode).toBe(1);
    expect(plan.operations).toEqual([]);
    const [error] = plan.diagnostics.filter((each) => each.severity === "error");
    expect(error).toMatchObject({ code: "key-expired" });
    expect(error?.message).toContain('"CI" expired on Sun 15 Nov 2026');
    expect(project.sandbox.control.calls()).toHaveLength(1);
  });

  test.each([[[]], [["plan.json"]]])("apply %j sends nothing", async (words) => {
    await openWithEndingKey();
    const { exitCode, stderr } = await project.apply(...words);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("expired on");
    expect(project.writes()).toEqual([]);
  });
});

describe("the hour's calls", () => {
  test("over-budget: a plan with more calls than are left says so, and by how much", async () => {
    project = await openProject({ "events/gala.yaml": many(1100) }, { profile: "tier=free" });
    const { exitCode, plan } = await project.plan();
    expect(exitCode).toBe(0);
    const remark = plan.diagnostics.find((each) => each.code === "over-budget");
    expect(remark).toMatchObject({ severity: "warning" });
    expect(remark?.message).toMatch(/^The plan needs 1,101 calls, but the service allows only \d{3} more this hour/);
    await project.write("events/gala.yaml", many(20));
    expect(await reported("over-budget")).toBeUndefined();
  });

  test("a wait that is too long ends the run: what was not sent is skipped, and the next run continues", async () => {
    project = await openProject({ "events/gala.yaml": many(100) }, { profile: "tier=free" });
    const { exitCode, report, stderr } = await project.apply("--max-wait", "1", "--tier", "free");
    expect(exitCode).toBe(1);
    const { done, failed, skipped, unsure } = report.summary;
    expect({ failed, unsure }).toEqual({ failed: 0, unsure: 0 });
    expect(done).toBeGreaterThan(20);
    expect(done + skipped).toBe(101);
    const first = report.outcomes.find((outcome) => outcome.result === "skipped");
    expect(first?.error).toMatchObject({ code: "rate-limited-too-long", status: null });
    expect(first?.error?.hint).toContain("--max-wait");
    expect(report.calls).toMatchObject({ writes: done, rateLimited: 0 });
    expect(stderr).toContain("--max-wait");
    expect(project.sandbox.service.dump().brands).toHaveLength(done - 1);
    project.sandbox.control.setProfile("tier=off");
    expect((await project.apply()).exitCode).toBe(0);
    expect(project.sandbox.service.dump().brands).toHaveLength(100);
  });
});

describe("secrets of webhooks", () => {
  test("secret-on-this-runner-only: a file sink on a runner, for a webhook that is to be made", async () => {
    project = await openProject({ "webhooks.yaml": hooks });
    expect(await reported("secret-on-this-runner-only")).toBeUndefined();
    project.env.CI = "true";
    const remark = await reported("secret-on-this-runner-only");
    expect(remark).toMatchObject({ severity: "warning" });
    expect(remark?.hint).toContain("sink: command");
    await project.apply();
    expect(await reported("secret-on-this-runner-only")).toBeUndefined();
  });

  test.each([
    ["GITHUB_ACTIONS", "command: [gh, secret, set, "],
    ["GITLAB_CI", "command: [glab, variable, set, "],
  ])(
    "secret-would-be-lost: a file sink with %s, for a webhook that is to be made or rotated",
    async (host, command) => {
      project = await openProject({ "webhooks.yaml": hooks });
      project.env[host] = "true";
      const { exitCode, plan } = await project.plan();
      expect(exitCode).toBe(1);
      expect(plan.changes[0]?.blockedBy).toMatchObject([
        { code: "secret-would-be-lost", hint: expect.stringContaining(command) },
      ]);
      expect(plan.diagnostics.map(({ code }) => code)).not.toContain("secret-on-this-runner-only");
      expect((await project.apply()).exitCode).toBe(1);
      expect(project.writes()).toEqual([]);
      delete project.env[host];
      expect((await project.apply()).exitCode).toBe(0);
      project.writes();
      project.env[host] = "true";
      expect((await project.apply()).exitCode).toBe(0);
      const rotated = await project.run(["webhooks", "rotate", "https://hooks.example.com/orders", "--yes"]);
      expect(rotated.exitCode).toBe(1);
      expect(rotated.stderr).toContain("secret-would-be-lost");
      expect(project.writes()).toEqual([]);
      project.env.TICKETING_ENV = "sandbox";
      expect((await project.plan()).exitCode).toBe(0);
    },
  );

  test.each([
    ["GITHUB_ACTIONS", "command: [gh, secret, set, "],
    ["GITLAB_CI", "command: [glab, variable, set, "],
  ])("no-secret-sink: with %s, the fix is not a file, which would be refused next", async (host, command) => {
    project = await openProject({ "ticketing.yaml": "version: 1\n", "webhooks.yaml": hooks });
    project.env[host] = "true";
    const { plan } = await project.plan();
    expect(plan.changes[0]?.blockedBy).toMatchObject([
      { code: "no-secret-sink", hint: expect.stringContaining(command) },
    ]);
    project.sandbox.control.seed({
      webhooks: [{ url: "https://hooks.example.com/orders", events: ["order.completed"] }],
    });
    const rotated = await project.run(["webhooks", "rotate", "https://hooks.example.com/orders", "--yes"]);
    expect(rotated.stderr).toContain("no-secret-sink");
    expect(rotated.stderr.replace(/\s+/g, " ")).toContain(command);
  });

  test("secret-not-held: made by somebody else, and the file does not have it", async () => {
    project = await openProject({ "webhooks.yaml": hooks });
    project.sandbox.control.seed({
      webhooks: [{ url: "https://hooks.example.com/orders", events: ["order.completed"] }],
    });
    for (const _ of ["before it is remembered", "after"]) {
      const remark = await reported("secret-not-held");
      expect(remark).toMatchObject({ severity: "info" });
      expect(remark?.hint).toContain("ticketing webhooks rotate https://hooks.example.com/orders");
      expect((await project.apply()).exitCode).toBe(0);
    }
    await writeFile(join(project.directory, "webhooks.yaml"), hooks.replace(" }", ", ignore: [secret-not-held] }"));
    expect(await reported("secret-not-held")).toBeUndefined();
  });

  test("secret-not-held: a command that was never given it is not said to have it", async () => {
    const settings = 'version: 1\nsecrets: { sink: command, command: ["true", "{secretName}"] }\n';
    project = await openProject({ "ticketing.yaml": settings, "webhooks.yaml": hooks });
    project.sandbox.control.seed({
      webhooks: [{ url: "https://hooks.example.com/orders", events: ["order.completed"] }],
    });
    for (const _ of ["before it is remembered", "after"]) {
      expect((await reported("secret-not-held"))?.message).toContain("the command under `secrets:`");
      expect((await project.apply()).exitCode).toBe(0);
    }
  });

  test("held: made by us", async () => {
    const settings = 'version: 1\nsecrets: { sink: command, command: ["true", "{secretName}"] }\n';
    project = await openProject({ "ticketing.yaml": settings, "webhooks.yaml": hooks });
    for (const _ of ["made", "found again"]) {
      expect((await project.apply()).exitCode).toBe(0);
      expect(await reported("secret-not-held")).toBeUndefined();
    }
  });
});
