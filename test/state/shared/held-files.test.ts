// A lock that is held, over a place whose responses can be lost.
import { expect, test, vi } from "vitest";
import { copyStore } from "../../../src/app/operate/migrate-state.ts";
import type { HeldFiles } from "../../../src/state/shared/held-files.ts";
import { lockFiles } from "../../../src/state/shared/lock-files.ts";
import { type LockTimes, standardTimes } from "../../../src/state/shared/lock-times.ts";
import { type FilesVersion, type SharedFiles, storeFailure } from "../../../src/state/shared/shared-files.ts";
import { sharedStore } from "../../../src/state/shared/shared-store.ts";
import { beginState, type StateStore } from "../../../src/state/store.ts";
import { testWorld } from "../../stage/test-world.ts";

const never = 3_600_000;
const times: LockTimes = { ...standardTimes, renewMs: never, confirmMs: never, gatherMs: never };

const down = storeFailure("unreachable", "nothing answers");

/** A place in memory: compare and swap, as every store has it. */
function place() {
  let present: FilesVersion | null = null;
  let made = 0;
  const faults = { lost: 0, tipMs: 0, isDown: false };
  let tips = 0;
  const files: SharedFiles = {
    name: "memory",
    async tip() {
      tips += 1;
      await new Promise((done) => setTimeout(done, faults.tipMs).unref());
      if (faults.isDown) return down;
      return { ok: true, value: present?.id ?? null };
    },
    read: async () => ({ ok: true, value: present }),
    async write(content, before, _subject, onVersion) {
      if (faults.isDown) return down;
      if (before?.id !== present?.id) return storeFailure("moved", "somebody else wrote");
      made += 1;
      const version = { id: String(made), files: new Map(content) };
      onVersion?.(version);
      present = version;
      if (faults.lost === 0) return { ok: true, value: version };
      faults.lost -= 1;
      return storeFailure("unreachable", "the response was lost");
    },
    close: async () => undefined,
  };
  return { files, faults, has: (file: string) => present?.files.has(file) === true, tips: () => tips };
}

/** The same place for one whose writes wait from the third on: it takes the lock, lets go of it, and tries that again. */
function waitingPlace(files: SharedFiles): { readonly files: SharedFiles; goOn(): void } {
  let goOn: () => void = () => undefined;
  const going = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let writes = 0;
  return {
    files: {
      ...files,
      async write(...args) {
        writes += 1;
        if (writes > 2) await going;
        return files.write(...args);
      },
    },
    goOn: () => goOn(),
  };
}

async function take(files: SharedFiles, chosen: Partial<LockTimes> = {}): Promise<HeldFiles> {
  const locked = await lockFiles(files, {
    command: "apply",
    run: null,
    timeoutMs: 5000,
    times: { ...times, ...chosen },
  });
  if (!locked.ok) throw new Error(JSON.stringify(locked));
  return locked.held;
}

test("a lock whose response was lost is held by whoever asked for it", async () => {
  const { files, faults, has } = place();
  faults.lost = 1;
  const held = await take(files);
  expect(held.files().has("lock.json")).toBe(true);
  expect(await held.confirm()).toBeNull();
  held.set("state.json", "saved");
  expect(await held.release()).toBeNull();
  expect([has("lock.json"), has("state.json")]).toEqual([false, true]);
});

test("a release that arrived is no loss, although its response did not and another run has the lock", async () => {
  const { files, faults, has } = place();
  const waiting = waitingPlace(files);
  const one = await take(waiting.files);
  one.set("state.json", "saved");
  one.set("journal.jsonl", null);
  faults.lost = 1;
  const releasing = one.release();
  await expect.poll(() => has("lock.json")).toBe(false);
  const two = await take(files);
  expect(two.files().get("state.json")).toBe("saved");
  waiting.goOn();
  expect(await releasing).toBeNull();
});

test("a release that another run has written over is a loss", async () => {
  const { files, faults, has } = place();
  const waiting = waitingPlace(files);
  const one = await take(waiting.files);
  one.set("state.json", "saved");
  faults.lost = 1;
  const releasing = one.release();
  await expect.poll(() => has("lock.json")).toBe(false);
  const two = await take(files);
  two.set("state.json", "another");
  await two.flush();
  waiting.goOn();
  expect(await releasing).toMatchObject({ reason: "moved" });
});

