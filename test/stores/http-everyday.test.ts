// State on GitLab from day to day: apply, look, migrate there and back.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventFile, type GitPlace, openGitPlace } from "../stage/git-place.ts";
import { type Ran, ticketing } from "../stage/test-world.ts";
import { type StateServer, startStateServer } from "./http-server.ts";
import { httpUnderTest, openFiles } from "./http-store.ts";
import { belongsToOthers, openStarted, quickTimes } from "./store-under-test.ts";

const now = "2027-01-10T00:00:00Z";
let server: StateServer;
let confirmed: Readonly<Record<string, string>> = {};
let place: GitPlace;
beforeEach(async () => {
  confirmed = {};
  server = await startStateServer({ flavor: "gitlab", tokens: { "job-token": "maintainer" } });
  place = await openGitPlace(httpState());
});
afterEach(async () => {
  await Promise.all([server.stop(), place.close()]);
});

function httpState(): string {
  return `state: { backend: http, address: "${server.base}/tickets-{environment}" }\n`;
}

/** As a job of that GitLab. */
function run(folder: string, ...argv: readonly string[]): Promise<Ran> {
  const env = {
    CI: "true",
    CI_JOB_TOKEN: "job-token",
    CI_API_V4_URL: server.base.replace(/\/projects.*/, ""),
    TICKETING_API_KEY: place.sandbox.apiKey,
    TICKETING_NOW: now,
    HOME: place.root,
    GIT_CONFIG_NOSYSTEM: "1",
    ...confirmed,
  };
  return ticketing([...argv, "-C", folder], { env, now: () => Date.parse(now), lockTimes: { patienceMs: 500 } });
}

async function fine(folder: string, ...argv: readonly string[]): Promise<string> {
  const ran = await run(folder, ...argv);
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  return ran.stdout;
}

test("two runners that forget everything: the second one has nothing to do, the third one event", async () => {
  await fine(place.clone("one"), "apply", "--yes", "--settle", "0");
  expect(server.at("tickets-production").lock).toBeNull();
  const two = place.clone("two");
  expect(await fine(two, "plan", "--detailed-exitcode")).toContain("No changes");
  expect(await fine(two, "state", "list")).toContain("events/manila-nights");
  expect(await fine(two, "state", "log")).toContain("clean");
  place.commit({ "events/gala.yaml": eventFile("Gala").replace("03-14", "05-02") });
  await fine(place.clone("three"), "apply", "--yes", "--settle", "0");
  const { serial, ticketing: kept } = JSON.parse(server.at("tickets-production").document ?? "");
  expect(serial).toBeGreaterThan(4);
  expect(kept).toMatchObject({ formatVersion: 1, lock: null });
  const files = Object.keys(kept.files).filter((file) => file !== "pace.json");
  expect(files.sort()).toEqual(["log.jsonl", "state.json", "ticketing.json"]);
});

test.each([
  ["apply", [], "error[not-approved]"],
  ["webhooks", ["rotate", "https://hooks.acme.example/none", "--yes"], "error[unknown-webhook]"],
])("a lock that cannot be given back is reported, also by a run with nothing to save: %s", async (name, argv, why) => {
  await fine(place.clone("one"), "apply", "--yes", "--settle", "0");
  place.commit({ "events/gala.yaml": eventFile("Gala").replace("03-14", "05-02") });
  let writes = 0;
  server.fault = ({ isWrite }) => (isWrite && ++writes > 1 ? "before" : null);
  const { exitCode, stderr } = await run(place.clone("two"), name, ...argv);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(why);
  expect(stderr).toContain("error[state-unusable] What was done could not be written to the state:");
  server.fault = null;
});

test.each([
  ["was copied", ["apply", "--yes", "--settle", "0"], null],
  ["could not be", ["state", "list"], "error[nothing-to-migrate]"],
] as const)("`state migrate` says so of the place that it copies from, where the state %s", async (_, first, why) => {
  const folder = place.clone("one");
  await fine(folder, ...first);
  let writes = 0;
  server.fault = ({ isWrite }) => (isWrite && ++writes > 1 ? "before" : null);
  const { exitCode, stderr } = await run(folder, "state", "migrate", "--to", "file");
  server.fault = null;
  expect(exitCode).toBe(1);
  expect(stderr).toContain(why ?? "");
  expect(stderr).toContain("error[state-unusable] What was done could not be written to the state:");
  expect(existsSync(join(folder, ".ticketing/state.production.json"))).toBe(why === null);
});

