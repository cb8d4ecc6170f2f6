// A service that holds a call open: informational responses without end, headers or a body byte by byte, a connection that is never
// agreed on. Each call has one timer from its first byte, and one Ctrl-C ends the reads under way.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { program } from "../faults/run-program.ts";
import { clientOf } from "../service/client-of.ts";
import { fetchTransport } from "../service/fetch-transport.ts";
import { ticketing } from "../stage/test-world.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Every connection gets these bytes, again and again, from its first request on. */
async function serve(text: (turn: number) => string, everyMs = 5): Promise<{ baseUrl: string; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let turn = 0;
    let drip: NodeJS.Timeout | undefined;
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(drip);
      sockets.delete(socket);
    });
    socket.once("data", () => {
      drip = setInterval(() => socket.write(text(turn++)), everyMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/open-api/v1`, sockets };
}

const start = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const endless: Readonly<Record<string, (turn: number) => string>> = {
  "102 without end": () => "HTTP/1.1 102 Processing\r\n\r\n",
  "103 without end": () => "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n",
  "100 without end": () => "HTTP/1.1 100 Continue\r\n\r\n",
  "102 and 103 by turns": (turn) => `HTTP/1.1 ${102 + (turn % 2)} Wait\r\n\r\n`,
  "headers byte by byte": (turn) => (turn < start.length ? (start[turn] ?? "") : "a"),
  "one header after another": (turn) => (turn === 0 ? start : `x-${turn}: y\r\n`),
  "a body byte by byte": (turn) => (turn === 0 ? `${start}content-length: 100000\r\n\r\n{"data":[` : " "),
  "chunks without end": (turn) => (turn === 0 ? `${start}transfer-encoding: chunked\r\n\r\n` : "1\r\n \r\n"),
};
const timeouts = { headersMs: 150, totalMs: 300 };
/** Far less than what is waited for without these limits, and enough for a busy machine. */
const soonMs = 10_000;

describe("a body that comes slowly", () => {
  const head = `${start}content-length: 4000\r\n\r\n`;
  const whole = `{"data":[${" ".repeat(3989)}]}`;

  test("byte by byte ends when a try has had its time, not when the longest response would have", async () => {
    const { baseUrl } = await serve((turn) => (turn === 0 ? head : (whole[turn - 1] ?? "")), 20);
    const client = clientOf({ baseUrl, timeouts: { bodyMs: 200 }, retries: { faults: 0 } });
    const began = performance.now();
    expect(await client.request("GET", "/me")).toMatchObject({
      ok: false,
      problem: { code: "timeout", message: expect.stringMatching(/the response did not end within \d+ ms/) },
    });
    expect(performance.now() - began).toBeLessThan(soonMs);
    await client.close();
  });

  test("but steadily gets through, though it takes longer than one try has", async () => {
    // So much that a busy machine brings enough in a tenth of the time, which a body that follows late gets.
    const large = `{"data":[${" ".repeat(39_989)}]}`;
    const largeHead = `${start}content-length: ${large.length}\r\n\r\n`;
    const { baseUrl } = await serve(
      (turn) => (turn === 0 ? largeHead : large.slice((turn - 1) * 2000, turn * 2000)),
      100,
    );
    const client = clientOf({ baseUrl, timeouts: { bodyMs: 1500 }, retries: { faults: 0 } });
    const began = performance.now();
    expect(await client.request("GET", "/events")).toMatchObject({ ok: true, data: [] });
    expect(performance.now() - began).toBeGreaterThan(1500);
    await client.close();
  });

  test("is not tried for longer than all tries together may take, and the message says how long", async () => {
    const { baseUrl } = await serve((turn) => (turn === 0 ? head : (whole[turn - 1] ?? "")), 20);
    const client = clientOf({ baseUrl, timeouts: { bodyMs: 700 }, retries: { faults: 100, totalMs: 1600 } });
    const began = performance.now();
    expect(await client.request("GET", "/me")).toMatchObject({
      ok: false,
      problem: { message: expect.stringMatching(/GET \/me was tried \d times in \d s/) },
    });
    expect(performance.now() - began).toBeLessThan(soonMs);
    await client.close();
  });
});

describe.each(Object.entries(endless))("%s", (_name, text) => {
  test.each(["GET", "POST"] as const)("ends a %s at its deadline", async (method) => {
    const { baseUrl, sockets } = await serve(text);
    const client = clientOf({ baseUrl, timeouts, retries: { faults: 0 } });
    const began = performance.now();
    const result = await client.request(method, "/events");
    expect(performance.now() - began).toBeLessThan(soonMs);
    // undici takes a 100 that was not asked for as a broken connection.
    expect(result).toMatchObject({
      ok: false,
      problem: { code: expect.stringMatching(/^(timeout|connection-lost)$/) },
    });
    if (!result.ok && method !== "GET") expect(result.problem.class).toBe("ambiguous");
    await client.close();
    await expect.poll(() => sockets.size).toBe(0);
  });

  test("ends a read at once when the run is stopped", async () => {
    const { baseUrl } = await serve(text);
    const stop = new AbortController();
    const client = clientOf({ baseUrl, signal: stop.signal });
    const running = client.request("GET", "/events");
    setTimeout(() => stop.abort(), 50);
    const began = performance.now();
    expect(await running).toMatchObject({ ok: false });
    expect(performance.now() - began).toBeLessThan(soonMs);
    await client.close();
  });
});

test("a write under way is not cut by a stop, and nothing new starts", async () => {
  const stop = new AbortController();
  const { baseUrl } = await serve((turn) => {
    if (turn === 3) stop.abort();
    return turn < 20 ? "HTTP/1.1 102 Processing\r\n\r\n" : `${start}content-length: 13\r\n\r\n{"data":null}`;
  });
  const client = clientOf({ baseUrl, signal: stop.signal, concurrency: 1 });
  const write = client.request("POST", "/events");
  const read = client.request("GET", "/me");
  expect(await write).toMatchObject({ ok: true });
  expect(await read).toMatchObject({ ok: false, problem: { code: "interrupted", class: "not-sent" } });
});

test("a connection that is accepted and never agreed on ends, over TLS and through a proxy that says nothing", async () => {
  const { baseUrl } = await serve(() => "");
  const secure = baseUrl.replace("http:", "https:");
  const proxy = baseUrl.replace("/open-api/v1", "");
  for (const env of [{}, { HTTPS_PROXY: proxy }]) {
    const client = clientOf({
      baseUrl: secure,
      env,
      timeouts: { connectMs: 200, headersMs: 200 },
      retries: { faults: 0 },
    });
    const began = performance.now();
    expect(await client.request("POST", "/events")).toMatchObject({ ok: false, problem: { class: "not-sent" } });
    expect(performance.now() - began).toBeLessThan(soonMs);
    const stop = new AbortController();
    const stopped = clientOf({ baseUrl: secure, env, signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    expect(await stopped.request("GET", "/me")).toMatchObject({ ok: false, problem: { code: "interrupted" } });
  }
});

test("fetch ends by the same rules", async () => {
  const { baseUrl } = await serve(() => "HTTP/1.1 102 Processing\r\n\r\n");
  const slow = clientOf({ baseUrl, transport: fetchTransport(150), retries: { faults: 0 } });
  expect(await slow.request("GET", "/me")).toMatchObject({ ok: false, problem: { code: "timeout" } });
  const stop = new AbortController();
  const client = clientOf({ baseUrl, transport: fetchTransport(), signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  expect(await client.request("GET", "/me")).toMatchObject({ ok: false, problem: { code: "interrupted" } });
});

function project(): string {
  const directory = mkdtempSync(join(tmpdir(), "ticketing-endless-"));
  closers.push(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, "events"));
  writeFileSync(
    join(directory, "events/night.yaml"),
    "name: Night\ndateTime: 2027-03-01T20:00\nlocationType: ONLINE\n",
  );
  return directory;
}

const commands = [
  "plan",
  "plan --format json",
  "apply --yes",
  "import --all",
  "status",
  "orders night",
  "whoami",
  "venues search palace",
  "webhooks list",
];

test.each(commands)("one Ctrl-C ends `ticketing %s` with 130", async (line) => {
  const { baseUrl, sockets } = await serve(() => "HTTP/1.1 102 Processing\r\n\r\n");
  const stop = new AbortController();
  const running = ticketing([...line.split(" "), "-C", project()], {
    env: { TICKETING_BASE_URL: baseUrl, TICKETING_API_KEY: "some-key-of-ours" },
    interrupted: stop.signal,
  });
  await expect.poll(() => sockets.size, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
  const began = performance.now();
  stop.abort();
  const ran = await running;
  expect(performance.now() - began).toBeLessThan(soonMs);
  expect(ran.exitCode).toBe(130);
  expect(ran.stderr + ran.stdout).not.toContain("bug");
  if (line.includes("json")) JSON.parse(ran.stdout);
});

test("one SIGINT ends the real program", async () => {
  const { baseUrl, sockets } = await serve(() => "HTTP/1.1 102 Processing\r\n\r\n");
  const directory = project();
  const child = spawn(process.execPath, [program, "apply", "--yes", "-C", directory], {
    env: {
      PATH: process.env.PATH,
      HOME: directory,
      TICKETING_BASE_URL: baseUrl,
      TICKETING_API_KEY: "some-key-of-ours",
    },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.on("close", (code) => resolve(code)));
  await expect.poll(() => sockets.size, { timeout: 10_000 }).toBeGreaterThan(0);
  const began = performance.now();
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(performance.now() - began).toBeLessThan(soonMs);
});