test("a change that cannot be made is reported to whoever waits, and nothing is written", async () => {
  const { files, has } = place();
  const held = await take(files, { renewMs: 20 });
  held.set("state.json", () => storeFailure("foreign", "what another shard wrote cannot be read"));
  held.set("journal.jsonl", "a");
  await new Promise((done) => setTimeout(done, 60));
  expect(await held.flush()).toMatchObject({ reason: "foreign" });
  expect(has("journal.jsonl")).toBe(false);
  held.set("state.json", null);
  expect(await held.flush()).toBeNull();
  expect(has("journal.jsonl")).toBe(true);
  expect(await held.release()).toBeNull();
  expect(has("lock.json")).toBe(false);
});

test("whoever lets go twice waits for the same end", async () => {
  const { files, has } = place();
  const held = await take(files);
  const first = held.release();
  await held.release();
  expect(has("lock.json")).toBe(false);
  expect(await first).toBeNull();
});

test("a lock that is given back does not come again by a call that waited for its confirmation", async () => {
  const { files, faults, has } = place();
  const held = await take(files, { takeoverMs: 1000, renewMs: 900, staleMs: 50, patienceMs: 500 });
  faults.tipMs = 60;
  await new Promise((done) => setTimeout(done, 120));
  const waiting = held.confirm();
  await held.release();
  await waiting;
  expect(has("lock.json")).toBe(false);
});

const hints = { refused: "", unreachable: "", foreign: "", setup: "", unsafe: "" };

/** The store that is made of the place. */
function storeOver(files: SharedFiles, chosen: Partial<LockTimes> = {}): StateStore {
  return sharedStore({
    directory: "/",
    environment: "production",
    baseUrl: "https://service.example",
    secrets: () => ({ current: "key", previous: null }),
    open: async () => ({ ok: true, value: files }),
    openLedger: null,
    words: { place: "memory", peer: "memory", lead: () => "It failed", hints },
    times: { ...times, ...chosen },
  });
}

test("state migrate takes the log of runs along, in its order and once", async () => {
  const [first, second] = [place().files, place().files];
  const apply = async (store: StateStore, day: number) => {
    const locked = await store.lock({ command: "apply", timeoutMs: 0 });
    if (!locked.ok) throw new Error("not locked");
    const at = `2027-01-0${day}T00:00:00.000Z`;
    store.log?.begin({ at, revision: `r${day}` });
    const summary = { done: day, failed: 0, skipped: 0, unsure: 0 };
    store.log?.end({ at, clean: true, summary });
    const loaded = await store.load();
    const before = loaded.ok ? loaded.state : null;
    await store.save({ ...(before ?? beginState(null)), serial: day }, before);
    expect(await locked.lock.release()).toBe(null);
  };
  const { world } = testWorld([]);
  await apply(storeOver(first), 1);
  await apply(storeOver(first), 2);
  expect(await copyStore(world, storeOver(first), storeOver(second))).toMatchObject({ ok: true, serial: 2 });
  await apply(storeOver(second), 3);
  expect(await copyStore(world, storeOver(second), storeOver(first))).toMatchObject({ ok: true, serial: 3 });
  expect(await storeOver(first).log?.read()).toMatchObject({
    records: [{ revision: "r1" }, { revision: "r2" }, { revision: "r3" }],
  });
});

test("state migrate takes a journal along where nothing was saved yet, and back", async () => {
  const [first, second] = [place().files, place().files];
  const { world } = testWorld([]);
  const locked = await storeOver(first).lock({ command: "apply", timeoutMs: 0 });
  if (!locked.ok) throw new Error("not locked");
  expect(await locked.lock.release()).toBe(null);
  const begun = storeOver(first);
  const again = await begun.lock({ command: "apply", timeoutMs: 0 });
  expect(await begun.journal.replace('{"type":"run"}\n')).toBe(null);
  if (again.ok) expect(await again.lock.release()).toBe(null);
  expect(await copyStore(world, storeOver(first), storeOver(second))).toMatchObject({ ok: true, journal: true });
  expect(await storeOver(first).load()).toMatchObject({ state: { moved: { to: "memory" } } });
  const other = storeOver(second);
  const third = await other.lock({ command: "apply", timeoutMs: 0 });
  expect(await other.journal.replace("")).toBe(null);
  if (third.ok) expect(await third.lock.release()).toBe(null);
  expect(await copyStore(world, storeOver(second), storeOver(first))).toMatchObject({ ok: true, journal: false });
  expect(await storeOver(first).load()).toMatchObject({ state: { serial: 0 } });
  expect(await storeOver(first).journal.read()).toMatchObject({ text: "" });
});

