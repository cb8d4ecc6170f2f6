// Servers, credentials and documents that state must not be kept with: each has a clear error, and nothing is written.
import { afterEach, describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { HttpState } from "../../src/model/wish.ts";
import { outsideCalls } from "../../src/service/transport.ts";
import { documentBody, nextDocument } from "../../src/state/http/state-document.ts";
import { openStore } from "../../src/state/open-store.ts";
import { lockFiles } from "../../src/state/shared/lock-files.ts";
import type { StateStore } from "../../src/state/store.ts";
import { type Flavor, type StateServer, type StateServerOptions, startStateServer } from "./http-server.ts";
import { openFiles } from "./http-store.ts";
import { quickTimes } from "./store-under-test.ts";

const token = "glpat-not-for-anyones-eyes";
const flavors: readonly Flavor[] = ["plain", "gitlab"];
let server: StateServer;
const opened: StateStore[] = [];
const kept: string[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close?.();
  kept.length = 0;
  await server.stop();
});

interface Place extends Partial<HttpState> {
  readonly env?: Readonly<Record<string, string>>;
  readonly disagreement?: string;
}

async function begin(options: StateServerOptions): Promise<void> {
  server = await startStateServer(options);
}

function store({ env = {}, disagreement, ...settings }: Place = {}): StateStore {
  const state: HttpState = { backend: "http", address: `${server.base}/{environment}`, ...settings };
  const made = openStore(state, {
    directory: "/nowhere",
    environment: "production",
    baseUrl: "https://api.example.com",
    secrets: () => null,
    times: quickTimes,
    outside: {
      ...outsideCalls({}),
      env,
      keepSecret: (secret) => void kept.push(secret),
      disagreement: async () => (disagreement === undefined ? null : { message: disagreement, hint: "Or merge it." }),
    },
  });
  opened.push(made);
  return made;
}

async function refusal(place: Place = {}): Promise<Diagnostic> {
  const locked = await store(place).lock({ command: "apply", timeoutMs: 0 });
  if (locked.ok) throw new Error("It was locked.");
  return locked.diagnostics[0] as Diagnostic;
}

/** Why it cannot be read; a plan needs no more. */
async function unread(place: Place = {}): Promise<Diagnostic> {
  const loaded = await store(place).load();
  if (loaded.ok) throw new Error(`It was read: ${JSON.stringify(loaded.state)}`);
  return loaded.diagnostics[0] as Diagnostic;
}

describe.each(flavors)("a %s server that cannot exclude", (flavor) => {
  test.each([
    ["locks-everyone", "The server gives its lock to two runs at once."],
    ["ignores-the-id", "The server accepts writes from a run that does not hold its lock."],
    ["forgets", "does not show what was just written to it."],
  ] as const)("%s", async (lie, words) => {
    await begin({ flavor, lie });
    const { code, message, hint } = await refusal();
    expect({ code, message }).toEqual({ code: "store-cannot-exclude", message: expect.stringContaining(words) });
    expect(hint).toContain("two runs could apply at once");
    expect(server.at("production").lock).toBeNull();
    const document = server.at("production").document;
    expect(document === null ? [] : Object.keys(JSON.parse(document).ticketing.files)).not.toContain("lock.json");
  });
});

test("a server is tried out once, and again under another address", async () => {
  await begin({ flavor: "gitlab" });
  const wrongIds = () => server.calls.filter(({ method, status }) => method === "POST" && status === 500).length;
  for (const tries of [1, 1]) {
    const locked = await store().lock({ command: "apply", timeoutMs: 0 });
    if (!locked.ok) throw new Error("not locked");
    expect(await locked.lock.release()).toBeNull();
    expect(wrongIds()).toBe(tries);
  }
  server.at("moved").document = server.at("production").document;
  const moved = store({ address: `${server.base}/moved` });
  const locked = await moved.lock({ command: "apply", timeoutMs: 0 });
  expect(locked.ok).toBe(true);
  expect(wrongIds()).toBe(2);
});

