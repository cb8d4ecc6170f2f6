import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileStore } from "../../src/state/file/file-store.ts";
import { breakLock, isAlive, type LockAttempt, type LockHolder, tryLock } from "../../src/system/file-lock.ts";
import { beganAt } from "../../src/system/processes.ts";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "ticketing-lock-"));
  path = join(directory, "lock.json");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const dead = () => false;

function take(isAliveNow?: (holder: LockHolder) => boolean): Promise<LockAttempt> {
  return tryLock({
    path,
    command: "apply",
    unlockHint: "Unlock it.",
    ...(isAliveNow === undefined ? {} : { isAlive: isAliveNow }),
  });
}

function held(attempt: LockAttempt) {
  if (!attempt.held) throw new Error("not held");
  return attempt.lock;
}

test("one holds, the other learns who; after the release it is free", async () => {
  const first = held(await take());
  const second = await take();
  expect(second).toMatchObject({ held: false, holder: { pid: process.pid, command: "apply" } });
  expect(first.isHeld()).toBe(true);
  await first.release();
  expect(first.isHeld()).toBe(false);
  held(await take());
});

test("a dead holder is succeeded, by one heir only, however many come at once", async () => {
  for (let round = 0; round < 20; round++) {
    const gone = held(await take());
    const known = gone.holder.token;
    const attempts = await Promise.all(Array.from({ length: 8 }, () => take((holder) => holder.token !== known)));
    const winners = attempts.filter((attempt) => attempt.held);
    expect(winners).toHaveLength(1);
    await Promise.all(winners.map((winner) => held(winner).release()));
    expect(await readdir(directory)).toEqual([]);
  }
});

test("an heir that dies is itself succeeded, and the whole line goes with the last release", async () => {
  await take();
  held(await take(dead));
  held(await take(dead));
  const last = held(await take(dead));
  expect(last.isHeld()).toBe(true);
  expect((await take(() => true)).held).toBe(false);
  await last.release();
  expect(await readdir(directory)).toEqual([]);
});

test("a lock that was broken is not held anymore, and its late release harms no one", async () => {
  const first = held(await take());
  expect(first.isHeld()).toBe(true);
  expect((await breakLock(path))?.token).toBe(first.holder.token);
  expect(first.isHeld()).toBe(false);
  const second = held(await take());
  expect([first.isHeld(), first.isHeld(), second.isHeld()]).toEqual([false, false, true]);
  await first.release();
  expect(second.isHeld()).toBe(true);
});

test("a damaged lock file blocks only while it is young", async () => {
  await writeFile(path, "");
  expect(await take()).toMatchObject({ held: false, holder: "unreadable" });
});

test("a lock that cannot be read is not called another run", async () => {
  const store = fileStore({ directory, environment: "default", baseUrl: null, secrets: () => null });
  await mkdir(join(directory, ".ticketing"), { mode: 0o700 });
  await writeFile(join(directory, ".ticketing", "lock.default.json"), "garbage");
  const refused = await store.lock({ command: "apply", timeoutMs: 0 });
  expect(refused.ok ? "" : refused.diagnostics[0]?.message).toBe(
    "The lock .ticketing/lock.default.json cannot be read, so it is not known whether another run is active.",
  );
});

test("the fix for an unreadable lock of a service names the file: `state unlock` cannot know which service it is of", async () => {
  const setup = { directory, baseUrl: "https://api.example.com", secrets: () => ({ current: "key", previous: null }) };
  const [store, other] = ["one", "two"].map((environment) => fileStore({ ...setup, environment }));
  const locked = await store?.lock({ command: "apply", timeoutMs: 0 });
  const name = (await readdir(join(directory, ".ticketing"))).find((file) => file.startsWith("service.")) ?? "";
  if (locked?.ok === true) await locked.lock.release();
  await writeFile(join(directory, ".ticketing", name), "garbage");
  const refused = await other?.lock({ command: "apply", timeoutMs: 0 });
  expect(refused?.ok === false ? refused.diagnostics[0]?.hint : "").toContain(`delete .ticketing/${name}.`);
});

test("life: this process, an ended one, a reused pid, another machine", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => child.on("exit", resolve));
  const holder = { token: "0", host: hostname(), began: null, since: "", command: "", user: "" };
  expect(isAlive({ ...holder, pid: process.pid, began: beganAt(process.pid) })).toBe(true);
  expect(isAlive({ ...holder, pid: child.pid ?? 0 })).toBe(false);
  if (beganAt(process.pid) !== null) expect(isAlive({ ...holder, pid: process.pid, began: "1" })).toBe(false);
  expect(isAlive({ ...holder, host: "elsewhere", pid: 1 })).toBe(true);
});

test("the store waits as long as it is asked to, names the holder, and gives up", async () => {
  const store = fileStore({ directory, environment: "x", baseUrl: null, secrets: () => null });
  const first = await store.lock({ command: "apply", timeoutMs: 0 });
  if (!first.ok) throw new Error("not held");
  const refused = await store.lock({ command: "apply", timeoutMs: 0 });
  expect(refused.ok ? null : refused.diagnostics[0]).toMatchObject({ code: "state-locked" });
  expect(refused.ok ? "" : refused.diagnostics[0]?.message).toContain(String(process.pid));
  const waited: LockHolder[] = [];
  const patient = await store.lock({
    command: "apply",
    timeoutMs: 60_000,
    onWait(holder) {
      waited.push(holder);
      void first.lock.release();
    },
  });
  expect(patient.ok).toBe(true);
  expect(waited).toHaveLength(1);
  expect(await store.unlock()).toMatchObject({ holders: [{ pid: process.pid }] });
  expect(await store.unlock()).toEqual({ ok: true, holders: [], unreadable: false });
});
