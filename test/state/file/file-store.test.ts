import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { State } from "../../../src/model/live.ts";
import { fileStore } from "../../../src/state/file/file-store.ts";
import { sealerOf } from "../../../src/state/seal.ts";
import { beginState } from "../../../src/state/store.ts";

const organization = { id: "7b1e5c7e-1111-4111-8111-111111111111", slug: "acme-live" };
const entry = { kind: "event", id: "7b1e5c7e-2222-4222-8222-222222222222", applied: { name: "Jazz" } } as const;

const secrets = () => ({ current: "key-for-tests", previous: null });

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "ticketing-state-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function open(environment = "production") {
  return fileStore({ directory, environment, baseUrl: null, secrets });
}

function next(before: State | null): State {
  const state = before ?? beginState(organization);
  return { ...state, serial: state.serial + 1, objects: { "events/jazz": entry } };
}

test("what is saved is loaded, from a private file in a private folder that git ignores", async () => {
  const store = open();
  expect(await store.load()).toEqual({ ok: true, state: null, unverified: null });
  const saved = next(null);
  expect(await store.save(saved, null)).toBeNull();
  expect(await open().load()).toEqual({ ok: true, state: saved, unverified: null });
  const folder = join(directory, ".ticketing");
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, "state.production.json"))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(folder, ".gitignore"), "utf8")).toBe("*\n");
  expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("a state that somebody else has written meanwhile is not overwritten", async () => {
  const first = next(null);
  await open().save(first, null);
  const theirs = next(first);
  await open().save(theirs, first);
  const problem = await open().save(next(first), first);
  expect(problem?.code).toBe("state-changed-meanwhile");
  expect(await open().load()).toEqual({ ok: true, state: theirs, unverified: null });
  expect((await open().save(next(null), null))?.code).toBe("state-changed-meanwhile");
});

test.each([
  ["", 1, "is not valid JSON"],
  ['{\n "formatVersion": 1,\n "lineage": "a', 3, "is not valid JSON"],
  ["[]", 1, "does not hold state"],
  ["{}", 1, "formatVersion"],
  [
    '{"formatVersion":1,"lineage":"a","serial":1,"organization":null,"objects":{"events/x":{"kind":"event"}}}',
    1,
    "events/x",
  ],
])("a damaged file is reported with its place and the fix: %s", async (content, line, words) => {
  await open().save(next(null), null);
  await writeFile(join(directory, ".ticketing/state.production.json"), content);
  const loaded = await open().load();
  if (loaded.ok) throw new Error("it was taken for whole");
  expect(loaded.diagnostics[0]?.code).toBe("state-corrupt");
  expect(loaded.diagnostics[0]?.message).toContain(words);
  expect(loaded.diagnostics[0]?.source).toMatchObject({ file: ".ticketing/state.production.json", line });
  expect(loaded.diagnostics[0]?.hint).toContain("delete it");
});

test("a file of a later version is left alone", async () => {
  await open().save(next(null), null);
  await writeFile(join(directory, ".ticketing/state.production.json"), '{"formatVersion":2}');
  const loaded = await open().load();
  expect(loaded.ok ? null : loaded.diagnostics[0]?.code).toBe("state-too-new");
});

test("environments keep apart, whatever their names", async () => {
  await open("a/../b").save(next(null), null);
  expect(await open("b").load()).toEqual({ ok: true, state: null, unverified: null });
  expect((await open("a/../b").load()).ok).toBe(true);
  expect(await readdir(join(directory, ".ticketing"))).toContain("state.a%2F..%2Fb.json");
});

test.each([0, 1, 1000])("a state of %d objects is written as JSON, and its seal is of all of it", async (count) => {
  const objects = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `events/jäzz "${index}"`,
      { ...entry, applied: { name: "\n".repeat(90) } },
    ]),
  );
  const saved: State = { ...next(null), objects, venues: { a: "Hall" } };
  await open().save(saved, null);
  const text = await readFile(join(directory, ".ticketing", "state.production.json"), "utf8");
  const { seal } = JSON.parse(text);
  expect(text).toBe(`${JSON.stringify({ ...saved, seal }, null, 1)}\n`);
  const { codeOf } = sealerOf("key-for-tests", "production", "state");
  expect(seal.code).toBe(codeOf(JSON.stringify([seal.at, saved])));
  expect(await open().load()).toEqual({ ok: true, state: saved, unverified: null });
});

test("two names for one service with one key exclude each other; another key or service is another matter", async () => {
  const at = (environment: string, baseUrl: string, key: string) =>
    fileStore({ directory, environment, baseUrl, secrets: () => ({ current: key, previous: null }) });
  const [here, there] = ["https://one.example/open-api/v1", "https://two.example/open-api/v1"];
  const take = (store: ReturnType<typeof at>) => store.lock({ command: "apply", timeoutMs: 0 });
  const first = await take(at("production", here, "key-a"));
  if (!first.ok) throw new Error("the first lock was refused");
  const second = await take(at("default", here, "key-a"));
  expect(second).toMatchObject({ ok: false, diagnostics: [{ code: "state-locked" }] });
  for (const other of [at("acme", here, "key-b"), at("staging", there, "key-a")]) {
    const locked = await take(other);
    expect(locked.ok).toBe(true);
    if (locked.ok) expect(await locked.lock.release()).toBe(null);
  }
  expect(first.lock.isHeld()).toBe(true);
  // Whoever was refused left nothing that would keep the next run out.
  await first.lock.release();
  const third = await take(at("default", here, "key-a"));
  expect(third.ok).toBe(true);
  // The lock of a run under another name is that run's.
  await at("production", here, "key-a").unlock();
  expect(third.ok && third.lock.isHeld()).toBe(true);
  await at("default", here, "key-a").unlock();
  expect(third.ok && third.lock.isHeld()).toBe(false);
});

test("the lock of a service is found without the key, by whoever holds it, and under the URL with a slash", async () => {
  const at = (baseUrl: string, key: string | null) =>
    fileStore({
      directory,
      environment: "production",
      baseUrl,
      secrets: () => (key === null ? null : { current: key, previous: null }),
    });
  const here = "https://one.example/open-api/v1";
  const taken = await at(here, "key-a").lock({ command: "apply", timeoutMs: 0 });
  expect(taken.ok).toBe(true);
  const other = fileStore({
    directory,
    environment: "other",
    baseUrl: `${here}/`,
    secrets: () => ({ current: "key-a", previous: null }),
  });
  expect((await other.lock({ command: "apply", timeoutMs: 0 })).ok).toBe(false);
  expect(await at(here, null).unlock()).toMatchObject({ ok: true, holders: [{ command: "apply" }] });
  const next = await other.lock({ command: "apply", timeoutMs: 0 });
  expect(next.ok).toBe(true);
  if (next.ok) await next.lock.release();
});
