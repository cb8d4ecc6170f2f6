// What `state` shows, and what it takes as an address. A URL may hold a token: it is shown to no one, and still taken as shown.
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSandbox } from "../../../src/sandbox/index.ts";
import { describeHolder } from "../../../src/state/store.ts";
import { ticketing } from "../../stage/test-world.ts";

test("a webhook's address in `state`", async () => {
  const sandbox = await startSandbox();
  const folder = mkdtempSync(join(tmpdir(), "ticketing-masked-"));
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const run = (...argv: readonly string[]) => ticketing([...argv, "-C", folder], { env });
  writeFileSync(join(folder, "ticketing.yaml"), "version: 1\nsecrets: { sink: file, path: .ticketing/secrets.json }\n");
  const url = "https://hooks.example.com/orders?room=balcony-west";
  writeFileSync(join(folder, "webhooks.yaml"), `- { url: "${url}", events: [order.completed] }\n`);
  const applied = await run("apply", "--yes");
  expect(applied.exitCode, applied.stdout + applied.stderr).toBe(0);

  const shown = "webhooks/https:%2F%2Fhooks.example.com%2Forders?***";
  const list = await run("state", "list");
  expect(list.stdout).toContain(shown);
  const show = await run("state", "show", shown);
  expect(show.stdout).toContain("id: ");
  const near = await run("state", "show", shown.slice(0, -4));
  expect(near.stderr).toContain(`Did you mean ${shown}`);
  const gone = await run("state", "rm", shown, "--yes");
  expect(gone.exitCode, gone.stderr).toBe(0);
  for (const { stdout, stderr } of [applied, list, show, near, gone])
    expect(stdout + stderr).not.toContain("balcony-west");
  expect((await run("state", "list")).stdout).toContain("State is empty.");
  await sandbox.close();
});

test("an address without its kind, or of a series, is answered with one that state has", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-addresses-"));
  const run = (...argv: readonly string[]) => ticketing([...argv, "-C", folder]);
  mkdirSync(join(folder, "events"));
  writeFileSync(
    join(folder, "events", "club.yaml"),
    "name: Club\ndateTime: 22:00\nlocationType: ONLINE\nseries: { also: [2027-01-08, 2027-01-15] }\n",
  );
  expect((await run("state", "rm", "events/nope", "--yes")).stderr).toContain(
    "fix: There is nothing to forget: check `--env` and `-C`.",
  );
  expect((await run("state", "show", "events/nope")).stderr).toContain("fix: Nothing has been applied here yet: run");
  const applied = await run("apply", "--yes");
  expect(applied.exitCode, applied.stdout + applied.stderr).toBe(0);
  expect((await run("state", "show", "club@2027-01-15")).stderr).toContain("Did you mean events/club@2027-01-15?");
  expect((await run("state", "show", "events/club")).stderr).toContain(
    "That is a series; name one of its dates, such as events/club@2027-01-08.",
  );
  // The state of the sandbox is always in files, so there is nothing to advise.
  expect((await run("state", "log")).stdout).not.toContain("backend");
  expect((await run("state", "migrate")).stderr).toContain("error[sandbox-stays]");
});

test("a run that is under way in state on this machine, or was killed, is not called incomplete", async () => {
  const sandbox = await startSandbox();
  const folder = mkdtempSync(join(tmpdir(), "ticketing-runs-"));
  const copy = mkdtempSync(join(tmpdir(), "ticketing-killed-"));
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  mkdirSync(join(folder, "events"));
  writeFileSync(join(folder, "events", "club.yaml"), "name: Club\ndateTime: 2027-01-08T22:00\nlocationType: ONLINE\n");
  sandbox.control.addFault({ kind: "kill", writes: true, onKill: () => cpSync(folder, copy, { recursive: true }) });
  expect((await ticketing(["apply", "--yes", "-C", folder], { env })).exitCode).toBe(0);
  const log = async (where: string) => (await ticketing(["state", "log", "-C", where], { env })).stdout;
  expect(await log(folder)).toMatch(/ clean/);
  expect(await log(copy)).toMatch(/ running/);
  await ticketing(["state", "unlock", "--yes", "-C", copy], { env });
  expect(await log(copy)).toMatch(/ cut-off/);
  await sandbox.close();
});

test("who holds the lock is said with a time as people read it", () => {
  const holder = { command: "apply", user: "ana", host: "laptop", pid: 4711, since: "2027-03-01T09:00:00.000Z" };
  expect(describeHolder({ ...holder, token: "1" } as Parameters<typeof describeHolder>[0])).toBe(
    "apply by ana on laptop (process 4711) since Mon 1 Mar 2027 17:00 Asia/Manila (09:00Z)",
  );
});
