// State in git over each way to a remote, with the credentials that a runner's checkout leaves in the repository.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type GitPlace, openGitPlace } from "../../stage/git-place.ts";
import { type HttpRemote, httpRemote, sshLike } from "../../stage/git-remotes.ts";

let place: GitPlace;
let http: HttpRemote | null = null;
const secret = "a-key-that-git-must-not-see";

beforeEach(async () => {
  place = await openGitPlace();
  vi.stubEnv("TICKETING_API_KEY", secret);
  vi.stubEnv("GITHUB_TOKEN", secret);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await http?.close();
  http = null;
  await place.close();
});

async function applies(folder: string): Promise<void> {
  for (const words of [["apply", "--yes"], ["plan"], ["state", "unlock", "--yes"]]) {
    const ran = await place.run(folder, ...words);
    expect(ran.exitCode, ran.stderr).toBe(0);
  }
  expect(JSON.parse(place.stored("state.json") ?? "null").objects).toHaveProperty("events/manila-nights");
  expect(place.stored("lock.json")).toBeNull();
}

test("file://", async () => {
  const folder = place.clone("one");
  place.git(folder, "remote", "set-url", "origin", `file://${place.remote}`);
  await applies(folder);
});

test("ssh: with no key of ours in its environment, and no terminal to ask at", async () => {
  const folder = place.clone("one");
  const { program, seen } = sshLike(place.root);
  place.git(folder, "remote", "set-url", "origin", `ssh://git@example.invalid${place.remote}`);
  vi.stubEnv("GIT_SSH_COMMAND", program);
  await applies(folder);
  const saw = readFileSync(seen, "utf8");
  expect(saw).toContain("GIT_TERMINAL_PROMPT=0");
  expect(saw).not.toContain(secret);
  expect(saw).not.toContain("HAS-A-TERMINAL");
});

describe("HTTP", () => {
  const authorization = `Basic ${Buffer.from("x-access-token:ghs_16C7e42F292c6912E7").toString("base64")}`;
  let folder: string;

  beforeEach(async () => {
    http = await httpRemote(place.root, authorization);
    folder = place.clone("one");
    place.git(folder, "remote", "set-url", "origin", `${http.url}/remote.git`);
  });

  /** As actions/checkout does it. */
  function letIn(): void {
    place.git(folder, "config", `http.${http?.url}/.extraheader`, `AUTHORIZATION: ${authorization}`);
  }

  test("with the header that the checkout step has set, in the repository or in a file that it includes", async () => {
    place.git(
      folder,
      "config",
      "--file",
      join(place.root, "credentials"),
      `http.${http?.url}/.extraheader`,
      `AUTHORIZATION: ${authorization}`,
    );
    place.git(folder, "config", `includeIf.gitdir:${join(folder, ".git")}.path`, join(place.root, "credentials"));
    await applies(folder);
    expect(http?.requests.some((each) => each === "POST /remote.git/git-receive-pack")).toBe(true);
  });

  test("without it no one is asked for a password, and the error says what the job needs", async () => {
    const ran = await place.run(folder, "apply", "--yes");
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain("permissions: contents: write");
    expect(place.writes()).toEqual([]);
  });

  test("a token that may only read serves a plan; an apply is refused before its first call", async () => {
    letIn();
    if (http !== null) http.readOnly = true;
    expect((await place.run(folder, "plan")).exitCode).toBe(0);
    const ran = await place.run(folder, "apply", "--yes");
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain("permissions: contents: write");
    expect(ran.stdout + ran.stderr).not.toContain(authorization.slice(6));
    expect(place.writes()).toEqual([]);
  });
});
