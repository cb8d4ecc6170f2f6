// A PostgreSQL that does not let the program in, or not as far as it needs: each with what to do about it, and nothing written.
import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Diagnostic, type Fallible, orHalt } from "../../../src/model/diagnostic.ts";
import { outsideCalls } from "../../../src/service/transport.ts";
import { openStore } from "../../../src/state/open-store.ts";
import { beginState, type StateStore } from "../../../src/state/store.ts";
import { quickTimes } from "../store-under-test.ts";
import { type PostgresServer, serverUser, startPostgres } from "./server.ts";

const password = "hush-hush-5";
let server: PostgresServer;
let schema = "";
let schemas = 0;
const opened: StateStore[] = [];

beforeAll(async () => {
  server = await startPostgres();
  for (const role of ["reader", "writer", "limited"])
    await server.sql(`create role ${role} login password '${password}'`);
});
afterAll(() => server.remove());
beforeEach(() => {
  schema = `season_${++schemas}`;
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close?.();
});

function open(url = server.url(), more: Readonly<Record<string, string>> = {}): StateStore {
  const store = openStore(
    { backend: "postgres", schema, project: "festival" },
    {
      directory: tmpdir(),
      environment: "production",
      baseUrl: "https://api.example.com",
      secrets: () => null,
      times: quickTimes,
      outside: {
        ...outsideCalls({}),
        env: { TICKETING_STATE_URL: url, ...more },
        keepSecret: () => undefined,
        disagreement: async () => null,
      },
    },
  );
  opened.push(store);
  return store;
}

const as = (role: string) => server.url({ role, password });
const lock = (store: StateStore) => store.lock({ command: "apply", timeoutMs: 0 });

function problemOf<Value>(result: Fallible<Value>): Diagnostic {
  if (result.ok) throw new Error("It did not fail.");
  const [problem] = result.diagnostics;
  if (problem === undefined) throw new Error("It does not say why.");
  expect(JSON.stringify(problem)).not.toContain(password);
  return problem;
}

/** A state that somebody else has saved. */
async function fill(): Promise<void> {
  const store = open();
  const locked = await lock(store);
  if (!locked.ok) throw new Error(problemOf(locked).message);
  expect(await store.save({ ...beginState(null), serial: 1 }, null)).toBeNull();
  expect(await locked.lock.release()).toBeNull();
}

/** Does what the fix says, word for word. */
async function grant({ hint = "" }: Diagnostic): Promise<void> {
  const statements = hint.match(/GRANT [^;]+;/g) ?? [];
  expect(statements, hint).not.toEqual([]);
  for (const statement of statements) await server.sql(statement);
}

const refusals: readonly (readonly [string, () => string, RegExp, RegExp])[] = [
  ["a wrong password", () => server.url({ password: "wrong-one" }), /password authentication failed/, /PGPASSWORD/],
  ["no such role", () => as("nobody"), /authentication failed/, /user and the password/],
  ["no such database", () => server.url({ database: "other" }), /"other" does not exist/, /createdb/],
  ["a server that does not run", () => "postgres://127.0.0.1:1/x", /ECONNREFUSED/, /connection to the server/],
  ["no address at all", () => "", /Neither TICKETING_STATE_URL nor PGHOST/, /PGHOST/],
  ["another kind of address", () => "mysql://h/d", /not the URL of one PostgreSQL server/, /postgres:\/\//],
  [
    "no TLS on the server",
    () => `${server.url()}?sslmode=verify-full`,
    /does not offer TLS/,
    /ssl = on.*sslmode=disable/,
  ],
  ["no TLS, where it is required", () => `${server.url()}?sslmode=require`, /does not offer TLS/, /ssl = on/],
  ["no password", () => server.url().replace(/:[^:/@]+@/, "@"), /asks for a password/, /PGPASSWORD/],
  ["a mode of TLS that may do without", () => `${server.url()}?sslmode=prefer`, /may be unencrypted/, /verify-full/],
];

test.each(refusals)("%s", async (_name, url, message, hint) => {
  const store = open(url());
  const problems = [problemOf(await store.load()), problemOf(await lock(store))];
  for (const problem of problems) {
    expect(problem.code).toBe("state-unusable");
    expect(problem.message).toMatch(message);
    expect(problem.hint).toMatch(hint);
  }
  expect((await store.journal.read()).ok).toBe(false);
});

test("libpq's variables name the database as well", async () => {
  await fill();
  const { hostname, port, username, password: secret, pathname } = new URL(server.url());
  const env = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: secret, PGDATABASE: pathname.slice(1) };
  expect(await open("", env).load()).toMatchObject({ ok: true, state: { serial: 1 } });
});

describe("rights", () => {
  test("a role that may only read plans, once it has what the error names", async () => {
    expect(await open(as("reader")).load()).toMatchObject({ ok: true, state: null });
    await fill();
    const problem = problemOf(await open(as("reader")).load());
    expect(problem.message).toMatch(/permission denied/);
    await grant(problem);
    expect(await open(as("reader")).load()).toMatchObject({ ok: true, state: { serial: 1 } });
    const refused = problemOf(await lock(open(as("reader"))));
    expect(refused.hint).toContain("INSERT, UPDATE, DELETE");
    await grant(refused);
    const locked = await lock(open(as("reader")));
    expect(locked.ok).toBe(true);
  });

  test("a role that may not make the schema applies, once it has what the error names", async () => {
    const problem = problemOf(await lock(open(as("writer"))));
    expect(problem.hint).toContain("GRANT CREATE ON DATABASE");
    expect(await server.sql(`select from pg_namespace where nspname = '${schema}'`)).toEqual([]);
    await grant(problem);
    expect((await lock(open(as("writer")))).ok).toBe(true);
  });

  test("a role that owns an empty schema needs no more", async () => {
    await server.sql(`create schema ${schema} authorization limited`);
    expect((await lock(open(as("limited")))).ok).toBe(true);
  });
});

