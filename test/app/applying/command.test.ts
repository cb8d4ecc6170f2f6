// `ticketing apply` and `ticketing state` as somebody types them.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { World } from "../../../src/app/world.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { fileStore } from "../../../src/state/file/file-store.ts";
import { testWorld, ticketing } from "../../stage/test-world.ts";

const nights = `status: PUBLISHED
name: Nights
dateTime: 2027-03-14T19:00+08:00
endDateTime: 2027-03-15T02:00+08:00
description: One
imageUrl: https://example.com/a.jpg
tickets:
  - { name: GA, price: 1500, quantity: 100, published: true }
performers: [{ name: Ana }]
`;
const hooks = '- { url: "https://hooks.example.com/orders", events: [order.completed] }\n';

let directory: string;
let sandbox: Sandbox;
let env: Record<string, string>;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "ticketing-apply-"));
  sandbox = await startSandbox({});
  env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  await write("ticketing.yaml", "version: 1\nsecrets: { sink: file, path: .ticketing/secrets.json }\n");
  await write("events/nights.yaml", nights);
});
afterEach(async () => {
  await sandbox.close();
  await rm(directory, { recursive: true, force: true });
});

async function write(file: string, text: string): Promise<void> {
  await mkdir(join(directory, "events"), { recursive: true });
  await writeFile(join(directory, file), text);
}

function run(argv: readonly string[], world: Partial<World> = {}) {
  return ticketing([...argv, "-C", directory], { env, ...world });
}

function writes(): number {
  return sandbox.control.calls().filter((call) => call.method !== "GET").length;
}

/** A world with a person at a terminal who types this. */
function terminal(typed: string): Partial<World> {
  const stdin = Object.assign(Readable.from([`${typed}\n`]), { isTTY: true as const });
  const { world } = testWorld([]);
  return { stdin: stdin as unknown as World["stdin"], stderr: { ...world.stderr, isTerminal: true } };
}

