// What goes wrong outside of the command: no network, a reader that has read enough, Ctrl-C, a service that asks for patience.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Output } from "../../../src/app/world.ts";
import { main } from "../../../src/cli/main.ts";
import { addOrder, makeSums, sumsSentence, viewOrder } from "../../../src/report/lists/orders.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { testWorld, ticketing } from "../../stage/test-world.ts";

const now = Date.parse("2027-01-10T00:00:00.000Z");
const event = { name: "Manila Nights", slug: "manila-nights", status: "PUBLISHED" } as const;

let directory: string;
let sandbox: Sandbox;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-trouble-"));
  sandbox = await startSandbox({ now: () => now });
});
afterEach(async () => {
  await sandbox.close();
  rmSync(directory, { recursive: true, force: true });
});

function here() {
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  return { cwd: directory, env, now: () => now };
}

function sellMany(orders: number): void {
  const many = Array.from({ length: orders }, (_, index) => ({
    orderNumber: `N-${index + 1}`,
    totalAmount: 100,
    createdAt: new Date(now + index * 1000).toISOString(),
  }));
  sandbox.control.seed({ events: [{ ...event, orders: many }] });
}

const commands: readonly (readonly string[])[] = [
  ["status"],
  ["orders", "manila-nights"],
  ["orders", "show", "7a1d3c52-0000-4000-8000-000000000001"],
  ["venues", "search", "palace"],
  ["webhooks", "list"],
  ["webhooks", "test", "https://hooks.example.com/"],
  ["webhooks", "deliveries"],
  ["webhooks", "rotate", "https://hooks.example.com/"],
];

test("without a network each says so, and what to check", { timeout: 60_000 }, async () => {
  const env = { TICKETING_BASE_URL: "http://127.0.0.1:9/open-api/v1", TICKETING_API_KEY: "some-key" };
  const ran = await Promise.all(commands.map((argv) => ticketing(argv, { cwd: directory, env })));
  for (const { exitCode, stdout, stderr } of ran) {
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^Target: default \(http:\/\/127\.0\.0\.1:9\/open-api\/v1\)\n/);
    expect(stderr).toContain("cannot be reached");
    expect(stderr).toContain("Check the URL");
    expect(stderr).not.toContain("some-key");
  }
});

test("without a key each says which variable to set", async () => {
  for (const argv of commands) {
    const { exitCode, stderr } = await ticketing([...argv, "--base-url", sandbox.baseUrl], { cwd: directory });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("TICKETING_API_KEY");
  }
});

test("a broken project file stops each before any call", async () => {
  const { writeFileSync } = await import("node:fs");
  writeFileSync(join(directory, "ticketing.yaml"), "version: 7\n");
  for (const argv of commands) {
    const { exitCode, stderr } = await ticketing(argv, here());
    expect(exitCode).toBe(1);
    expect(stderr).toContain("ticketing.yaml:1:");
  }
  expect(sandbox.control.calls()).toEqual([]);
});

test("Ctrl-C is 130, and nothing more is asked for", async () => {
  for (const argv of commands) {
    const stop = new AbortController();
    stop.abort();
    const { exitCode } = await ticketing(argv, { ...here(), interrupted: stop.signal });
    expect(exitCode, argv.join(" ")).toBe(130);
  }
  expect(sandbox.control.calls().filter(({ method }) => method !== "GET")).toEqual([]);
});

describe("orders on many pages", () => {
  test("are all there, once each, in every format", async () => {
    sellMany(123);
    const csv = await ticketing(["orders", "manila-nights", "--format", "csv"], here());
    expect(csv.stdout.trimEnd().split("\r\n")).toHaveLength(124);
    const lines = (await ticketing(["orders", "manila-nights", "--format", "ndjson"], here())).stdout
      .trimEnd()
      .split("\n");
    expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(123);
    const { stdout } = await ticketing(["orders", "manila-nights"], here());
    expect(stdout).toContain("123 orders (123 COMPLETED), 123 tickets; COMPLETED orders total ₱12,300.00.");
  });

  test("are read no further once no one reads on", async () => {
    sellMany(123);
    let text = "";
    const stdout: Output = {
      write(more) {
        text += more;
      },
      get isClosed() {
        return text.includes("N-1,");
      },
      isTerminal: false,
      columns: 80,
    };
    const made = testWorld(["orders", "manila-nights", "--format", "csv"], { ...here(), stdout });
    expect(await main(made.world)).toBe(0);
    expect(text).not.toContain("N-60,");
    expect(made.written.stderr).toBe(`Target: default (${sandbox.baseUrl})\n`);
  });

  test("end where a page fails, with what was read and an exit code that says so", async () => {
    sellMany(123);
    sandbox.control.addFault({ kind: "error-before", path: "page=2", times: 0 });
    const { exitCode, stdout, stderr } = await ticketing(["orders", "manila-nights", "--format", "ndjson"], here());
    expect(exitCode).toBe(1);
    for (const line of stdout.trimEnd().split("\n")) expect(JSON.parse(line)).toHaveProperty("orderNumber");
    expect(stderr).toContain("Something went wrong.");
    // One value holds all orders or none.
    const whole = await ticketing(["orders", "manila-nights", "--format", "json"], here());
    expect(whole.exitCode).toBe(1);
    expect(JSON.parse(whole.stdout)).toMatchObject({ formatVersion: 1, ok: false });
  }, 60_000);

  test("made since a time are those in the event's own zone", async () => {
    sellMany(3);
    const since = async (text: string) => {
      const { stdout } = await ticketing(["orders", "manila-nights", "--since", text, "--format", "ndjson"], here());
      return stdout.split("\n").filter((line) => line !== "").length;
    };
    expect(await since("2027-01-10")).toBe(3);
    expect(await since("2027-01-10T08:00:01")).toBe(2);
    expect(await since("2027-01-10T00:00:02Z")).toBe(1);
    expect(await since("2027-01-11")).toBe(0);
    for (const [text, hint] of [
      ["2027/03/01", "is not written as YYYY-MM-DD.\n  fix: Write 2027-03-01."],
      ["5/1/2027", "is not written as YYYY-MM-DD.\n  fix: Write 2027-01-05 or 2027-05-01."],
      ["25:00", "fix: Write a day or a time, like 2027-03-14"],
    ]) {
      const { stderr } = await ticketing(["orders", "manila-nights", "--since", String(text)], here());
      expect(stderr).toContain(hint);
    }
  });
});