test("a call waits for the confirmation as long as a store is waited for, and until it is interrupted", async () => {
  const { files, faults } = place();
  const store = storeOver(files, { staleMs: 20, patienceMs: 300 });
  expect(await store.lock({ command: "apply", timeoutMs: 0 })).toMatchObject({ ok: true });
  // It never answers: whoever waited for that would wait until the test is given up.
  faults.tipMs = never;
  await vi.waitUntil(() => !store.guard.isOpen());
  const stop = new AbortController();
  const [waiting, stopped] = [store.guard.wait(), store.guard.wait(stop.signal)];
  stop.abort();
  expect(await Promise.race([stopped, waiting.then(() => "the other one")])).toMatchObject({
    code: "lock-unconfirmed",
  });
  expect(await waiting).toMatchObject({ code: "lock-unconfirmed" });
});

test("a store that is closed says what it could not write, and lets nothing out afterward", async () => {
  const { files } = place();
  const broken = { ...files };
  const store = storeOver(broken);
  expect(store.guard.isOpen()).toBe(true);
  expect(await store.lock({ command: "apply", timeoutMs: 0 })).toMatchObject({ ok: true });
  expect(store.guard.isOpen()).toBe(true);
  broken.write = async () => storeFailure("setup", "the disk is gone");
  expect(await store.close?.()).toMatchObject({ message: expect.stringContaining("the disk is gone") });
  expect(store.guard.isOpen()).toBe(false);
  expect(await store.guard.wait()).toMatchObject({ code: "lock-lost" });
});

test("shards that hold the lock together are all named, and lose it together", async () => {
  const { files } = place();
  const open = () => storeOver(files);
  const run = { run: "1", revision: null };
  for (const shard of ["1/2", "2/2"] as const)
    expect(await open().lock({ command: "apply", timeoutMs: 0, joint: { ...run, shard } })).toMatchObject({ ok: true });
  const joint = [{ joint: { shard: "1/2" } }, { joint: { shard: "2/2" } }];
  expect(await open().holders()).toMatchObject(joint);
  expect(await open().unlock()).toMatchObject({ holders: joint });
  expect(await open().holders()).toEqual([]);
});

test("once a lock was taken away, its holder sends nothing more, however seldom it asks", async () => {
  const { files } = place();
  const store = storeOver(files, { confirmMs: never, staleMs: 300 });
  expect(await store.lock({ command: "apply", timeoutMs: 0 })).toMatchObject({ ok: true });
  await storeOver(files, { staleMs: 300 }).unlock();
  expect(store.guard.isOpen()).toBe(false);
  expect(await store.guard.wait()).toMatchObject({ code: "lock-lost" });
});

test("a lock that was taken since somebody looked stays", async () => {
  const { files, has } = place();
  await take(files);
  expect(await storeOver(files).unlock([])).toMatchObject({ ok: false, diagnostics: [{ code: "state-locked" }] });
  expect(has("lock.json")).toBe(true);
});

/** A holder that writes each time that another is about to, so many times. */
function busyHolder(files: SharedFiles, often: number): SharedFiles {
  let left = often;
  return {
    ...files,
    async write(content, before, ...rest) {
      if (left-- > 0 && before !== null) await files.write(before.files, before, "apply: journal");
      return files.write(content, before, ...rest);
    },
  };
}

test("a lock is taken away from a holder that was faster many times", async () => {
  const { files, has } = place();
  const held = await take(files);
  expect(await storeOver(busyHolder(files, 25), { pollMs: 20 }).unlock()).toMatchObject({
    holders: [{ token: held.holder.token }],
  });
  expect(has("lock.json")).toBe(false);
});

test("whoever cannot take a lock away from a holder that always is faster learns whom to stop", async () => {
  const { files, has } = place();
  const { holder } = await take(files);
  const unlocking = storeOver(busyHolder(files, Number.POSITIVE_INFINITY), { patienceMs: 100, pollMs: 20 }).unlock();
  expect(await unlocking).toMatchObject({
    diagnostics: [
      {
        code: "state-locked",
        message: expect.stringContaining(`apply by ${holder.user} on ${holder.host} (process ${holder.pid})`),
        hint: expect.stringContaining("Stop that run"),
      },
    ],
  });
  expect(has("lock.json")).toBe(true);
});

test("a store that stays away is waited for once, and not by every call", async () => {
  const { files, faults, tips } = place();
  const held = await take(files, { staleMs: 20, patienceMs: 400, renewMs: 100 });
  faults.isDown = true;
  await new Promise((done) => setTimeout(done, 60));
  expect(await held.confirm()).toMatchObject({ reason: "unreachable" });
  const asked = tips();
  expect(asked).toBeGreaterThan(0);
  for (let nth = 0; nth < 9; nth++) expect(await held.confirm()).toMatchObject({ reason: "unreachable" });
  expect(tips()).toBe(asked);
  faults.isDown = false;
  await expect.poll(() => held.confirm()).toBeNull();
  faults.isDown = true;
  expect(await held.release()).toMatchObject({ reason: "unreachable" });
});