describe("approval", () => {
  test("without a terminal and without --yes it shows the plan and sends nothing", async () => {
    const { exitCode, stdout, stderr } = await run(["apply"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("Nights");
    expect(stderr).toContain("--yes");
    expect(writes()).toBe(0);
  });

  test("on a terminal only yes is yes", async () => {
    expect((await run(["apply"], terminal("maybe"))).exitCode).toBe(1);
    expect(writes()).toBe(0);
    expect((await run(["apply"], terminal("yes"))).exitCode).toBe(0);
    expect(writes()).toBe(3);
  });

  test("with nothing to do no one is asked", async () => {
    await run(["apply", "--yes"]);
    sandbox.control.clearCalls();
    const { exitCode, stdout } = await run(["apply"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("No changes");
    expect(writes()).toBe(0);
  });

  test("a key at hand and no environment named: the sandbox is not taken for the real service", async () => {
    const { exitCode, stdout, stderr } = await run(["apply", "--yes"], { env: { TICKETING_API_KEY: "a-key" } });
    expect(exitCode).toBe(1);
    expect(stdout).toContain("--env sandbox");
    expect(stderr).toMatch(/TICKETING_API_KEY is set.*Nothing was applied\./s);
  });
});

describe("the report", () => {
  test("as JSON it is complete, and people read on the other stream", async () => {
    const { exitCode, stdout, stderr } = await run(["apply", "--yes", "--format", "json"]);
    expect(exitCode).toBe(0);
    const report = JSON.parse(stdout);
    expect(report.summary).toEqual({ done: 3, failed: 0, skipped: 0, unsure: 0 });
    expect(report.outcomes).toEqual(["1", "2", "3"].map((operation) => ({ operation, result: "done" })));
    expect(report.calls).toMatchObject({ writes: 3, rateLimited: 0 });
    expect(report.plan.operations).toHaveLength(3);
    expect(stderr).toContain('done: create event "Nights"');
  });

  test("what failed says why, what was skipped says because of what, and how to continue", async () => {
    await write(
      "events/nights.yaml",
      nights.replace("performers: [{ name: Ana }]", `performers: [{ name: Ana, description: "${"x".repeat(9)}" }]`),
    );
    sandbox.control.addFault({ kind: "error-before", path: "/performers", times: 0 });
    const { exitCode, stdout } = await run(["apply", "--yes", "--settle", "0"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("] create events/nights/performers/Ana: ");
    expect(stdout).toContain("Not fully applied: 1 of 3 done, 1 unconfirmed, 1 skipped");
    expect(stdout).toContain("Continue with: ticketing apply --yes --settle 0 -C");
    sandbox.control.clearFaults();
    const again = await run(["apply", "--yes", "--settle", "0"]);
    expect(again.exitCode).toBe(0);
    expect(sandbox.service.dump().performers).toHaveLength(1);
    expect(sandbox.service.dump().events[0]).toMatchObject({ status: "PUBLISHED" });
  });

  test("after a saved plan it continues with a plan of the same objects and no others, for somebody to look at", async () => {
    await write("events/days.yaml", nights.replaceAll("Nights", "Days"));
    expect((await run(["plan", "--target", "events/nights", "--out", "plan.json"])).exitCode).toBe(0);
    sandbox.control.addFault({ kind: "error-before", path: "/performers", times: 0 });
    const { exitCode, stdout } = await run(["apply", "plan.json", "--yes", "--settle", "0"]);
    expect(exitCode).toBe(1);
    const flat = stdout.replace(/\s+/g, " ");
    expect(flat).toContain("Continue with: ticketing plan -C ");
    expect(flat).toContain("--target events/nights --out plan.json");
  });

  test("blocked changes refuse the whole; --skip-blocked does the rest and still says so", async () => {
    await run(["apply", "--yes"]);
    sandbox.control.sell({ event: "Nights", ticket: "GA", count: 1 });
    await write("events/nights.yaml", nights.replace("price: 1500", "price: 1700").replace("One", "Two"));
    sandbox.control.clearCalls();
    const refused = await run(["apply", "--yes"]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("price-change-with-sales");
    expect(writes()).toBe(0);
    const skipped = await run(["apply", "--yes", "--skip-blocked"]);
    expect(skipped.exitCode).toBe(1);
    expect(sandbox.service.dump().events[0]).toMatchObject({ description: "Two" });
    expect(writes()).toBe(1);
  });

  test("a key that may not write is refused before any write", async () => {
    const { keys } = sandbox.control.seed({ keys: [{ scopes: ["events:read", "tickets:read", "orders:read"] }] });
    env.TICKETING_API_KEY = String(keys[0]?.value);
    const { exitCode, stderr } = await run(["apply", "--yes"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("events:write");
    expect(writes()).toBe(0);
  });
});

describe("secrets", () => {
  test("reach the command and GitHub's mask, and no other place", async () => {
    const command = JSON.stringify([process.execPath, "keep.cjs", "{secretName}-{environment}"]);
    await write("ticketing.yaml", `version: 1\nsecrets: { sink: command, command: ${command} }\n`);
    const keep = 'require("fs").writeFileSync(process.argv[2], require("fs").readFileSync(0));';
    const look = 'require("fs").writeFileSync("seen", Object.keys(process.env).join(" "));';
    await write("keep.cjs", keep + look);
    await write("webhooks.yaml", hooks.replace(" }", ", secretName: ORDERS }"));
    env.GITHUB_ACTIONS = "true";
    env.TICKETING_STATE_URL = "postgres://db.example.com";
    const { exitCode, stdout, stderr } = await run(["apply", "--yes", "--verbose"]);
    expect(exitCode).toBe(0);
    const [hook] = sandbox.service.dump().webhooks as unknown as readonly { id: string; secret: string }[];
    const secret = String(hook?.secret);
    expect(await readFile(join(directory, "ORDERS-default"), "utf8")).toBe(secret);
    expect((await readFile(join(directory, "seen"), "utf8")).split(" ")).toContain("GITHUB_ACTIONS");
    expect(await readFile(join(directory, "seen"), "utf8")).not.toMatch(/TICKETING_(API_KEY|STATE_URL)/);
    expect(stderr).toContain(`::add-mask::${secret}\n`);
    expect(stderr.replace(`::add-mask::${secret}`, "")).not.toContain(secret);
    expect(stdout).not.toContain(secret);
    expect(await readFile(join(directory, ".ticketing/state.default.json"), "utf8")).not.toContain(secret);
  });

  test("a command that fails takes the webhook back", async () => {
    await write("ticketing.yaml", 'version: 1\nsecrets: { sink: command, command: ["false", "{secretName}"] }\n');
    await write("webhooks.yaml", hooks.replace(" }", ", secretName: ORDERS }"));
    const { exitCode, stdout } = await run(["apply", "--yes"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("secret-not-kept");
    expect(sandbox.service.dump().webhooks).toEqual([]);
  });
});

describe("two at once", () => {
  test("the second names the first, or waits for it", async () => {
    const locked = await fileStore({ directory, environment: "default", baseUrl: null, secrets: () => null }).lock({
      command: "apply",
      timeoutMs: 0,
    });
    if (!locked.ok) throw new Error("not held");
    const refused = await run(["apply", "--yes"]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(`process ${process.pid}`);
    expect(writes()).toBe(0);
    setTimeout(() => void locked.lock.release(), 300);
    expect((await run(["apply", "--yes", "--lock-timeout", "30"])).exitCode).toBe(0);
  });

  test("one that is stopped while it waits says so, as JSON too", async () => {
    const locked = await fileStore({ directory, environment: "default", baseUrl: null, secrets: () => null }).lock({
      command: "apply",
      timeoutMs: 0,
    });
    if (!locked.ok) throw new Error("not held");
    for (const format of ["text", "json"]) {
      const stop = new AbortController();
      let stderr = "";
      function write(text: string): void {
        stderr += text;
        if (stderr.includes("waiting for another run")) stop.abort();
      }
      const { exitCode, stdout } = await run(["apply", "--yes", "--lock-timeout", "60", "--format", format], {
        interrupted: stop.signal,
        stderr: { write, isTerminal: false, columns: 80 },
      });
      expect(exitCode).toBe(130);
      expect(stderr).toContain("Stopped while waiting for another run. Nothing was applied.");
      if (format === "text") expect(stdout).toMatch(/^Target: .*\n$/);
      else expect(JSON.parse(stdout)).toMatchObject({ outcomes: [], summary: { done: 0 } });
    }
    expect(writes()).toBe(0);
    await locked.lock.release();
  });

  test("one that waited while a phase came due applies no files that have errors since", async () => {
    await write("events/nights.yaml", `${nights}phases: [{ from: 2026-11-20T00:00, description: Soon. }]\n`);
    expect((await run(["apply", "--yes"])).exitCode).toBe(0);
    const locked = await fileStore({ directory, environment: "default", baseUrl: null, secrets: () => null }).lock({
      command: "apply",
      timeoutMs: 0,
    });
    if (!locked.ok) throw new Error("not held");
    const { lock } = locked;
    let now = Date.parse("2026-11-19T00:00:00Z");
    async function editMeanwhile(): Promise<void> {
      now += 2 * 86_400_000;
      await write("events/nights.yaml", "name: [\n");
      await lock.release();
    }
    const stderr = { write: (text: string) => void (text.includes("waiting") && editMeanwhile()), isTerminal: false };
    const flags = ["--yes", "--lock-timeout", "30", "--allow", "delete-event"];
    const waited = await run(["apply", ...flags], { now: () => now, stderr: { ...stderr, columns: 80 } });
    expect([waited.exitCode, waited.stdout]).toEqual([1, expect.stringContaining("error[yaml-syntax] events/nights")]);
    expect(sandbox.service.dump().events).toHaveLength(1);
  });

  test("one whose lock is taken away stops before its next call", async () => {
    const many = Array.from({ length: 30 }, (_, at) => `{ name: P${at} }`).join(", ");
    await write("events/nights.yaml", nights.replace("{ name: Ana }", many));
    sandbox.control.addFault({ kind: "slow", delayMs: 1500, at: 6, times: 1 });
    const work = run(["apply", "--yes", "--parallelism", "1"]);
    await vi.waitUntil(() => sandbox.control.calls().length >= 6, { timeout: 30_000, interval: 5 });
    expect((await run(["state", "unlock", "--yes"])).stdout).toContain("Removed the lock held by apply");
    const { exitCode, stderr } = await work;
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Another run took over the lock");
    expect((await run(["apply", "--yes"])).exitCode).toBe(0);
    expect(sandbox.service.dump().performers).toHaveLength(30);
  });

  test.each(["file", "none"])("nor is a call sent that was written down and waits: state in %s", async (backend) => {
    await write("ticketing.yaml", `version: 1\nstate: { backend: ${backend} }\n`);
    sandbox.control.addFault({ kind: "rate-limited", method: "POST", at: 1, retryAfter: 2 });
    const work = run(["apply", "--yes"]);
    await vi.waitUntil(() => writes() >= 1, { timeout: 30_000, interval: 5 });
    const unlocked = await run(["state", "unlock", "--yes"]);
    expect(unlocked.stdout).toContain("Removed the lock held by apply");
    expect(unlocked.stdout).toContain("That run still seems to be active: it stops before its next call.");
    const { exitCode, stdout, stderr } = await work;
    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain("Another run took over the lock");
    // What was never sent did not fail.
    expect(stdout).not.toMatch(/\d failed/);
    expect(writes()).toBe(1);
  });
});

test("a lock that is lost before what an interrupted run left is deleted is reported once", async () => {
  await write("webhooks.yaml", "- { url: https://example.com/hook, events: [order.completed] }\n");
  sandbox.control.addFault({ kind: "response-lost", method: "POST", path: "/webhooks" });
  const abort = new AbortController();
  const first = run(["apply", "--yes", "--settle", "30"], { interrupted: abort.signal });
  await vi.waitUntil(() => sandbox.service.dump().webhooks.length > 0, { timeout: 30_000, interval: 5 });
  abort.abort();
  expect((await first).exitCode).toBe(130);
  async function* unlockFirst() {
    await run(["state", "unlock", "--yes"]);
    yield "yes\n";
  }
  const stdin = Object.assign(Readable.from(unlockFirst()), { isTTY: true as const });
  const said: string[] = [];
  const stderr = { write: (text: string) => void said.push(text), isTerminal: true, columns: 80 };
  const second = await run(["apply", "--settle", "0.1"], { stdin: stdin as unknown as World["stdin"], stderr });
  expect(second.exitCode).toBe(1);
  expect((second.stdout + said.join("")).match(/lock-lost\]/g)).toHaveLength(1);
  expect(sandbox.service.dump().webhooks).toHaveLength(1);
});

test("`state unlock` leaves alone the lock of a run that began while it asked", async () => {
  const lock = async () => {
    const store = fileStore({ directory, environment: "default", baseUrl: null, secrets: () => null });
    const locked = await store.lock({ command: "apply", timeoutMs: 0 });
    if (!locked.ok) throw new Error("not held");
    return locked.lock;
  };
  const first = await lock();
  let second: Awaited<ReturnType<typeof lock>> | null = null;
  async function* lockAgain() {
    await first.release();
    second = await lock();
    yield "yes\n";
  }
  const stdin = Object.assign(Readable.from(lockAgain()), { isTTY: true as const }) as unknown as World["stdin"];
  const said: string[] = [];
  const stderr = { write: (text: string) => void said.push(text), isTerminal: true, columns: 300 };
  expect((await run(["state", "unlock"], { stdin, stderr })).exitCode).toBe(1);
  expect(said.join("")).toContain("Another run took the lock meanwhile: apply by ");
  expect(second).toSatisfy((held: typeof first) => held.isHeld());
});

test("Ctrl-C: what runs ends, nothing new begins, the lock is free, 130", async () => {
  const many = Array.from({ length: 30 }, (_, at) => `{ name: P${at} }`).join(", ");
  await write("events/nights.yaml", nights.replace("{ name: Ana }", many));
  const abort = new AbortController();
  sandbox.control.addFault({ kind: "slow", delayMs: 50, at: 8, times: 100 });
  const work = run(["apply", "--yes", "--parallelism", "1"], { interrupted: abort.signal });
  // In the middle of it, however fast this machine is.
  const watch = setInterval(() => {
    if (sandbox.service.dump().performers.length >= 3) abort.abort();
  }, 5);
  const { exitCode, stdout } = await work;
  clearInterval(watch);
  sandbox.control.clearFaults();
  expect(exitCode).toBe(130);
  expect(stdout).toContain("skipped");
  const made = sandbox.service.dump().performers.length;
  expect(made).toBeLessThan(30);
  const again = await run(["apply", "--yes"]);
  expect(again.exitCode, again.stdout + again.stderr).toBe(0);
  expect(sandbox.service.dump().performers).toHaveLength(30);
});

describe("state", () => {
  test("lists, shows, prints and forgets", async () => {
    await run(["apply", "--yes"]);
    const list = await run(["state", "list"]);
    expect(list.stdout).toContain("events/nights/tickets/GA");
    const show = await run(["state", "show", "events/nights/tickets/GA"]);
    expect(show.stdout).toContain("price: 1500");
    const pulled = JSON.parse((await run(["state", "pull"])).stdout);
    expect(pulled.objects["events/nights"].id).toBe(sandbox.service.dump().events[0]?.id);
    const unasked = await run(["state", "rm", "events/nights"]);
    expect(unasked.exitCode).toBe(1);
    expect(unasked.stderr).toContain(
      "There is no terminal to ask for confirmation, and --yes was not given: nothing was changed.",
    );
    expect((await run(["state", "rm", "events/nights", "--yes"])).exitCode).toBe(0);
    expect((await run(["state", "list"])).stdout).toContain("State is empty.");
    expect((await run(["state", "show", "events/nights"])).exitCode).toBe(1);
    expect((await run(["plan"])).stdout).toContain("No changes");
  });

  test("a damaged file stops plan and apply with its place and the fix", async () => {
    await run(["apply", "--yes"]);
    await writeFile(join(directory, ".ticketing/state.default.json"), "{ half");
    for (const command of [["plan"], ["apply", "--yes"], ["state", "list"]]) {
      const { exitCode, stdout, stderr } = await run(command);
      expect(exitCode).toBe(1);
      expect(stdout + stderr).toContain("state.default.json");
      expect(stdout + stderr).toContain("delete it");
    }
  });

  test("that of another organization is refused before any write", async () => {
    await run(["apply", "--yes"]);
    const other = await startSandbox({ organization: { slug: "others" } });
    const { exitCode, stdout } = await run(["apply", "--yes", "--format", "json"], {
      env: { TICKETING_BASE_URL: other.baseUrl, TICKETING_API_KEY: other.apiKey },
    });
    expect(exitCode).toBe(1);
    expect(stdout).toContain("state-of-another-organization");
    expect(other.service.dump().events).toEqual([]);
    await other.close();
  });
});
