// Shards of one apply as real processes: they hold the lock together, and what one leaves when it is killed is finished by whoever
// runs that part again.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { State } from "../../src/model/live.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import type { LockTimes } from "../../src/state/open-store.ts";
import { standardTimes } from "../../src/state/shared/lock-times.ts";
import { buildProgram } from "../bin/program.ts";
import { removeFolder } from "../stage/remove-folder.ts";
import { ticketing } from "../stage/test-world.ts";
import { projectFolder, runnerEnv, type StartedStore, type StoreUnderTest } from "./store-under-test.ts";

const program = fileURLToPath(new URL("./quick-program.js", import.meta.url));
const now = "2027-01-10T00:00:00Z";
const words = ["apply", "--yes", "--settle", "0.3", "--parallelism", "2"];
/** Three for each shard of four: 9, 11 and 19 are planned by the third. */
const nights = [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 19];
const lockTimes: LockTimes = {
  ...standardTimes,
  renewMs: 1_000,
  takeoverMs: 6_000,
  confirmMs: 300,
  staleMs: 3_000,
  gatherMs: 1_000,
  pollMs: 300,
  patienceMs: 60_000,
};

export function storeShards(store: StoreUnderTest): void {
  describe(`shards with state in ${store.name}`, () => {
    let started: StartedStore;
    let sandbox: Sandbox;
    let environment = "";
    let environments = 0;
    let running: ChildProcess[] = [];
    const folders: string[] = [];
    /** Of this test, by the price in them. */
    const seasons = new Map<number, string>();

    beforeAll(async () => {
      buildProgram();
      started = await store.start();
    });
    afterAll(() => started.stop());
    beforeEach(async () => {
      environment = `shards-${++environments}`;
      sandbox = await startSandbox({ organization: { slug: "bayside" }, now: () => Date.parse(now) });
    });
    afterEach(async () => {
      for (const child of running) child.kill("SIGKILL");
      running = [];
      seasons.clear();
      for (const folder of folders.splice(0)) removeFolder(folder);
      await sandbox.abandon();
    });

    function git(folder: string, ...args: readonly string[]): string {
      const at = "2027-01-09T00:00:00Z";
      const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
      const env = { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
      return execFileSync("git", [...identity, ...args], { cwd: folder, env, encoding: "utf8" }).trim();
    }

    /** The same commit in a folder that remembers nothing. */
    function checkout(price = 500): string {
      const season = seasons.get(price) ?? commitSeason(price);
      seasons.set(price, season);
      const folder = `${season}-${folders.length}`;
      folders.push(folder);
      cpSync(season, folder, { recursive: true });
      return folder;
    }

    function commitSeason(price: number): string {
      const folder = projectFolder(started);
      folders.push(folder);
      git(folder, "init", "-q");
      mkdirSync(join(folder, "events"));
      const target = `{ baseUrl: "${sandbox.baseUrl}", apiKeyEnv: TICKETING_API_KEY }`;
      writeFileSync(
        join(folder, "ticketing.yaml"),
        `version: 1\nstate: ${JSON.stringify(started.settings)}\ndefaultEnvironment: ${environment}\nenvironments:\n  ${environment}: ${target}\n`,
      );
      for (const night of nights)
        writeFileSync(
          join(folder, "events", `night-${night}.yaml`),
          `name: Night ${night}\ndateTime: 2027-04-${String(night).padStart(2, "0")}T19:00:00+08:00\ntimezone: Asia/Manila\ntickets:\n  - { name: GA, price: ${price}, quantity: 100 }\nperformers:\n  - { name: Ana }\n  - { name: Ben }\n`,
        );
      git(folder, "add", ".");
      git(folder, "commit", "-qm", "the season");
      return folder;
    }

    function envOf(folder: string, run: string | null) {
      return { ...runnerEnv(folder, sandbox.apiKey, now, started), ...(run === null ? {} : { TICKETING_RUN: run }) };
    }

    function start(argv: readonly string[], run: string | null, machine: string) {
      const folder = checkout();
      const child = spawn(process.execPath, [program, ...argv], {
        cwd: folder,
        env: { ...envOf(folder, run), LOCK_TIMES: JSON.stringify(lockTimes), MACHINE: machine },
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.push(child);
      let output = "";
      child.stdout?.on("data", (text) => (output += text));
      child.stderr?.on("data", (text) => (output += text));
      const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
        child.on("close", (code) => resolve({ code, output: output.replace(/\s+/g, " ") })),
      );
      return { child, ended };
    }

    function shard(part: string, run: string | null) {
      return start([...words, "--shard", part], run, `machine ${part}`);
    }

    /** On its own machine, and within this process: what no one kills needs none of its own. */
    async function here(argv: readonly string[], run: string | null, cwd = checkout()) {
      const ran = await ticketing(argv, { cwd, env: envOf(cwd, run), now: () => Date.parse(now), lockTimes });
      return { code: ran.exitCode, stdout: ran.stdout, output: (ran.stdout + ran.stderr).replace(/\s+/g, " ") };
    }

    function writes(): number {
      return sandbox.control.calls().filter(({ method }) => method !== "GET").length;
    }

    function isLive(name: string): boolean {
      return sandbox.service.dump().events.some((event) => (event as unknown as { name: string }).name === name);
    }

    async function read(): Promise<ReadonlyMap<string, string>> {
      const files = await started.files(environment);
      const version = await files.read();
      await files.close();
      if (!version.ok) throw new Error(version.message);
      return version.value?.files ?? new Map();
    }

    async function state(): Promise<State> {
      return JSON.parse((await read()).get("state.json") ?? "null");
    }

    async function expectApplied(folder: string): Promise<void> {
      const { events, performers, tickets } = sandbox.service.dump();
      const names = events.map((event) => (event as unknown as { name: string }).name);
      expect(names.sort()).toEqual(nights.map((night) => `Night ${night}`).sort());
      expect(performers).toHaveLength(nights.length * 2);
      expect(tickets).toHaveLength(nights.length);
      const { appliedRevision, lastRun, objects } = await state();
      expect(appliedRevision).toBe(git(folder, "rev-parse", "HEAD"));
      expect(lastRun?.clean).toBe(true);
      expect(Object.keys(objects)).toHaveLength(nights.length * 4);
      const stored = await read();
      expect([...stored.keys()].filter((file) => /^(journal|lock)/.test(file))).toEqual([]);
      const planned = await here(["plan", "--detailed-exitcode"], null, folder);
      expect(planned.code, planned.output).toBe(0);
    }

    test("four at once hold the lock together, and add up to the whole", async () => {
      sandbox.control.addFault({ kind: "slow", method: "POST", delayMs: 250, times: 0 });
      let most = 0;
      const watching = setInterval(() => {
        if (most > 1) return;
        void read().then(
          (files) => {
            most = Math.max(most, [...files.keys()].filter((file) => file.startsWith("lock")).length);
          },
          () => undefined,
        );
      }, 700);
      const all = await Promise.all(["1/4", "2/4", "3/4", "4/4"].map((part) => shard(part, "run 1").ended));
      clearInterval(watching);
      for (const { code, output } of all) expect(code, output).toBe(0);
      expect(most).toBeGreaterThan(1);
      sandbox.control.clearFaults();
      const folder = checkout();
      await expectApplied(folder);
      const log = await here(["state", "log", "--format", "json"], null, folder);
      expect(JSON.parse(log.stdout).runs).toHaveLength(4);
    });

    test.each([
      ["that shard again", "3/4", "run 2"],
      ["that shard again in the same run", "3/4", "run 1"],
      ["all of it", null, null],
      ["another number of shards", "1/2", "run 3"],
    ] as const)(
      "one is killed: %s finishes its work",
      async (_, part, run) => {
        sandbox.control.addFault({ kind: "slow", method: "POST", delayMs: 250, times: 0 });
        const parts = ["1/4", "2/4", "3/4", "4/4"].map((each) => ({ part: each, ...shard(each, "run 1") }));
        while (!isLive("Night 9") && !isLive("Night 11") && !isLive("Night 19")) await sleep(5);
        parts[2]?.child.kill("SIGKILL");
        for (const { part: each, ended } of parts) {
          const { code, output } = await ended;
          if (each !== "3/4") expect(code, output).toBe(0);
          else expect(code).toBe(null);
        }
        expect((await state()).appliedRevision).toBe(undefined);
        sandbox.control.clearFaults();
        const again = part === null ? [words] : [[...words, "--shard", part]];
        if (part === "1/2") again.push([...words, "--shard", "2/2"]);
        const ends = again.map((argv) => start([...argv, "--lock-timeout", "60"], run, "machine 3/4").ended);
        for (const { code, output } of await Promise.all(ends)) expect(code, output).toBe(0);
        await expectApplied(checkout());
        // One that is killed in the middle of a write may keep the others waiting for a minute.
      },
      240_000,
    );

    test("a shard that cannot do all of its part keeps the revision from being taken for applied", async () => {
      sandbox.control.addFault({ kind: "error-before", method: "POST", at: 3, status: 422 });
      const ends = await Promise.all(["1/2", "2/2"].map((part) => shard(part, "run 1").ended));
      expect(ends.map(({ code }) => code).sort()).toEqual([0, 1]);
      expect((await state()).appliedRevision).toBe(undefined);
      expect((await state()).lastRun?.clean).toBe(false);
    });

    test("whoever is not of the run waits, and so does the same shard a second time", async () => {
      // Longer than the others take to start on any machine.
      sandbox.control.addFault({ kind: "slow", method: "POST", delayMs: 25_000, times: 0 });
      const first = shard("1/4", "run 1");
      while (writes() < 1) await sleep(20);
      const tries = [
        shard("1/4", "run 1").ended,
        here([...words, "--shard", "2/4"], "run 2"),
        here([...words, "--shard", "2/8"], "run 1"),
        here([...words, "--shard", "2/4"], null),
        here(words, "run 1"),
        here([...words, "--shard", "2/4"], "run 1", checkout(600)),
      ];
      for (const { code, output } of await Promise.all(tries)) {
        expect(code, output).toBe(1);
        expect(output).toContain("Another run is active in this environment");
        expect(output).toContain("shard 1/4");
      }
      first.child.kill("SIGKILL");
    });
  });
}
