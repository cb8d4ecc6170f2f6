// The jobs for GitLab, read by a program that knows GitLab's published schema and its rules.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { CiProject } from "../../../../src/app/importing/init/ci-project.ts";
import { gitlabIncluding, gitlabJobs, gitlabJobsFile } from "../../../../src/app/importing/init/gitlab-pipeline.ts";
import { ciSamples } from "./ci-samples.ts";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const gitlab = join(dirname(require.resolve("gitlab-ci-local/package.json")), "dist/index.js");

async function repositoryWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-gitlab-"));
  await run("git", ["init", "--quiet", "-b", "main", folder]);
  await run("git", ["-C", folder, "remote", "add", "origin", "https://gitlab.example/acme/events.git"]);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await run("git", ["-C", folder, "add", "."]);
  await run("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "first"]);
  return folder;
}

/** The jobs that a pipeline of this kind would have; throws where the schema is not kept to. */
async function jobsOf(folder: string, variables: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const given = Object.entries({ CI_DEFAULT_BRANCH: "main", CI_COMMIT_BRANCH: "main", ...variables });
  const flags = ["--list-json", "--no-evaluate-rule-changes"];
  const set = given.flatMap(([name, value]) => ["--variable", `${name}=${value}`]);
  const { stdout } = await run(process.execPath, [gitlab, ...flags, ...set], { cwd: folder });
  const jobs = JSON.parse(stdout.slice(stdout.search(/^\[(?:\]|$)/m))) as {
    readonly name: string;
    readonly when: string;
  }[];
  return jobs.filter(({ when }) => when !== "never").map(({ name }) => name.replace(/^ticketing /, ""));
}

function filesOf(projects: readonly CiProject[]): Readonly<Record<string, string>> {
  const entry = projects.reduce<string | null>((text, each) => gitlabIncluding(text, gitlabJobsFile(each)), null);
  return {
    ".gitlab-ci.yml": entry ?? "",
    ...Object.fromEntries(projects.map((project) => [gitlabJobsFile(project), gitlabJobs(project)])),
  };
}

const [single, several] = ciSamples as [CiProject, CiProject, CiProject];
const request = { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_PROJECT_ID: "1" };

describe("the pipelines of a project", () => {
  test("a merge request is validated and planned; one from a fork is only validated", async () => {
    const folder = await repositoryWith(filesOf([single]));
    expect(await jobsOf(folder, { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "1" })).toEqual([
      "validate",
      "plan production",
    ]);
    expect(await jobsOf(folder, { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "2" })).toEqual(["validate"]);
  }, 60_000);

  test("the default branch is applied, by a push or by hand; another is not; at night drift is looked for", async () => {
    const folder = await repositoryWith(filesOf([single]));
    for (const source of ["push", "web"])
      expect(await jobsOf(folder, { CI_PIPELINE_SOURCE: source })).toEqual(["apply production"]);
    expect(await jobsOf(folder, { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "price" })).toEqual([]);
    expect(await jobsOf(folder, { CI_PIPELINE_SOURCE: "schedule" })).toEqual(["drift production"]);
  }, 60_000);

  test("if phases exist, a separate schedule applies what comes due", async () => {
    const folder = await repositoryWith(filesOf([{ ...single, hasPhases: true }]));
    const schedule = { CI_PIPELINE_SOURCE: "schedule" };
    expect(await jobsOf(folder, schedule)).toEqual(["drift production"]);
    expect(await jobsOf(folder, { ...schedule, TICKETING_DUE: "true" })).toEqual(["due production"]);
    expect(gitlabJobs({ ...single, hasPhases: true })).toContain("ticketing ci apply --env production --wait 15m");
  }, 60_000);

  test("each of several environments has its jobs, and one can be chosen by hand", async () => {
    const folder = await repositoryWith(filesOf([several]));
    const inProject = (name: string) => `${name} (teams/live events)`;
    expect(await jobsOf(folder, { CI_PIPELINE_SOURCE: "push" })).toEqual(
      ["apply staging", "apply production"].map(inProject),
    );
    expect(await jobsOf(folder, { CI_PIPELINE_SOURCE: "web", TICKETING_APPLY_TO: "staging" })).toEqual([
      inProject("apply staging"),
    ]);
  }, 60_000);

  test("two projects get along, and without an address nothing but validate runs", async () => {
    const folder = await repositoryWith(filesOf(ciSamples));
    const own = { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "1" };
    const planned = await jobsOf(folder, own);
    expect(planned).toEqual(expect.arrayContaining(["plan production", "validate (tickets)"]));
    expect(planned).not.toContain("plan production (tickets)");
    expect(await jobsOf(folder, { ...own, TICKETING_BASE_URL: "https://api.example.com" })).toContain(
      "plan production (tickets)",
    );
  }, 60_000);
});

describe("an existing .gitlab-ci.yml", () => {
  const file = ".gitlab/ticketing.yml";
  const entry = '  - local: ".gitlab/ticketing.yml"\n';

  test.each([
    ["without include", "test:\n  script: [a]\n", `include:\n${entry}\ntest:\n  script: [a]\n`],
    ["with a list", "include: # ours\n  - local: a.yml\n", `include: # ours\n${entry}  - local: a.yml\n`],
    ["that has it", `include:\n  - local: /${file}\n`, `include:\n  - local: /${file}\n`],
    ["that has it as a text", `include: ${file}\n`, `include: ${file}\n`],
    ["that is empty", "\n", `include:\n${entry}`],
  ])("%s keeps its text and gets one entry", (_, before, after) => {
    expect(gitlabIncluding(before, file)).toBe(after);
    expect(gitlabIncluding(after, file)).toBe(after);
  });

  test.each([
    ["with one file as a text", "include: other.yml\n"],
    ["in one line", "include: [{ local: a.yml }]\n"],
    ["that is broken", "include: [\n"],
  ])("%s is left alone", (_, before) => {
    expect(gitlabIncluding(before, file)).toBeNull();
  });
});
