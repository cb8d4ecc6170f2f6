// A pull request that keeps state on its own server does not get the credentials that are meant for another.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type GitPlace, openGitPlace } from "../stage/git-place.ts";
import { hasGit } from "../stage/has-git.ts";
import { type Ran, ticketing } from "../stage/test-world.ts";
import { type StateServer, startStateServer } from "../stores/http-server.ts";

const password = "glpat-not-for-anyones-eyes";
const now = "2027-01-10T00:00:00Z";
const everything: readonly (readonly string[])[] = [
  ["plan"],
  ["plan", "--base", "HEAD"],
  ["apply", "--yes", "--settle", "0"],
  ["state", "list"],
  ["state", "unlock", "--yes"],
];
let own: StateServer;
let thief: StateServer;
let place: GitPlace;
beforeEach(async () => {
  [own, thief] = [await startStateServer({ flavor: "plain" }), await startStateServer({ flavor: "plain" })];
  place = await openGitPlace(`state: { backend: http, address: "${own.base}/{environment}" }\n`);
});
afterEach(async () => {
  await Promise.all([own.stop(), thief.stop(), place.close()]);
});

function run(folder: string, argv: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const env = {
    TICKETING_API_KEY: place.sandbox.apiKey,
    TICKETING_STATE_PASSWORD: password,
    TICKETING_NOW: now,
    HOME: place.root,
    GIT_CONFIG_NOSYSTEM: "1",
    ...more,
  };
  return ticketing([...argv, "-C", folder], { env, now: () => Date.parse(now) });
}

/** A checkout of a pull request whose file names other addresses. */
function pullRequest(state: string): string {
  const folder = place.clone("pull-request");
  place.git(folder, "switch", "-qc", "theirs");
  const target = `{ baseUrl: "${place.sandbox.baseUrl}", apiKeyEnv: TICKETING_API_KEY }`;
  const environments = `defaultEnvironment: production\nenvironments:\n  production: ${target}\n`;
  writeFileSync(join(folder, "ticketing.yaml"), `version: 1\nstate: ${state}\n${environments}`);
  place.git(folder, "commit", "-qam", "Keep state elsewhere");
  return folder;
}

describe.skipIf(!hasGit)("another project's state, which a pull request names", () => {
  const ci = { CI: "true", TICKETING_STATE_PASSWORD: "" };
  const reading = [["plan"], ["state", "list"]];
  const ref = "refs/ticketing/other/production";

  async function said(folder: string, argv: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
    const ran = await run(folder, argv, env);
    return `${ran.exitCode} ${ran.stdout} ${ran.stderr}`.replace(/\s+/g, " ");
  }

  test("in git is read by no job, unless somebody who may set its variables says so", async () => {
    place.git(place.clone("seed"), "push", "-q", "origin", `HEAD:${ref}`);
    const folder = pullRequest(`{ backend: git, ref: ${ref} }`);
    for (const argv of reading)
      expect(await said(folder, argv, ci)).toMatch(
        /^1 .*\[address-changed\].*differs from the one on the default branch.*TICKETING_STATE_ADDRESS=origin\/refs\/ticketing\/other\/production\..*state migrate/,
      );
    // What is there is reached, and is none of ours.
    const reached = "contains something that was not written by `ticketing`";
    expect(await said(folder, ["state", "list"], { ...ci, TICKETING_STATE_ADDRESS: `origin/${ref}` })).toContain(
      reached,
    );
    expect(await said(folder, ["state", "list"], { TICKETING_STATE_PASSWORD: "" })).toContain(reached);
  });

  test("on another remote is not read either, but the project's own is", async () => {
    expect(await said(pullRequest("{ backend: git, remote: upstream }"), ["plan"], ci)).toContain("[address-changed]");
    const folder = place.clone("own");
    writeFileSync(join(folder, "ticketing.yaml"), "version: 1\nstate: { backend: git }\n");
    expect(await said(folder, ["plan"], { ...ci, TICKETING_BASE_URL: place.sandbox.baseUrl })).toMatch(/^0 /);
  });

  test("on the same GitLab does not get the job's token", async () => {
    const token = { CI_JOB_TOKEN: "job-token", CI_API_V4_URL: new URL(own.base).origin };
    const folder = pullRequest(`{ backend: http, address: "${own.base}/another-{environment}" }`);
    for (const argv of reading) expect(await said(folder, argv, { ...ci, ...token })).toMatch(/^1 .*address-changed/);
    // A server that asks for no credentials is reached by the runner alone.
    for (const argv of reading) expect(await said(folder, argv, ci)).toMatch(/^1 .*address-changed/);
    expect(own.calls).toEqual([]);
    expect(await said(place.clone("main"), ["plan"], { ...ci, ...token })).toMatch(/^0 /);
  });
});

describe.skipIf(!hasGit)("state at an address that a pull request changes", () => {
  test.each([
    ["in CI", { CI: "true" }],
    ["on a laptop", {}],
  ])("gets no call at all %s", async (_, runner) => {
    const folder = pullRequest(`{ backend: http, address: "${thief.base}/{environment}" }`);
    for (const argv of everything) {
      const ran = await run(folder, argv, runner);
      expect(ran.exitCode, argv.join(" ")).toBe(1);
      expect((ran.stdout + ran.stderr).replace(/\s+/g, " ")).toMatch(
        /\[address-changed\].*`state` in ticketing.yaml differs from the one on the default branch/,
      );
    }
    expect(place.sandbox.control.calls()).toEqual([]);
    // It shows what is live, and does without what is remembered.
    await run(folder, ["status"], runner);
    expect(thief.calls).toEqual([]);
  });

  test("is refused where only its lock is elsewhere", async () => {
    const theirs = `lockAddress: "${thief.base}/lock"`;
    const folder = pullRequest(`{ backend: http, address: "${own.base}/{environment}", ${theirs} }`);
    for (const argv of everything) expect((await run(folder, argv)).exitCode, argv.join(" ")).toBe(1);
    expect([...thief.calls, ...own.calls]).toEqual([]);
  });

  test("is used once whoever has the credentials names it", async () => {
    const folder = pullRequest(`{ backend: http, address: "${thief.base}/{environment}" }`);
    const confirmed = { TICKETING_STATE_ADDRESS: `${thief.base}/{environment}` };
    const ran = await run(folder, ["plan"], confirmed);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(thief.calls.every(({ method }) => method === "GET")).toBe(true);
    const main = await run(place.clone("main"), ["plan"], confirmed);
    expect((main.stdout + main.stderr).replace(/\s+/g, " ")).toContain("is not the address in TICKETING_STATE_ADDRESS");
    expect(own.calls).toEqual([]);
  });

  test("is no hindrance on the default branch, where a plan only reads and prints no password", async () => {
    const folder = place.clone("main");
    for (const argv of [["plan", "--verbose"], ["apply", "--yes", "--settle", "0"], ["plan"]]) {
      own.calls.length = 0;
      const ran = await run(folder, argv, { CI: "true" });
      expect(ran.exitCode, ran.stderr).toBe(0);
      expect(ran.stdout + ran.stderr).not.toContain(password);
      if (argv[0] === "plan") expect(new Set(own.calls.map(({ method }) => method))).toEqual(new Set(["GET"]));
    }
  });
});
