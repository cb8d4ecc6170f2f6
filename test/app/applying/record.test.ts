// What state records of a run: the commit it worked from, and how it ended.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseJournal } from "../../../src/apply/journal.ts";
import type { State } from "../../../src/model/live.ts";
import { fingerprintOf } from "../../../src/plan/fingerprint.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { hasGit } from "../../stage/has-git.ts";
import { removeFolder } from "../../stage/remove-folder.ts";
import { ticketing } from "../../stage/test-world.ts";
import { openTheater } from "../../stage/theater.ts";

const url = "https://github.com/acme/events/actions/runs/7";
const jazz = "name: Jazz\ndateTime: 2027-03-14T19:00\ndescription: one\n";

let sandbox: Sandbox;
let root: string;

beforeEach(async () => {
  sandbox = await startSandbox({});
  root = mkdtempSync(join(tmpdir(), "ticketing-record-"));
  write("ticketing.yaml", "version: 1\n");
  write("events/jazz.yaml", jazz);
});

afterEach(async () => {
  await sandbox.close();
  removeFolder(root);
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function git(...args: string[]): string {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
  return execFileSync("git", [...identity, ...args], { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
}

function commit(message: string): string {
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
  return git("rev-parse", "HEAD");
}

function run(at: string, ...argv: string[]) {
  const env = {
    TICKETING_BASE_URL: sandbox.baseUrl,
    TICKETING_API_KEY: sandbox.apiKey,
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_REPOSITORY: "acme/events",
    GITHUB_RUN_ID: "7",
  };
  return ticketing([...argv, "-C", root], { env, now: () => Date.parse(at) });
}

async function recorded(): Promise<State> {
  return JSON.parse((await run("2027-01-01T00:00:00Z", "state", "pull")).stdout) as State;
}

describe.skipIf(!hasGit)("in a repository", () => {
  test("a run that ends clean: its revision is applied, and another one of it that has nothing to do writes nothing", async () => {
    const revision = commit("Begin");
    expect((await run("2027-01-10T00:00:00Z", "apply", "--yes")).exitCode).toBe(0);
    const at = "2027-01-10T00:00:00.000Z";
    expect(await recorded()).toMatchObject({
      appliedRevision: revision,
      appliedAt: at,
      lastRun: { revision, at, clean: true, url },
    });
    const file = join(root, ".ticketing/state.default.json");
    const before = readFileSync(file, "utf8");
    expect((await run("2027-01-11T00:00:00Z", "apply", "--yes")).exitCode).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("a new commit with nothing to do is recorded", async () => {
    commit("Begin");
    await run("2027-01-10T00:00:00Z", "apply", "--yes");
    write("README.md", "Hello\n");
    const revision = commit("Describe");
    await run("2027-01-11T00:00:00Z", "apply", "--yes");
    expect(await recorded()).toMatchObject({ appliedRevision: revision, appliedAt: "2027-01-11T00:00:00.000Z" });
  });

  test("a run that fails is the last one, and what was applied before stays applied", async () => {
    const first = commit("Begin");
    await run("2027-01-10T00:00:00Z", "apply", "--yes");
    write("events/jazz.yaml", jazz.replace("one", "two"));
    const second = commit("Edit");
    sandbox.control.addFault({ kind: "error-before", path: "/events", method: "PATCH", times: 0 });
    expect((await run("2027-01-11T00:00:00Z", "apply", "--yes", "--settle", "0")).exitCode).toBe(1);
    expect(await recorded()).toMatchObject({
      appliedRevision: first,
      appliedAt: "2027-01-10T00:00:00.000Z",
      lastRun: { revision: second, at: "2027-01-11T00:00:00.000Z", clean: false },
    });
  });

  test.each([
    ["an edit", "events/jazz.yaml", jazz.replace("one", "two"), true],
    ["a new event", "events/blues.yaml", jazz.replace("Jazz", "Blues"), true],
    ["a file that the project does not read", "plan.txt", "report\n", undefined],
  ])("%s that is not committed", async (_, file, text, dirty) => {
    const revision = commit("Begin");
    write(file, text);
    expect((await run("2027-01-10T00:00:00Z", "apply", "--yes")).exitCode).toBe(0);
    const state = await recorded();
    expect(state.lastRun).toMatchObject({ revision, clean: true });
    expect(state.lastRun?.dirty).toBe(dirty);
    expect(state.appliedRevision).toBe(dirty === true ? undefined : revision);
  });

  describe("a saved plan", () => {
    const blues = jazz.replace("Jazz", "Blues");

    test.each([
      ["of everything", [], true],
      ["of what was not applied yet", ["--base", "last"], true],
      ["of a target", ["--target", "events/blues"], false],
      ["of what differs from a revision", ["--base", "HEAD^"], false],
    ])("%s counts as the same apply without one", async (_, flags, clean) => {
      const first = commit("Begin");
      await run("2027-01-10T00:00:00Z", "apply", "--yes");
      write("events/blues.yaml", blues);
      const second = commit("Add");
      expect((await run("2027-01-11T00:00:00Z", "plan", "--out", "plan.json", ...flags)).exitCode).toBe(0);
      expect((await run("2027-01-12T00:00:00Z", "apply", "plan.json", "--yes")).exitCode).toBe(0);
      expect(await recorded()).toMatchObject({
        appliedRevision: clean ? second : first,
        lastRun: { revision: second, at: "2027-01-12T00:00:00.000Z", clean },
      });
    });

    test("applied from files that have changed since does not count", async () => {
      const first = commit("Begin");
      await run("2027-01-10T00:00:00Z", "apply", "--yes");
      write("events/blues.yaml", blues);
      commit("Add");
      await run("2027-01-11T00:00:00Z", "plan", "--out", "plan.json");
      write("events/soul.yaml", jazz.replace("Jazz", "Soul"));
      commit("Add another");
      expect((await run("2027-01-12T00:00:00Z", "apply", "plan.json", "--yes")).exitCode).toBe(0);
      const state = await recorded();
      expect(state).toMatchObject({ appliedRevision: first, lastRun: { clean: false } });
      expect(state.lastRun?.dirty).toBeUndefined();
    });

    test("that was reverted before it was applied is undone by the next run", async () => {
      commit("Begin");
      await run("2027-01-10T00:00:00Z", "apply", "--yes");
      write("events/jazz.yaml", jazz.replace("one", "two"));
      commit("Edit");
      await run("2027-01-11T00:00:00Z", "plan", "--out", "plan.json");
      write("events/jazz.yaml", jazz);
      commit("Revert");
      expect((await run("2027-01-12T00:00:00Z", "apply", "plan.json", "--yes")).exitCode).toBe(0);
      const next = await run("2027-01-13T00:00:00Z", "plan", "--base", "last", "--format", "json");
      expect(JSON.parse(next.stdout).changes).toMatchObject([{ address: "events/jazz", action: "update" }]);
    });

    test("leaves what came due after it was made to the next run", async () => {
      write(
        "events/gala.yaml",
        `${jazz.replace("Jazz", "Gala")}phases: [{ name: Later, from: 2027-01-12T00:00, imageUrl: https://example.com/a.jpg }]\n`,
      );
      commit("Begin");
      await run("2027-01-10T00:00:00Z", "apply", "--yes");
      write("events/blues.yaml", blues);
      const second = commit("Add");
      await run("2027-01-11T00:00:00Z", "plan", "--out", "plan.json");
      expect((await run("2027-01-13T00:00:00Z", "apply", "plan.json", "--yes")).exitCode).toBe(0);
      expect(await recorded()).toMatchObject({ appliedRevision: second, appliedAt: "2027-01-11T00:00:00.000Z" });
      const next = await run("2027-01-13T00:00:00Z", "plan", "--base", "last", "--format", "json");
      expect(JSON.parse(next.stdout).changes).toMatchObject([{ address: "events/gala", action: "update" }]);
    });

    test("that somebody has taken changes out of does not count", async () => {
      const first = commit("Begin");
      await run("2027-01-10T00:00:00Z", "apply", "--yes");
      write("events/blues.yaml", blues);
      commit("Add");
      await run("2027-01-11T00:00:00Z", "plan", "--out", "plan.json");
      const plan = JSON.parse(readFileSync(join(root, "plan.json"), "utf8"));
      const none = { changes: [], operations: [], observed: [], calls: { ...plan.calls, writes: 0 } };
      Object.assign(plan, { ...none, summary: { ...plan.summary, create: 0 } });
      write("plan.json", JSON.stringify({ ...plan, fingerprint: fingerprintOf(plan) }));
      expect((await run("2027-01-12T00:00:00Z", "apply", "plan.json", "--yes")).exitCode).toBe(0);
      expect((await recorded()).appliedRevision).toBe(first);
    });
  });

  test("a run that is refused is no attempt, and `state rm` keeps the record", async () => {
    const revision = commit("Begin");
    await run("2027-01-10T00:00:00Z", "apply", "--yes");
    write("events/jazz.yaml", `status: DELETED\n${jazz}`);
    commit("Delete");
    expect((await run("2027-01-11T00:00:00Z", "apply", "--yes")).exitCode).toBe(1);
    expect((await run("2027-01-11T00:00:00Z", "state", "rm", "events/jazz", "--yes")).exitCode).toBe(0);
    const state = await recorded();
    expect(state.objects).toEqual({});
    expect(state).toMatchObject({ appliedRevision: revision, lastRun: { revision, clean: true } });
  });
});

test("outside a repository there is no revision", async () => {
  expect((await run("2027-01-10T00:00:00Z", "apply", "--yes")).exitCode).toBe(0);
  const state = await recorded();
  expect(state.lastRun).toEqual({ revision: null, at: "2027-01-10T00:00:00.000Z", clean: true, url });
  expect(state.appliedRevision).toBeUndefined();
});

test("a run that is killed at its first write has recorded its attempt; the next one records its own end", async () => {
  const theater = openTheater();
  const files = { "ticketing.yaml": "version: 1\n", "events/jazz.yaml": jazz };
  const revision = "a".repeat(40);
  const checkout = { revision, dirty: false };
  const death = { at: 1, of: "journal", moment: "after" } as const;
  expect((await theater.run(files, { checkout, death })).applied).toBeNull();
  const [begun] = parseJournal(theater.disk.journal).entries;
  expect(begun).toMatchObject({ type: "run", attempt: { revision } });
  expect((await theater.run(files, { checkout: { revision, dirty: true } })).applied?.problem).toBeNull();
  expect(JSON.parse(theater.disk.state).lastRun).toMatchObject({ revision, dirty: true, clean: true });
  expect(theater.disk.journal).toBe("");
});
