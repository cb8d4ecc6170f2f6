// Faults as a client meets them: over a real socket.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Fault, type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { party } from "../open.ts";

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
});

afterEach(() => sandbox.close());

interface Seen {
  readonly status: number | "nothing";
  readonly text: string;
  readonly headers: Headers | undefined;
  readonly ms: number;
}

async function create(signal = AbortSignal.timeout(30_000)): Promise<Seen> {
  const began = performance.now();
  try {
    const response = await fetch(`${sandbox.baseUrl}/events`, {
      method: "POST",
      headers: { "api-key": sandbox.apiKey, "content-type": "application/json" },
      body: JSON.stringify(party),
      redirect: "manual",
      signal,
    });
    const { status, headers } = response;
    return { status, text: await response.text().catch(() => "(cut off)"), headers, ms: performance.now() - began };
  } catch {
    return { status: "nothing", text: "", headers: undefined, ms: performance.now() - began };
  }
}

/** A client that gives up a little after the effect is there, and has heard nothing until then. */
async function giveUpWaiting(): Promise<Seen> {
  const gaveUp = new AbortController();
  const response = create(gaveUp.signal);
  await expect.poll(live).toBe(1);
  expect(await Promise.race([response, sleep(30, "silence")])).toBe("silence");
  gaveUp.abort();
  return response;
}

function live(): number {
  return sandbox.control.dump().events.length;
}

test.each<[string, Fault, Seen["status"], number]>([
  ["request lost", { kind: "request-lost" }, "nothing", 0],
  ["response lost", { kind: "response-lost" }, "nothing", 1],
  ["500 before the effect", { kind: "error-before" }, 500, 0],
  ["500 after the effect", { kind: "error-after" }, 500, 1],
  ["503 in its place", { kind: "error-after", status: 503 }, 503, 1],
  ["HTML 502 before the effect", { kind: "html-502" }, 502, 0],
  ["HTML 502 after the effect", { kind: "html-502", moment: "after" }, 502, 1],
  ["429", { kind: "rate-limited" }, 429, 0],
  ["connection reset after the effect", { kind: "reset" }, "nothing", 1],
  ["connection reset before the effect", { kind: "reset", moment: "before" }, "nothing", 0],
  ["redirect", { kind: "redirect" }, 307, 0],
  ["10 MB", { kind: "huge" }, 200, 1],
  ["killed before the effect", { kind: "kill" }, "nothing", 0],
  ["killed after the effect", { kind: "kill", moment: "after" }, "nothing", 1],
])("%s: what is observed, what was done, and that it passes", async (_, fault, status, effects) => {
  sandbox.control.addFault(fault);
  expect((await create()).status).toBe(status);
  expect(live()).toBe(effects);
  expect((await create()).status).toBe(201);
  expect(live()).toBe(effects + 1);
});

test("a truncated response has half its body and the effect", async () => {
  sandbox.control.addFault({ kind: "truncated" });
  expect(await create()).toMatchObject({ status: 201, text: "(cut off)" });
  expect(live()).toBe(1);
});

test("a slow response comes late, the effect at once", async () => {
  sandbox.control.addFault({ kind: "slow", delayMs: 120 });
  const response = create();
  await expect.poll(live).toBe(1);
  expect((await response).ms).toBeGreaterThanOrEqual(119);
});

test("a client that waits too little loses a slow response", async () => {
  sandbox.control.addFault({ kind: "slow", delayMs: 60_000 });
  expect((await giveUpWaiting()).status).toBe("nothing");
});

test("a lost response may leave the connection open", async () => {
  sandbox.control.addFault({ kind: "response-lost", hang: true });
  expect((await giveUpWaiting()).status).toBe("nothing");
});

test("an effect may land after its call failed", async () => {
  sandbox.control.addFault({ kind: "late", delayMs: 60 });
  expect((await create()).status).toBe(500);
  expect(live()).toBe(0);
  await expect.poll(live).toBe(1);
});

test("a late effect can be made to land now, and its call can be lost", async () => {
  sandbox.control.addFault({ kind: "late", delayMs: 60_000, status: "lost" });
  expect((await create()).status).toBe("nothing");
  expect(live()).toBe(0);
  await sandbox.control.settle();
  expect(live()).toBe(1);
});

test("the 429 comes with and without Retry-After", async () => {
  sandbox.control.addFault({ kind: "rate-limited", retryAfter: 7 });
  sandbox.control.addFault({ kind: "rate-limited", retryAfter: null });
  expect((await create()).headers?.get("retry-after")).toBe("7");
  expect((await create()).headers?.get("retry-after")).toBe(null);
});

test("answers made by a fault are what they claim to be", async () => {
  sandbox.control.addFault({ kind: "html-502" });
  sandbox.control.addFault({ kind: "redirect", location: "https://evil.example/" });
  sandbox.control.addFault({ kind: "huge" });
  expect(await create()).toMatchObject({ text: expect.stringContaining("<html>") });
  expect((await create()).headers?.get("location")).toBe("https://evil.example/");
  expect((await create()).text.length).toBeGreaterThan(10_000_000);
});

test("a kill fault calls the hook of whoever runs the sandbox", async () => {
  const moments: number[] = [];
  sandbox.control.addFault({ kind: "kill", onKill: () => moments.push(live()) });
  sandbox.control.addFault({ kind: "kill", moment: "after", onKill: () => moments.push(live()) });
  await create();
  await create();
  expect(moments).toEqual([0, 1]);
});

test("a fault waits for its call: the n-th, the n-th write, by method and by path", async () => {
  const { call, control } = sandbox.service;
  const statuses = async (...calls: [string, string][]) => {
    const seen = [];
    for (const [method, path] of calls) seen.push((await call(method, path)).status);
    return seen;
  };
  control.addFault({ kind: "error-before", at: 2 });
  expect(await statuses(["GET", "/me"], ["GET", "/me"], ["GET", "/me"])).toEqual([200, 500, 200]);
  control.addFault({ kind: "error-before", writes: true });
  expect(await statuses(["GET", "/me"], ["POST", "/events"], ["POST", "/events"])).toEqual([200, 500, 400]);
  control.addFault({ kind: "error-before", method: "GET", path: "/venues", times: 2 });
  const search: [string, string] = ["GET", "/venues/search?query=hall"];
  expect(await statuses(["GET", "/me"], search, search, search)).toEqual([200, 500, 500, 200]);
  control.addFault({ kind: "error-before", times: 0 });
  expect(await statuses(["GET", "/me"], ["GET", "/me"])).toEqual([500, 500]);
  control.clearFaults();
  expect(await statuses(["GET", "/me"])).toEqual([200]);
});

test("an unknown fault is refused with the known ones", () => {
  expect(() => sandbox.control.addFault({ kind: "fire" as "kill" })).toThrow(/There is no fault "fire".*response-lost/);
});
