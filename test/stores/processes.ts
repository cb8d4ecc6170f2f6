// The real program with its state in a store: killed, paused, two at once, and with a store that goes away. Every run has
// its own folder, as runners do.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import type { LockTimes } from "../../src/state/open-store.ts";
import { withoutLock } from "../../src/state/shared/holder.ts";
import { standardTimes } from "../../src/state/shared/lock-times.ts";
import { buildProgram } from "../bin/program.ts";
import { removeFolder } from "../stage/remove-folder.ts";
import { ticketing } from "../stage/test-world.ts";
import { projectFolder, runnerEnv, type StartedStore, type StoreUnderTest } from "./store-under-test.ts";

const program = fileURLToPath(new URL("./quick-program.js", import.meta.url));
const now = "2027-01-10T00:00:00Z";
const words = ["apply", "--yes", "--settle", "0.3", "--parallelism", "2"];
const names = ["Ana", "Ben", "Cora", "Dan"];
const lockTimes: LockTimes = {
  ...standardTimes,
  renewMs: 1_000,
  takeoverMs: 6_000,
  confirmMs: 300,
  staleMs: 2_000,
  gatherMs: 1_000,
  pollMs: 300,
  patienceMs: 60_000,
};
/** For a process to start, and to wait its turn on a busy machine. */
const startMs = 8_000;

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
}

