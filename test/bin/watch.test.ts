// --watch of the real program: files change under it, as editors and people change them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { buildProgram, cleanEnv, copyExample, program } from "./program.ts";

beforeAll(() => buildProgram());

const started: ReturnType<typeof spawn>[] = [];
let sandbox: Sandbox | null = null;
afterEach(async () => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  await sandbox?.abandon();
  sandbox = null;
});

function watch(cwd: string, words: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...words, "--watch"], {
    cwd,
    env: cleanEnv(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  let unread = "";
  let all = "";
  const take = (text: Buffer) => {
    unread += text;
    all += text;
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const ended = once(child, "close");
  return {
    /** What was written up to and with this, since the last time. */
    async until(text: string): Promise<string> {
      for (const end = Date.now() + 15_000; !unread.includes(text); await setTimeout(20)) {
        if (Date.now() > end || child.exitCode !== null) throw new Error(`"${text}" did not come:\n${all}`);
      }
      const read = unread.slice(0, unread.indexOf(text) + text.length);
      unread = unread.slice(read.length);
      return read;
    },
    async interrupt(): Promise<number> {
      child.kill("SIGINT");
      const [code] = await ended;
      return code;
    },
  };
}

const another = (name: string) => `name: ${name}
description: Small.
dateTime: 2027-05-01T20:00
endDateTime: 2027-05-01T23:00
timezone: Asia/Manila
locationType: ONLINE
tickets:
  - name: Door
    price: 500
    quantity: 100
    published: true
`;

function eventOf(cwd: string): { readonly file: string; readonly text: string } {
  const file = join(cwd, "events", "bayside-sounds.yaml");
  return { file, text: readFileSync(file, "utf8") };
}

/** As most editors save: a new file, renamed over the old one. */
function saveByRename(file: string, text: string): void {
  writeFileSync(`${file}~`, text);
  renameSync(`${file}~`, file);
}

const time = 40_000;

describe.skipIf(process.platform === "win32")("validate --watch", () => {
  test(
    "checks again after an edit, a save by rename, a new folder and a removal, and leaves with Ctrl-C",
    async () => {
      const cwd = copyExample("festival");
      const { file, text } = eventOf(cwd);
      const watched = watch(cwd, ["validate"]);
      await watched.until("Ctrl-C stops.");
      writeFileSync(file, `${text}\nnonsense: 1\n`);
      expect(await watched.until("nonsense")).toContain("events/bayside-sounds.yaml changed");
      saveByRename(file, text);
      const fixed = await watched.until("No problems");
      expect(fixed).toContain("events/bayside-sounds.yaml changed");
      mkdirSync(join(cwd, "events", "later", "spring"), { recursive: true });
      await setTimeout(300);
      writeFileSync(join(cwd, "events", "later", "spring", "yard-night.yaml"), "nam: Yard night\n");
      expect(await watched.until("nam")).toContain("events/later/spring/yard-night.yaml changed");
      rmSync(join(cwd, "events", "later"), { recursive: true });
      await watched.until("No problems");
      expect(await watched.interrupt()).toBe(130);
    },
    time,
  );

  test(
    "many files saved at once are one round",
    async () => {
      const cwd = copyExample("festival");
      const watched = watch(cwd, ["validate"]);
      await watched.until("Ctrl-C stops.");
      // A folder that is moved has all its files at one instant, however slow this machine is.
      const elsewhere = mkdtempSync(join(cwd, ".."));
      for (let index = 0; index < 5; index++)
        writeFileSync(join(elsewhere, `yard-${index}.yaml`), another(`Yard ${index}`));
      renameSync(elsewhere, join(cwd, "events", "yard"));
      const round = await watched.until("6 events");
      expect(round).toContain("events/yard/yard-0.yaml and 4 other files changed");
      // Whatever else it had to say of them would come before what it says of the next change.
      writeFileSync(join(cwd, "events", "yard", "yard-0.yaml"), "nam: Yard night\n");
      expect((await watched.until("nam")).match(/changed/g)).toHaveLength(1);
      expect(await watched.interrupt()).toBe(130);
    },
    time,
  );
});

describe.skipIf(process.platform === "win32")("plan --watch", () => {
  test(
    "reads only what changed documents need, and everything after an apply",
    async () => {
      const cwd = copyExample("festival");
      let now = "2026-12-01T00:00:00Z";
      sandbox = await startSandbox({ now: () => Date.parse(now) });
      const { control } = sandbox;
      const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
      const calls = () => control.calls().map(({ method, path }) => `${method} ${path}`);
      const apply = async () => {
        const child = spawn(process.execPath, [program, "apply", "--yes", "--settle", "0.05"], {
          cwd,
          env: cleanEnv(env),
        });
        child.stdout.resume();
        child.stderr.resume();
        expect((await once(child, "close"))[0]).toBe(0);
      };
      await apply();
      control.clearCalls();
      // Lists are read again for as long as something in them is new.
      now = "2026-12-01T01:00:00Z";
      const watched = watch(cwd, ["plan"], { ...env, TICKETING_NOW: now });
      await watched.until("Ctrl-C stops.");
      const whole = calls().length;
      expect(whole).toBeGreaterThan(4);

      // An event that was read is compared with what was read.
      control.clearCalls();
      const { file, text } = eventOf(cwd);
      saveByRename(file, text.replace("eventCapacity: 3000", "eventCapacity: 3100"));
      expect(await watched.until("Calls:")).toContain("3,100");
      expect(calls()).toEqual([]);

      // A new one is looked for, and nothing else is.
      writeFileSync(join(cwd, "events", "yard-night.yaml"), another("Yard night"));
      const added = await watched.until("Calls:");
      expect(added).toContain("yard-night");
      expect(added).toContain("3,100");
      expect(calls().length).toBeLessThan(whole);
      expect(calls().every((call) => call.startsWith("GET ") && !/\/me$|webhooks/.test(call))).toBe(true);

      // What was read before an apply is not what is live after it.
      await apply();
      control.clearCalls();
      saveByRename(file, text);
      const after = await watched.until("Calls:");
      expect(after).toContain("3,100");
      expect(after).not.toContain("yard-night");
      expect(calls().length).toBeGreaterThanOrEqual(whole);
      expect(await watched.interrupt()).toBe(130);
    },
    time,
  );

  test(
    "files with mistakes do not end it",
    async () => {
      const cwd = copyExample("festival");
      const { file, text } = eventOf(cwd);
      writeFileSync(file, `${text}\nnonsense: 1\n`);
      const watched = watch(cwd, ["plan", "--env", "sandbox"]);
      await watched.until("Ctrl-C stops.");
      writeFileSync(file, text);
      expect(await watched.until("Calls:")).toContain("bayside-sounds");
      expect(await watched.interrupt()).toBe(130);
    },
    time,
  );
});
