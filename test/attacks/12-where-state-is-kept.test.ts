// A pull request that keeps state on a server of its own does not get the credentials that are meant for another.
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
        /\[address-changed\].*`state` in ticketing.yaml is different on the default branch/,
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
