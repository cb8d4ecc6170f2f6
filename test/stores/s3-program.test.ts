// The program with its state in a bucket: settings, rights, moving there, and stores that are refused.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { outsideCalls } from "../../src/service/transport.ts";
import { openStore } from "../../src/state/open-store.ts";
import { openS3Files } from "../../src/state/s3/s3-store.ts";
import { removeFolder } from "../stage/remove-folder.ts";
import { ticketing } from "../stage/test-world.ts";
import { S3Server } from "./s3-server.ts";
import { s3Env, s3Settings } from "./s3-store.ts";
import { belongsToOthers } from "./store-under-test.ts";

const now = Date.parse("2027-01-10T00:00:00Z");
let server: S3Server;
let sandbox: Sandbox;
let folder: string;

beforeEach(async () => {
  server = new S3Server();
  await server.start();
  sandbox = await startSandbox({ organization: { slug: "bayside" }, now: () => now });
  folder = mkdtempSync(join(tmpdir(), "s3-program-"));
  mkdirSync(join(folder, "events"));
  writeFileSync(
    join(folder, "events", "gala.yaml"),
    "name: Gala\ndateTime: 2027-03-14T19:00:00+08:00\ntimezone: Asia/Manila\n",
  );
  keepIn(s3Settings(server));
});
afterEach(async () => {
  await sandbox.abandon();
  await server.stop();
  removeFolder(folder);
});

function keepIn(state: object): void {
  const target = `{ baseUrl: "${sandbox.baseUrl}", apiKeyEnv: TICKETING_API_KEY }`;
  writeFileSync(
    join(folder, "ticketing.yaml"),
    `version: 1\nstate: ${JSON.stringify(state)}\ndefaultEnvironment: production\nenvironments:\n  production: ${target}\n`,
  );
}

async function run(words: readonly string[], env: Readonly<Record<string, string>> = s3Env("writer")) {
  const ran = await ticketing([...words, "-C", folder], {
    env: { TICKETING_API_KEY: sandbox.apiKey, ...env },
    now: () => now,
    lockTimes: { patienceMs: 2_000 },
  });
  const output = (ran.stdout + ran.stderr).replace(/\s+/g, " ");
  for (const secret of Object.values(env)) expect(output).not.toContain(secret);
  return { ...ran, output };
}

function writes(): number {
  return sandbox.control.calls().filter(({ method }) => method !== "GET").length;
}

test("from a file to the bucket and back: the plan is empty at both ends", async () => {
  keepIn({ backend: "file" });
  expect((await run(["apply", "--yes"])).exitCode).toBe(0);
  const unsaid = await run(["state", "migrate", "--to", "s3"]);
  expect(unsaid.output).toContain(
    "ticketing.yaml has no `bucket` for `backend: s3`. fix: Set `state: { backend: s3, bucket: NAME }` in ticketing.yaml, then run `ticketing state migrate --from file --to s3`.",
  );
  keepIn(s3Settings(server));
  const moved = await run(["state", "migrate", "--from", "file", "--to", "s3"]);
  expect(moved.exitCode, moved.output).toBe(0);
  expect(moved.output).toContain("to s3://box-office/acme/events/production.");
  expect((await run(["plan", "--detailed-exitcode"])).exitCode).toBe(0);
  expect((await run(["state", "list"])).stdout).toContain("events/gala");
  rmSync(join(folder, ".ticketing"), { recursive: true });
  const back = await run(["state", "migrate", "--to", "file"]);
  expect(back.exitCode, back.output).toBe(0);
  keepIn({ backend: "file" });
  expect((await run(["plan", "--detailed-exitcode"])).exitCode).toBe(0);
});

test("who may only read can plan; an apply is refused before the first call", async () => {
  expect((await run(["apply", "--yes"])).exitCode).toBe(0);
  writeFileSync(
    join(folder, "events", "ball.yaml"),
    "name: Ball\ndateTime: 2027-05-02T19:00:00+08:00\ntimezone: Asia/Manila\n",
  );
  const before = writes();
  const planned = await run(["plan"], s3Env("reader"));
  expect(planned.exitCode, planned.output).toBe(0);
  const applied = await run(["apply", "--yes"], s3Env("reader"));
  expect(applied.exitCode).toBe(1);
  expect(applied.output).toContain("AccessDenied");
  expect(applied.output).toContain("s3:PutObject");
  expect(writes()).toBe(before);
});

