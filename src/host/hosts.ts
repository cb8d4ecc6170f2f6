// GitHub and GitLab: where they keep what the loop needs, and how they name it.
import { type Dialect, restHost } from "./api/rest-host.ts";
import type { Host, HostEntry, HostName, HostSetup } from "./host.ts";

export function openHost(name: HostName, setup: HostSetup): Host {
  return restHost(setup, name === "github" ? github(setup) : gitlab(setup));
}

// Only what is read of a record; a host may leave anything out.
interface HostRecord {
  readonly id?: number;
  readonly iid?: number;
  readonly number?: number;
  readonly body?: string | null;
  readonly description?: string | null;
  readonly state?: string;
  readonly status?: string;
  readonly login?: string;
  readonly username?: string;
  readonly merged_at?: string | null;
  readonly base?: { readonly ref?: string } | null;
  readonly target_branch?: string;
  readonly user?: { readonly login?: string } | null;
  readonly author?: { readonly username?: string } | null;
  readonly pull_request?: unknown;
  readonly data?: { readonly viewer?: { readonly login?: string } } | null;
}

function asHostRecord(value: unknown): HostRecord {
  return typeof value === "object" && value !== null ? (value as HostRecord) : {};
}

function github({ apiUrl, repository, token }: HostSetup): Dialect {
  const root = `/repos/${repository}`;
  function entryOf(value: unknown, id: "id" | "number"): HostEntry {
    const record = asHostRecord(value);
    return {
      id: record[id] ?? 0,
      body: record.body ?? "",
      author: record.user?.login ?? null,
      isIssue: record.pull_request === undefined,
      isOpen: record.state === "open",
    };
  }
  return {
    headers: {
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      authorization: `Bearer ${token}`,
    },
    editMethod: "PATCH",
    // The identity of a workflow's own token.
    ownNames: ["github-actions[bot]"],
    // Only the second one also accepts the token of an app; on a self-hosted server it is next to /api/v3.
    whoAmI: [
      { path: "/user" },
      {
        method: "POST",
        path: `${apiUrl.replace(/\/v3\/?$/, "")}/graphql`,
        body: { query: "query { viewer { login } }" },
      },
    ],
    paths: {
      comments: (pullRequest) => `${root}/issues/${pullRequest}/comments?per_page=100`,
      newComment: (pullRequest) => `${root}/issues/${pullRequest}/comments`,
      comment: (_, id) => `${root}/issues/comments/${id}`,
      issues: `${root}/issues?state=all&sort=created&direction=desc&per_page=100`,
      newIssue: `${root}/issues`,
      issue: (number) => `${root}/issues/${number}`,
      pullRequest: (number) => `${root}/pulls/${number}`,
      pullRequestsOf: (commit) => `${root}/commits/${commit}/pulls?per_page=100`,
      run(runUrl) {
        const run = /\/actions\/runs\/(\d+)/.exec(runUrl)?.[1];
        return run === undefined || !runUrl.includes(`/${repository}/`) ? null : `${root}/actions/runs/${run}`;
      },
    },
    read: {
      ownName: (response) => asHostRecord(response).login ?? asHostRecord(response).data?.viewer?.login,
      comment: (record) => entryOf(record, "id"),
      issue: (record) => entryOf(record, "number"),
      merged(value) {
        const { number, merged_at: at = null, base } = asHostRecord(value);
        return number === undefined || at === null ? null : { number, into: base?.ref ?? null };
      },
      isOver: (run) => asHostRecord(run).status === "completed",
    },
    issueBody: ({ title, body, isOpen }, existing) =>
      existing === null ? { title, body } : { title, body, state: isOpen ? "open" : "closed" },
  };
}

/** Its job token cannot write notes: the token is a project's or a person's, with the scope `api`. */
function gitlab({ repository, token }: HostSetup): Dialect {
  const root = `/projects/${encodeURIComponent(repository)}`;
  function entryOf(value: unknown, id: "id" | "iid"): HostEntry {
    const record = asHostRecord(value);
    return {
      id: record[id] ?? 0,
      body: record.body ?? record.description ?? "",
      author: record.author?.username ?? null,
      isIssue: true,
      isOpen: record.state === "opened",
    };
  }
  return {
    headers: { "private-token": token },
    editMethod: "PUT",
    ownNames: [],
    whoAmI: [{ path: "/user" }],
    paths: {
      comments: (request) => `${root}/merge_requests/${request}/notes?sort=asc&order_by=created_at&per_page=100`,
      newComment: (request) => `${root}/merge_requests/${request}/notes`,
      comment: (request, id) => `${root}/merge_requests/${request}/notes/${id}`,
      issues: `${root}/issues?scope=all&order_by=created_at&sort=desc&per_page=100`,
      newIssue: `${root}/issues`,
      issue: (number) => `${root}/issues/${number}`,
      pullRequest: (number) => `${root}/merge_requests/${number}`,
      pullRequestsOf: (commit) => `${root}/repository/commits/${commit}/merge_requests?per_page=100`,
      run(runUrl) {
        const job = /\/-\/jobs\/(\d+)/.exec(runUrl)?.[1];
        return job === undefined ? null : `${root}/jobs/${job}`;
      },
    },
    read: {
      ownName: (user) => asHostRecord(user).username,
      comment: (record) => entryOf(record, "id"),
      issue: (record) => entryOf(record, "iid"),
      merged(value) {
        const { iid, state, target_branch: into = null } = asHostRecord(value);
        // Locked: GitLab is still merging it, or got stuck there, while its commit is on the branch already.
        return iid === undefined || (state !== "merged" && state !== "locked") ? null : { number: iid, into };
      },
      isOver: (job) => ["success", "failed", "canceled"].includes(asHostRecord(job).status ?? ""),
    },
    issueBody: ({ title, body, isOpen }, existing) => ({
      title,
      description: body,
      ...(existing === null || existing.isOpen === isOpen ? {} : { state_event: isOpen ? "reopen" : "close" }),
    }),
  };
}
