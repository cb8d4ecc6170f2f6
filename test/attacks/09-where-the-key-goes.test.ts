// A key goes only where somebody named the service, and never where a pull request has moved it.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { hasGit } from "../stage/has-git.ts";
import { type Ran, ticketing } from "../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
const talking = [
  ["plan"],
  ["apply", "--yes"],
  ["import", "--all"],
  ["status"],
  ["orders", "one"],
  ["venues", "search", "Palace"],
  ["webhooks", "list"],
  ["webhooks", "test", "https://hooks.example.com/"],
  ["webhooks", "rotate", "https://hooks.example.com/", "--yes"],
  ["whoami"],
];
let root: string;
let sandbox: Sandbox;
let thief: Server;
let stolen: string[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "ticketing-key-"));
  sandbox = await startSandbox({ now });
  stolen = [];
  thief = createServer((request, response) => {
    stolen.push(`${request.method} ${request.url} ${request.headers["api-key"]}`);
    response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", () => resolve()));
  write("events/one.yaml", "name: One\ndateTime: 2027-03-14T19:00\n");
});

afterEach(async () => {
  await sandbox.close();
  await new Promise((resolve) => thief.close(resolve));
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function run(argv: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return ticketing([...argv, "-C", root], { env, now, cwd: root });
}

function elsewhere(): string {
  return `http://127.0.0.1:${(thief.address() as AddressInfo).port}/open-api/v1`;
}

function git(...argv: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...identity, ...argv], { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
}

function commit(): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", "Next");
}

function project(baseUrl: string, apiKeyEnv = "LIVE_KEY"): string {
  return `version: 1\nenvironments:\n  live: { baseUrl: "${baseUrl}", apiKeyEnv: ${apiKeyEnv} }\n`;
}

describe("the service that no one named", () => {
  test.each(talking)("is not replaced by the sandbox where its key is missing: %s", async (...argv) => {
    for (const target of [
      { TICKETING_BASE_URL: sandbox.baseUrl },
      { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: " " },
    ]) {
      const ran = await run(argv, target);
      expect(ran.exitCode).toBe(1);
      expect(ran.stdout + ran.stderr).toContain("TICKETING_API_KEY is not set");
      expect(ran.stdout + ran.stderr).not.toContain("Applied");
    }
    const typed = await run([...argv, "--base-url", sandbox.baseUrl]);
    expect(typed).toMatchObject({ exitCode: 1 });
    expect(sandbox.control.calls()).toEqual([]);
  });

  test("also where the file has the sandbox for its default", async () => {
    write("ticketing.yaml", `${project("https://api.example.com/v1")}defaultEnvironment: sandbox\n`);
    const ran = await run(["apply", "--yes"], { TICKETING_BASE_URL: sandbox.baseUrl });
    expect(ran).toMatchObject({ exitCode: 1 });
    expect(ran.stdout + ran.stderr).toContain("TICKETING_API_KEY is not set");
  });

  test.each(talking)("is not reached because the file has only that one: %s", async (...argv) => {
    write("ticketing.yaml", project(elsewhere()));
    const ran = await run(argv, { LIVE_KEY: "key-of-production" });
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout + ran.stderr).toMatch(
      /No environment was chosen\. Besides the embedded\s+sandbox, the project has live/,
    );
    expect(stolen).toEqual([]);
  });

  test("does not hinder a check of the files", async () => {
    write("ticketing.yaml", project(elsewhere()));
    const ran = await run(["validate"]);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stdout).toMatch(/^Target: none \(offline; checked with the settings of live\)\n/);
  });

  test.each([
    ["apply", "--yes"],
    ["webhooks", "test", "https://hooks.example.com/"],
    ["webhooks", "rotate", "https://hooks.example.com/", "--yes"],
  ])("the sandbox by default is refused to write to while a key is set: %s", async (...argv) => {
    for (const settings of ["version: 1\n", `${project("https://api.example.com/v1")}defaultEnvironment: sandbox\n`]) {
      write("ticketing.yaml", settings);
      const ran = await run(argv, { TICKETING_API_KEY: "key-of-production" });
      expect(ran.exitCode).toBe(1);
      expect(ran.stdout + ran.stderr).toContain("--env sandbox");
    }
    const named = await run(["apply", "--yes", "--env", "sandbox"], { TICKETING_API_KEY: "key-of-production" });
    expect(named).toMatchObject({ exitCode: 0 });
  });

  test("a default environment that does not exist, and one with a typo, are errors", async () => {
    write("ticketing.yaml", `${project(elsewhere())}defaultEnvironment: prod\n`);
    expect(await run(["apply", "--yes"], { LIVE_KEY: "k" })).toMatchObject({ exitCode: 1 });
    const ran = await run(["plan", "--format", "json"], { LIVE_KEY: "k" });
    expect((JSON.parse(ran.stdout) as Plan).diagnostics.map(({ code }) => code)).toEqual(["unknown-environment"]);
    const typo = await run(["plan", "--env", "liv"], { LIVE_KEY: "k" });
    expect(typo.stdout).toContain("Did you mean live?");
    const empty = await run(["plan", "--env", ""], { LIVE_KEY: "k" });
    expect(empty).toMatchObject({ exitCode: 1 });
    expect(stolen).toEqual([]);
  });

  test("is named by the first line of every output", async () => {
    const env = {
      TICKETING_BASE_URL: sandbox.baseUrl.replace("127.0.0.1", "LOCALHOST"),
      TICKETING_API_KEY: sandbox.apiKey,
    };
    const shown = sandbox.baseUrl.replace("127.0.0.1", "localhost");
    for (const argv of [
      ["plan"],
      ["apply", "--yes"],
      ["status"],
      ["whoami"],
      ["webhooks", "list"],
      ["import", "--all"],
    ]) {
      const text = await run(argv, env);
      expect(text.stdout.split("\n")[0]).toContain(`default`);
      expect(text.stdout.split("\n")[0]).toContain(shown);
      const json = await run([...argv, "--format", "json"], env);
      expect(json.stderr.split("\n")[0]).toContain(`Target: default (${shown})`);
      JSON.parse(json.stdout);
    }
  });
});

