import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { databaseAddress } from "../../../src/state/postgres/database-address.ts";
import { repositoryName } from "../../../src/state/shared/backend-setup.ts";

const folder = mkdtempSync(join(tmpdir(), "certificates-"));
const authority = join(folder, "root.crt");
writeFileSync(authority, "the authority");
afterAll(() => rmSync(folder, { recursive: true }));

function addressOf(url: string, env: Readonly<Record<string, string>> = {}) {
  const found = databaseAddress({ TICKETING_STATE_URL: url, ...env });
  if (!found.ok) throw new Error(found.message);
  return found.value;
}

describe("which database", () => {
  test.each([
    ["postgres://ana:p%40ss@db.example.com:5433/tickets", "db.example.com", 5433, "ana", "p@ss", "tickets"],
    ["postgresql://db.example.com", "db.example.com", 5432, undefined, undefined, undefined],
    ["postgres://[::1]/tickets", "::1", 5432, undefined, undefined, "tickets"],
    ["postgres://ana@/tickets?host=/run/postgresql", "/run/postgresql", 5432, "ana", undefined, "tickets"],
    ["postgres:///tickets?host=/run/postgresql&user=ben&password=b", "/run/postgresql", 5432, "ben", "b", "tickets"],
    ["postgres://%2Frun%2Fpostgresql/tickets", "/run/postgresql", 5432, undefined, undefined, "tickets"],
  ])("%s", (url, host, port, user, password, database) => {
    expect(addressOf(url)).toMatchObject({ host, port, user, password, database });
  });

  test("what the address leaves out comes from libpq's variables", () => {
    const env = { PGHOST: "elsewhere", PGPORT: "6000", PGUSER: "ana", PGPASSWORD: "secret", PGDATABASE: "tickets" };
    expect(addressOf("postgres://db.example.com", env)).toMatchObject({
      ...{ host: "db.example.com", port: 6000, user: "ana", password: "secret", database: "tickets" },
    });
    expect(addressOf("", env)).toMatchObject({ host: "elsewhere" });
  });

  test.each([
    "postgres://ticketing:p@ss/word@127.0.0.1/db",
    "postgres://ticketing:12/word@127.0.0.1/db",
    "postgres://ticketing:p@ss?word@127.0.0.1/db",
    "postgres://ticketing:1#word@127.0.0.1/db",
  ])("a password that ends the address early is neither printed nor looked up: %s", (url) => {
    const found = databaseAddress({ TICKETING_STATE_URL: url });
    expect(found).toMatchObject({ ok: false, reason: "setup", hint: expect.stringContaining("Percent-encode") });
    expect(JSON.stringify(found)).not.toMatch(/ss\b.word|word@|:12|:p|127/);
  });

  test.each(["mysql://h/d", "h:5432", "postgres://a:1,b:2/d", "postgres://a,b/d", ""])("not %s", (url) => {
    expect(databaseAddress({ TICKETING_STATE_URL: url })).toMatchObject({ ok: false, reason: "setup" });
  });
});

describe("TLS as libpq means it", () => {
  const anyName = { checkServerIdentity: expect.any(Function) };
  const remote = (mode: string) => `postgres://db.example.com/t${mode}`;

  test.each([
    [remote(""), {}],
    [remote("?sslmode=verify-full"), {}],
    [remote(`?sslmode=verify-full&sslrootcert=${authority}`), { ca: "the authority" }],
    [remote(`?sslmode=verify-ca&sslrootcert=${authority}`), { ca: "the authority", ...anyName }],
    [remote(`?sslmode=require&sslrootcert=${authority}`), { ca: "the authority", ...anyName }],
    [remote("?sslmode=require"), { rejectUnauthorized: false }],
    [remote("?sslmode=verify-full&sslrootcert=system"), {}],
    [remote("?sslmode=disable"), false],
    ["postgres://localhost/t", false],
    ["postgres://127.0.0.1/t", false],
    ["postgres:///t?host=/run/postgresql", false],
    ["postgres://localhost/t?sslmode=verify-full", {}],
  ])("%s", (url, ssl) => {
    expect(addressOf(url).ssl).toEqual(ssl);
  });

  test("by a variable, after what the address says", () => {
    expect(addressOf(remote(""), { PGSSLMODE: "require" }).ssl).toEqual({ rejectUnauthorized: false });
    expect(addressOf(remote("?sslmode=verify-full"), { PGSSLMODE: "disable" }).ssl).toEqual({});
    expect(addressOf(remote(""), { PGSSLROOTCERT: authority }).ssl).toEqual({ ca: "the authority" });
  });

  test.each(["prefer", "allow", "verify-ca", "no-verify", "verify-full&sslrootcert=/none"])("not %s", (mode) => {
    expect(databaseAddress({ TICKETING_STATE_URL: remote(`?sslmode=${mode}`) })).toMatchObject({
      ok: false,
      reason: "setup",
      hint: expect.any(String),
    });
  });
});

describe("a project is called by its repository, however that is reached", () => {
  test.each([
    ["git@github.com:acme/events.git", "github.com/acme/events"],
    ["https://github.com/acme/events", "github.com/acme/events"],
    ["https://x-access-token:ghs_1@github.com/acme/events.git/", "github.com/acme/events"],
    ["ssh://git@GitHub.com:443/acme/events.git", "github.com/acme/events"],
    [
      "https://gitlab-ci-token:t@gitlab.example.com:8443/group/sub/events.git",
      "gitlab.example.com:8443/group/sub/events",
    ],
    ["https://github.com:443/acme/other", "github.com/acme/other"],
    ["/srv/git/events.git", "/srv/git/events"],
    ["../remote.git", "/work/remote"],
    ["file:///srv/git/events.git", "/srv/git/events"],
  ])("%s", (remote, name) => {
    expect(repositoryName(remote, "/work/checkout")).toBe(name);
  });
});
