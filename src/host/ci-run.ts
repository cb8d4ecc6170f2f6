// What the CI host says about the current job, in its variables and the payload of its event.
import { asObject, parseJson } from "../model/value.ts";
import type { HostName } from "./host.ts";

export interface CiRun {
  readonly host: HostName;
  /** A pull request is about to be merged. */
  readonly isMergeQueue: boolean;
  /** A clock started it. */
  readonly isScheduled: boolean;
  readonly apiUrl: string;
  readonly repository: string;
  /** null: the job was given none. */
  readonly token: string | null;
  readonly tokenVariable: string;
  readonly pullRequest: number | null;
  /** The pull request comes from another repository: there are no secrets. */
  readonly isFork: boolean;
  /** Where the branch was before the push; null if it is new, or this is no push. */
  readonly before: string | null;
  readonly defaultBranch: string | null;
  /** The one that is checked out; null: none. */
  readonly branch: string | null;
  /** The commit that the pull request's author pushed, or the branch is at. */
  readonly head: string | null;
  /** The page of this run. */
  readonly url: string;
  /** The page of the repository, for links to files and commits. */
  readonly repositoryUrl: string;
  /** A file that the host shows as the summary of the job. */
  readonly summaryFile: string | null;
}

/** Both hosts call it so. */
const clockEvent = "schedule";

type CiVariables = Readonly<Record<string, string | undefined>>;

/** `readPayload` returns the text of a file, or null. null: unknown host. */
export function readCiRun(env: CiVariables, readPayload: (path: string) => string | null): CiRun | null {
  if (env.GITHUB_ACTIONS === "true") return githubRun(env, readPayload);
  return env.GITLAB_CI === "true" ? gitlabRun(env) : null;
}

interface GithubPayload {
  readonly pull_request?: {
    readonly number?: number;
    readonly head?: { readonly sha?: string; readonly repo?: { readonly full_name?: string } | null };
  };
  readonly repository?: { readonly default_branch?: string };
  readonly before?: string;
}

function githubRun(env: CiVariables, readPayload: (path: string) => string | null): CiRun {
  const text = env.GITHUB_EVENT_PATH === undefined ? null : readPayload(env.GITHUB_EVENT_PATH);
  const payload: GithubPayload = asObject(parseJson(text ?? ""));
  const repository = env.GITHUB_REPOSITORY ?? "";
  const repositoryUrl = `${env.GITHUB_SERVER_URL ?? "https://github.com"}/${repository}`;
  const fromRef = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? "")?.[1];
  const source = payload.pull_request?.head?.repo?.full_name;
  return {
    host: "github",
    isMergeQueue: env.GITHUB_EVENT_NAME === "merge_group",
    isScheduled: env.GITHUB_EVENT_NAME === clockEvent,
    apiUrl: env.GITHUB_API_URL ?? "https://api.github.com",
    repository,
    token: given(env.GITHUB_TOKEN),
    tokenVariable: "GITHUB_TOKEN",
    pullRequest: payload.pull_request?.number ?? (fromRef === undefined ? null : Number(fromRef)),
    isFork: payload.pull_request !== undefined && source !== repository,
    before: readCommit(payload.before),
    defaultBranch: payload.repository?.default_branch ?? null,
    branch: /^refs\/heads\/(.+)$/.exec(env.GITHUB_REF ?? "")?.[1] ?? null,
    head: readCommit(payload.pull_request?.head?.sha ?? env.GITHUB_SHA),
    url: `${repositoryUrl}/actions/runs/${env.GITHUB_RUN_ID ?? ""}`,
    repositoryUrl,
    summaryFile: given(env.GITHUB_STEP_SUMMARY),
  };
}

function gitlabRun(env: CiVariables): CiRun {
  const request = given(env.CI_MERGE_REQUEST_IID);
  return {
    host: "gitlab",
    isMergeQueue: env.CI_MERGE_REQUEST_EVENT_TYPE === "merge_train",
    isScheduled: env.CI_PIPELINE_SOURCE === clockEvent,
    apiUrl: env.CI_API_V4_URL ?? "https://gitlab.com/api/v4",
    repository: env.CI_PROJECT_ID ?? env.CI_PROJECT_PATH ?? "",
    token: given(env.GITLAB_TOKEN),
    tokenVariable: "GITLAB_TOKEN",
    pullRequest: request === null ? null : Number(request),
    isFork: request !== null && env.CI_MERGE_REQUEST_SOURCE_PROJECT_ID !== env.CI_MERGE_REQUEST_PROJECT_ID,
    before: readCommit(env.CI_COMMIT_BEFORE_SHA),
    defaultBranch: given(env.CI_DEFAULT_BRANCH),
    branch: given(env.CI_COMMIT_BRANCH),
    head: readCommit(given(env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA) ?? env.CI_COMMIT_SHA),
    url: env.CI_JOB_URL ?? "",
    repositoryUrl: env.CI_PROJECT_URL ?? "",
    summaryFile: null,
  };
}

function given(value: string | undefined): string | null {
  return value === undefined || value === "" ? null : value;
}

/** A new branch came from nowhere, which hosts write as zeros. */
function readCommit(value: string | undefined): string | null {
  return value === undefined || !/^[0-9a-f]{40,64}$/.test(value) || /^0+$/.test(value) ? null : value;
}
