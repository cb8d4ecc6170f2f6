// What every place for shared state must do: its files, their lock, and the store that is made of both.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Diagnostic, type Fallible, Halt, orHalt } from "../../src/model/diagnostic.ts";
import type { HeldFiles } from "../../src/state/shared/held-files.ts";
import { holderIn } from "../../src/state/shared/holder.ts";
import { lockFiles, type SharedLocked } from "../../src/state/shared/lock-files.ts";
import type { FilesVersion, SharedFiles, StoreResult } from "../../src/state/shared/shared-files.ts";
import { beginState, type Lock, type StateStore } from "../../src/state/store.ts";
import {
  calmTimes,
  openStarted,
  pausedTimes,
  quickTimes,
  type StartedStore,
  type StoreUnderTest,
} from "./store-under-test.ts";

export function storeContract(store: StoreUnderTest): void {
  describe(`state in ${store.name}`, () => {
    let started: StartedStore;
    let environments = 0;
    /** Of the test that runs: nothing was written to it before. */
    let environment = "";
    const said: string[] = [];
    const closing: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      started = await store.start();
    });
    afterAll(() => started.stop());
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
      for (const secret of started.secrets) expect(said.join("\n")).not.toContain(secret);
    });

    async function open(): Promise<SharedFiles> {
      const files = await started.files(environment);
      closing.push(() => files.close());
      return listening(files);
    }

    /** What it says is remembered. */
    function listening(files: SharedFiles): SharedFiles {
      async function heard<Value>(response: Promise<StoreResult<Value>>): Promise<StoreResult<Value>> {
        const result = await response;
        if (!result.ok) said.push(result.message);
        return result;
      }
      return {
        ...files,
        tip: () => heard(files.tip()),
        read: (toWrite) => heard(files.read(toWrite)),
        write: (...args) => heard(files.write(...args)),
      };
    }

    function openState(times = quickTimes): StateStore {
      const opened = openStarted(started, environment, times);
      closing.push(async () => opened.close?.());
      return opened;
    }

    function saidBy<Value>(result: Fallible<Value>): readonly Diagnostic[] {
      if (result.ok) throw new Error("It did not fail.");
      said.push(...result.diagnostics.flatMap(({ message, hint = "" }) => [message, hint]));
      return result.diagnostics;
    }

    function story(name: string, tell: () => Promise<void>, timeoutMs = 60_000): void {
      test(name, { timeout: timeoutMs }, async () => {
        environment = `production-${++environments}`;
        try {
          await tell();
        } finally {
          await started.back();
        }
      });
    }

    describe("its files", () => {
      story("are none where nothing was written", async () => {
        const files = await open();
        expect(await files.tip()).toEqual({ ok: true, value: null });
        expect(await files.read()).toEqual({ ok: true, value: null });
      });

      story("are read elsewhere as they were written, with another id each time", async () => {
        const one = await open();
        const two = await open();
        const large = "Größe 🎟️ ".repeat(250_000);
        const reported: FilesVersion[] = [];
        const first = given(
          await one.write(mapOf({ "state.json": "{}\n", large }), null, "one", (each) => void reported.push(each)),
        );
        expect(reported.map(({ id }) => id)).toEqual([first.id]);
        expect(await two.tip()).toEqual({ ok: true, value: first.id });
        const read = given(await two.read());
        expect(read?.id).toBe(first.id);
        expect(Object.fromEntries(read?.files ?? [])).toMatchObject({ "state.json": "{}\n", large });
        const second = given(await two.write(read?.files ?? new Map(), read, "the same"));
        expect(second.id).not.toBe(first.id);
        expect(await one.tip()).toEqual({ ok: true, value: second.id });
        const third = given(await one.write(mapOf({ other: "" }), given(await one.read()), "less"));
        const left = given(await two.read(true));
        expect(left?.id).toBe(third.id);
        expect(left?.files.has("state.json")).toBe(false);
        expect(left?.files.get("other")).toBe("");
      });

      story("are refused from what was read before somebody else wrote", async () => {
        const [one, two] = [await open(), await open()];
        const begun = given(await one.write(mapOf({ a: "1" }), null, "one"));
        const seen = given(await two.read());
        given(await one.write(mapOf({ a: "2" }), begun, "two"));
        expect(await two.write(mapOf({ a: "3" }), seen, "three")).toMatchObject({ ok: false, reason: "moved" });
        expect(await two.write(mapOf({ a: "3" }), null, "three")).toMatchObject({ ok: false, reason: "moved" });
        expect(given(await two.read())?.files.get("a")).toBe("2");
      });

      story("are taken from one of several that write in the same instant", async () => {
        const handles = await Promise.all([1, 2, 3, 4].map(() => open()));
        for (const round of ["first", "second"]) {
          const seen = await Promise.all(handles.map(async (each) => given(await each.read())));
          const results = await Promise.all(
            handles.map((each, index) => each.write(mapOf({ a: `${round} ${index}` }), seen[index] ?? null, "race")),
          );
          const winners = results.flatMap((result, index) => (result.ok ? [`${round} ${index}`] : []));
          expect(winners).toHaveLength(1);
          expect(given(await (await open()).read())?.files.get("a")).toBe(winners[0]);
        }
      });

      story("are known to be ours where the response was lost", async () => {
        const files = await open();
        let before: FilesVersion | null = null;
        for (const content of ["1", "2"]) {
          const reported: string[] = [];
          await started.loseNextResponse();
          const written = await files.write(mapOf({ a: content }), before, "lost", ({ id }) => void reported.push(id));
          const tip = given(await files.tip());
          expect(reported).toContain(tip);
          if (!written.ok) expect(written.reason).toBe("unreachable");
          before = given(await files.read());
          expect(before?.id).toBe(tip);
          expect(before?.files.get("a")).toBe(content);
        }
      });

      story("cannot be reached, and are not taken for none", async () => {
        const files = await open();
        const begun = given(await files.write(mapOf({ a: "1" }), null, "one"));
        await started.away();
        for (const result of [
          await files.tip(),
          await files.read(),
          await files.write(mapOf({ a: "2" }), begun, "two"),
          await files.write(mapOf({ a: "2" }), null, "two"),
        ]) {
          expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(/^(unreachable|refused)$/) });
          expect(result).toMatchObject({ message: expect.stringMatching(/\S{3}/) });
        }
        await started.back();
        expect(given(await files.read())?.files.get("a")).toBe("1");
        given(await files.write(mapOf({ a: "2" }), begun, "two"));
      });

      story("of others are left alone", async () => {
        for (const [files, reason] of [
          [{ "notes.txt": "somebody else's" }, "foreign"],
          [{ "ticketing.json": "{" }, "foreign"],
          [{ "ticketing.json": '{"formatVersion":1}' }, "foreign"],
          [{ "ticketing.json": '{"formatVersion":2,"environment":"ENV"}' }, "too-new"],
          [{ "ticketing.json": '{"formatVersion":1,"environment":"another"}', "state.json": "{}" }, "foreign"],
        ] as const) {
          environment = `planted-${++environments}`;
          await started.plant(
            environment,
            Object.fromEntries(Object.entries(files).map(([file, text]) => [file, text.replace("ENV", environment)])),
          );
          const handle = await open();
          expect(await handle.read(), JSON.stringify(files)).toMatchObject({ ok: false, reason });
          expect(await handle.write(mapOf({ a: "1" }), null, "over it")).toMatchObject({ ok: false });
          expect(await handle.read()).toMatchObject({ ok: false, reason });
        }
      });

      story("are out of reach once the handle is closed", async () => {
        const files = await open();
        await files.close();
        expect(await files.read()).toMatchObject({ ok: false, reason: "setup" });
        expect(await files.write(new Map(), null, "late")).toMatchObject({ ok: false, reason: "setup" });
        expect(await (await open()).read()).toEqual({ ok: true, value: null });
      });
    });

    describe("its lock", () => {
      async function lock(files: SharedFiles, timeoutMs = 0, times = quickTimes): Promise<SharedLocked> {
        const locked = await lockFiles(files, { command: "apply", run: null, timeoutMs, times });
        if (locked.ok) closing.push(() => locked.held.release());
        return locked;
      }

      async function take(files: SharedFiles, timeoutMs = 0, times = quickTimes): Promise<HeldFiles> {
        const locked = await lock(files, timeoutMs, times);
        if (!locked.ok) throw new Error(`not locked: ${JSON.stringify(locked)}`);
        return locked.held;
      }

      story("keeps a second run out, names the holder, and lets it in afterwards", async () => {
        const first = await take(await open());
        const two = await open();
        expect(await lock(two)).toMatchObject({
          ok: false,
          reason: "held",
          holder: { token: first.holder.token, pid: process.pid },
        });
        first.set("state.json", "{}\n");
        expect(await first.release()).toBeNull();
        const second = await take(two);
        expect(second.files().get("state.json")).toBe("{}\n");
      });

      story("is given to one of two that ask in the same instant", async () => {
        const [one, two] = [await open(), await open()];
        const locked = await Promise.all([lock(one), lock(two)]);
        expect(locked.filter(({ ok }) => ok)).toHaveLength(1);
      });

      story("is waited for in vain while it is renewed", async () => {
        const first = await take(await open());
        // The clock of the other machine may be wrong: no one compares it with their own.
        first.set("lock.json", JSON.stringify({ ...first.holder, since: "2020-01-01T00:00:00.000Z" }));
        await first.flush();
        const takeoverMs = 4_000;
        expect(await lock(await open(), takeoverMs + 2_000, { ...quickTimes, takeoverMs })).toMatchObject({
          ok: false,
          reason: "held",
        });
      });

      story("is taken over where it is not renewed, and its former holder finds out before its next call", async () => {
        const first = await take(await open(), 0, pausedTimes);
        const since = "2999-01-01T00:00:00.000Z";
        first.set("lock.json", JSON.stringify({ ...first.holder, since }));
        await first.flush();
        const other = await open();
        expect(await lock(other)).toMatchObject({ ok: false, reason: "held", holder: { since } });
        const second = await take(other, 10_000);
        expect(await first.confirm()).toMatchObject({ reason: "moved" });
        first.set("state.json", "late");
        expect(await first.flush()).toMatchObject({ reason: "moved" });
        expect(first.isHeld()).toBe(false);
        expect(second.files().has("state.json")).toBe(false);
        await expect.poll(() => second.confirm()).toBeNull();
      });

      story("is taken over at once from a process of this machine that is gone", async () => {
        const first = await take(await open(), 0, pausedTimes);
        first.set("lock.json", JSON.stringify({ ...first.holder, pid: 2 ** 22 - 1, began: "1" }));
        await first.flush();
        await take(await open(), 0, { ...quickTimes, takeoverMs: 3_600_000 });
      });

      story("is taken over at once from a run that the host knows to be over", async () => {
        const first = { command: "apply", run: "https://ci/1", timeoutMs: 0, times: pausedTimes };
        expect(await lockFiles(await open(), first)).toMatchObject({ ok: true });
        const asked: string[] = [];
        const second = { command: "apply", run: null, timeoutMs: 0, times: quickTimes };
        const hasEnded = async (run: string) => asked.push(run) > 0;
        expect(await lockFiles(await open(), { ...second, hasEnded: async () => false })).toMatchObject({ ok: false });
        const locked = await lockFiles(await open(), { ...second, hasEnded });
        expect(locked.ok).toBe(true);
        if (locked.ok) closing.push(() => locked.held.release());
        expect(asked).toEqual(["https://ci/1"]);
      });

      story("lets edits that nobody waits for get there by themselves", async () => {
        const first = await take(await open());
        first.set("journal.jsonl", "a line\n");
        const other = await open();
        const filesNow = async () => given(await other.read())?.files ?? new Map<string, string>();
        await expect.poll(async () => (await filesNow()).get("journal.jsonl")).toBe("a line\n");
        await expect.poll(async () => holderIn(await filesNow())?.serial).toBeGreaterThan(1);
      });

      story("is held by whoever asked for it, where the response was lost", async () => {
        for (const [name, content] of [
          ["a", "1"],
          ["b", "2"],
        ] as const) {
          await started.loseNextResponse();
          const held = await take(await open());
          held.set(name, content);
          expect(await held.release()).toBeNull();
        }
        expect(Object.fromEntries(given(await (await open()).read())?.files ?? [])).toMatchObject({ a: "1", b: "2" });
      });

      story("survives a lost response", async () => {
        const first = await take(await open(), 0, calmTimes);
        await started.loseNextResponse();
        first.set("journal.jsonl", "a line\n");
        expect(await first.flush()).toBeNull();
        expect(await first.confirm()).toBeNull();
        first.set("journal.jsonl", "two\n");
        expect(await first.flush()).toBeNull();
        expect(given(await (await open()).read())?.files.get("journal.jsonl")).toBe("two\n");
      });

      story("is waited for where the store is away for a moment; nothing is sent meanwhile", async () => {
        const first = await take(await open(), 0, calmTimes);
        await started.away();
        await sleep(calmTimes.staleMs + 300);
        const confirmed = first.confirm();
        const state = await Promise.race([confirmed.then(() => "sent"), sleep(300).then(() => "waiting")]);
        expect(state).toBe("waiting");
        await started.back();
        expect(await confirmed).toBeNull();
      });

      story("is given up where the store stays away", async () => {
        const first = await take(await open());
        await started.away();
        await sleep(700);
        expect(await first.confirm()).toMatchObject({ ok: false });
        first.set("journal.jsonl", "a line\n");
        expect(await first.flush()).toMatchObject({ ok: false });
      });
    });

    describe("its state", () => {
      const organization = { id: "3f0c9e0e-6a55-4d8f-9c7b-1f6f8a5b2c10", slug: "bayside" };

      async function locked(opened: StateStore, timeoutMs = 0): Promise<Lock> {
        const result = await opened.lock({ command: "apply", timeoutMs });
        if (!result.ok) throw new Error(`not locked: ${saidBy(result).map(({ message }) => message)}`);
        return result.lock;
      }

      story("is saved under the lock alone, and loaded elsewhere", async () => {
        const one = openState();
        expect(await one.load()).toEqual({ ok: true, state: null, unverified: null });
        const state = { ...beginState(organization), serial: 1 };
        expect(await one.save(state, null)).toMatchObject({ code: "lock-lost" });
        const lock = await locked(one);
        expect(await one.save(state, null)).toBeNull();
        await one.journal.open(lock.isHeld);
        await one.journal.append('{"type":"run"}\n');
        const two = openState();
        expect(orHalt(await two.journal.read()).text).toBe('{"type":"run"}\n');
        expect(saidBy(await two.lock({ command: "apply", timeoutMs: 0 }))).toMatchObject([
          {
            code: "state-locked",
            message: expect.stringContaining("apply by "),
            hint: expect.stringContaining("takes the lock over once the other run has not renewed it"),
          },
        ]);
        await one.journal.replace("");
        expect(await lock.release()).toBeNull();
        const three = openState();
        expect(await three.load()).toMatchObject({ ok: true, state: { lineage: state.lineage, serial: 1 } });
        expect(await three.holders()).toEqual([]);
        expect(orHalt(await three.journal.read()).text).toBe("");
        const again = await locked(three);
        expect(await three.save({ ...state, serial: 2 }, null)).toMatchObject({ code: "state-changed-meanwhile" });
        const moved = { to: "elsewhere", at: "2027-01-01T00:00:00.000Z", by: "ana on laptop" };
        expect(await three.save({ ...state, serial: 2, moved }, state)).toBeNull();
        expect(await again.release()).toBeNull();
        expect(await openState().load()).toMatchObject({ ok: true, state: { serial: 2, moved } });
      });

      story("is not written anymore by one whose lock was taken away", async () => {
        // It does not write while its lock is taken away.
        const one = openState({ ...quickTimes, renewMs: 30_000 });
        const lock = await locked(one);
        await one.journal.open(lock.isHeld);
        await one.journal.append("a\n");
        expect(await openState().unlock()).toMatchObject({ holders: [{ token: lock.holder.token }] });
        expect(await openState().holders()).toEqual([]);
        await expect(one.journal.append("b\n")).rejects.toThrow(Halt);
        expect(await one.guard.wait()).toMatchObject({ code: "lock-lost" });
        expect(one.guard.isOpen()).toBe(false);
        expect(lock.isHeld()).toBe(false);
        const two = openState();
        const next = await locked(two);
        expect(orHalt(await two.journal.read()).text).toBe("a\n");
        expect(await lock.release()).toMatchObject({ code: "lock-lost" });
        expect(next.isHeld()).toBe(true);
        expect(await openState().holders()).toMatchObject([{ token: next.holder.token }]);
      });

      story("is there again for the next one when a paused holder was overtaken", async () => {
        const one = openState(pausedTimes);
        const lock = await locked(one);
        await one.journal.open(lock.isHeld);
        await one.journal.append("a\n");
        const two = openState();
        const next = await locked(two, 20_000);
        expect(orHalt(await two.journal.read()).text).toBe("a\n");
        expect(await one.guard.wait()).toMatchObject({ code: "lock-lost" });
        await expect(one.journal.append("b\n")).rejects.toThrow(Halt);
        expect(await next.release()).toBeNull();
        expect(orHalt(await openState().journal.read()).text).toBe("a\n");
      });

      story("is never taken for empty where it cannot be read", async () => {
        await started.away();
        const away = openState();
        expect(saidBy(await away.load())).toMatchObject([{ code: "state-unusable", hint: expect.any(String) }]);
        expect(saidBy(await away.journal.read())).toMatchObject([{ code: "state-unusable" }]);
        expect(saidBy(await openState().lock({ command: "apply", timeoutMs: 0 }))).toMatchObject([
          { code: "state-unusable" },
        ]);
        expect(saidBy(await openState().unlock())).toMatchObject([{ code: "state-unusable" }]);
        await started.back();
        for (const [state, code] of [
          ["{", "state-corrupt"],
          ['{"formatVersion":2}', "state-too-new"],
        ] as const) {
          environment = `damaged-${++environments}`;
          const marker = `${JSON.stringify({ formatVersion: 1, environment })}\n`;
          await started.plant(environment, { "ticketing.json": marker, "state.json": state });
          expect(saidBy(await openState().load())).toMatchObject([{ code }]);
        }
        environment = `newer-${++environments}`;
        await started.plant(environment, { "ticketing.json": `{"formatVersion":2,"environment":"${environment}"}` });
        expect(saidBy(await openState().load())).toMatchObject([{ code: "state-too-new" }]);
        expect(saidBy(await openState().lock({ command: "apply", timeoutMs: 0 }))).toMatchObject([
          { code: "state-too-new" },
        ]);
      });

      story("says that nothing more was sent where the store goes away, and continues where it is back", async () => {
        const one = openState({ ...calmTimes, patienceMs: 5_000 });
        const lock = await locked(one);
        await one.journal.open(lock.isHeld);
        await started.away();
        await sleep(calmTimes.staleMs + 300);
        expect(await one.guard.wait()).toMatchObject({
          code: "lock-unconfirmed",
          message: expect.stringContaining("nothing more was sent"),
        });
        await expect(one.journal.append("a\n")).rejects.toMatchObject({
          why: { diagnostics: [{ code: "journal-unwritable" }] },
        });
        await started.back();
        await expect.poll(() => one.guard.wait()).toBeNull();
        await one.journal.append("b\n");
        expect(await lock.release()).toBeNull();
        expect(orHalt(await openState().journal.read()).text).toBe("a\nb\n");
      });
    });
  });
}

function mapOf(files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(files));
}

function given<Value>(result: StoreResult<Value>): Value {
  if (!result.ok) throw new Error(`${result.reason}: ${result.message}`);
  return result.value;
}
