// What the advisory lock shows of a holder, and what it does not.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { databaseAddress } from "../../../src/state/postgres/database-address.ts";
import { openConnection } from "../../../src/state/postgres/database-connection.ts";
import { openStateRows } from "../../../src/state/postgres/postgres-store.ts";
import type { HeldFiles } from "../../../src/state/shared/held-files.ts";
import { lockFiles, type SharedLocked } from "../../../src/state/shared/lock-files.ts";
import type { SharedFiles } from "../../../src/state/shared/shared-files.ts";
import { quickTimes } from "../store-under-test.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

/** Long enough that a lock which is taken over sooner was not taken over because of it. */
const times = { ...quickTimes, takeoverMs: 30_000 };
let server: PostgresServer;
let pooler: Awaited<ReturnType<PostgresServer["startPooler"]>>;
let environment = "";
let environments = 0;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  server = await startPostgres();
  await server.sql("create role other login password 'other' in role ticketing");
  pooler = await server.startPooler();
});
afterAll(async () => {
  pooler.stop();
  await server.remove();
});
beforeEach(() => {
  environment = `production-${++environments}`;
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function open(url = server.url()): SharedFiles {
  const address = databaseAddress({ TICKETING_STATE_URL: url });
  if (!address.ok) throw new Error(address.message);
  const place = { address: address.value, schema: "ticketing", project: "festival", environment, migrates: true };
  const files = openStateRows(place);
  closing.push(() => files.close());
  return files;
}

function lock(files: SharedFiles, timeoutMs = 0, lockTimes = times): Promise<SharedLocked> {
  return lockFiles(files, { command: "apply", run: null, timeoutMs, times: lockTimes });
}

async function take(files: SharedFiles, timeoutMs = 0, lockTimes = times): Promise<HeldFiles> {
  const locked = await lock(files, timeoutMs, lockTimes);
  if (!locked.ok) throw new Error(`not locked: ${JSON.stringify(locked)}`);
  closing.push(() => locked.held.release());
  return locked.held;
}

/** The name of the connection that proves the holder's life. */
async function sign(): Promise<string | null | undefined> {
  const rows = await server.sql<{ connection: string | null }>(
    `select connection from ticketing.head where environment = '${environment}'`,
  );
  return rows[0]?.connection;
}

async function end(connection: string): Promise<void> {
  await server.sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${connection}'`);
}

test("a holder whose connection ends for good is overtaken before its lease has run out", async () => {
  const first = open();
  await take(first);
  await first.close();
  const began = performance.now();
  await take(open());
  expect(performance.now() - began).toBeGreaterThan(times.staleMs);
  expect(performance.now() - began).toBeLessThan(times.takeoverMs);
});

test("a holder whose connection is cut takes its lock again, and continues", async () => {
  const held = await take(open());
  const before = (await sign()) ?? "";
  for (let again = 3; again > 0; again -= 1) {
    await end(before);
    held.set("journal.jsonl", `${again}\n`);
    expect(await held.flush()).toBeNull();
    expect(await held.confirm()).toBeNull();
  }
  expect(await sign()).toBe(before);
  expect(await lock(open())).toMatchObject({ ok: false, reason: "held" });
  expect(await held.release()).toBeNull();
  expect(await sign()).toBeNull();
});

test("a holder that cannot get back in before another one has the advisory lock sends nothing more", async () => {
  const held = await take(open(), 0, { ...times, confirmMs: 3_600_000, renewMs: 3_600_000 });
  const connection = (await sign()) ?? "";
  const second = lock(open(), 20_000);
  await sleep(300);
  // Between two looks of the second one, the first loses its connection.
  await end(connection);
  const next = await second;
  expect(next.ok).toBe(true);
  if (next.ok) closing.push(() => next.held.release());
  expect(held.isFresh()).toBe(false);
  expect(await held.confirm()).toMatchObject({ reason: "moved" });
  held.set("state.json", "late");
  expect(await held.flush()).toMatchObject({ reason: "moved" });
});

test("a holder that is silent past its lease loses its connection too", async () => {
  const silent = { ...quickTimes, renewMs: 3_600_000, confirmMs: 3_600_000, gatherMs: 3_600_000 };
  await take(open(), 0, silent);
  const before = await sign();
  await take(open(), 20_000, quickTimes);
  const after = await sign();
  expect(after).toMatch(/^ticketing-/);
  expect(after).not.toBe(before);
  const left = await server.sql(`select from pg_stat_activity where application_name = '${before}'`);
  expect(left).toEqual([]);
});

test("a connection of another role is left alone: the epoch alone keeps its run out", async () => {
  await server.sql("grant all on all tables in schema ticketing to other");
  await server.sql("grant usage on schema ticketing to other");
  const silent = { ...quickTimes, renewMs: 3_600_000, confirmMs: 3_600_000, gatherMs: 3_600_000 };
  const held = await take(open(server.url({ role: "other", password: "other" })), 0, silent);
  await take(open(), 20_000, quickTimes);
  expect(await sign()).toBeNull();
  expect(await held.confirm()).toMatchObject({ reason: "moved" });
});

test("behind a pooler nothing is claimed, and no one is taken for dead before the lease has run out", async () => {
  const held = await take(open(pooler.url));
  expect(await sign()).toBeNull();
  for (const url of [pooler.url, server.url()])
    expect(await lock(open(url), 2_000)).toMatchObject({ ok: false, reason: "held" });
  held.set("journal.jsonl", "a line\n");
  expect(await held.flush()).toBeNull();
  expect(await held.release()).toBeNull();
  const next = await take(open(pooler.url));
  expect(next.files().get("journal.jsonl")).toBe("a line\n");
});

test("a holder next to a pooler is not taken for dead by one behind it", async () => {
  await take(open());
  expect(await lock(open(pooler.url), 2_000)).toMatchObject({ ok: false, reason: "held" });
});

test("a journal that grows is not written again", async () => {
  const held = await take(open());
  let text = "";
  for (let line = 1; line <= 5; line += 1) {
    text += `${line} ${"x".repeat(100)}\n`;
    held.set("journal.jsonl", text);
    expect(await held.flush()).toBeNull();
  }
  const parts = await server.sql<{ length: number }>(
    `select length(content) from ticketing.part where environment = '${environment}' and name = 'journal.jsonl'`,
  );
  expect(parts.map(({ length }) => length)).toEqual([103, 103, 103, 103, 103]);
  const read = await open().read();
  expect(read.ok && read.value?.files.get("journal.jsonl")).toBe(text);
  held.set("journal.jsonl", "begun anew\n");
  expect(await held.flush()).toBeNull();
  const again = await open().read();
  expect(again.ok && again.value?.files.get("journal.jsonl")).toBe("begun anew\n");
});

test("a connection that is lost while it waits for the advisory lock has not got it", async () => {
  const address = databaseAddress({ TICKETING_STATE_URL: server.url() });
  if (!address.ok) throw new Error(address.message);
  const [one, other] = [openConnection(address.value, "a lock"), openConnection(address.value, "a lock")];
  closing.push(one.close, other.close);
  expect(await one.claim(null, 0)).toBe(true);
  const claimed = other.claim(null, 10).catch(() => false);
  await sleep(300);
  await server.sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${other.name}'`);
  expect(await claimed).toBe(false);
  expect(other.claimed()).toBe("none");
  expect(await other.claim(null, 0)).toBe(false);
});
