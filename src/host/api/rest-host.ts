// What GitHub and GitLab have in common: the same questions, with other paths and other fields.
import type { FoundComment, Host, HostEntry, HostFailure, HostResult, HostSetup, IssueText } from "../host.ts";
import { type HostCall, type HostClient, hostClient } from "./request.ts";

export interface Dialect {
  readonly headers: Readonly<Record<string, string>>;
  readonly editMethod: "PATCH" | "PUT";
  /** Authors that are always ours. */
  readonly ownNames: readonly string[];
  /** How to ask whose token it is: the next one is tried if a token may not ask this way. */
  readonly whoAmI: readonly HostCall[];
  readonly paths: {
    /** Oldest first. */
    comments(pullRequest: number): string;
    newComment(pullRequest: number): string;
    comment(pullRequest: number, id: number): string;
    /** Open and closed, newest first. */
    readonly issues: string;
    readonly newIssue: string;
    issue(number: number): string;
    pullRequest(number: number): string;
    pullRequestsOf(commit: string): string;
    /** null: this is no run of this host. */
    run(runUrl: string): string | null;
  };
  readonly read: {
    ownName(user: unknown): unknown;
    comment(record: unknown): HostEntry;
    issue(record: unknown): HostEntry;
    merged(record: unknown): number | null;
    isOver(run: unknown): boolean;
  };
  issueBody(issue: IssueText, existing: HostEntry | null): unknown;
}

/** GitLab drops white space at the end of what it stores. */
function isSameText(one: string, other: string): boolean {
  return one.trimEnd() === other.trimEnd();
}

export function restHost(setup: HostSetup, { headers, ownNames, whoAmI, paths, read, ...dialect }: Dialect): Host {
  const client: HostClient = hostClient(setup, headers);
  let identity: ReturnType<typeof findIdentities> | null = null;

  /** Fails if that cannot be found out: a comment that is not known to be ours would be posted a second time. */
  async function findIdentities(): Promise<HostResult<ReadonlySet<string>>> {
    let refusal: HostFailure | null = null;
    for (const call of whoAmI) {
      const response = await client.request(call);
      const own = response.ok ? read.ownName(response.value) : null;
      if (typeof own === "string") return { ok: true, value: new Set([...ownNames, own]) };
      if (!response.ok && (response.reason === "unreachable" || response.reason === "limited")) return response;
      if (!response.ok) refusal = response;
    }
    // A workflow's own token may not ask who it is.
    return ownNames.length === 0 && refusal !== null ? refusal : { ok: true, value: new Set(ownNames) };
  }

  function identities(): ReturnType<typeof findIdentities> {
    identity ??= findIdentities();
    return identity;
  }

  /** The last one of those that the list holds. */
  async function lastOwn(
    entries: HostResult<readonly HostEntry[]>,
    isMeant: (entry: HostEntry) => boolean,
  ): Promise<FoundComment> {
    if (!entries.ok) return entries;
    const others: string[] = [];
    for (const entry of entries.value.filter(isMeant).reverse()) {
      const author = entry.author ?? "";
      const own = ownNames.includes(author) ? null : await identities();
      if (own?.ok === false) return own;
      if (own === null || own.value.has(author)) return { ok: true, value: entry, others };
      others.push(author);
    }
    return { ok: true, value: null, others };
  }

  async function commentsOn(pullRequest: number): Promise<HostResult<readonly HostEntry[]>> {
    const listed = await client.list(paths.comments(pullRequest));
    return listed.ok ? { ok: true, value: listed.value.map(read.comment) } : listed;
  }

  /** A post whose response was lost may have arrived: then a second one would be a second comment. */
  async function post(pullRequest: number, body: string): Promise<HostResult<HostEntry>> {
    const call: HostCall = { method: "POST", path: paths.newComment(pullRequest), body: { body } };
    const posted = await write(call, read.comment);
    if (posted.ok || posted.reason !== "unreachable") return posted;
    const found = await lastOwn(await commentsOn(pullRequest), (entry) => isSameText(entry.body, body));
    if (!found.ok) return posted;
    return found.value === null ? write(call, read.comment) : { ok: true, value: found.value };
  }

  async function write(call: HostCall, resultOf: (record: unknown) => HostEntry): Promise<HostResult<HostEntry>> {
    const written = await client.request(call);
    return written.ok ? { ok: true, value: resultOf(written.value) } : written;
  }

  return {
    async findComment(pullRequest, marker) {
      return lastOwn(await commentsOn(pullRequest), ({ body }) => body.trimStart().startsWith(marker));
    },
    async putComment(pullRequest, existing, body) {
      if (existing !== null) {
        if (isSameText(existing.body, body)) return { ok: true, value: existing };
        const path = paths.comment(pullRequest, existing.id);
        const edited = await write({ method: dialect.editMethod, path, body: { body } }, read.comment);
        if (edited.ok || !edited.message.startsWith("404")) return edited;
      }
      return post(pullRequest, body);
    },
    async mergedWith(commit) {
      const listed = await client.list(paths.pullRequestsOf(commit));
      return listed.ok ? { ok: true, value: listed.value.flatMap((each) => read.merged(each) ?? []) } : listed;
    },
    async isMerged(pullRequest) {
      const response = await client.request({ path: paths.pullRequest(pullRequest) });
      return response.ok && read.merged(response.value) !== null;
    },
    async findIssue(marker) {
      const own = await identities();
      if (!own.ok) return own;
      const isMeant = ({ isIssue, body, author }: HostEntry) =>
        isIssue && body.trimStart().startsWith(marker) && author !== null && own.value.has(author);
      const listed = await client.list(paths.issues, (record) => isMeant(read.issue(record)));
      if (!listed.ok) return listed;
      return { ok: true, value: listed.value.map(read.issue).find(isMeant) ?? null };
    },
    putIssue(existing, issue) {
      const body = dialect.issueBody(issue, existing);
      const [method, path] =
        existing === null ? (["POST", paths.newIssue] as const) : [dialect.editMethod, paths.issue(existing.id)];
      return write({ method, path, body }, read.issue);
    },
    async hasEnded(runUrl) {
      const path = paths.run(runUrl);
      const response = path === null ? null : await client.request({ path });
      return response?.ok === true && read.isOver(response.value);
    },
  };
}