test("several that begin at once make the schema once", async () => {
  const locked = await Promise.all([1, 2, 3, 4].map(() => lock(open())));
  expect(locked.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await server.sql(`select version from ${schema}.schema_version`)).toEqual([{ version: 1 }]);
});

test("a schema of a newer version is neither read nor written, and left as it is", async () => {
  await fill();
  await server.sql(`update ${schema}.schema_version set version = 2`);
  const store = open();
  for (const problem of [problemOf(await store.load()), problemOf(await lock(store))]) {
    expect(problem.code).toBe("state-too-new");
    expect(problem.message).toContain("has version 2, and this version of `ticketing` knows 1");
  }
  expect(await server.sql(`select version from ${schema}.schema_version`)).toEqual([{ version: 2 }]);
});

test("a server that accepts no writes is enough for a plan", async () => {
  await fill();
  await server.sql("alter role ticketing set default_transaction_read_only = on");
  try {
    const store = open();
    expect(await store.load()).toMatchObject({ ok: true, state: { serial: 1 } });
    const problem = problemOf(await lock(store));
    expect(problem.message).toContain("accepts no writes");
    expect(problem.hint).toContain("primary");
  } finally {
    await server.sql("alter role ticketing reset default_transaction_read_only");
  }
});

test("no connection left", async () => {
  await server.sql("alter role limited connection limit 0");
  const problem = problemOf(await open(as("limited")).load());
  expect(problem.message).toContain("no connection left");
  expect(problem.hint).toContain("max_connections");
  await server.sql("alter role limited connection limit -1");
});

test("statements that take too long are tried again, and a write is never half there", async () => {
  await fill();
  await server.sql("alter role ticketing set statement_timeout = '500ms'");
  const store = open();
  const locked = await lock(store);
  await server.sql("alter role ticketing reset statement_timeout");
  if (!locked.ok) throw new Error(problemOf(locked).message);
  await store.journal.open(locked.lock.isHeld);
  // Somebody looks at the row in a transaction, and goes to lunch.
  const lunch = server.sql(`begin; select from ${schema}.head for update; select pg_sleep(1.5); commit`);
  await server.sql("select pg_sleep(0.2)");
  await store.journal.append("a line\n");
  await lunch;
  expect(await locked.lock.release()).toBeNull();
  expect(orHalt(await open().journal.read()).text).toBe("a line\n");
});

describe("a disk that is full", () => {
  let disk = "";
  afterEach(async () => {
    await server.sql(`drop schema ${schema} cascade`);
    await server.sql("drop tablespace if exists small");
    if (disk !== "") execFileSync("/usr/bin/umount", [disk]);
    if (disk !== "") rmSync(disk, { recursive: true });
  });

  /** Only root can have one; elsewhere the server is made to say so. */
  async function limitDisk(): Promise<void> {
    if (process.getuid?.() === 0) {
      disk = mkdtempSync(join(tmpdir(), "small-disk-"));
      execFileSync("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "none", disk]);
      const { uid, gid } = serverUser();
      mkdirSync(join(disk, "space"));
      chownSync(join(disk, "space"), uid, gid);
      await server.sql(`create tablespace small location '${join(disk, "space")}'`);
      await server.sql(`alter table ${schema}.part set tablespace small`);
      return;
    }
    await server.sql(
      `create function ${schema}.full() returns trigger language plpgsql as $$ begin
         raise exception 'No space left on device' using errcode = '53100'; end $$;
       create trigger full before insert on ${schema}.part for each row
         when (length(new.content) > 100000) execute function ${schema}.full()`,
    );
  }

  test("stops the run with what was written before, and lets it continue when there is room", async () => {
    await fill();
    await limitDisk();
    const store = open();
    const locked = await lock(store);
    if (!locked.ok) throw new Error(problemOf(locked).message);
    await store.journal.open(locked.lock.isHeld);
    await store.journal.append("a line\n");
    const large = Array.from({ length: 300_000 }, (_, index) => `${Math.sin(index)}\n`).join("");
    await expect(store.journal.append(large)).rejects.toMatchObject({
      why: {
        diagnostics: [
          {
            code: "journal-unwritable",
            message: expect.stringContaining("disk is full"),
            hint: expect.stringContaining("Free some space"),
          },
        ],
      },
    });
    expect(orHalt(await open().journal.read()).text).toBe("a line\n");
    if (disk === "") await server.sql(`drop trigger full on ${schema}.part`);
    else await server.sql(`alter table ${schema}.part set tablespace pg_default`);
    await store.journal.append("another\n");
    expect(orHalt(await open().journal.read()).text).toBe(`a line\n${large}another\n`);
    expect(await locked.lock.release()).toBeNull();
  });
});
