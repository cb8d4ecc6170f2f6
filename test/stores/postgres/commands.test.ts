// The commands as people type them, with state in PostgreSQL: clones of several repositories share one database.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { removeFolder } from "../../stage/remove-folder.ts";
import { ticketing } from "../../stage/test-world.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

let server: PostgresServer;
let sandbox: Sandbox;
let root: string;
const now = () => Date.parse("2027-01-10T00:00:00Z");

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());
beforeEach(async () => {
  sandbox = await startSandbox({ organization: { slug: "bayside" }, now });
  root = mkdtempSync(join(tmpdir(), "ticketing-postgres-commands-"));
});
afterEach(async () => {
  await sandbox.abandon();
  removeFolder(root);
  await server.sql("drop schema if exists ticketing cascade");
});

const night = "name: Manila Nights\ndateTime: 2027-03-14T19:00:00+08:00\ntimezone: Asia/Manila\n";

/** A clone of a repository, as far as the program knows. */
function clone(name: string, remote: string | null, state = "{ backend: postgres }"): string {
  const folder = join(root, name);
  mkdirSync(join(folder, "events"), { recursive: true });
  writeFileSync(join(folder, "events", "manila-nights.yaml"), night);
  writeFileSync(join(folder, "ticketing.yaml"), `version: 1\nstate: ${state}\n`);
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder });
  git("init", "-q", "-b", "main");
  if (remote !== null) git("remote", "add", "origin", remote);
  git("add", "-A");
  git("commit", "-qm", name);
  return folder;
}

function run(folder: string, ...words: readonly string[]) {
  return runWith({}, folder, ...words);
}

async function runWith(more: Readonly<Record<string, string>>, folder: string, ...words: readonly string[]) {
  const env = {
    ...more,
    TICKETING_BASE_URL: sandbox.baseUrl,
    TICKETING_API_KEY: sandbox.apiKey,
    TICKETING_STATE_URL: server.url(),
  };
  const ran = await ticketing([...words, "-C", folder], { env, now });
  const output = (ran.stdout + ran.stderr).replace(/\s+/g, " ");
  expect(output).not.toContain(new URL(server.url()).password);
  return { ...ran, output };
}

test("what one machine applied, another one knows", async () => {
  const one = clone("one", "git@github.com:acme/events.git");
  const applied = await run(one, "apply", "--yes");
  expect(applied.exitCode, applied.output).toBe(0);
  const two = clone("two", "https://github.com/acme/events");
  expect((await run(two, "state", "list")).stdout).toContain("events/manila-nights");
  expect((await run(two, "state", "log")).stdout).toContain("clean");
  expect((await run(two, "state", "show", "events/manila-nights")).exitCode).toBe(0);
  expect(JSON.parse((await run(two, "state", "pull")).stdout)).toMatchObject({ organization: { slug: "bayside" } });
  expect((await run(two, "plan", "--detailed-exitcode")).exitCode).toBe(0);
  expect((await run(two, "state", "rm", "events/manila-nights", "--yes")).exitCode).toBe(0);
  expect((await run(one, "state", "list")).stdout).toContain("State is empty");
  const heads = await server.sql("select project, environment, connection from ticketing.head where project <> ''");
  expect(heads).toEqual([{ project: "github.com/acme/events", environment: "default", connection: null }]);
});

test("another repository in the same database has its own state", async () => {
  await run(clone("one", "git@github.com:acme/events.git"), "apply", "--yes");
  const fork = clone("fork", "git@github.com:somebody/events.git");
  expect((await run(fork, "state", "list")).stdout).toContain("State is empty");
});

test("two repositories that call themselves the same do not overwrite each other", async () => {
  const state = "{ backend: postgres, project: festival }";
  const applied = await run(clone("one", null, state), "apply", "--yes");
  expect(applied.exitCode, applied.output).toBe(0);
  const other = clone("other", null, state);
  const refused = await run(other, "apply", "--yes");
  expect(refused.exitCode).toBe(1);
  expect(refused.output).toContain("diverged-from-applied");
});

