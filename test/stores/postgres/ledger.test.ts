import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { StateStore } from "../../../src/state/store.ts";
import { add, ledgerContract } from "../ledger.ts";
import { openStarted, quickTimes } from "../store-under-test.ts";
import { type PostgresServer, startPostgres } from "./server.ts";
import { postgresUnderTest } from "./store.ts";

ledgerContract(postgresUnderTest);

let server: PostgresServer;
const opened: StateStore[] = [];
beforeAll(async () => {
  server = await startPostgres();
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close?.();
});
afterAll(() => server.remove());

function open(project: string, url = server.url()): StateStore {
  const settings = { backend: "postgres", schema: "ticketing", project } as const;
  const store = openStarted({ settings, env: { TICKETING_STATE_URL: url } }, "production", quickTimes, "acme-live");
  opened.push(store);
  return store;
}

test("a ledger makes no tables: until there are some, each machine counts by itself", async () => {
  const { pace } = open("festival");
  await pace.update(add("first"));
  await pace.update(add("second"));
  expect(await pace.load()).toEqual(["first", "second"]);
  expect(await server.sql("select nspname from pg_namespace where nspname = 'ticketing'")).toEqual([]);
});

test("projects that share a database share one ledger, under a name that no project has", async () => {
  const first = open("festival");
  expect(await first.lock({ command: "apply", timeoutMs: 0 })).toMatchObject({ ok: true });
  await first.pace.update(add("one"));
  await open("clubs").pace.update(add("two"));
  expect(await open("fairs").pace.load()).toEqual(["one", "two"]);
  expect(await server.sql("select project, epoch from ticketing.head where project <> 'festival'")).toEqual([
    { project: "", epoch: "2" },
  ]);
});

test("whoever may only read sees the ledger, counts by itself, and writes nothing", async () => {
  await server.sql(`create role onlooker login password 'looks';
    grant usage on schema ticketing to onlooker; grant select on all tables in schema ticketing to onlooker`);
  const before = await server.sql("select * from ticketing.head where project = ''");
  const { pace } = open("festival", server.url({ role: "onlooker", password: "looks" }));
  expect(await pace.load()).toEqual(["one", "two"]);
  await pace.update(add("mine"));
  await pace.update(add("again"));
  expect(await pace.load()).toEqual(["mine", "again"]);
  expect(await server.sql("select * from ticketing.head where project = ''")).toEqual(before);
});
