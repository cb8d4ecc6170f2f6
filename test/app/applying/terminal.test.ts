// An apply, and a plan, as somebody at a terminal sees it.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { type FakeTerminal, fakeTerminal } from "../../stage/fake-terminal.ts";
import { ticketing } from "../../stage/test-world.ts";

const names = ["Ana", "Ben", "夜市音楽祭夜市音楽祭夜市音楽祭夜市音楽祭夜市音楽祭", "Dee", "Eva"];
const nights = `status: DRAFT
name: Nights
dateTime: 2027-03-14T19:00+08:00
endDateTime: 2027-03-15T02:00+08:00
performers: [${names.map((name) => `{ name: ${name} }`).join(", ")}]
`;

let directory: string;
let sandbox: Sandbox;
let terminal: FakeTerminal;
let stop: AbortController;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "ticketing-terminal-"));
  sandbox = await startSandbox({});
  terminal = fakeTerminal(60);
  stop = new AbortController();
  await mkdir(join(directory, "events"));
  await writeFile(join(directory, "ticketing.yaml"), "version: 1\n");
  await writeFile(join(directory, "events/nights.yaml"), nights);
});
afterEach(async () => {
  await sandbox.close();
  await rm(directory, { recursive: true, force: true });
});

function apply(...flags: readonly string[]) {
  return run(["apply", "--yes", "--parallelism", "1", ...flags]);
}

function run(argv: readonly string[]) {
  return ticketing([...argv, "--no-color", "-C", directory], {
    env: { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey },
    stdout: terminal,
    stderr: terminal,
    interrupted: stop.signal,
  });
}

function shown(): string {
  return terminal.lines().join("\n");
}

test("a wait is shown while it lasts, and at the end nothing of the live lines is left", async () => {
  sandbox.control.addFault({ kind: "rate-limited", writes: true, at: 3, retryAfter: 3 });
  const work = apply("--verbose");
  const secondsLeft = () =>
    Number(/^ {2}waiting (\d) s: the service asks for a pause$/.exec(terminal.lines().at(-1) ?? "")?.[1] ?? Number.NaN);
  await vi.waitFor(() => expect(secondsLeft()).toBeGreaterThan(0), 30_000);
  const first = secondsLeft();
  await vi.waitFor(() => expect(secondsLeft()).toBeLessThan(first), 30_000);
  expect((await work).exitCode).toBe(0);
  expect(shown()).not.toMatch(/waiting \d|^ {2}… /m);
  expect(terminal.lines().filter((line) => line.includes("done: "))).toHaveLength(6);
  expect(terminal.lines().filter((line) => line.startsWith("  POST /"))).toHaveLength(7);
});

test("a wide name that is under way takes one line, and goes", async () => {
  sandbox.control.addFault({ kind: "slow", path: "/performers", method: "POST", at: 3, delayMs: 1000 });
  const work = apply();
  // The next ones are right below it.
  await vi.waitFor(() => expect(shown()).toMatch(/^ {2}… .*"夜市[^"]*…(\n {2}… .*)*$/m), 30_000);
  expect((await work).exitCode).toBe(0);
  expect(shown()).not.toMatch(/^ {2}… /m);
});

test("Ctrl-C is answered at once, and what was left out is one line", async () => {
  sandbox.control.addFault({ kind: "slow", path: "/performers", method: "POST", at: 2, delayMs: 1000 });
  const work = apply();
  await vi.waitFor(() => expect(terminal.lines().at(-1)).toMatch(/^ {2}… .*/), 30_000);
  await vi.waitFor(
    () => expect(sandbox.control.calls().filter((call) => call.method === "POST")).toHaveLength(3),
    5000,
  );
  terminal.echo("^C");
  stop.abort();
  expect(terminal.lines()).toContain("stopping: calls in flight finish, nothing new starts");
  expect((await work).exitCode).toBe(130);
  expect(shown()).not.toMatch(/\^C|^ {2}… /m);
  expect(shown()).toContain('  [3/6] done: create performer "Ben"');
  expect(terminal.lines().filter((line) => line.startsWith("skipped["))).toEqual([
    expect.stringContaining("skipped[interrupted] 3 of 6 operations"),
  ]);
});

test("a wait of a plan is shown while it lasts, and Ctrl-C takes it away", async () => {
  const wait = { kind: "rate-limited", method: "GET", at: 2, retryAfter: 2 } as const;
  sandbox.control.addFault(wait);
  const work = run(["plan"]);
  await vi.waitFor(() => expect(terminal.lines()).toEqual(["  waiting 2 s: the service asks for a pause"]), 30_000);
  expect((await work).exitCode).toBe(0);
  expect(shown()).not.toMatch(/waiting \d/);

  terminal = fakeTerminal(60);
  sandbox.control.addFault({ ...wait, retryAfter: 60 });
  const stopped = run(["plan"]);
  await vi.waitFor(() => expect(terminal.lines()).toHaveLength(1), 30_000);
  stop.abort();
  expect((await stopped).exitCode).toBe(130);
  expect(terminal.lines()).toEqual(["Stopped. Nothing was changed."]);
});

test("Ctrl-C while an apply still reads takes two lines", async () => {
  sandbox.control.addFault({ kind: "slow", method: "GET", at: 2, delayMs: 1000 });
  const work = apply();
  await vi.waitFor(() => expect(sandbox.control.calls().length).toBeGreaterThan(1), 30_000);
  stop.abort();
  expect((await work).exitCode).toBe(130);
  expect(terminal.lines()).toEqual([
    "stopping: calls in flight finish, nothing new starts",
    "Stopped before everything was read. Nothing was applied.",
  ]);
});

test("a stale plan is explained once", async () => {
  await run(["plan", "--out", "plan.json"]);
  await apply();
  expect((await apply("plan.json")).exitCode).toBe(1);
  const text = terminal.lines().join("\n");
  expect(text.split("is stale:")).toHaveLength(2);
  expect(text).toContain("error[stale-plan] Nothing was applied, for the reason above.");
});