test("a job reads no state that a pull request calls by another project's name", async () => {
  const applied = await run(clone("theirs", null, "{ backend: postgres, project: festival }"), "apply", "--yes");
  expect(applied.exitCode, applied.output).toBe(0);
  const folder = clone("one", "git@github.com:acme/events.git");
  execFileSync("git", ["update-ref", "refs/remotes/origin/main", "HEAD"], { cwd: folder });
  const ci = { CI: "true" };
  expect((await runWith(ci, folder, "state", "list")).output).toContain("State is empty");
  for (const state of ["{ backend: postgres, project: festival }", "{ backend: postgres, schema: others }"]) {
    writeFileSync(join(folder, "ticketing.yaml"), `version: 1\nstate: ${state}\n`);
    for (const words of [["plan"], ["state", "list"], ["state", "pull"]]) {
      const ran = await runWith(ci, folder, ...words);
      expect(ran.exitCode, words.join(" ")).toBe(1);
      expect(ran.output).toMatch(/\[?address-changed.*TICKETING_STATE_ADDRESS=(ticketing\/festival|others)\./);
      expect(ran.output).not.toContain("manila-nights (");
    }
  }
  writeFileSync(join(folder, "ticketing.yaml"), "version: 1\nstate: { backend: postgres, project: festival }\n");
  const confirmed = { ...ci, TICKETING_STATE_ADDRESS: "ticketing/festival" };
  expect((await runWith(confirmed, folder, "state", "list")).stdout).toContain("events/manila-nights");
  expect((await run(folder, "state", "list")).stdout).toContain("events/manila-nights");
});

test("a folder without a remote has to say what it is called", async () => {
  const ran = await run(clone("one", null), "plan");
  expect(ran.exitCode).toBe(1);
  expect(ran.output).toContain('no remote named "origin", so the project has no name in the store');
  expect(ran.output).toContain("project: …");
});

test("a state of another organization is refused", async () => {
  const one = clone("one", "git@github.com:acme/events.git");
  await run(one, "apply", "--yes");
  await server.sql(
    `update ticketing.part set content = replace(content, 'bayside', 'others') where name = 'state.json';
     update ticketing.part set content = regexp_replace(content, '("organization": \\{\\s*"id": ")[^"]+', '\\111111111-1111-4111-8111-111111111111')
     where name = 'state.json'`,
  );
  const before = await server.sql("select epoch from ticketing.head where project <> ''");
  for (const words of [["plan"], ["apply", "--yes"]]) {
    const ran = await run(one, ...words);
    expect(ran.exitCode).toBe(1);
    expect(ran.output).toContain("state-of-another-organization");
  }
  expect(sandbox.control.calls().filter(({ method }) => method !== "GET")).toHaveLength(1);
  expect(before).toHaveLength(1);
});

test("state moves from files to the database, and back, and on to git", async () => {
  const remote = join(root, "remote.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  const one = clone("one", remote, "{ backend: file }");
  await run(one, "apply", "--yes");
  const moved = await run(one, "state", "migrate", "--to", "postgres");
  expect(moved.output).toContain('to the PostgreSQL schema "ticketing" on 127.0.0.1.');
  expect(moved.output).toContain("Replace `state` (line 2 of ticketing.yaml) with `state: { backend: postgres }`.");
  writeFileSync(join(one, "ticketing.yaml"), "version: 1\nstate: { backend: postgres }\n");
  expect((await run(one, "state", "list")).stdout).toContain("events/manila-nights");
  const migrate = async (...words: string[]) => (await run(one, "state", "migrate", ...words)).output;
  // The files were marked as moved, so they are not taken for a copy that is there already.
  expect(await migrate("--to", "file")).toContain("Copied 1 object");
  expect(await migrate("--to", "file")).toContain("This state is already in");
  expect(await migrate("--to", "git")).toContain("[state-moved]");
  writeFileSync(join(one, "ticketing.yaml"), "version: 1\nstate: { backend: file }\n");
  expect(await migrate("--to", "git")).toContain('to the git remote "origin"');
  expect(await migrate("--from", "git", "--to", "postgres")).toContain("Copied 1 object");
  expect((await run(one, "state", "migrate", "--from", "git", "--to", "git")).output).toContain("no-backend");
});
