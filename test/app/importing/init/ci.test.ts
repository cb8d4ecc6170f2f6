// `init --ci`: into which repository the jobs go, for which branch, and what happens to a project that is there already.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type CiProject, inProject } from "../../../../src/app/importing/init/ci-project.ts";
import { githubFile, githubWorkflow } from "../../../../src/app/importing/init/github-workflow.ts";
import { gitlabJobs, gitlabJobsFile } from "../../../../src/app/importing/init/gitlab-pipeline.ts";
import { version } from "../../../../src/app/world.ts";
import { ticketing } from "../../../stage/test-world.ts";

let folder: string;
let bare: string;
const service = ["--env", "production", "--base-url", "https://api.example.com/open-api/v1"];
const vendored = `vendor/ticketing-${version}.tgz`;

function git(...args: readonly string[]): void {
  execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { stdio: "ignore" });
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function read(file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

const init = (...argv: readonly string[]) => ticketing(["init", ...argv], { cwd: folder });

beforeEach(() => {
  const place = mkdtempSync(join(tmpdir(), "ticketing-ci-"));
  folder = join(place, "clone");
  bare = join(place, "acme.git");
  execFileSync("git", ["init", "--quiet", "--bare", "-b", "live", bare]);
  execFileSync("git", ["clone", "--quiet", bare, folder], { stdio: "ignore" });
  git("checkout", "--quiet", "-b", "live");
  git("commit", "--quiet", "--allow-empty", "-m", "first");
  git("push", "--quiet", "origin", "live");
});

describe("the branch that is applied", () => {
  test("is the one that the remote calls its default, whatever is checked out", async () => {
    git("checkout", "--quiet", "-b", "main");
    expect(await init("--yes", ...service)).toMatchObject({ exitCode: 0 });
    expect(read(".github/workflows/ticketing.yml")).toContain('branches: ["live"]');
  });

  test("is the one that was cloned where the remote cannot be asked, and main where it is unknown", async () => {
    git("remote", "set-head", "origin", "live");
    git("remote", "set-url", "origin", join(bare, "gone"));
    await init("--yes", ...service);
    expect(read(".github/workflows/ticketing.yml")).toContain('branches: ["live"]');
    git("remote", "set-head", "origin", "--delete");
    const guessed = await init("third", "--yes", ...service);
    expect(guessed.stderr).toContain('did not say which branch is its default, so the jobs apply "main"');
    git("remote", "remove", "origin");
    expect(await init("other", "--yes", ...service)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(read(".github/workflows/ticketing-other.yml")).toContain('branches: ["main"]');
  });
});

describe("the host", () => {
  test("is GitHub; GitLab where the remote or a file says so; none on request", async () => {
    await init("one", "--yes");
    expect(existsSync(join(folder, ".github/workflows/ticketing-one.yml"))).toBe(true);
    git("remote", "set-url", "origin", "https://gitlab.example.invalid/acme/events.git");
    await init("two", "--yes");
    expect(read(".gitlab-ci.yml")).toBe('include:\n  - local: ".gitlab/ticketing-two.yml"\n');
    const ran = await init("three", "--yes", "--ci", "none");
    expect(ran.stdout).not.toContain("CI");
    expect(read("three/ticketing.yaml")).not.toContain("state:");
    expect(existsSync(join(folder, ".gitlab/ticketing-three.yml"))).toBe(false);
  });

  test("a .gitlab-ci.yml that cannot be added to is left, with the line to add", async () => {
    write(".gitlab-ci.yml", "include: other.yml\n");
    const ran = await init("--yes", "--ci", "gitlab");
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain('fix: Add to it: `include: [{ local: ".gitlab/ticketing.yml" }]`');
    expect(read(".gitlab-ci.yml")).toBe("include: other.yml\n");
  });
});

test("state is in git, the program is at the root, and the folder validates and applies in the sandbox", async () => {
  const ran = await init("teams/live", "--yes", ...service);
  expect(ran.stdout).toContain(`+ ../../${vendored}\n`);
  expect(parse(read("teams/live/ticketing.yaml"))).toMatchObject({ state: { backend: "git" } });
  expect(existsSync(join(folder, vendored))).toBe(true);
  expect(ran.stdout).toContain("For CI: delete events/open-mic.yaml unless you want it on your service, commit");
  const cwd = join(folder, "teams/live");
  expect(await ticketing(["validate", "--strict"], { cwd })).toMatchObject({ exitCode: 0 });
  expect(await ticketing(["apply", "--yes"], { cwd })).toMatchObject({ exitCode: 0 });
});

test("without a remote, state is not in git even on request: nothing could be planned", async () => {
  git("remote", "remove", "origin");
  for (const flags of [[], ["--ci", "github"]]) {
    const ran = await init("one", "--yes", ...flags, ...service);
    expect(
      Math.max(
        ...(ran.stdout
          .split("For CI:")[1]
          ?.split("\n")
          .map(({ length }) => length) ?? []),
      ),
    ).toBeLessThan(80);
    expect(ran.stdout.replace(/\s+/g, " ")).toContain(
      "add the remote (`git remote add origin URL`), run `ticketing init --ci github` again",
    );
    expect(parse(read("one/ticketing.yaml"))).not.toHaveProperty("state");
  }
  git("remote", "add", "origin", bare);
  expect(await init("one", "--ci", "github")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(parse(read("one/ticketing.yaml"))).toMatchObject({ state: { backend: "git" } });
  expect(read("one/ticketing.yaml").match(/state:/g)).toHaveLength(1);
  expect(read(".github/workflows/ticketing-one.yml")).toContain('branches: ["live"]');
});

test.each(["github", "gitlab"])(
  "on %s, a folder that is no repository gets a project that can be planned",
  async (ci) => {
    const elsewhere = mkdtempSync(join(tmpdir(), "ticketing-ci-"));
    const made = await ticketing(["init", "--yes", "--ci", ci, ...service], { cwd: elsewhere });
    expect(made.stdout.replace(/\s+/g, " ")).toContain(
      "unless you want it on your service, run `git init`, add the remote (`git remote add origin URL`), run",
    );
    expect(await ticketing(["state", "list", "--env", "production"], { cwd: elsewhere })).toMatchObject({
      exitCode: 0,
    });
    // Nor does the project that is there by then.
    expect((await ticketing(["init", "--ci", ci], { cwd: elsewhere })).stderr).toBe("");
    expect(parse(readFileSync(join(elsewhere, "ticketing.yaml"), "utf8"))).not.toHaveProperty("state");
  },
);

test("a second project of the repository adds its own file and shares the program", async () => {
  await init("one", "--yes", ...service);
  const before = readFileSync(join(folder, vendored));
  const ran = await init("two", "--yes", ...service);
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ran.stdout).toContain(`= ../${vendored}\n`);
  expect(readFileSync(join(folder, vendored)).equals(before)).toBe(true);
  for (const name of ["one", "two"]) expect(read(`.github/workflows/ticketing-${name}.yml`)).toContain(`"${name}/**"`);
});

test.each([
  ["clubs/manila", "clubs.manila", "production"],
  ["大阪", "東京", "production"],
  ["", "root", "production"],
  ["clubs-eu", "clubs", "eu-production"],
])("the projects %j and %j share no file, no job and no group", (one, two, environment) => {
  for (const make of [describeGithub, describeGitlab]) {
    const [first, second] = [make(one, "production"), make(two, environment)];
    expect(first.groups.length).toBeGreaterThan(1);
    expect([first.file, ...first.groups].filter((name) => [second.file, ...second.groups].includes(name))).toEqual([]);
    if (one !== "" && one.length === two.length) expect(first.title).not.toBe(second.title);
  }
});

function sample(folder: string, name: string): CiProject {
  return {
    folder,
    branch: "main",
    environments: [{ name, apiKeyEnv: "TICKETING_API_KEY" }],
    install: { from: "tarball", file: "vendor/ticketing-1.2.3.tgz" },
    hasPhases: true,
  };
}

function describeGithub(folder: string, name: string) {
  const project = sample(folder, name);
  const { jobs } = parse(githubWorkflow(project)) as { jobs: Record<string, { concurrency?: { group: string } }> };
  const groups = Object.values(jobs).flatMap(({ concurrency }) => concurrency?.group ?? []);
  return { file: githubFile(project), groups, title: inProject(project) };
}

function describeGitlab(folder: string, name: string) {
  const project = sample(folder, name);
  const jobs = parse(gitlabJobs(project)) as Record<string, { resource_group?: string } | null>;
  const groups = Object.values(jobs).flatMap((job) => job?.resource_group ?? []);
  return { file: gitlabJobsFile(project), groups, title: inProject(project) };
}

test("what starts the jobs of a project at the root includes its tables, whatever their names end with", () => {
  const project = { ...sample("", "production"), sheets: ["events/line-up.tsv", "events/acts[1].CSV"] };
  const own = ["**.yaml", "**.yml", "**.csv", "**.tsv", "events/acts\\[1\\].CSV"];
  expect(parse(githubWorkflow(project)).on.push.paths).toEqual(expect.arrayContaining(own));
  expect(gitlabJobs(project)).toContain('"**/*.{yaml,yml,csv,tsv}", "events/acts\\\\[1\\\\].CSV"');
});

test("signs of patterns in a folder's name stand for themselves in the filters of both hosts", () => {
  const project = sample("!shows [old] {a,b}+*?", "production");
  const name = "\\!shows \\[old\\] \\{a,b\\}\\+\\*\\?";
  expect(parse(githubWorkflow(project)).on.push.paths).toContain(`${name}/**`);
  expect(gitlabJobs(project)).toContain(JSON.stringify(`${name}/**/*`));
});

test.each(["manila nights", "大阪", "it's", "$(touch ran)"])("a job on GitLab finds the folder %j", (name) => {
  const { before_script: script } = Object.values(parse(gitlabJobs(sample(name, "production")))).find(
    (job): job is { before_script: string[] } => typeof job === "object" && job !== null && "before_script" in job,
  ) ?? { before_script: [] };
  mkdirSync(join(folder, name));
  const cd = `${script.at(-1)} && pwd`;
  expect(execFileSync("bash", ["-c", cd], { cwd: folder, encoding: "utf8" })).toBe(
    `${join(realpathSync(folder), name)}\n`,
  );
});

test("an environment that is added later gets into the jobs when they are written again", async () => {
  for (const [ci, jobs] of [
    ["github", ".github/workflows/ticketing-github.yml"],
    ["gitlab", ".gitlab/ticketing-gitlab.yml"],
  ] as const) {
    await init(ci, "--yes", "--ci", ci);
    const file = `${ci}/ticketing.yaml`;
    const again = `ticketing init --ci ${ci}\``;
    for (const text of [read(file), read(jobs)]) expect(text).toContain(`un \`${again} again`);
    expect(read(jobs)).not.toContain("--env");
    write(file, read(file).replace(/^# (?=environments:| {2})/gm, ""));
    const env = { TICKETING_BASE_URL: "https://api.example.com/open-api/v1/" };
    expect(await ticketing(["init", ci, "--ci", ci], { cwd: folder, env })).toMatchObject({ exitCode: 0, stderr: "" });
    const runs = read(jobs).match(/ticketing ci .*/g) ?? [];
    expect(runs.length).toBeGreaterThan(2);
    for (const run of runs) expect(run).toContain("--env production ");
    // Under another name it is not asked for a second one.
    write(file, read(file).replace("  production:", "  live:"));
    expect(await ticketing(["init", ci, "--ci", ci], { cwd: folder, env })).toMatchObject({ exitCode: 0, stderr: "" });
    expect(read(jobs)).toContain("--env live ");
    expect((await init(ci, "--ci", ci, ...service)).stderr).toContain('does not define the environment "production"');
  }
});

describe("a project that is there already", () => {
  const mine = `version: 1 # mine
environments:
  staging: { baseUrl: https://staging.example.com/open-api/v1, apiKeyEnv: TICKETING_STAGING_KEY }
  production: { baseUrl: https://api.example.com/open-api/v1 }
`;

  test("gets jobs for all its environments, and state in git, and keeps everything else", async () => {
    write("ticketing.yaml", mine);
    write(".ticketing/state.staging.json", "{}");
    const ran = await init("--ci", "github");
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^Target: none \(offline; jobs for staging, production\)\n/);
    expect(ran.stdout).toContain("ticketing state migrate --to git --env staging ");
    expect(ran.stdout).not.toContain("--env production ");
    expect(read("ticketing.yaml").startsWith(mine)).toBe(true);
    expect(parse(read("ticketing.yaml"))).toMatchObject({ state: { backend: "git" } });
    const { jobs } = parse(read(".github/workflows/ticketing.yml")) as { jobs: object };
    expect(Object.keys(jobs)).toContain("apply-staging");
    expect(existsSync(join(folder, "schemas"))).toBe(false);
    const again = JSON.parse((await init("--ci", "github", "--format", "json")).stdout);
    expect(new Set(again.files.map((file: { action: string }) => file.action))).toEqual(new Set(["unchanged"]));
  });

  test("gets further jobs for a further environment while no one has edited the file", async () => {
    write("ticketing.yaml", mine);
    await init("--ci", "github");
    const workflow = ".github/workflows/ticketing.yml";
    write(workflow, read(workflow).replace("# Written by", "# Made by an earlier release of"));
    write(
      "ticketing.yaml",
      read("ticketing.yaml").replace("  staging:", "  rehearsal: { baseUrl: https://r.example.com/v1 }\n  staging:"),
    );
    expect(await init("--ci", "github", "--yes")).toMatchObject({ exitCode: 0 });
    expect(read(".github/workflows/ticketing.yml")).toContain("apply-rehearsal:");
    write(".github/workflows/ticketing.yml", `${read(".github/workflows/ticketing.yml")}# mine\n`);
    write("ticketing.yaml", mine);
    const ran = await init("--ci", "github", "--yes");
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain(".github/workflows/ticketing.yml already exists with other content");
    expect(read("ticketing.yaml")).toBe(mine);
  });

  test("that keeps state in a database hands its jobs the address", async () => {
    write("ticketing.yaml", `${mine}state: { backend: postgres }\n`);
    expect(await init("--ci", "github")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(read("ticketing.yaml")).toBe(`${mine}state: { backend: postgres }\n`);
    const text = read(".github/workflows/ticketing.yml");
    expect(text).toContain("#   secret TICKETING_STATE_URL");
    const { jobs } = parse(text) as { jobs: Record<string, { steps: readonly { env?: object }[] }> };
    for (const job of ["plan-staging", "apply-staging", "drift-production"])
      expect(
        jobs[job]?.steps.some(({ env = {} }) => "TICKETING_STATE_URL" in env),
        job,
      ).toBe(true);
    expect(await init("--ci", "gitlab")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(read(".gitlab/ticketing.yml")).toContain("#   TICKETING_STATE_URL ");
  });

  test("that keeps state elsewhere is not changed, and that is reported", async () => {
    write("ticketing.yaml", `${mine}state: { backend: file }\n`);
    const ran = await init("--ci", "github");
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toMatch(
      /warning\[state-left\] ticketing\.yaml keeps state in files.*\n.*`ticketing state migrate --to git --env NAME`\. Then set.*`state: \{ backend: git \}`/,
    );
    expect(read("ticketing.yaml")).toBe(`${mine}state: { backend: file }\n`);
  });

  test.each([
    ["with mistakes", "version: 2\n", [], "version"],
    [
      "with an environment that no shell takes",
      'environments: { "a b": { baseUrl: https://a.example.com/v1 } }\n',
      [],
      "cannot be used in CI jobs",
    ],
    [
      "without the environment that is named",
      mine,
      ["--env", "live", "--base-url", "https://l.example.com/open-api/v1"],
      'does not define the environment "live"',
    ],
    [
      "with another address",
      mine,
      ["--env", "production", "--base-url", "https://l.example.com/open-api/v1"],
      "with a different URL",
    ],
  ])("%s is refused, and nothing is written", async (_, text, flags, words) => {
    write("ticketing.yaml", text);
    const ran = await init("--ci", "github", "--yes", ...flags);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain(words);
    expect(read("ticketing.yaml")).toBe(text);
    expect(existsSync(join(folder, ".github"))).toBe(false);
  });
});

test.each(["github", "gitlab"])("on %s, a project with phases gets a job for what comes due", async (host) => {
  const file = host === "github" ? ".github/workflows/ticketing.yml" : ".gitlab/ticketing.yml";
  expect(await init("--yes", "--ci", host, ...service)).toMatchObject({ exitCode: 0 });
  expect(read(file)).not.toContain("--wait");
  // In the past or to come, in a template or in a document.
  write("templates/night.yaml", "phases:\n  - { from: -2w, status: PUBLISHED }\n");
  write("events/night.yaml", "extends: night\nname: Night\ndateTime: 2026-03-14T19:00\nlocationType: ONLINE\n");
  expect(await init("--yes", "--ci", host)).toMatchObject({ exitCode: 0 });
  expect(read(file)).toContain("ticketing ci apply --env production --wait 15m");
});
