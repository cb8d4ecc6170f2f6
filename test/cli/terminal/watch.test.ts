// --watch on a terminal: the screen is redrawn, Enter runs it again, and what was read grows old.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { copyExample } from "../../bin/program.ts";
import { ticketing } from "../../stage/test-world.ts";

const clear = "\u001b[2J\u001b[3J\u001b[H";
const start = Date.parse("2026-12-01T00:00:00Z");

let sandbox: Sandbox | null = null;
const stop: AbortController[] = [];
afterEach(async () => {
  for (const one of stop.splice(0)) one.abort();
  await sandbox?.abandon();
  sandbox = null;
});

function onTerminal(cwd: string, words: readonly string[], env: Record<string, string> = {}) {
  const clock = { now: start };
  const interruption = new AbortController();
  stop.push(interruption);
  const keys = Object.assign(new PassThrough(), { isTTY: true });
  let screen = "";
  const out = {
    write(text: string) {
      // What is on the screen is what came after it was last cleared.
      const at = text.lastIndexOf(clear);
      screen = at === -1 ? screen + text : text.slice(at + clear.length);
    },
    isTerminal: true,
    columns: 100,
  };
  const ended = ticketing([...words, "--watch"], {
    cwd,
    env: { NO_COLOR: "1", ...env },
    now: () => clock.now,
    stdout: out,
    stderr: { ...out, isTerminal: false },
    stdin: keys,
    interrupted: interruption.signal,
  });
  return {
    clock,
    keys,
    /** The screen, once a round is over that shows this. */
    async shows(text: string): Promise<string> {
      for (const end = Date.now() + 15_000; !(screen.includes(text) && screen.includes("Ctrl-C stops.")); ) {
        if (Date.now() > end) throw new Error(`the screen does not show "${text}":\n${screen}`);
        await setTimeout(10);
      }
      return screen;
    },
    async interrupt(): Promise<number> {
      interruption.abort();
      return (await ended).exitCode;
    },
  };
}

test("validate: each result takes the place of the last one", async () => {
  const cwd = copyExample("first-event");
  const extra = join(cwd, "events", "extra.yaml");
  writeFileSync(extra, "nam: Extra\n");
  const terminal = onTerminal(cwd, ["validate"]);
  await terminal.shows("nam");
  writeFileSync(extra, "titel: Extra\n");
  const screen = await terminal.shows("titel");
  expect(screen).toContain("events/extra.yaml changed");
  expect(screen.match(/Watching/g)).toHaveLength(1);
  expect(screen).not.toContain("nam:");
  terminal.keys.write("\n");
  await terminal.shows(" again\n");
  expect(await terminal.interrupt()).toBe(130);
}, 30_000);

test("plan: a phase that comes due is shown without an edit, and the service is read again", async () => {
  const cwd = copyExample("first-event");
  sandbox = await startSandbox({ now: () => start });
  const phase = "phases: [{ name: Late, from: 2026-12-01T08:00:02+08:00, description: Last call. }]\n";
  writeFileSync(
    join(cwd, "events", "gala.yaml"),
    `name: Gala\ndateTime: 2027-05-05T19:00\nendDateTime: 2027-05-05T23:00\ndescription: Come early.\n${phase}`,
  );
  const terminal = onTerminal(cwd, ["plan", "--target", "events/gala"], {
    TICKETING_BASE_URL: sandbox.baseUrl,
    TICKETING_API_KEY: sandbox.apiKey,
  });
  await terminal.shows("Come early.");
  sandbox.control.clearCalls();
  terminal.clock.now += 2_000;
  const screen = await terminal.shows("A date was reached");
  expect(screen).toContain('description: "Last call."');
  expect(sandbox.control.calls().length).toBeGreaterThan(0);
  expect(await terminal.interrupt()).toBe(130);
}, 30_000);

test("plan: Enter reads the service again, and so does the first edit after five minutes", async () => {
  const cwd = copyExample("first-event");
  sandbox = await startSandbox({ now: () => start });
  const { control } = sandbox;
  const terminal = onTerminal(cwd, ["plan"], {
    TICKETING_BASE_URL: sandbox.baseUrl,
    TICKETING_API_KEY: sandbox.apiKey,
  });
  await terminal.shows("Enter runs it again");
  const whole = control.calls().length;
  expect(whole).toBeGreaterThan(0);

  control.clearCalls();
  terminal.keys.write("\n");
  await terminal.shows(" again\n");
  expect(control.calls()).toHaveLength(whole);

  control.clearCalls();
  terminal.clock.now += 4 * 60_000;
  writeFileSync(join(cwd, "notes.txt"), "one");
  await terminal.shows("notes.txt changed");
  expect(control.calls()).toEqual([]);

  terminal.clock.now += 60_000;
  writeFileSync(join(cwd, "more.txt"), "two");
  await terminal.shows("more.txt changed");
  expect(control.calls()).toHaveLength(whole);
  expect(await terminal.interrupt()).toBe(130);
}, 30_000);

describe("--watch where it has no place", () => {
  test.each([
    ["in CI", ["validate"], { CI: "true" }, "this is a CI job"],
    ["with JSON", ["validate", "--format", "json"], {}, "cannot be combined with --format json"],
    ["with SARIF", ["validate", "--format", "sarif"], {}, "cannot be combined with --format sarif"],
    ["in CI, plan", ["plan"], { GITHUB_ACTIONS: "true" }, "this is a CI job"],
    ["with JSON, plan", ["plan", "--format", "json"], {}, "cannot be combined with --format json"],
    ["with --out", ["plan", "--out", "plan.json"], {}, "cannot be combined with --out"],
    ["with --detailed-exitcode", ["plan", "--detailed-exitcode"], {}, "cannot be combined with --detailed-exitcode"],
    ["with --merge-into", ["plan", "--merge-into", "main"], {}, "cannot be combined with --merge-into"],
    ["without a folder", ["validate", "-C", "nowhere"], {}, "nowhere"],
  ])("%s it is refused", async (_, words, env, why) => {
    const cwd = copyExample("festival");
    const ran = await ticketing([...words, "--watch"], { cwd, env: env as Record<string, string>, now: () => start });
    expect(ran.exitCode).toBe(1);
    expect((ran.stdout + ran.stderr).replace(/\s+/g, " ")).toContain(why);
  });
});

test("a prompt after Ctrl-C begins on a line of its own", async () => {
  const cwd = copyExample("first-event");
  for (const words of [["validate"], ["status", "--env", "sandbox"]]) {
    const interruption = new AbortController();
    const written: string[] = [];
    const out = { write: (text: string) => void written.push(text), isTerminal: true, columns: 100 };
    const ended = ticketing([...words, "--watch"], { cwd, stdout: out, stderr: out, interrupted: interruption.signal });
    const said = () => written.join("");
    for (let tries = 0; !said().includes("Ctrl-C stops.") && tries < 500; tries++) await setTimeout(20);
    interruption.abort();
    expect((await ended).exitCode).toBe(130);
    expect(said().split("Ctrl-C stops.").at(-1), words[0]).toBe("\n\n");
  }
}, 30_000);
