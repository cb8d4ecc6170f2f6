// The order of what is applied, on real repositories.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { judgeOrder } from "../../../src/app/session/checkout.ts";

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

test("a shallow clone says which depth is needed", async () => {
  git(root, "clone", "-q", "--depth=1", `file://${join(root, "work")}`, "shallow");
  const problem = await judgeOrder(join(root, "shallow"), commits[2] ?? "", commits[0] ?? "");
  expect(problem).toMatchObject({ code: "shallow-clone", hint: expect.stringContaining("fetch-depth: 0") });
});