describe("no state server", () => {
  test.each([
    ["html", "responds with a web page, not with a state."],
    ["html-404", "responds with a web page (404), not with a state."],
    ["redirects", "redirects to 127.0.0.1:9; redirects are not followed."],
    ["fails", "the response to reading it was 502."],
    ["not-json", "responded with something that is not complete JSON."],
  ] as const)("%s", async (lie, words) => {
    await begin({ flavor: "plain", lie });
    for (const { code, message } of [await unread(), await refusal()]) {
      expect({ code, message }).toEqual({ code: "state-unusable", message: expect.stringContaining(words) });
    }
    expect(server.calls.filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("a body that breaks off", async () => {
    await begin({ flavor: "plain", lie: "truncates" });
    server.at("production").document = documentBody(nextDocument(null, { "state.json": "{}\n" }, null));
    expect(await unread()).toMatchObject({ code: "state-unusable", message: expect.stringContaining("was cut off") });
  });

  test("none that answers", async () => {
    await begin({ flavor: "plain" });
    await server.stop();
    const { message, hint } = await unread();
    expect(message).toContain("ECONNREFUSED");
    expect(hint).toContain("Check the address");
  });

  test("one without locks serves a plan alone", async () => {
    await begin({ flavor: "plain", lie: "no-locks" });
    expect(await store().load()).toMatchObject({ ok: true, state: null });
    const { message, hint } = await refusal();
    expect(message).toContain(`The server offers no lock: it responds with 405 to LOCK ${server.base}/production.`);
    expect(hint).toContain("lockMethod");
  });
});

describe("what is there already", () => {
  test.each(flavors)("Terraform's own state at a %s server is left alone", async (flavor) => {
    await begin({ flavor });
    const theirs = JSON.stringify({ version: 4, terraform_version: "1.11.4", serial: 7, lineage: "a", resources: [] });
    server.at("production").document = theirs;
    for (const { code, message, hint } of [await unread(), await refusal()]) {
      expect(code).toBe("state-unusable");
      expect(message).toBe(`${server.base}/production contains a state of Terraform 1.11.4, not of \`ticketing\`.`);
      expect(hint).toContain("their own address");
    }
    expect(server.calls.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(server.at("production").document).toBe(theirs);
  });

  test("a document of a newer format", async () => {
    await begin({ flavor: "plain" });
    server.at("production").document = JSON.stringify({ serial: 1, lineage: "a", ticketing: { formatVersion: 2 } });
    expect(await refusal()).toMatchObject({ code: "state-too-new", hint: "Update `ticketing` on this machine." });
  });

  test("the state of another environment, where one address serves two", async () => {
    await begin({ flavor: "plain" });
    const files = await openFiles(`${server.base}/one`, token, "staging");
    expect(await files.write(new Map([["state.json", "{}"]]), null, "one")).toMatchObject({ ok: true });
    await files.close();
    const { message, hint } = await refusal({ address: `${server.base}/one` });
    expect(message).toBe(`${server.base}/one contains the state of the environment "staging".`);
    expect(hint).toContain("`{environment}` in it stands for the environment's name");
  });

  test("a document that is too large for the server, and what it says about it", async () => {
    await begin({ flavor: "gitlab", maxBytes: 5_000 });
    const made = store();
    const locked = await made.lock({ command: "apply", timeoutMs: 0 });
    if (!locked.ok) throw new Error("not locked");
    await made.journal.open(locked.lock.isHeld);
    await expect(made.journal.append("x".repeat(6_000))).rejects.toMatchObject({
      message: expect.stringContaining("413 (Request Entity Too Large): the document is larger"),
    });
  });
});

describe("credentials", () => {
  const roles = { [token]: "maintainer", "glpat-dev": "developer", "glpat-other": "stranger" } as const;

  test("from the environment, kept out of what is printed, and sent with every call", async () => {
    await begin({ flavor: "gitlab", tokens: roles });
    const locked = await store({ env: { TICKETING_STATE_PASSWORD: token } }).lock({ command: "apply", timeoutMs: 0 });
    if (!locked.ok) throw new Error("not locked");
    await locked.lock.release();
    const pair = Buffer.from(`ticketing:${token}`).toString("base64");
    expect(new Set(server.calls.map(({ authorization }) => authorization))).toEqual(new Set([`Basic ${pair}`]));
    expect(kept).toEqual([token, pair]);
    expect(server.calls.filter(({ bytes, md5 }) => bytes > 0 && md5 !== "right")).toEqual([]);
  });

  test.each([
    [{}, "401 (Unauthorized)"],
    [{ TICKETING_STATE_PASSWORD: "glpat-wrong" }, "401 (Unauthorized)"],
    [{ TICKETING_STATE_PASSWORD: "glpat-other" }, "404 (Project Not Found)"],
  ])("that are none or the wrong ones: %o", async (env, words) => {
    await begin({ flavor: "gitlab", tokens: roles });
    const { code, message, hint } = await unread({ env });
    expect({ code, message }).toEqual({ code: "state-unusable", message: expect.stringContaining(words) });
    expect(hint).toContain("TICKETING_STATE_PASSWORD");
  });

  test("of somebody who may only read serve a plan, and no apply", async () => {
    await begin({ flavor: "gitlab", tokens: roles });
    const env = { TICKETING_STATE_PASSWORD: "glpat-dev" };
    expect(await store({ env }).load()).toMatchObject({ ok: true, state: null });
    const { message, hint } = await refusal({ env });
    expect(message).toContain("403 (Forbidden)");
    expect(hint).toContain("Maintainer to apply");
  });

  test("of a GitLab job go to its own GitLab, and nowhere else", async () => {
    await begin({ flavor: "gitlab", tokens: { "job-token": "maintainer" } });
    const own = { CI_JOB_TOKEN: "job-token", CI_API_V4_URL: server.base.replace(/\/projects.*/, "") };
    expect(await store({ env: own }).load()).toMatchObject({ ok: true });
    expect(server.calls.at(-1)?.authorization).toBe(
      `Basic ${Buffer.from("gitlab-ci-token:job-token").toString("base64")}`,
    );
    for (const CI_API_V4_URL of [
      "https://gitlab.example.com/api/v4",
      `${new URL(server.base).origin}.example.com`,
      "",
    ]) {
      await unread({ env: { ...own, CI_API_V4_URL } });
      expect(server.calls.at(-1)?.authorization).toBeNull();
    }
  });

  test("are not sent where the file was changed and no one agreed, unless whoever set them did", async () => {
    await begin({ flavor: "plain", tokens: roles });
    const disagreement = "`state` in ticketing.yaml differs from the one on the default branch (main)";
    const env = { TICKETING_STATE_PASSWORD: token };
    expect(await unread({ env, disagreement })).toMatchObject({
      code: "address-changed",
      message: expect.stringContaining(disagreement),
      hint: expect.stringContaining("TICKETING_STATE_ADDRESS"),
    });
    const elsewhere = { ...env, TICKETING_STATE_ADDRESS: "https://states.example.com/{environment}" };
    expect(await unread({ env: elsewhere })).toMatchObject({ code: "address-changed" });
    expect(server.calls).toEqual([]);
    const confirmed = { ...env, TICKETING_STATE_ADDRESS: `${server.base}/{environment}` };
    expect(await store({ env: confirmed, disagreement }).load()).toMatchObject({ ok: true, state: null });
  });

  test.each([
    [{ address: "http://states.example.com/tickets" }, "so its credentials would be sent unprotected"],
    [{ address: "https://ana:secret@states.example.com/tickets" }, "contains a user name or password"],
    [{ lockAddress: "https://other.example.com/lock" }, "on different hosts"],
    [{ address: "" }, "is not a URL"],
    [{ env: { TICKETING_STATE_USERNAME: "ana" } }, "TICKETING_STATE_PASSWORD is not"],
    [{ env: { TICKETING_STATE_PASSWORD: "a\nb" } }, "a character that cannot be sent"],
  ])("are not sent to or with %o", async (place, words) => {
    await begin({ flavor: "plain" });
    const { code, message } = await unread(place);
    expect({ code, message }).toEqual({ code: "state-unusable", message: expect.stringContaining(words) });
    expect(message).not.toContain("secret@");
    expect(server.calls).toEqual([]);
  });
});

describe.each(flavors)("a lock that a run left behind at a %s server", (flavor) => {
  const times = quickTimes;
  const asking = { command: "apply", run: null, times };

  /** As after a run that died between locking the server and writing so. */
  async function leaveBehind(id: string): Promise<void> {
    await begin({ flavor });
    server.at("production").lock = {
      ID: id,
      Who: "ana@laptop",
      Operation: "ticketing",
      Created: "2027-01-10T00:00:00Z",
    };
  }

  test("before it wrote is taken over within the lease", async () => {
    await leaveBehind("ticketing-0123456789abcdef0123456789abcdef");
    const files = await openFiles(`${server.base}/{environment}`, token, "production", 1_000);
    expect(await lockFiles(files, { ...asking, timeoutMs: 0 })).toMatchObject({
      reason: "held",
      holder: { user: "ana" },
    });
    const began = performance.now();
    const locked = await lockFiles(files, { ...asking, timeoutMs: 10_000 });
    if (!locked.ok) throw new Error("not locked");
    expect(performance.now() - began).toBeGreaterThan(times.takeoverMs);
    expect(await locked.held.release()).toBeNull();
    expect(server.at("production").lock).toBeNull();
    await files.close();
  });

  test("is removed by `state unlock`, even one of somebody else, which is never taken over", async () => {
    await leaveBehind("6d1ff8ab-terraform");
    const refused = await refusal();
    expect(refused).toMatchObject({ code: "state-locked", message: expect.stringMatching(/^Another program .*ana/) });
    expect(refused.hint).not.toContain("minutes");
    expect(refused.hint).toContain("No run takes over the lock of another program");
    expect(await store().unlock()).toMatchObject({ holders: [{ token: "6d1ff8ab-terraform", user: "ana" }] });
    expect(server.at("production").lock).toBeNull();
    const locked = await store().lock({ command: "apply", timeoutMs: 0 });
    expect(locked.ok).toBe(true);
  });

  test("by one that took over from a dead holder and died itself is taken over too", async () => {
    await begin({ flavor });
    const first = await openFiles(`${server.base}/{environment}`, token, "production");
    const dead = await lockFiles(first, { ...asking, timeoutMs: 0, times: { ...times, renewMs: 3_600_000 } });
    if (!dead.ok) throw new Error("not locked");
    server.at("production").lock = { ID: "ticketing-second", Who: "ben@laptop" };
    const files = await openFiles(`${server.base}/{environment}`, token, "production");
    const locked = await lockFiles(files, { ...asking, timeoutMs: 20_000 });
    expect(locked.ok).toBe(true);
    if (locked.ok) expect(await locked.held.release()).toBeNull();
    await files.close();
    await first.close();
  });
});

test.each([
  ["LOCK", 1],
  ["LOCK", 4],
  ["UNLOCK", 1],
] as const)("after lost responses to %s (%i) the run goes on, and leaves nothing behind", async (method, times) => {
  await begin({ flavor: "plain" });
  let lost = 0;
  server.fault = (call) => (call.method === method && lost++ < times ? "after" : null);
  const first = store();
  // As a run does: what it has read is what it locks.
  await first.load();
  const attempt = await first.lock({ command: "apply", timeoutMs: 5_000 });
  expect(attempt.ok).toBe(true);
  if (attempt.ok) await attempt.lock.release();
  await first.close?.();
  expect(server.at("production").lock).toBeNull();
});

test("a lock that nothing was heard of is given back at the end", async () => {
  await begin({ flavor: "plain" });
  server.fault = (call) => (call.method === "LOCK" ? "after" : null);
  const first = store();
  await first.load();
  expect((await first.lock({ command: "apply", timeoutMs: 5_000 })).ok).toBe(false);
  await first.close?.();
  expect(server.at("production").lock).toBeNull();
});