test("a state of another organization is refused, and left as it is", async () => {
  const folder = place.clone("one");
  await fine(folder, "apply", "--yes", "--settle", "0");
  const files = await openFiles(`${server.base}/tickets-{environment}`, "job-token", "production");
  await belongsToOthers(files);
  const before = place.writes();
  for (const argv of [["plan"], ["apply", "--yes"]]) {
    const ran = await run(folder, ...argv);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout + ran.stderr).toContain("state-of-another-organization");
  }
  expect(place.writes()).toEqual(before);
  const after = await files.read();
  expect(after.ok && after.value?.files.get("state.json")).toContain('"others"');
  await files.close();
  let writes = 0;
  server.fault = ({ isWrite }) => (isWrite && ++writes > 1 ? "before" : null);
  const { stderr } = await run(folder, "webhooks", "rotate", "https://hooks.acme.example/none", "--yes");
  server.fault = null;
  // A rotation that does not begin reports what it could not give back, too.
  for (const code of ["state-of-another-organization", "state-unusable"]) expect(stderr).toContain(`error[${code}]`);
});

test("outcomes go out with the renewals of the lock: what is written often is sent no more often", async () => {
  const started = await httpUnderTest("gitlab").start();
  const store = openStarted(started, "production", { ...quickTimes, renewMs: 1_000, gatherMs: 100 });
  const locked = await store.lock({ command: "apply", timeoutMs: 0 });
  if (!locked.ok) throw new Error("not locked");
  await store.journal.open(locked.lock.isHeld);
  const serial = async () => (await started.files("production").then((files) => files.tip())) as { value: string };
  const began = performance.now();
  const first = Number.parseInt((await serial()).value, 10);
  for (let line = 0; line < 200; line += 1) {
    store.journal.note(`${line}\n`);
    await sleep(20);
  }
  await sleep(1_200);
  expect(Number.parseInt((await serial()).value, 10) - first).toBeLessThanOrEqual(
    (performance.now() - began) / 1_000 + 1,
  );
  const kept = await openStarted(started, "production", quickTimes).journal.read();
  expect(kept).toMatchObject({ text: expect.stringContaining("199\n") });
  expect(await locked.lock.release()).toBeNull();
  await started.stop();
});

test("state migrates from git to GitLab and back", async () => {
  await place.close();
  place = await openGitPlace();
  const folder = place.clone("one");
  await fine(folder, "apply", "--yes", "--settle", "0");
  const unsaid = await run(folder, "state", "migrate", "--to", "http");
  expect(unsaid.exitCode).toBe(1);
  expect(unsaid.stderr + unsaid.stdout).toContain("ticketing.yaml has no `address` for `backend: http`.");
  const target = `{ baseUrl: "${place.sandbox.baseUrl}", apiKeyEnv: TICKETING_API_KEY }`;
  const settings = `version: 1\n${httpState()}defaultEnvironment: production\nenvironments:\n  production: ${target}\n`;
  writeFileSync(join(folder, "ticketing.yaml"), settings);
  const address = `${server.base}/tickets-{environment}`;
  const unconfirmed = await run(folder, "state", "migrate", "--from", "git", "--to", "http");
  expect(unconfirmed.exitCode).toBe(1);
  // What helps comes first; whoever merges before the state is copied has two.
  expect(unconfirmed.stderr).toContain(
    `fix: If the state belongs there, confirm it where the credentials are set: TICKETING_STATE_ADDRESS=${address}. Or copy`,
  );
  confirmed = { TICKETING_STATE_ADDRESS: address };
  const there = await fine(folder, "state", "migrate", "--from", "git", "--to", "http");
  expect(there).toContain(`to ${server.base}/tickets-production.`);
  const before = place.writes().length;
  expect(await fine(folder, "plan", "--detailed-exitcode")).toContain("No changes");
  expect(place.writes()).toHaveLength(before);
  expect(await fine(folder, "state", "migrate", "--from", "http", "--to", "git")).toContain(
    'to the git remote "origin".',
  );
  const left = await run(folder, "state", "migrate", "--to", "file");
  expect(left.stderr).toContain("error[state-moved]");
  expect(await fine(folder, "state", "migrate", "--from", "git", "--to", "file")).toContain("Copied 2 objects");
});
