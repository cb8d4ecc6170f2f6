// What a job's variables say, as GitHub and GitLab set them.
import { expect, test } from "vitest";
import { readCiRun } from "../../src/host/ci-run.ts";

const github = {
  GITHUB_ACTIONS: "true",
  GITHUB_REPOSITORY: "acme/events",
  GITHUB_SERVER_URL: "https://github.example",
  GITHUB_API_URL: "https://github.example/api/v3",
  GITHUB_RUN_ID: "42",
  GITHUB_EVENT_PATH: "/event.json",
  GITHUB_TOKEN: "t",
};
const payload = (value: unknown) => (path: string) => (path === "/event.json" ? JSON.stringify(value) : null);

test("a pull request on GitHub", () => {
  const run = readCiRun(
    { ...github, GITHUB_EVENT_NAME: "pull_request" },
    payload({
      pull_request: { number: 7, head: { sha: "c".repeat(40), repo: { full_name: "acme/events" } } },
      repository: { default_branch: "trunk" },
    }),
  );
  expect(run).toEqual({
    host: "github",
    isMergeQueue: false,
    isScheduled: false,
    apiUrl: "https://github.example/api/v3",
    repository: "acme/events",
    token: "t",
    tokenVariable: "GITHUB_TOKEN",
    pullRequest: 7,
    isFork: false,
    before: null,
    defaultBranch: "trunk",
    branch: null,
    head: "c".repeat(40),
    url: "https://github.example/acme/events/actions/runs/42",
    repositoryUrl: "https://github.example/acme/events",
    summaryFile: null,
  });
});

test("a pull request from a fork, even one that is gone", () => {
  for (const repo of [{ full_name: "mallory/events" }, null]) {
    const run = readCiRun(
      { ...github, GITHUB_EVENT_NAME: "pull_request" },
      payload({ pull_request: { number: 7, head: { repo } } }),
    );
    expect(run?.isFork).toBe(true);
  }
});

test("a push names where the branch was; a new branch was nowhere", () => {
  const env = { ...github, GITHUB_EVENT_NAME: "push" };
  expect(readCiRun(env, payload({ before: "a".repeat(40) }))).toMatchObject({
    before: "a".repeat(40),
    pullRequest: null,
  });
  expect(readCiRun(env, payload({ before: "0".repeat(40) }))?.before).toBeNull();
});

test("a merge queue on GitHub", () => {
  expect(readCiRun({ ...github, GITHUB_EVENT_NAME: "merge_group" }, payload({}))?.isMergeQueue).toBe(true);
});

test("without its payload a job still knows its pull request by the ref", () => {
  const run = readCiRun({ ...github, GITHUB_EVENT_NAME: "pull_request", GITHUB_REF: "refs/pull/9/merge" }, () => null);
  expect(run).toMatchObject({ pullRequest: 9, defaultBranch: null, branch: null });
});

test("a merge request and a merge train on GitLab", () => {
  const env = {
    GITLAB_CI: "true",
    CI_API_V4_URL: "https://gitlab.example/api/v4",
    CI_PROJECT_ID: "12",
    CI_PROJECT_URL: "https://gitlab.example/acme/events",
    CI_JOB_URL: "https://gitlab.example/acme/events/-/jobs/5",
    CI_DEFAULT_BRANCH: "main",
    GITLAB_TOKEN: "t",
  };
  const request = {
    ...env,
    CI_PIPELINE_SOURCE: "merge_request_event",
    CI_MERGE_REQUEST_IID: "3",
    CI_MERGE_REQUEST_PROJECT_ID: "12",
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "12",
  };
  expect(readCiRun(request, () => null)).toMatchObject({
    host: "gitlab",
    isMergeQueue: false,
    isScheduled: false,
    pullRequest: 3,
    isFork: false,
  });
  expect(readCiRun({ ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "99" }, () => null)?.isFork).toBe(true);
  const train = readCiRun({ ...request, CI_MERGE_REQUEST_EVENT_TYPE: "merge_train" }, () => null);
  expect(train?.isMergeQueue).toBe(true);
});

test("elsewhere", () => {
  expect(readCiRun({}, () => null)).toBeNull();
});
