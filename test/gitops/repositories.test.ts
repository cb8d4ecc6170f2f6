// Repositories of all sorts: each works, or says what is missing before anything is sent.
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasGit } from "../stage/has-git.ts";
import type { Ran } from "../stage/test-world.ts";
import { eventText, gitState, type Loop, openLoop, type Runner } from "./loop.ts";

let loop: Loop;

beforeEach(async () => {
  loop = await openLoop();
});

afterEach(() => loop.close());

/** A project without state in git, as a runner has it. */
function filesOnly(): Runner {
  loop.push({ "ticketing.yaml": "version: 1\n", ".gitignore": ".ticketing/\n", "events/jazz.yaml": eventText("Jazz") });
  return loop.runner();
}

function refuses({ exitCode, stdout, stderr }: Ran, code: string): void {
  expect(exitCode).toBe(1);
  expect(`${stdout}${stderr}`).toContain(code);
  expect(loop.writes()).toEqual([]);
}

/** The same folder without its history. */
function withoutGit(runner: Runner): Runner {
  const directory = join(loop.root, "plain");
  cpSync(runner.directory, directory, { recursive: true });
  rmSync(join(directory, ".git"), { recursive: true });
  return loop.at(directory);
}

describe.skipIf(!hasGit)("not a git repository", () => {
  test("a project without a history is planned and applied", async () => {
    const plain = withoutGit(filesOnly());
    expect((await plain.plan()).revision).toBeNull();
    expect((await plain.run("apply", "--yes")).exitCode).toBe(0);
    expect((await plain.run("apply", "--yes")).exitCode).toBe(0);
  });

  test("a base cannot be read", async () => {
    const plain = withoutGit(filesOnly());
    for (const command of ["plan", "apply"]) refuses(await plain.run(command, "--base", "main"), "not-a-repository");
  });

  test("a repository that git does not read is not called none", async () => {
    const { directory, run } = filesOnly();
    writeFileSync(join(directory, ".git", "config"), "[nonsense");
    const ran = await run("ci", "plan", "--env", "production");
    refuses(ran, "git-failed");
    expect(ran.stderr).toContain("bad config line");
  });

  test("what was applied from a repository is not followed by what is in none", async () => {
    const runner = filesOnly();
    expect((await runner.run("apply", "--yes")).exitCode).toBe(0);
    loop.writes();
    const plain = withoutGit(runner);
    refuses(await plain.run("apply", "--yes"), "diverged-from-applied");
    expect((await plain.run("apply", "--yes", "--allow", "diverged-from-applied")).exitCode).toBe(0);
    expect((await plain.run("apply", "--yes")).exitCode).toBe(0);
  });

  test("state in git needs one", async () => {
    loop.push({ "ticketing.yaml": gitState, "events/jazz.yaml": eventText("Jazz") });
    refuses(await withoutGit(loop.runner()).run("apply", "--yes"), "git");
  });
});

describe.skipIf(!hasGit)("without a remote", () => {
  test("a file is enough for state", async () => {
    const runner = filesOnly();
    loop.git("-C", runner.directory, "remote", "remove", "origin");
    expect((await runner.run("apply", "--yes")).exitCode).toBe(0);
  });

  test("state in git says which remote is missing", async () => {
    loop.push({ "ticketing.yaml": gitState, "events/jazz.yaml": eventText("Jazz") });
    const runner = loop.runner();
    loop.git("-C", runner.directory, "remote", "remove", "origin");
    refuses(await runner.run("apply", "--yes"), "origin");
    refuses(await runner.run("plan"), "origin");
  });
});

describe.skipIf(!hasGit)("before the first commit", () => {
  test("the project is planned and applied, and no revision is recorded", async () => {
    const directory = join(loop.root, "new");
    loop.push({ "ticketing.yaml": "version: 1\n", "events/jazz.yaml": eventText("Jazz") });
    loop.git("init", "--quiet", directory);
    cpSync(join(loop.desk, "events"), join(directory, "events"), { recursive: true });
    const runner = loop.at(directory);
    expect((await runner.run("apply", "--yes")).exitCode).toBe(0);
    const state = JSON.parse((await runner.run("state", "pull")).stdout);
    expect(state.lastRun).toMatchObject({ revision: null, clean: true });
  });
});

describe.skipIf(!hasGit)("a detached HEAD", () => {
  test("is planned and applied as any other checkout", async () => {
    const revision = loop.push({ "ticketing.yaml": gitState, "events/jazz.yaml": eventText("Jazz") });
    const runner = loop.runner({ revision });
    expect((await runner.plan()).revision).toMatchObject({ head: revision, dirty: false });
    expect((await runner.run("apply", "--yes")).exitCode).toBe(0);
    const state = JSON.parse((await runner.run("state", "pull")).stdout);
    expect(state).toMatchObject({ appliedRevision: revision, lastRun: { revision, clean: true } });
  });
});

describe.skipIf(!hasGit)("a shallow clone", () => {
  test("says so where a base lies beyond it, and plans without one", async () => {
    const first = loop.push({ "ticketing.yaml": "version: 1\n", "events/jazz.yaml": eventText("Jazz") });
    loop.push({ "events/blues.yaml": eventText("Blues") });
    const runner = loop.runner({ depth: 1 });
    refuses(await runner.run("plan", "--base", first), "fetch-depth: 0");
    expect((await runner.run("plan")).exitCode).toBe(0);
  });
});
