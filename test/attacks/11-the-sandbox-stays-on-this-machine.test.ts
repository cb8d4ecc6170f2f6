// A rehearsal with the URLs of production must not reach production's receivers.
import { mkdtempSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { testWorld, ticketing } from "../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
let host: Server;
let port: number;
let connections: number;
let sandbox: Sandbox | undefined;

beforeEach(async () => {
  connections = 0;
  host = createServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined);
    socket.destroy();
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", () => resolve()));
  port = (host.address() as AddressInfo).port;
});

afterEach(async () => {
  await sandbox?.close();
  sandbox = undefined;
  await new Promise((resolve) => host.close(resolve));
});

/** Hosts that lead to the listener, and are not written as this machine: they represent any other one. */
const outside = () => [`https://0.0.0.0:${port}/hook`, `https://[::ffff:127.0.0.1]:${port}/hook`];
const inside = () => [`https://127.0.0.1:${port}/`, `https://localhost:${port}/`, `https://any.localhost:${port}/`];

async function hook({ service }: Sandbox, url: string): Promise<string> {
  const made = await service.call("POST", "/webhooks", { url, events: ["order.completed"] });
  return (made.body as { data: { id: string } }).data.id;
}

async function deliveries({ service }: Sandbox, id: string): Promise<readonly Record<string, unknown>[]> {
  return ((await service.call("GET", `/webhooks/${id}/deliveries`)).body as { data: Record<string, unknown>[] }).data;
}

describe("the sandbox", () => {
  test("connects to no other host: not for orders, not for tests, not for an event's callbackUrl", async () => {
    sandbox = await startSandbox({ now, profile: "webhookOffAfter=1" });
    const ids = await Promise.all(outside().map((url) => hook(sandbox as Sandbox, url)));
    const local = await hook(sandbox, `https://127.0.0.1:${port}/local`);
    const tickets = [{ name: "GA", price: 100, quantity: 20, published: true }];
    sandbox.control.seed({
      events: [
        { name: "Gig", status: "PUBLISHED", tickets },
        { name: "Own", status: "PUBLISHED", tickets, callbackUrl: outside()[0] ?? null },
      ],
    });
    await sandbox.service.call("PATCH", `/webhooks/${local}`, { isActive: false });
    sandbox.control.sell({ event: "gig", ticket: "GA", count: 1 });
    sandbox.control.sell({ event: "own", ticket: "GA", count: 1 });
    for (const id of ids) {
      const tried = (await sandbox.service.call("POST", `/webhooks/${id}/test`)).body;
      expect(tried).toMatchObject({ data: { success: false, status: "NOT_SENT" } });
    }
    await sandbox.control.settle();
    expect(connections).toBe(0);
    for (const id of ids) {
      const found = await deliveries(sandbox, id);
      expect(found).toHaveLength(3);
      for (const delivery of found) {
        expect(delivery).toMatchObject({ status: "NOT_SENT", attempts: 0, deliveredAt: null });
        expect(delivery.error).toMatch(/only to this machine.*--deliver-outside/);
      }
      // It is no fault of the receiver.
      const webhooks = (await sandbox.service.call("GET", "/webhooks")).body as {
        data: { id: string; isActive: boolean }[];
      };
      expect(webhooks.data.find((each) => each.id === id)?.isActive).toBe(true);
    }
  });

  test("connects to this machine under each of its names", async () => {
    sandbox = await startSandbox({ now });
    for (const url of inside()) {
      const before = connections;
      await sandbox.service.call("POST", `/webhooks/${await hook(sandbox, url)}/test`);
      expect(connections, url).toBe(before + 1);
    }
  });

  test("connects to others where it is asked to", async () => {
    sandbox = await startSandbox({ now, deliverOutside: true });
    await sandbox.service.call("POST", `/webhooks/${await hook(sandbox, outside()[0] as string)}/test`);
    expect(connections).toBe(1);
  });
});

describe("the commands", () => {
  test("a rehearsal sends nothing out, and `webhooks test` says why", async () => {
    const root = mkdtempSync(join(tmpdir(), "ticketing-outside-"));
    const url = "https://hooks.example.com/orders";
    writeFileSync(join(root, "webhooks.yaml"), `- { url: "${url}", events: [order.completed] }\n`);
    const run = (...argv: string[]) => ticketing([...argv, "-C", root, "--env", "sandbox"], { now, cwd: root });
    expect(await run("apply", "--yes")).toMatchObject({ exitCode: 0 });
    const tried = await run("webhooks", "test", url);
    expect(tried.exitCode).toBe(1);
    expect(tried.stderr).toContain("was not sent: the sandbox delivers only to this machine");
    expect(tried.stderr).not.toContain("Check that the receiver is up");
    const shown = await run("webhooks", "deliveries");
    expect(shown.stdout).toContain("NOT_SENT");
  });

  test.each([
    [[], 0],
    [["--deliver-outside"], 1],
  ] as const)("ticketing sandbox %j", async (flags, expected) => {
    const root = mkdtempSync(join(tmpdir(), "ticketing-outside-"));
    const stop = new AbortController();
    const { world, written } = testWorld(["sandbox", "--format", "json", ...flags, "-C", root], {
      cwd: root,
      interrupted: stop.signal,
      now,
    });
    const running = main(world);
    while (!written.stdout.endsWith("\n")) await new Promise((resolve) => setTimeout(resolve, 10));
    const { baseUrl, apiKey } = JSON.parse(written.stdout) as { baseUrl: string; apiKey: string };
    const call = async (path: string, body: unknown) => {
      const headers = { "api-key": apiKey, "content-type": "application/json" };
      const response = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return ((await response.json()) as { data: { id: string } }).data;
    };
    const { id } = await call("/webhooks", { url: outside()[0], events: ["order.completed"] });
    await call(`/webhooks/${id}/test`, {});
    stop.abort();
    await running;
    expect(connections).toBe(expected);
  });
});
