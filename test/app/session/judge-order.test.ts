// The order of what is applied, on real repositories.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appliedSince, guardOrder, judgeOrder } from "../../../src/app/session/checkout.ts";
import type { State } from "../../../src/model/live.ts";

let root: string;
let commits: string[];

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] }).trim();
}

function commit(folder: string, subject: string): string {
  git(folder, "commit", "-q", "--allow-empty", "-m", subject);
  return git(folder, "rev-parse", "HEAD");
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "order-"));
  git(root, "init", "-q", "-b", "main", "work");
  commits = ["one", "two", "three"].map((subject) => commit(join(root, "work"), subject));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test("the same commit, and a newer one, may be applied", async () => {
  const [one = "", , three = ""] = commits;
  expect(await judgeOrder(join(root, "work"), three, three)).toBeNull();
  expect(await judgeOrder(join(root, "work"), three, one)).toBeNull();
});

test("a folder outside git is told to use a clone, not to fetch", async () => {
  const state = { lastRun: { revision: commits[2] } } as unknown as State;
  const problem = await guardOrder({ directory: root, state, environment: { baseUrl: "https://x" } as never }, null);
  expect(problem?.code).toBe("diverged-from-applied");
  expect(problem?.hint).toMatch(/^Run the command in a clone of the project's repository\./);
});

test("an older one may not: both are named, with the distance", async () => {
  const [one = "", , three = ""] = commits;
  const problem = await judgeOrder(join(root, "work"), one, three);
  expect(problem?.code).toBe("older-than-applied");
  expect(problem?.message).toContain(`(${one.slice(0, 12)}) is 2 commits older`);
  expect(problem?.message).toContain(three.slice(0, 12));
});

test("one on another line may not", async () => {
  const folder = join(root, "work");
  git(folder, "checkout", "-q", "-b", "side", commits[0] ?? "");
  const side = commit(folder, "side");
  expect((await judgeOrder(folder, side, commits[2] ?? ""))?.code).toBe("diverged-from-applied");
});

test("a revision that git no longer has counts as another line", async () => {
  const gone = "0123456789012345678901234567890123456789";
  const problem = await judgeOrder(join(root, "work"), commits[2] ?? "", gone);
  expect(problem).toMatchObject({
    code: "diverged-from-applied",
    message: expect.stringContaining("history was rewritten"),
  });
});

test("what was applied after a job's clone was made is fetched to judge it", async () => {
  const [, , three = ""] = commits;
  git(root, "clone", "-q", `file://${join(root, "work")}`, "job");
  const directory = join(root, "job");
  const four = commit(join(root, "work"), "four");
  git(join(root, "work"), "checkout", "-q", "-b", "side");
  const side = commit(join(root, "work"), "side");
  git(join(root, "work"), "checkout", "-q", "main");
  git(directory, "fetch", "-q", "--no-tags", "origin", "side");
  const checkout = { revision: three, dirty: false };
  const { signal } = new AbortController();
  const since = (revision: string, more = {}) => {
    const state = { lastRun: { revision } } as unknown as State;
    return appliedSince({ directory, state }, { ...checkout, ...more }, signal);
  };
  expect(await since(four)).toBe(four);
  const problem = await judgeOrder(directory, three, four);
  expect(problem?.code).toBe("older-than-applied");
  expect(problem?.hint).not.toContain("--allow");
  // A record does not make a job apply files that were not merged, nor give up what is not committed.
  expect(await since(side)).toBeNull();
  expect(await since(four, { dirty: true })).toBeNull();
  expect(await since(three)).toBeNull();
  expect(await since(three, { revision: four })).toBeNull();
});

test("a shallow clone says which depth is needed", async () => {
  git(root, "clone", "-q", "--depth=1", `file://${join(root, "work")}`, "shallow");
  const problem = await judgeOrder(join(root, "shallow"), commits[2] ?? "", commits[0] ?? "");
  expect(problem).toMatchObject({ code: "shallow-clone", hint: expect.stringContaining("fetch-depth: 0") });
});
