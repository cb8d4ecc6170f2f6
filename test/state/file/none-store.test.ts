import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileStore, noneStore } from "../../../src/state/file/file-store.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "ticketing-none-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const unsealed = { baseUrl: null, secrets: () => null };
const now = { command: "apply", timeoutMs: 0 };

test("it is locked by the same lock as a project with state", async () => {
  const setup = { directory, environment: "production", ...unsealed };
  const first = await noneStore(setup).lock(now);
  expect(await fileStore(setup).lock(now)).toMatchObject({
    ok: false,
    diagnostics: [{ code: "state-locked" }],
  });
  expect((await noneStore({ directory, environment: "staging", ...unsealed }).lock(now)).ok).toBe(true);
  if (first.ok) await first.lock.release();
  expect((await fileStore(setup).lock(now)).ok).toBe(true);
  expect(await noneStore(setup).unlock()).toMatchObject({ holders: [{ pid: process.pid, command: "apply" }] });
  await writeFile(join(directory, ".ticketing", "lock.production.json"), "{");
  expect(await fileStore(setup).unlock()).toMatchObject({ holders: [], unreadable: true });
  expect(await fileStore(setup).unlock()).toMatchObject({ holders: [], unreadable: false });
});

test("nothing is sent anymore once the lock is gone", async () => {
  const store = noneStore({ directory, environment: "production", ...unsealed });
  const locked = await store.lock(now);
  if (!locked.ok) throw new Error("not held");
  await store.journal.open(() => locked.lock.isHeld());
  await store.journal.append("one\n");
  await store.unlock();
  await expect(store.journal.append("two\n")).rejects.toMatchObject({ why: { diagnostics: [{ code: "lock-lost" }] } });
});

test("a folder that takes no files is no reason to stop", async () => {
  await writeFile(join(directory, "file"), "");
  const setup = { directory: join(directory, "file"), environment: "production", ...unsealed };
  expect(await fileStore(setup).lock(now)).toMatchObject({
    ok: false,
    diagnostics: [{ code: "state-unusable" }],
  });
  const locked = await noneStore(setup).lock(now);
  expect(locked.ok && locked.lock.isHeld()).toBe(true);
});
