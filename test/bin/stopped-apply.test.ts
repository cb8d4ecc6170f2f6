// An apply of the real program that is stopped halfway: politely with SIGTERM, as CI does it, and by SIGKILL.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { buildProgram, cleanEnv, copyExample, program } from "./program.ts";

beforeAll(() => buildProgram());

let sandbox: Sandbox;
let cwd: string;
beforeEach(async () => {
  sandbox = await startSandbox({ now: () => Date.parse("2026-12-01T00:00:00Z") });
  cwd = copyExample("festival");
});
afterEach(() => sandbox.abandon());

function startApply() {
  const words = ["apply", "--yes", "--settle", "0.05", "--parallelism", "1"];
  const env = cleanEnv({ TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey });
  const child = spawn(process.execPath, [program, ...words], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  child.stderr.on("data", (text) => (output += text));
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, output }));
  return { child, ended };
}

function writes(): readonly string[] {
  return sandbox.control
    .calls()
    .filter((call) => call.method !== "GET")
    .map((call) => `${call.method} ${call.path.replace(/[0-9a-f-]{36}/g, "ID")}`);
}

function locks(): readonly string[] {
  return readdirSync(join(cwd, ".ticketing"), { recursive: true, encoding: "utf8" }).filter((file) =>
    /lock/.test(file),
  );
}

describe.skipIf(process.platform === "win32")("an apply that is stopped", () => {
  test("SIGTERM: the call under way ends, nothing more is sent, what was done is reported, and the lock is free", async () => {
    sandbox.control.addFault({ kind: "slow", method: "POST", path: "/performers", delayMs: 800 });
    const { child, ended } = startApply();
    while (child.exitCode === null && sandbox.service.dump().performers.length === 0) await setTimeout(10);
    expect(locks()).not.toEqual([]);
    child.kill("SIGTERM");
    const { code, output } = await ended;
    expect(code, output).toBe(130);
    const { events, webhooks, performers, schedules } = sandbox.service.dump();
    expect([performers.length, schedules.length]).toEqual([1, 0]);
    // Ticket types come with their event.
    const done = events.length + webhooks.length + performers.length;
    expect(output).toMatch(new RegExp(`Not fully applied: ${done} of \\d+ done, \\d+ skipped`));
    expect(output).toContain('done: create event "Bayside Sounds');
    expect(locks()).toEqual([]);
    sandbox.control.clearCalls();
    const again = await startApply().ended;
    expect(again.code, again.output).toBe(0);
    // What the stopped run did was remembered: none of it is done twice.
    expect(writes()).not.toContain("POST /open-api/v1/events");
    expect(sandbox.service.dump().events).toHaveLength(1);
    expect((await startApply().ended).output).toContain("No changes");
  });

  test("SIGKILL while an event is made: the next run finds it, and says so", async () => {
    const { child, ended } = startApply();
    const onKill = () => void child.kill("SIGKILL");
    sandbox.control.addFault({ kind: "kill", method: "POST", path: "/events", moment: "after", onKill });
    expect((await ended).signal).toBe("SIGKILL");
    expect(sandbox.service.dump().events).toHaveLength(1);
    sandbox.control.clearFaults();
    const again = await startApply().ended;
    expect(again.code, again.output).toBe(0);
    expect(again.output.replace(/\s+/g, " ")).toContain(
      'An earlier run was cut off while creating the event "Bayside Sounds 2027": it exists, and this run continued with it.',
    );
    expect(sandbox.service.dump().events).toHaveLength(1);
    expect((await startApply().ended).output).not.toContain("cut off");
  });
});