describe.skipIf(!hasGit)("an address that a pull request has moved", () => {
  const key = { LIVE_KEY: "key-of-production" };
  const ci = { ...key, CI: "true" };

  /** A repository whose main branch has the true address, and a branch of a pull request without it. */
  function pullRequest(moved: string): void {
    git("init", "--quiet");
    write("ticketing.yaml", project(sandbox.baseUrl));
    commit();
    git("switch", "--quiet", "--create", "pull-request");
    write("ticketing.yaml", moved);
    commit();
  }

  async function refused(argv: readonly string[], env: Record<string, string>, words: RegExp): Promise<void> {
    const ran = await run([...argv, "--env", "live", "--format", "json"], env);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toContain("address-changed");
    expect(ran.stderr + ran.stdout).toMatch(words);
    expect(stolen).toEqual([]);
  }

  test("gets no key with --base last, where nothing was applied yet", async () => {
    pullRequest(project(elsewhere()));
    await refused(["plan", "--base", "last"], key, /different URL than on the default branch \(main\)/);
    await refused(["apply", "--yes", "--base", "last"], ci, /different URL/);
  });

  test("gets no key where the base has no project file", async () => {
    git("init", "--quiet");
    commit();
    git("tag", "before");
    write("ticketing.yaml", project(sandbox.baseUrl));
    commit();
    git("switch", "--quiet", "--create", "pull-request");
    write("ticketing.yaml", project(elsewhere()));
    commit();
    await refused(["plan", "--base", "before"], key, /different URL than on the default branch/);
    git("switch", "--quiet", "--detach");
    git("branch", "--quiet", "--delete", "--force", "main");
    await refused(["plan", "--base", "before"], ci, /cannot be compared/);
  });

  test("gets no key where the default branch has no project yet, and the fix is one that helps", async () => {
    git("init", "--quiet");
    commit();
    git("switch", "--quiet", "--create", "pull-request");
    write("ticketing.yaml", project(elsewhere()));
    commit();
    await refused(
      ["plan", "--base", "main"],
      ci,
      /is new: there is no ticketing\.yaml on the default branch \(main\).*Merge ticketing\.yaml \(or, .*the whole move\) in a separate pull request first/s,
    );
  });

  test.each(talking.filter(([name]) => name !== "init"))("gets no key in CI without any base: %s", async (...argv) => {
    pullRequest(project(elsewhere()));
    await refused(argv, ci, /different URL/);
  });

  test("gets no key in a clone of a pull request alone, nor on a laptop that has the remote", async () => {
    pullRequest(project(elsewhere()));
    const origin = root;
    git("switch", "--quiet", "main");
    root = mkdtempSync(join(tmpdir(), "ticketing-clone-"));
    git("clone", "--quiet", "--depth", "1", "--branch", "pull-request", "--single-branch", `file://${origin}`, root);
    await refused(["plan"], ci, /cannot be compared.*fetch-depth/s);
    root = mkdtempSync(join(tmpdir(), "ticketing-clone-"));
    git("clone", "--quiet", `file://${origin}`, root);
    git("switch", "--quiet", "pull-request");
    await refused(["whoami"], key, /different URL than on the default branch \(origin\/HEAD\)/);
  });

  test("nor where the default branch has another name, which the runner knows", async () => {
    pullRequest(project(elsewhere()));
    const origin = root;
    git("branch", "--move", "main", "trunk");
    root = mkdtempSync(join(tmpdir(), "ticketing-clone-"));
    git("clone", "--quiet", "--no-checkout", `file://${origin}`, root);
    git("checkout", "--quiet", "origin/pull-request");
    git("remote", "set-head", "origin", "--delete");
    const event = join(origin, "event.json");
    writeFileSync(event, JSON.stringify({ repository: { default_branch: "trunk" } }));
    await refused(
      ["plan"],
      { ...ci, GITHUB_EVENT_PATH: event },
      /different URL than on the default branch \(origin\/trunk\)/,
    );
    await refused(["plan"], { ...ci, CI_DEFAULT_BRANCH: "trunk" }, /different URL/);
  });

  test("nor do the secrets of other variables go to the service", async () => {
    pullRequest(project(sandbox.baseUrl, "OTHER_SECRET"));
    const env = { OTHER_SECRET: "not-a-ticketing-key" };
    await refused(["plan", "--base", "last"], env, /different variable/);
    await refused(["status"], { ...env, CI: "1", TICKETING_BASE_URL: sandbox.baseUrl }, /different variable/);
    expect(sandbox.control.calls()).toEqual([]);
  });

  test("nor does an environment that a pull request adds", async () => {
    pullRequest(`${project(sandbox.baseUrl)}  more: { baseUrl: "${elsewhere()}", apiKeyEnv: LIVE_KEY }\n`);
    const ran = await run(["whoami", "--env", "more"], ci);
    expect(ran.stderr).toContain('The environment "more" does not exist on the default branch (main)');
    expect(stolen).toEqual([]);
  });

  describe("an environment that it adds and makes the default", () => {
    const standard = { TICKETING_API_KEY: "key-of-production" };
    const agreedFile = () => `version: 1\ndefaultEnvironment: live\nenvironments:\n${entry("live", sandbox.baseUrl)}`;
    const movedFile = () =>
      agreedFile().replace("defaultEnvironment: live", "defaultEnvironment: evil") + entry("evil", elsewhere());

    function entry(name: string, baseUrl: string): string {
      return `  ${name}: { baseUrl: "${baseUrl}", apiKeyEnv: TICKETING_API_KEY }\n`;
    }

    /** A clone with the pull request checked out, as a reviewer has it. */
    function reviewed(remote = "origin"): void {
      git("init", "--quiet");
      write("ticketing.yaml", agreedFile());
      commit();
      const origin = root;
      root = mkdtempSync(join(tmpdir(), "ticketing-clone-"));
      git("clone", "--quiet", "--origin", remote, `file://${origin}`, root);
      git("switch", "--quiet", "--create", "pull-request");
      write("ticketing.yaml", movedFile());
      commit();
    }

    test.each(talking)("gets no key outside of CI: %s", async (...argv) => {
      reviewed();
      const ran = await run([...argv, "--format", "json"], standard);
      expect(ran.exitCode).toBe(1);
      expect(ran.stdout).toContain("address-changed");
      expect(ran.stdout).toMatch(/evil\\" does not exist on the default branch.*--env evil/s);
      expect(stolen).toEqual([]);
    });

    test("nor in a clone whose remote has another name, nor without a remote", async () => {
      reviewed("upstream");
      expect((await run(["whoami"], standard)).stderr).toContain(
        '"evil" does not exist on the default branch (upstream/HEAD)',
      );
      git("remote", "remove", "upstream");
      expect((await run(["whoami"], standard)).stderr).toContain('"evil" does not exist on the default branch (main)');
      expect(stolen).toEqual([]);
    });

    test("gets it where somebody names it or confirms its address", async () => {
      reviewed();
      await run(["whoami", "--env", "evil"], standard);
      await run(["whoami"], { ...standard, TICKETING_ENV: "evil" });
      await run(["whoami"], { ...standard, TICKETING_BASE_URL: elsewhere() });
      expect(stolen).toHaveLength(3);
    });

    test("a default that is another known environment is honest, and so is a project that was never shared", async () => {
      git("init", "--quiet");
      write("ticketing.yaml", movedFile());
      const env = { TICKETING_API_KEY: sandbox.apiKey };
      write("ticketing.yaml", agreedFile());
      expect(await run(["whoami"], env)).toMatchObject({ exitCode: 0 });
      write("ticketing.yaml", movedFile());
      commit();
      git("switch", "--quiet", "--create", "pull-request");
      write("ticketing.yaml", movedFile().replace("defaultEnvironment: evil", "defaultEnvironment: live"));
      commit();
      expect(await run(["whoami"], env)).toMatchObject({ exitCode: 0 });
    });
  });

  test("a base that is the checkout itself, or another commit of the pull request, proves nothing", async () => {
    pullRequest(project(elsewhere()));
    await refused(["plan", "--base", "HEAD"], ci, /different URL than on the default branch \(main\)/);
    write("events/two.yaml", "name: Two\ndateTime: 2027-03-15T19:00\n");
    commit();
    await refused(["plan", "--base", "HEAD~1"], ci, /different URL than on the default branch \(main\)/);
    await refused(["plan", "--base", "HEAD~1"], key, /different URL than on the default branch \(main\)/);
    git("switch", "--quiet", "--detach");
    git("branch", "--quiet", "--delete", "--force", "main");
    await refused(["plan", "--base", "HEAD"], ci, /cannot be compared/);
  });

  test.each([
    ["CI", "true"],
    ["GITHUB_ACTIONS", "true"],
    ["GITLAB_CI", "true"],
    ["TF_BUILD", "True"],
    ["JENKINS_URL", "https://ci.example.com/"],
    ["TEAMCITY_VERSION", "2026.1"],
    ["BITBUCKET_BUILD_NUMBER", "7"],
    ["BUILDKITE", "true"],
    ["CIRCLECI", "true"],
    ["DRONE", "true"],
    ["CODEBUILD_BUILD_ID", "build:1"],
    ["TRAVIS", "true"],
    ["APPVEYOR", "True"],
  ])("every CI is one: %s", async (name, value) => {
    git("init", "--quiet");
    write("ticketing.yaml", project(elsewhere()));
    await refused(["whoami"], { ...key, [name]: value }, /cannot be compared/);
  });

  test("an address that is agreed on gets it: on the default branch, applied before, or confirmed", async () => {
    git("init", "--quiet");
    write("ticketing.yaml", project(sandbox.baseUrl));
    write(".gitignore", ".ticketing/\n");
    commit();
    const good = { LIVE_KEY: sandbox.apiKey, CI: "true" };
    const applied = await run(["apply", "--env", "live", "--base", "last", "--yes"], good);
    expect(applied.stdout + applied.stderr).toContain("Applied");
    expect(applied.exitCode).toBe(0);
    const next = await startSandbox({ now });
    try {
      const env = { LIVE_KEY: next.apiKey, CI: "true" };
      // Merged: the default branch has it, though what was applied last had another one.
      write("ticketing.yaml", project(next.baseUrl));
      commit();
      const plan = await run(["plan", "--env", "live", "--base", "last", "--format", "json"], env);
      expect((JSON.parse(plan.stdout) as Plan).diagnostics.map(({ code }) => code)).not.toContain("address-changed");
      // Not merged, and the keeper of the key confirms it.
      git("switch", "--quiet", "--create", "pull-request");
      write("ticketing.yaml", project(sandbox.baseUrl));
      const confirmed = { ...good, TICKETING_BASE_URL: sandbox.baseUrl };
      expect(await run(["whoami", "--env", "live"], confirmed)).toMatchObject({ exitCode: 0 });
    } finally {
      await next.close();
    }
  });

  test("somebody's own edit, outside of CI, is taken: a first address, and one without a remote", async () => {
    git("init", "--quiet");
    write("ticketing.yaml", "version: 1\n");
    commit();
    const env = { LIVE_KEY: sandbox.apiKey };
    write("ticketing.yaml", project(sandbox.baseUrl));
    expect(await run(["whoami", "--env", "live"], env)).toMatchObject({ exitCode: 0 });
    commit();
    write("ticketing.yaml", project(sandbox.baseUrl.replace("127.0.0.1", "localhost")));
    expect(await run(["whoami", "--env", "live"], env)).toMatchObject({ exitCode: 0 });
  });

  test("so is one that was merged into somebody's own main after another was applied; an edit there is not merged", async () => {
    git("init", "--quiet");
    write("ticketing.yaml", project(sandbox.baseUrl));
    write(".gitignore", ".ticketing/\n");
    commit();
    const env = { LIVE_KEY: sandbox.apiKey };
    expect(await run(["apply", "--env", "live", "--yes"], env)).toMatchObject({ exitCode: 0 });
    const plan = async () => (await run(["plan", "--env", "live", "--format", "json"], env)).stdout;
    write("ticketing.yaml", project(sandbox.baseUrl.replace("127.0.0.1", "localhost")));
    expect(await plan()).toContain('"address-changed"');
    commit();
    expect(await plan()).not.toContain('"address-changed"');
  });

  test("gets no key in a job that runs on pull_request_target, whatever the file says", async () => {
    const env = {
      LIVE_KEY: sandbox.apiKey,
      TICKETING_API_KEY: sandbox.apiKey,
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_NAME: "pull_request_target",
    };
    write("ticketing.yaml", project(sandbox.baseUrl));
    for (const argv of talking) {
      const ran = await run([...argv, "--env", "live"], env);
      expect(ran.exitCode, argv.join(" ")).toBe(1);
      expect(ran.stdout + ran.stderr).toContain("pull-request-target");
    }
    const typed = await run(["whoami", "--base-url", sandbox.baseUrl], env);
    expect(typed.stdout + typed.stderr).toContain("pull-request-target");
  });

  test("is taken in CI outside of a repository, where no pull request can be", async () => {
    write("ticketing.yaml", project(sandbox.baseUrl));
    expect(await run(["whoami", "--env", "live"], { LIVE_KEY: sandbox.apiKey, CI: "true" })).toMatchObject({
      exitCode: 0,
    });
  });
});
