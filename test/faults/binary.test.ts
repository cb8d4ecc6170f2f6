// The real program, over a socket, killed with SIGKILL at every call and at every write of its journal.
import { spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { type Fault, type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { damageOf, type Picture, pictureOf } from "./picture.ts";
import { addToTable, writeTable } from "./table.ts";

const full = process.env.FAULTS === "full";
const stride = full ? 1 : 13;
const program = fileURLToPath(new URL("../../bin/ticketing.js", import.meta.url));
const example = fileURLToPath(new URL("../../examples/festival", import.meta.url));
const dieAtSync = pathToFileURL(fileURLToPath(new URL("./die-at-sync.js", import.meta.url))).href;

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
}

interface Place {
  readonly directory: string;
  readonly sandbox: Sandbox;
  apply(more?: Readonly<Record<string, string>>, fault?: Fault): Promise<Ended>;
  secrets(): ReadonlyMap<string, string>;
  close(): Promise<void>;
}

async function openPlace(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), "ticketing-binary-"));
  cpSync(example, directory, { recursive: true });
  const sandbox = await startSandbox({ organization: { slug: "bayside" } });
  return {
    directory,
    sandbox,
    apply(more = {}, fault) {
      return new Promise((resolve) => {
        const child = spawn(process.execPath, [program, "apply", "--yes", "--settle", "0.05", "--parallelism", "2"], {
          cwd: directory,
          env: {
            PATH: process.env.PATH,
            HOME: directory,
            TICKETING_BASE_URL: sandbox.baseUrl,
            TICKETING_API_KEY: sandbox.apiKey,
            TICKETING_NOW: "2027-01-10T00:00:00Z",
            ...more,
          },
          stdio: ["ignore", "pipe", "pipe"],
        });
        let output = "";
        child.stdout.on("data", (text) => (output += text));
        child.stderr.on("data", (text) => (output += text));
        if (fault !== undefined) sandbox.control.addFault({ ...fault, onKill: () => void child.kill("SIGKILL") });
        child.on("close", (code, signal) => resolve({ code, signal, output }));
      });
    },
    secrets() {
      const file = join(directory, ".ticketing/secrets.json");
      const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).webhooks : {};
      return new Map(
        Object.entries(kept as Record<string, { secret: string }>).map(([id, { secret }]) => [id, secret]),
      );
    },
    async close() {
      await sandbox.abandon();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function rehearse(): Promise<{ wished: Picture; calls: number; syncs: number }> {
  const place = await openPlace();
  const { code, output } = await place.apply({ TICKETING_ENV: "" });
  expect(code, output).toBe(0);
  const wished = pictureOf(place.sandbox.service);
  const calls = place.sandbox.control.calls().length;
  await place.close();
  return { wished, calls, syncs: 30 };
}

async function survive(
  name: string,
  wished: Picture,
  calls: number,
  first: (place: Place) => Promise<Ended>,
): Promise<boolean> {
  const place = await openPlace();
  const killed = await first(place);
  place.sandbox.control.clearFaults();
  const second = await place.apply();
  const third = await place.apply();
  const made = place.sandbox.control.calls().length;
  const damage = damageOf(place.sandbox.service, wished, place.secrets());
  const story = [killed, second, third]
    .map((each) => `${each.code} ${each.signal}\n${each.output.slice(-1500)}`)
    .join("\n---\n");
  addToTable(name, {
    ...damage,
    runs: second.code === 0 ? 2 : 9,
    thirdEmpty: true,
    // What is public is watched call by call, and that is possible in this process only.
    publicTooEarly: null,
    extraCalls: made - calls,
    story: [],
  });
  expect(damage, story).toEqual({ duplicates: 0, orphans: 0, missing: 0, lostSecrets: 0 });
  expect(second.code, story).toBe(0);
  expect(third.output, story).toContain("No changes");
  await place.close();
  return killed.signal === "SIGKILL";
}

test.each(["before", "after"] as const)(
  "SIGKILL %s the effect of each call",
  async (moment) => {
    const { wished, calls } = await rehearse();
    for (let at = 1; at <= calls; at += stride) {
      const died = await survive(`the program: SIGKILL ${moment} the effect of a call`, wished, calls, (place) =>
        place.apply({}, { kind: "kill", at, moment }),
      );
      expect(died).toBe(true);
    }
  },
  1_200_000,
);

test.each(["before", "after"] as const)(
  "SIGKILL %s each journal write",
  async (moment) => {
    const { wished, calls } = await rehearse();
    let died = true;
    for (let at = 1; died; at += stride) {
      died = await survive(`the program: SIGKILL ${moment} a journal write is durable`, wished, calls, (place) =>
        place.apply({ NODE_OPTIONS: `--import=${dieAtSync}`, DIE_AT_SYNC: String(at), DIE_MOMENT: moment }),
      );
      if (at === 1) expect(died).toBe(true);
    }
  },
  1_200_000,
);

test("two at once: one waits, and nothing is made twice", async () => {
  const { wished } = await rehearse();
  const place = await openPlace();
  const both = await Promise.all([place.apply(), place.apply()]);
  const refused = both.filter(({ code }) => code !== 0);
  for (const each of refused) expect(each.output).toContain("Another run is at work");
  expect(both.some(({ code }) => code === 0)).toBe(true);
  expect(damageOf(place.sandbox.service, wished, place.secrets())).toEqual({
    duplicates: 0,
    orphans: 0,
    missing: 0,
    lostSecrets: 0,
  });
  await place.close();
}, 60_000);

test("one is paused while its lock is taken away: it sends nothing more, and the other finishes", async () => {
  const { wished } = await rehearse();
  const place = await openPlace();
  let paused: (() => void) | null = null;
  const slow = place.apply({}, { kind: "slow", delayMs: 1500, at: 15 });
  await new Promise<void>((resolve) => {
    paused = resolve;
    const timer = setInterval(() => {
      if (place.sandbox.control.calls().length >= 15) {
        clearInterval(timer);
        paused?.();
      }
    }, 10);
  });
  const unlock = spawn(process.execPath, [program, "state", "unlock", "--yes", "--base-url", place.sandbox.baseUrl], {
    cwd: place.directory,
    env: { PATH: process.env.PATH, TICKETING_API_KEY: place.sandbox.apiKey },
  });
  await new Promise((resolve) => unlock.on("close", resolve));
  const second = await place.apply();
  expect(second.code, second.output).toBe(0);
  const first = await slow;
  expect(first.code, first.output).toBe(1);
  const last = await place.apply();
  expect(last.code, last.output).toBe(0);
  expect((await place.apply()).output).toContain("No changes");
  expect(damageOf(place.sandbox.service, wished, place.secrets())).toEqual({
    duplicates: 0,
    orphans: 0,
    missing: 0,
    lostSecrets: 0,
  });
  await place.close();
}, 60_000);

afterAll(() => {
  if (full) writeTable();
});
