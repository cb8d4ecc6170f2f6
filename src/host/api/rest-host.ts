// What GitHub and GitLab have in common: the same questions, asked at other paths and answered in other fields.
import type {
  Host,
  HostComment,
  HostIssue,
  HostName,
  HostResult,
  HostSetup,
  IssueText,
  MergedPullRequest,
} from "../host.ts";
import { failure, type HostClient, hostClient } from "./request.ts";

/** One entry of a list, in the words of neither. */
export interface Entry {
  readonly id: number;
  readonly body: string;
  readonly author: string | null;
  readonly url: string;
  readonly isOpen: boolean;
}

export interface Dialect {
  readonly name: HostName;
  readonly headers: Readonly<Record<string, string>>;
  readonly editMethod: "PATCH" | "PUT";
  /** Authors that are always ours. */
  readonly ownNames: readonly string[];
  readonly paths: {
    /** Oldest first. */
    comments(pullRequest: number): string;
    newComment(pullRequest: number): string;
    comment(pullRequest: number, id: string): string;
    /** Open and closed, oldest first. */
    readonly issues: string;
    readonly newIssue: string;
    issue(number: number): string;
    compare(base: string, head: string): string;
    pullRequestsOf(commit: string): string;
    /** null: this is no run of this host. */
    run(runUrl: string): string | null;
  };
  readonly read: {
    ownName(user: unknown): unknown;
    comment(record: unknown): Entry;
    issue(record: unknown): Entry;
    comparison(value: unknown): { readonly commits: readonly string[]; readonly total: number };
    /** null: it was not merged. */
    merged(record: unknown): MergedPullRequest | null;
    isOver(run: unknown): boolean;
  };
  issueBody(issue: IssueText, existing: HostIssue | null): unknown;
}

export function restHost(setup: HostSetup, { name, headers, ownNames, paths, read, ...dialect }: Dialect): Host {
  const client: HostClient = hostClient(setup, headers);
  let identity: Promise<ReadonlySet<string>> | null = null;

  /** A workflow's own token may not ask who it is. */
  function identities(): Promise<ReadonlySet<string>> {
    identity ??= client.request({ path: "/user" }).then((answer) => {
      const own = answer.ok ? read.ownName(answer.value) : null;
      return new Set(typeof own === "string" ? [...ownNames, own] : ownNames);
    });
    return identity;
  }

  async function newestOwn(
    path: string,
    entryOf: (record: unknown) => Entry,
    marker: string,
  ): Promise<HostResult<Entry | null>> {
    const listed = await client.list(path);
    if (!listed.ok) return listed;
    const marked = listed.value.map(entryOf).filter(({ body }) => body.includes(marker));
    if (marked.length === 0) return { ok: true, value: null };
    const own = await identities();
    return { ok: true, value: marked.filter(({ author }) => author !== null && own.has(author)).at(-1) ?? null };
  }

  async function write<Value>(
    method: "POST" | "PATCH" | "PUT",
    path: string,
    body: unknown,
    resultOf: (record: unknown) => Value,
  ): Promise<HostResult<Value>> {
    const written = await client.request({ method, path, body });
    return written.ok ? { ok: true, value: resultOf(written.value) } : written;
  }

  const toComment = (record: unknown) => commentOf(read.comment(record));
  const toIssue = (record: unknown) => issueOf(read.issue(record));

  return {
    name,
    async findComment(pullRequest, marker) {
      const found = await newestOwn(paths.comments(pullRequest), read.comment, marker);
      return found.ok ? { ok: true, value: found.value === null ? null : commentOf(found.value) } : found;
    },
    async putComment(pullRequest, existing, body) {
      if (existing !== null) {
        const path = paths.comment(pullRequest, existing.id);
        const edited = await write(dialect.editMethod, path, { body }, toComment);
        if (edited.ok || !edited.message.startsWith("404")) return edited;
      }
      return write("POST", paths.newComment(pullRequest), { body }, toComment);
    },
    async mergedBetween(base, head) {
      const compared = await client.request({ path: paths.compare(base, head) });
      if (!compared.ok) return compared;
      const { commits, total } = read.comparison(compared.value);
      if (total > commits.length || commits.length > mostCommits)
        return failure(
          "refused",
          `${total} commits lie between ${base.slice(0, 12)} and ${head.slice(0, 12)}, too many to find their pull requests.`,
        );
      const found = new Map<number, MergedPullRequest>();
      for (const commit of commits) {
        const listed = await client.list(paths.pullRequestsOf(commit));
        if (!listed.ok) return listed;
        for (const merged of listed.value.map(read.merged)) if (merged !== null) found.set(merged.number, merged);
      }
      return { ok: true, value: [...found.values()].sort((one, other) => one.number - other.number) };
    },
    async findIssue(marker) {
      const found = await newestOwn(paths.issues, read.issue, marker);
      return found.ok ? { ok: true, value: found.value === null ? null : issueOf(found.value) } : found;
    },
    putIssue(existing, issue) {
      const body = dialect.issueBody(issue, existing);
      return existing === null
        ? write("POST", paths.newIssue, body, toIssue)
        : write(dialect.editMethod, paths.issue(existing.number), body, toIssue);
    },
    async hasEnded(runUrl) {
      const path = paths.run(runUrl);
      const answer = path === null ? null : await client.request({ path });
      return answer?.ok === true && read.isOver(answer.value);
    },
  };
}

/** Each commit takes a call. Whoever is further behind has not applied for a long time. */
const mostCommits = 250;

function commentOf({ id, body, url }: Entry): HostComment {
  return { id: String(id), body, url };
}

function issueOf({ id, body, isOpen }: Entry): HostIssue {
  return { number: id, body, isOpen };
}