test("an order looked for by its number needs to see the events: the scope that is missing is named", async () => {
  sellMany(1);
  const key = "key-of-the-box-office";
  sandbox.control.seed({ keys: [{ value: key, name: "box office", scopes: ["orders:read"] }] });
  const world = here();
  const env = { ...world.env, TICKETING_API_KEY: key };
  const { exitCode, stderr } = await ticketing(["orders", "show", "N-1"], { ...world, env });
  expect(exitCode).toBe(1);
  // The service's own hint names the scope: ours only adds where it is set.
  expect(stderr).toContain("fix: Use a key with the scope events:read. Scopes are set in the organizer dashboard");
  expect(stderr).not.toContain("the scope orders:read");
});

test("of events whose names differ in case alone, the one that is typed is meant", async () => {
  const more = { dateTime: "2027-03-14T11:00:00.000Z", status: "DRAFT" } as const;
  sandbox.control.seed({
    events: [
      { ...more, name: "Twin", slug: "one" },
      { ...more, name: "twin", slug: "other" },
    ],
  });
  const { exitCode, stderr } = await ticketing(["orders", "Twin"], here());
  expect(exitCode, stderr).toBe(0);
  const twins = (await ticketing(["orders", "TWIN"], here())).stderr.replace(/\s+/g, " ");
  expect(twins).toContain('2 events are called "TWIN"');
  expect(twins).toMatch(/· Twin · .* · DRAFT · one .* · twin · .* · DRAFT · other/);
  expect(twins).toContain("fix: Use the key (by default the name of its file), slug or id of the one that you mean.");
});

test("what an order came to that does not say so is not taken for nothing", () => {
  const sums = makeSums();
  for (const totalAmount of [100, null]) addOrder(sums, viewOrder({ status: "COMPLETED", totalAmount }));
  expect(sumsSentence(sums)).toContain("COMPLETED orders total ₱100.00 plus 1 without an amount");
  const quantities = { COMPLETED: 20, PENDING: 1, REFUNDED: 5, CANCELLED: 3 };
  const counted = makeSums();
  for (const [status, quantity] of Object.entries(quantities)) addOrder(counted, viewOrder({ status, quantity }));
  expect(sumsSentence(counted)).toContain("), 21 tickets, and 8 in canceled or refunded orders; ");
  addOrder(sums, viewOrder({ status: "COMPLETED", totalAmount: 5, currency: "USD" }));
  addOrder(sums, viewOrder({ status: "COMPLETED", totalAmount: 20, currency: "php" }));
  expect(sumsSentence(sums)).toContain("COMPLETED orders total ₱120.00 + 5 USD plus 1 without an amount");
});

describe("payment", () => {
  test.each(["object", "list", "flat"])("is shown as the service gives it (%s), without the buyer", async (payment) => {
    sandbox.control.setProfile(`payment=${payment}`);
    sellMany(1);
    const [order] = sandbox.control.dump().orders as { id: string }[];
    const { stdout } = await ticketing(["orders", "show", order?.id ?? ""], here());
    expect(stdout).toMatch(/^payment\S*ethod\s+CARD$/im);
    expect(stdout).not.toContain("buyer1@example.com");
    const open = await ticketing(["orders", "show", order?.id ?? "", "--with-buyers"], here());
    expect(open.stdout).toContain("buyer1@example.com");
  });
});

describe("status --watch", () => {
  test("shows it again and again until Ctrl-C", async () => {
    sellMany(1);
    const stop = new AbortController();
    let text = "";
    const stdout: Output = {
      write(more) {
        text += more;
        if (more.includes("1 event:")) setTimeout(() => stop.abort(), 20);
      },
      isTerminal: true,
      columns: 80,
    };
    const { world } = testWorld(["status", "--watch"], { ...here(), stdout, interrupted: stop.signal });
    expect(await main(world)).toBe(130);
    expect(text).toContain("Next refresh in 10 s; Ctrl-C stops.");
    expect(text).toContain("\u001b[2J");
  });

  test("prints a line of JSON each time", async () => {
    sellMany(1);
    const stop = new AbortController();
    let text = "";
    const stdout: Output = {
      write(more) {
        text += more;
        setTimeout(() => stop.abort(), 20);
      },
      isTerminal: false,
      columns: 80,
    };
    const { world } = testWorld(["status", "--watch", "--format", "json"], {
      ...here(),
      stdout,
      interrupted: stop.signal,
    });
    await main(world);
    expect(JSON.parse(text.trimEnd().split("\n")[0] ?? "").events).toHaveLength(1);
  });
});