describe("nothing is sent to the service", () => {
  async function refuses(words: readonly string[], ...said: readonly string[]): Promise<void> {
    const ran = await run(words);
    expect(ran.exitCode, ran.output).toBe(1);
    for (const text of said) expect(ran.output).toContain(text);
    expect(writes()).toBe(0);
  }

  test("where the store cannot keep two runs apart", async () => {
    server.habits = { ignores: "if-none-match" };
    await refuses(["apply", "--yes"], "store-cannot-exclude", "lets two runs create", "backend: git");
  });

  test("where there is no such bucket, for a plan as well", async () => {
    keepIn({ ...s3Settings(server), bucket: "elsewhere" });
    await refuses(["plan"], "There is no such bucket.", "Create it");
    await refuses(["apply", "--yes"], "There is no such bucket.");
  });

  test("where the store is away, or hangs in the middle of its response", async () => {
    server.fault = () => "truncated";
    await refuses(["plan"], "was cut off");
    await server.stop();
    await refuses(["apply", "--yes"], "cannot be reached", "Check the URL and the connection");
  });

  test("where the state is of another organization, which is left as it is", async () => {
    await run(["apply", "--yes", "--settle", "0"]);
    sandbox.control.clearCalls();
    const outside = { env: s3Env("writer"), keepSecret: () => undefined, disagreement: async () => null };
    const files = await openS3Files(s3Settings(server), "/", "production", { ...outsideCalls({}), ...outside });
    if (!files.ok) throw new Error(files.message);
    await belongsToOthers(files.value);
    for (const words of [["plan"], ["apply", "--yes"]]) await refuses(words, "state-of-another-organization");
    const after = await files.value.read();
    expect(after.ok && after.value?.files.get("state.json")).toContain('"others"');
    await files.value.close();
  });

  test("without credentials", async () => {
    const ran = await run(["plan"], {});
    expect(ran.exitCode).toBe(1);
    expect(ran.output).toContain("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set.");
  });
});

test.each([
  [{ backend: "s3" }, "missing-field", "`backend: s3` needs a `bucket`."],
  [{ backend: "s3", bucket: "acme", endpoint: "http://s3.example.com" }, "bad-state-address", "unprotected"],
  [{ backend: "s3", bucket: "acme", endpoint: "https://key:secret@s3.example.com" }, "secret-in-file", "password"],
  [{ backend: "s3", bucket: "a/b" }, "wrong-value", "bucket"],
])("what the file may not say: %o", async (state, code, said) => {
  keepIn(state);
  const ran = await run(["validate"]);
  expect(ran.exitCode).toBe(1);
  expect(ran.output).toContain(code);
  expect(ran.output).toContain(said);
});

test("credentials do not go to an address that no one agreed to", async () => {
  const changed = "`state` in ticketing.yaml differs from the one on the default branch (main)";
  async function load(env: Readonly<Record<string, string>>) {
    const store = openStore(s3Settings(server), {
      directory: folder,
      environment: "production",
      baseUrl: "https://api.example.com",
      secrets: () => null,
      outside: {
        ...outsideCalls({}),
        env: { ...s3Env("writer"), ...env },
        keepSecret: () => undefined,
        disagreement: async () => ({ message: changed, hint: "Or merge it." }),
      },
    });
    const loaded = await store.load();
    await store.close?.();
    return loaded;
  }
  expect(await load({})).toMatchObject({
    ok: false,
    diagnostics: [{ code: "address-changed", message: expect.stringContaining(changed) }],
  });
  const elsewhere = { TICKETING_STATE_ADDRESS: "https://s3.example.com/box-office" };
  expect(await load(elsewhere)).toMatchObject({ ok: false, diagnostics: [{ code: "address-changed" }] });
  expect(server.calls).toEqual([]);
  const bucketAlone = { TICKETING_STATE_ADDRESS: `${server.endpoint}/box-office` };
  expect(await load(bucketAlone)).toMatchObject({ ok: false, diagnostics: [{ code: "address-changed" }] });
  expect(server.calls).toEqual([]);
  const confirmed = { TICKETING_STATE_ADDRESS: `${server.endpoint}/box-office/acme/events` };
  expect(await load(confirmed)).toMatchObject({ ok: true, state: null });
});
