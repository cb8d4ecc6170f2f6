// Two real processes that share a store keep to one rate limit together. Time passes twice as fast for them and for the
// service, so that its minutes take thirty seconds: faster, and a busy machine would be what is measured.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { buildProgram } from "../bin/program.ts";
import { removeFolder } from "../stage/remove-folder.ts";
import { gitUnderTest } from "./git-store.ts";

const program = fileURLToPath(new URL("./fast-program.js", import.meta.url));
const speed = 2;
const began = Date.now();
const events = 70;

let sandbox: Sandbox;
let apiKey = "";
const cleaning: (() => unknown)[] = [];
beforeAll(buildProgram);
afterEach(async () => {
  await sandbox.abandon();
  for (const clean of cleaning.splice(0)) await clean();
});

function fastNow(): number {
  return began + (Date.now() - began) * speed;
}

function writeProject(folder: string, backend: string): void {
  mkdirSync(join(folder, "events"), { recursive: true });
  const target = `{ baseUrl: "${sandbox.baseUrl}", apiKeyEnv: TICKETING_API_KEY }`;
  writeFileSync(
    join(folder, "ticketing.yaml"),
    `version: 1\nstate: { backend: ${backend} }\ndefaultEnvironment: live\nenvironments:\n  live: ${target}\n`,
  );
  for (let nth = 0; nth < events; nth++)
    writeFileSync(
      join(folder, "events", `night-${nth}.yaml`),
      `name: Night ${nth}\ndateTime: ${2050 + nth}-04-10T19:00:00+08:00\ntimezone: Asia/Manila\ntickets:\n  - { name: GA, price: 500, quantity: 50 }\n`,
    );
}

async function run(
  folder: string,
  word: "apply" | "plan",
  asFast: number,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    TICKETING_API_KEY: apiKey,
    SPEED: String(asFast),
    BEGAN: String(began),
  };
  const child = spawn(process.execPath, [program, word, ...(word === "apply" ? ["--yes"] : [])], { cwd: folder, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, output };
}

describe.each([
  [
    "file",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "shared-pace-"));
      cleaning.push(() => removeFolder(folder));
      return Promise.resolve([folder, folder] as const);
    },
  ],
  [
    "git",
    async () => {
      const started = await gitUnderTest.start();
      cleaning.push(() => started.stop());
      return [started.folder?.() ?? "", started.folder?.() ?? ""] as const;
    },
  ],
] as const)("two plans at once with state in %s", (backend, folders) => {
  test("are never refused, and lose little time", async () => {
    sandbox = await startSandbox({
      organization: { slug: "bayside" },
      now: fastNow,
      elapsed: fastNow,
      profile: "tier=off",
    });
    apiKey = sandbox.apiKey;
    const [one, two] = await folders();
    for (const folder of new Set([one, two])) writeProject(folder, backend);
    const applied = await run(one, "apply", 1);
    expect(applied.code, applied.output).toBe(0);
    sandbox.control.setProfile(`tier=free,window=${backend === "file" ? "fixed" : "sliding"}`);
    sandbox.control.clearCalls();
    // Calls are counted for each key, and this one has made none.
    const [fresh] = sandbox.control.seed({ keys: [{ name: "Plans" }] }).keys;
    apiKey = fresh?.value ?? "";
    const plans = await Promise.all([run(one, "plan", speed), run(two, "plan", speed)]);
    for (const { code, output } of plans) expect(code, output).toBe(0);
    const calls = sandbox.control.calls();
    expect(calls.filter(({ status }) => status === 429)).toEqual([]);
    const seconds = ((calls.at(-1)?.at ?? 0) - (calls[0]?.at ?? 0)) / 1000;
    // Two full minutes for 120 of them, and the rest at the beginning of the third.
    expect(calls.length).toBeGreaterThan(130);
    // A minute lost would make it two thirds. How close it comes to the fastest, the bench measures without a busy machine.
    expect(120 / seconds).toBeGreaterThan(0.75);
    expect(plans.map(({ output }) => output).join()).toContain("in part by another run");
  });
});
