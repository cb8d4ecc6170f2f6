// The lock on a state ref, between clones of one real remote.
import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStateRef } from "../../../src/state/git/state-ref.ts";
import { type HeldFiles, type LockTimes, standardTimes } from "../../../src/state/shared/held-files.ts";
import { holderIn } from "../../../src/state/shared/holder.ts";
import { lockFiles, type SharedLocked } from "../../../src/state/shared/lock-files.ts";
import type { SharedFiles } from "../../../src/state/shared/shared-files.ts";

const quick: LockTimes = {
  ...standardTimes,
  renewMs: 400,
  takeoverMs: 1_500,
  confirmMs: 100,
  staleMs: 600,
  gatherMs: 300,
  pollMs: 100,
  patienceMs: 2_000,
};
/** A holder that never renews its lock, as one that is paused. */
const paused: LockTimes = { ...quick, renewMs: 3_600_000, confirmMs: 3_600_000, gatherMs: 3_600_000 };

let root: string;
const opened: SharedFiles[] = [];
const held: HeldFiles[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "held-ref-"));
  execFileSync("git", ["init", "-q", "--bare", "remote.git"], { cwd: root });
  for (const name of ["one", "two"])
    execFileSync("git", ["clone", "-q", "remote.git", name], { cwd: root, stdio: "ignore" });
});

afterEach(async () => {
  for (const each of held.splice(0)) await each.release();
  for (const ref of opened.splice(0)) await ref.close();
  rmSync(root, { recursive: true, force: true });
});

async function open(name: string): Promise<SharedFiles> {
  const ref = await openStateRef({ directory: join(root, name), environment: "production", remote: "origin" });
  if (!ref.ok) throw new Error(ref.message);
  opened.push(ref.value);
  return ref.value;
}

async function lock(ref: SharedFiles, timeoutMs = 0, times = quick): Promise<SharedLocked> {
  const locked = await lockFiles(ref, { command: "apply", run: null, timeoutMs, times });
  if (locked.ok) held.push(locked.held);
  return locked;
}

async function take(ref: SharedFiles, timeoutMs = 0, times = quick): Promise<HeldFiles> {
  const locked = await lock(ref, timeoutMs, times);
  if (!locked.ok) throw new Error("not locked");
  return locked.held;
}

describe("a lock", () => {
  test("keeps a second run out, names the holder, and lets it in afterwards", async () => {
    const first = await take(await open("one"));
    const two = await open("two");
    expect(await lock(two)).toMatchObject({
      ok: false,
      why: "held",
      holder: { token: first.holder.token, pid: process.pid },
    });
    first.set("state.json", "{}\n");
    expect(await first.release()).toBeNull();
    const second = await take(two);
    expect(second.files().get("state.json")).toBe("{}\n");
  });

  test("is given to one of two that ask in the same instant", async () => {
    const [one, two] = [await open("one"), await open("two")];
    const locked = await Promise.all([lock(one), lock(two)]);
    expect(locked.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("that is renewed is waited for in vain", async () => {
    await take(await open("one"));
    expect(await lock(await open("two"), 2_500)).toMatchObject({ ok: false, why: "held" });
  });

  test("that is not renewed is taken over, and its former holder finds out before its next call", async () => {
    const first = await take(await open("one"), 0, paused);
    const second = await take(await open("two"), 10_000);
    expect(await first.confirm()).toMatchObject({ reason: "moved" });
    first.set("state.json", "late");
    expect(await first.flush()).toMatchObject({ reason: "moved" });
    expect(first.isHeld()).toBe(false);
    expect(second.files().has("state.json")).toBe(false);
    expect(await second.confirm()).toBeNull();
  });

  test("of a process of this machine that is gone is taken over at once", async () => {
    const ref = await open("one");
    const first = await take(ref, 0, paused);
    const dead = { ...first.holder, pid: 2 ** 22 - 1, began: "1" };
    first.set("lock.json", JSON.stringify(dead));
    await first.flush();
    const began = performance.now();
    await take(await open("two"), 10_000);
    expect(performance.now() - began).toBeLessThan(1_400);
  });

  test("of a run that the host knows to be over is taken over at once", async () => {
    const first = { command: "apply", run: "https://ci/1", timeoutMs: 0, times: paused };
    expect(await lockFiles(await open("one"), first)).toMatchObject({ ok: true });
    const asked: string[] = [];
    const second = { command: "apply", run: null, timeoutMs: 0, times: quick };
    const hasEnded = async (run: string) => asked.push(run) > 0;
    expect(await lockFiles(await open("two"), { ...second, hasEnded: async () => false })).toMatchObject({ ok: false });
    const locked = await lockFiles(await open("two"), { ...second, hasEnded });
    expect(locked.ok).toBe(true);
    if (locked.ok) held.push(locked.held);
    expect(asked).toEqual(["https://ci/1"]);
  });
});

describe("while it is held", () => {
  test("edits that nobody waits for get to the remote by themselves", async () => {
    const first = await take(await open("one"));
    first.set("journal.jsonl", "a line\n");
    await sleep(1_500);
    const read = await (await open("two")).read();
    expect(read.ok && read.value?.files.get("journal.jsonl")).toBe("a line\n");
    expect(read.ok && read.value !== null && (holderIn(read.value.files)?.serial ?? 0)).toBeGreaterThan(1);
  });

  test("a remote that is away for a moment is waited for; nothing is sent meanwhile", async () => {
    const first = await take(await open("one"));
    renameSync(join(root, "remote.git"), join(root, "away.git"));
    await sleep(900);
    const confirmed = first.confirm();
    const state = await Promise.race([confirmed.then(() => "sent"), sleep(300).then(() => "waiting")]);
    expect(state).toBe("waiting");
    renameSync(join(root, "away.git"), join(root, "remote.git"));
    expect(await confirmed).toBeNull();
  });

  test("a remote that stays away ends the run", async () => {
    const first = await take(await open("one"));
    rmSync(join(root, "remote.git"), { recursive: true });
    await sleep(700);
    expect(await first.confirm()).toMatchObject({ ok: false });
    held.splice(0);
  }, 20_000);
});