export function storeProcesses(store: StoreUnderTest): void {
  describe(`processes with state in ${store.name}`, () => {
    let started: StartedStore;
    let sandbox: Sandbox;
    let environment = "";
    let environments = 0;
    let running: ChildProcess[] = [];
    const folders: string[] = [];

    beforeAll(async () => {
      buildProgram();
      started = await store.start();
    });
    afterAll(() => started.stop());
    beforeEach(async () => {
      environment = `season-${++environments}`;
      sandbox = await startSandbox({ organization: { slug: "bayside" }, now: () => Date.parse(now) });
    });
    afterEach(async () => {
      for (const child of running) child.kill("SIGKILL");
      running = [];
      for (const folder of folders.splice(0)) removeFolder(folder);
      await started.back();
      await sandbox.abandon();
    });

    /** A folder that remembers nothing. */
    function checkout(): string {
      const folder = projectFolder(started);
      folders.push(folder);
      mkdirSync(join(folder, "events"));
      const target = `{ baseUrl: "${sandbox.baseUrl}", apiKeyEnv: TICKETING_API_KEY }`;
      writeFileSync(
        join(folder, "ticketing.yaml"),
        `version: 1\nstate: ${JSON.stringify(started.settings)}\ndefaultEnvironment: ${environment}\nenvironments:\n  ${environment}: ${target}\n`,
      );
      const people = names.map((name) => `  - { name: ${name} }\n`).join("");
      for (const [index, name] of names.entries())
        writeFileSync(
          join(folder, "events", `${name.toLowerCase()}.yaml`),
          `name: A night with ${name}\ndateTime: 2027-04-0${index + 1}T19:00:00+08:00\ntimezone: Asia/Manila\nperformers:\n${people}`,
        );
      return folder;
    }

    const envOf = (folder: string) => runnerEnv(folder, sandbox.apiKey, now, started);

    function start(argv: readonly string[] = words, machine = "", times = lockTimes, folder = checkout()) {
      const child = spawn(process.execPath, [program, ...argv], {
        cwd: folder,
        env: { ...envOf(folder), LOCK_TIMES: JSON.stringify(times), MACHINE: machine },
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.push(child);
      let output = "";
      child.stdout?.on("data", (text) => (output += text));
      child.stderr?.on("data", (text) => (output += text));
      const ended = new Promise<Ended>((resolve) =>
        child.on("close", (code, signal) => {
          for (const secret of started.secrets) expect(output).not.toContain(secret);
          resolve({ code, signal, output: output.replace(/\s+/g, " ") });
        }),
      );
      return { child, ended };
    }

    /** On its own machine, and within this process: what no one kills or pauses needs none of its own. */
    async function here(argv: readonly string[] = words): Promise<Pick<Ended, "code" | "output">> {
      const cwd = checkout();
      const { exitCode, stdout, stderr } = await ticketing(argv, {
        cwd,
        env: envOf(cwd),
        now: () => Date.parse(now),
        lockTimes,
      });
      for (const secret of started.secrets) expect(stdout + stderr).not.toContain(secret);
      return { code: exitCode, output: (stdout + stderr).replace(/\s+/g, " ") };
    }

    /** What was written to the service. */
    function writes(): number {
      return sandbox.control.calls().filter(({ method }) => method !== "GET").length;
    }

    async function callsMade(count: number): Promise<void> {
      const end = performance.now() + 30_000;
      while (writes() < count) {
        if (performance.now() > end) throw new Error(`Only ${writes()} of ${count} calls were made.`);
        await sleep(5);
      }
    }

    /** The service takes its time for each call, but for those that have their own fault. */
    function slow(delayMs = 30): void {
      sandbox.control.addFault({ kind: "slow", delayMs, times: 0 });
    }

    /** After one more apply: each event once, each with its people, nothing left to do, and nothing left in the store. */
    async function expectWhole(apply: () => Promise<Pick<Ended, "code" | "output">> = here): Promise<void> {
      sandbox.control.clearFaults();
      const last = await apply();
      expect(last.code, last.output).toBe(0);
      const { events, performers } = sandbox.service.dump();
      expect(events.map((event) => (event as unknown as { name: string }).name).sort()).toEqual(
        names.map((name) => `A night with ${name}`),
      );
      expect(performers).toHaveLength(names.length ** 2);
      const planned = await here(["plan", "--detailed-exitcode"]);
      expect(planned.code, planned.output).toBe(0);
      const stored = await read();
      expect([...stored.keys()]).toContain("state.json");
      expect([...stored.keys()].filter((file) => /^(journal|lock)/.test(file))).toEqual([]);
    }

    async function read(): Promise<ReadonlyMap<string, string>> {
      const files = await started.files(environment);
      const version = await files.read();
      await files.close();
      if (!version.ok) throw new Error(version.message);
      return version.value?.files ?? new Map();
    }

    test.each([
      [1, "before"],
      [3, "after"],
      [8, "before"],
      [20, "after"],
    ] as const)(
      "SIGKILL at the %s. write, %s its effect: the next one on this machine gets in at once",
      async (at, moment) => {
        const { child, ended } = start();
        const onKill = () => void child.kill("SIGKILL");
        sandbox.control.addFault({ kind: "kill", method: "POST", at, moment, onKill });
        slow();
        expect((await ended).signal).toBe("SIGKILL");
        expect([...(await read()).keys()]).toContain("lock.json");
        await expectWhole(() => start().ended);
      },
    );

    test("SIGKILL: one on another machine gets in within the lease", async () => {
      const times = store.noticesDeath === true ? { ...lockTimes, takeoverMs: 60_000 } : lockTimes;
      const shortestMs = store.noticesDeath === true ? times.staleMs : times.takeoverMs;
      const { child, ended } = start(words, "one", times);
      sandbox.control.addFault({ kind: "kill", method: "POST", at: 5, onKill: () => void child.kill("SIGKILL") });
      slow();
      expect((await ended).signal).toBe("SIGKILL");
      sandbox.control.clearFaults();
      const began = performance.now();
      const sent = writes();
      // Counted from when it asks: what its start takes says nothing.
      const longest = String((shortestMs + startMs) / 1_000);
      const second = start([...words, "--lock-timeout", longest], "two", times);
      await callsMade(sent + 1);
      expect(performance.now() - began).toBeGreaterThan(shortestMs);
      const { code, output } = await second.ended;
      expect(code, output).toBe(0);
      await expectWhole();
    });

    test("two at once: one waits for the other, and nothing is made twice", async () => {
      slow();
      const both = ["one", "two"].map((machine) => start([...words, "--lock-timeout", "60"], machine).ended);
      for (const { code, output } of await Promise.all(both)) expect(code, output).toBe(0);
      await expectWhole();
    });

    test("two at once, one in no mood to wait: it names who has the lock", async () => {
      sandbox.control.addFault({ kind: "slow", method: "POST", at: 1, delayMs: startMs + 4_000 });
      const first = start(words, "one");
      await callsMade(1);
      const second = await here();
      expect(second.code).toBe(1);
      expect(second.output).toContain("Another run is active in this environment: apply by");
      expect(second.output).toContain("ticketing state unlock");
      const { code, output } = await first.ended;
      expect(code, output).toBe(0);
    });

    /**
     * Stopped in the middle, while another one takes its lock: after SIGCONT nothing more is sent. One call at a time: with two, the other
     * one may be stopped between the look at the lock and the call.
     */
    async function pausedWhile(takeOver: () => Promise<void>): Promise<void> {
      sandbox.control.addFault({ kind: "slow", method: "POST", at: 4, delayMs: 1_500 });
      const { child, ended } = start([...words, "--parallelism", "1"], "one");
      await callsMade(4);
      child.kill("SIGSTOP");
      await takeOver();
      await sandbox.control.settle();
      const before = writes();
      child.kill("SIGCONT");
      const { code, output } = await ended;
      expect(code, output).toBe(1);
      expect(output).toContain("Another run took over the lock");
      expect(writes()).toBe(before);
      await expectWhole();
    }

    test("SIGSTOP while somebody takes its lock away and finishes: it sends nothing more", async () => {
      await pausedWhile(async () => {
        const unlocked = await here(["state", "unlock", "--yes"]);
        expect(unlocked.output).toContain("Removed the lock held by apply by");
        const { code, output } = await here();
        expect(code, output).toBe(0);
      });
    });

    test("SIGSTOP past its lease: the other one takes over, and it sends nothing more", async () => {
      await pausedWhile(async () => {
        const began = performance.now();
        const { code, output } = await here([...words, "--lock-timeout", "60"]);
        expect(code, output).toBe(0);
        expect(performance.now() - began).toBeGreaterThan(lockTimes.takeoverMs);
      });
    });

    test("the files are written by somebody else in the middle: nothing more is sent", async () => {
      sandbox.control.addFault({ kind: "slow", method: "POST", at: 3, delayMs: 6_000 });
      const { ended } = start();
      await callsMade(3);
      const other = await started.files(environment);
      for (let written = false; !written; ) {
        const seen = await other.read(true);
        if (!seen.ok || seen.value === null) throw new Error("not read");
        written = (await other.write(withoutLock(seen.value.files), seen.value, "another run")).ok;
      }
      await other.close();
      await sleep(4_500);
      const sent = writes();
      const { code, output } = await ended;
      expect(code, output).toBe(1);
      expect(output).toContain("Another run took over the lock");
      expect(writes()).toBe(sent);
      await expectWhole();
    });

    test("a store that is away for some seconds delays it, and nothing is sent meanwhile", async () => {
      slow(500);
      const { ended } = start();
      await callsMade(2);
      await started.away();
      await sleep(3_000);
      const sent = writes();
      await sleep(1_000);
      expect(writes()).toBe(sent);
      await started.back();
      const { code, output } = await ended;
      expect(code, output).toBe(0);
      await expectWhole();
    });

    test("a store that stays away ends the run with a clear word, and the next one finishes it", async () => {
      slow(500);
      const { ended } = start(words, "", { ...lockTimes, patienceMs: 2_000 });
      await callsMade(2);
      await started.away();
      const { code, output } = await ended;
      expect(code, output).toBe(1);
      expect(output.slice(-1500)).toMatch(/[Nn]othing more was sent/);
      expect(output).toContain("Run the command again");
      const sent = writes();
      const refused = await here(["plan"]);
      expect(refused.code, refused.output).toBe(1);
      expect(refused.output).toContain("state-unusable");
      expect(writes()).toBe(sent);
      await started.back();
      // Its lock is still there: on this machine it is known to have ended.
      await expectWhole(() => start().ended);
    });
  });
}
