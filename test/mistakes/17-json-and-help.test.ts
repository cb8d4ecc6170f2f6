// What programs read is one object with a version, whatever the command; and a mistake in what is typed is never an exit code 0.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ticketing } from "../stage/test-world.ts";

let directory: string;
const now = () => Date.parse("2026-11-15T00:00:00Z");
const run = (line: string) => ticketing(line.split(" "), { cwd: directory, now });

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-json-"));
  mkdirSync(join(directory, "events"));
  writeFileSync(
    join(directory, "events", "night.yaml"),
    "status: PUBLISHED\nname: Night\ndateTime: 2027-03-01T20:00\nendDateTime: 2027-03-01T23:00\nlocationType: ONLINE\ntickets:\n  - { name: GA, price: 100, quantity: 50, published: true }\n",
  );
  writeFileSync(
    join(directory, "webhooks.yaml"),
    "- { url: https://hooks.example.com/a, events: [order.completed] }\n",
  );
  const applied = await run("apply --env sandbox --yes --settle 0");
  expect(applied.exitCode, applied.stderr).toBe(0);
  expect((await run("sandbox sell night GA 2")).exitCode).toBe(0);
}, 60_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("JSON", () => {
  test("of orders is one value, and ndjson a line for each", async () => {
    await run("sandbox sell night GA 1");
    const all = JSON.parse((await run("orders night --format json")).stdout);
    expect(all.event.name).toBe("Night");
    expect(all.orders).toHaveLength(2);
    const lines = (await run("orders night --format ndjson")).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(all.orders);
  });

  test.each([
    ["validate", "diagnostics"],
    ["plan", "changes"],
    ["apply --yes", "outcomes"],
    ["status", "events"],
    ["orders night", "orders"],
    ["orders show ORD-000001", "orderNumber"],
    ["venues search palace", "venues"],
    ["webhooks list", "webhooks"],
    ["webhooks deliveries", "webhooks"],
    ["webhooks test https://hooks.example.com/a", "tests"],
    ["whoami", "organization"],
    ["state list", "objects"],
    ["state show events/night", "address"],
    ["state pull", "objects"],
    ["state unlock --yes", "unlocked"],
    ["import --all --out more", "events"],
    ["init fresh --yes", "files"],
    ["sandbox sell night GA 1", "orders"],
    ["sandbox refund ORD-000001", "order"],
    // From here on nothing is left.
    ["state rm events/night --yes", "forgotten"],
    ["sandbox reset", "removed"],
    ["orders nothing-of-that-name", "diagnostics"],
    ["webhooks", "diagnostics"],
    ["nonsense", "diagnostics"],
  ])("of `%s` is an object with a version", async (line, holds) => {
    const { stdout } = await run(`${line} --format json`);
    const said = JSON.parse(stdout);
    expect(Array.isArray(said)).toBe(false);
    expect(said.formatVersion).toBe(1);
    expect(said).toHaveProperty(holds);
  });

  test("of a state that has not begun is an object too", async () => {
    const empty = mkdtempSync(join(tmpdir(), "ticketing-empty-"));
    const { stdout } = await ticketing("state pull --format json".split(" "), { cwd: empty, now });
    rmSync(empty, { recursive: true });
    expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1, objects: {} });
  });

  test("of the sandbox is one line when it listens", async () => {
    const stop = new AbortController();
    let said = "";
    const stdout = {
      columns: 80,
      isTerminal: false,
      write(text: string) {
        said += text;
        stop.abort();
      },
    };
    const data = join(directory, "other.json");
    const argv = ["sandbox", "--format", "json", "--data", data];
    await ticketing(argv, { cwd: directory, stdout, interrupted: stop.signal });
    expect(said.trimEnd()).not.toContain("\n");
    expect(JSON.parse(said)).toEqual({
      baseUrl: expect.stringMatching(/^http:\/\/127/),
      apiKey: expect.any(String),
      formatVersion: 1,
    });
  });
});

describe("what is typed", () => {
  test.each([
    "nonsense --help",
    "--help nonsense",
    "nonsense -h",
    "webhooks nonsense --help",
    "state lst --help",
    "sandbox sel --help",
  ])("`%s` is a mistake although it asks for help", async (line) => {
    const ran = await run(line);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).toContain("Unknown command");
  });

  test.each(["plan --help", "help plan", "webhooks list --help", "--help", "webhooks --help", "--help plan"])(
    "`%s` is help",
    async (line) => {
      const ran = await run(line);
      expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
      expect(ran.stdout).toContain("Usage: ticketing");
    },
  );

  test("the program and a group, typed alone, both show what may follow", async () => {
    for (const argv of [[], ["webhooks"], ["state"], ["venues"]]) {
      const alone = await ticketing(argv, { cwd: directory });
      const help = await ticketing([...argv, "--help"], { cwd: directory });
      expect(alone).toEqual(help);
      expect(alone.exitCode).toBe(0);
      const json = await ticketing([...argv, "--format", "json"], { cwd: directory });
      expect(json.exitCode).toBe(1);
      expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, diagnostics: [{ code: "usage" }] });
    }
  });

  test.each([
    ["schema", ["--env", "--base-url", "--directory", "--no-color", "--verbose"]],
    ["completion", ["--env", "--base-url", "--directory", "--format", "--no-color", "--verbose"]],
    ["state list", ["--parallelism", "--max-wait", "--tier", "--no-color"]],
    ["sandbox", ["--env", "--base-url"]],
    ["webhooks", ["--format", "--env"]],
  ])("the help of `%s` lists no flag that means nothing there", async (line, flags) => {
    const { stdout } = await run(`${line} --help`);
    for (const flag of flags) expect(stdout).not.toContain(flag);
  });

  test("a flag of other commands is said to be theirs", async () => {
    const ran = await run("state list --parallelism 4");
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain(
      'Unknown option "--parallelism".\n  fix: It belongs to: import, plan, apply, ci plan, ci apply, ci drift, status, orders.',
    );
    const json = await run("validate --out x --format json");
    expect(JSON.parse(json.stdout).diagnostics[0]).toMatchObject({
      hint: expect.stringMatching(/^It belongs to: import, /),
    });
  });
});
