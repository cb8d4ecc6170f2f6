// Shards of one run on a state server, which take turns with its lock: what one writes, no other loses.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { HeldFiles } from "../../src/state/shared/held-files.ts";
import { lockFiles } from "../../src/state/shared/lock-files.ts";
import type { SharedFiles } from "../../src/state/shared/shared-files.ts";
import { type Fault, type FaultyCall, type StateServer, startStateServer } from "./http-server.ts";
import { openFiles } from "./http-store.ts";
import { pausedTimes } from "./store-under-test.ts";

let server: StateServer;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await server.stop();
});

async function open(leaseMs?: number): Promise<SharedFiles> {
  const files = await openFiles(`${server.base}/{environment}`, "token", "production", leaseMs);
  closing.push(() => files.close());
  return files;
}

/** Writes only when it is asked to. */
async function take(shard: "1/2" | "2/2", leaseMs?: number): Promise<HeldFiles> {
  const joint = { shard, run: "run 1", revision: null };
  const times = { ...pausedTimes, patienceMs: 20_000, takeoverMs: 120_000 };
  const locked = await lockFiles(await open(leaseMs), { command: "apply", run: null, timeoutMs: 0, times, joint });
  if (!locked.ok) throw new Error(JSON.stringify(locked));
  return locked.held;
}

function isUnlock({ method }: FaultyCall): boolean {
  return method === "UNLOCK" || method === "DELETE";
}

function isLock({ method, path }: FaultyCall): boolean {
  return method === "LOCK" || (method === "POST" && path.endsWith("/lock"));
}

/** Happens to the next call of this kind alone. */
function faultOnce(isMeant: (call: FaultyCall) => boolean, fault: Fault): void {
  server.fault = (call) => {
    if (!isMeant(call)) return null;
    server.fault = null;
    return fault;
  };
}

async function written(): Promise<Readonly<Record<string, string>>> {
  const read = await (await open()).read();
  if (!read.ok) throw new Error(read.message);
  const { "ticketing.json": _, ...files } = Object.fromEntries(read.value?.files ?? []);
  return files;
}

test.each(["plain", "gitlab"] as const)(
  "a lock of ours whose response was lost is none of another run (%s)",
  async (flavor) => {
    server = await startStateServer({ flavor });
    const files = await open();
    faultOnce(isLock, "after");
    const locked = await lockFiles(files, { command: "apply", run: null, timeoutMs: 0, times: pausedTimes });
    expect(locked).toMatchObject({ ok: true });
  },
);

describe.each(["plain", "gitlab"] as const)("shards on a %s server", (flavor) => {
  async function two(leaseMs?: number): Promise<readonly [HeldFiles, HeldFiles]> {
    server = await startStateServer({ flavor });
    return [await take("1/2", leaseMs), await take("2/2", leaseMs)];
  }

  test("a write that is under way is waited for, and lost by neither", async () => {
    const [one, other] = await two();
    let arrive = () => {};
    faultOnce(({ isWrite }) => isWrite, new Promise<void>((resolve) => (arrive = resolve)));
    one.set("journal.1-of-2.jsonl", "of one\n");
    const slow = one.flush();
    await sleep(200);
    other.set("journal.2-of-2.jsonl", "of the other\n");
    const waiting = other.flush();
    expect(await Promise.race([waiting, sleep(1_000).then(() => "waits")])).toBe("waits");
    arrive();
    expect(await Promise.all([slow, waiting])).toEqual([null, null]);
    expect(await written()).toMatchObject({
      "journal.1-of-2.jsonl": "of one\n",
      "journal.2-of-2.jsonl": "of the other\n",
    });
    expect(server.at("production").lock).toBeNull();
    other.set("state.json", "{}\n");
    expect(await other.release()).toBeNull();
    expect(await one.release()).toBeNull();
    expect(await written()).toEqual({
      "journal.1-of-2.jsonl": "of one\n",
      "journal.2-of-2.jsonl": "of the other\n",
      "state.json": "{}\n",
    });
  });

  test.each([
    ["LOCK is lost", isLock, "before"],
    ["the response to LOCK is lost", isLock, "after"],
    ["the response to the write is lost", ({ isWrite }: FaultyCall) => isWrite, "after"],
    ["the write is lost", ({ isWrite }: FaultyCall) => isWrite, "before"],
    ["the write comes late", ({ isWrite }: FaultyCall) => isWrite, "late"],
    ["UNLOCK is lost", isUnlock, "before"],
    ["the response to UNLOCK is lost", isUnlock, "after"],
  ] as const)(
    "%s: both are written, soon, and no lock is left",
    async (_, isMeant, fault) => {
      const [one, other] = await two();
      faultOnce(isMeant, fault);
      one.set("journal.1-of-2.jsonl", "of one\n");
      const first = one.flush();
      await sleep(100);
      other.set("journal.2-of-2.jsonl", "of the other\n");
      expect(await Promise.all([first, other.flush()])).toEqual([null, null]);
      expect(await written()).toMatchObject({
        "journal.1-of-2.jsonl": "of one\n",
        "journal.2-of-2.jsonl": "of the other\n",
      });
      expect(server.at("production").lock).toBeNull();
    },
    15_000,
  );

  test("a lock that a shard left when it died is removed once it has not changed for a while, and not before", async () => {
    const [, other] = await two(2_000);
    server.at("production").lock = { ID: "ticketing-of-one-that-died-7", Who: "ana@laptop" };
    other.set("state.json", "{}\n");
    const began = performance.now();
    expect(await other.flush()).toBeNull();
    expect(performance.now() - began).toBeGreaterThan(2_000);
    expect(server.at("production").lock).toBeNull();
    expect(await written()).toMatchObject({ "state.json": "{}\n" });
  });

  test("a lock of somebody else is never removed", async () => {
    const [, other] = await two(300);
    server.at("production").lock = { ID: "6d1ff8ab-terraform", Who: "ana@laptop" };
    other.set("state.json", "{}\n");
    const flushed = other.flush();
    expect(await Promise.race([flushed, sleep(1_500).then(() => "waits")])).toBe("waits");
    expect(server.at("production").lock).toMatchObject({ ID: "6d1ff8ab-terraform" });
    server.at("production").lock = null;
    expect(await flushed).toBeNull();
  });
});
