// What GitHub and GitLab have in common: the same questions, with other paths and other fields.

import type { OutsideResponse } from "../../model/outside.ts";
import { parseJson, pluralize } from "../../model/value.ts";
import type {
  FoundComment,
  Host,
  HostEntry,
  HostFailure,
  HostResult,
  HostSetup,
  IssueText,
  MergedRequest,
} from "../host.ts";

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
    merged(record: unknown): MergedRequest | null;
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

// A JSON call to a host: waits as long as its rate limit asks, retries what may be retried, and reads lists page by page.

export interface HostCall {
  readonly method?: "GET" | "POST" | "PATCH" | "PUT";
  /** Below the API's address, or a whole address of the same origin. */
  readonly path: string;
  readonly body?: unknown;
}

export type HostClient = ReturnType<typeof hostClient>;

const attempts = 4;
/** A secondary rate limit asks for a minute; a primary one may ask for an hour, which no job should wait for. */
const longestWaitMs = 90_000;
/** A pull request with more comments than this is not read to its end. */
const mostPages = 50;

export function hostClient(setup: HostSetup, headers: Readonly<Record<string, string>>) {
  const origin = new URL(setup.apiUrl).origin;

  function urlOf(path: string): string | null {
    if (!/^https?:/.test(path)) return `${setup.apiUrl.replace(/\/$/, "")}/${path.replace(/^\//, "")}`;
    // The token is sent nowhere else, whatever a response says about the next page.
    return new URL(path).origin === origin ? path : null;
  }

  async function send(call: HostCall): Promise<OutsideResponse | HostFailure> {
    const { method = "GET", body } = call;
    const url = urlOf(call.path);
    if (url === null) return hostFailure("refused", "the link to the next page leads to a different server");
    for (let attempt = 1; ; attempt += 1) {
      const response = await setup.send({
        method,
        url,
        headers: {
          "user-agent": "ticketing",
          ...headers,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const waitMs = pauseFor(response, method, attempt, setup.now());
      if (waitMs !== null && waitMs <= longestWaitMs && attempt < attempts) await setup.sleep(waitMs);
      else if (waitMs === null || !isLimited(response)) return response;
      else return hostFailure("limited", `the host's rate limit is used up for ${minutes(waitMs)}`);
    }
  }

  async function request(call: HostCall): Promise<HostResult<unknown>> {
    const response = await send(call);
    return "ok" in response ? response : read(response);
  }

  function read(response: OutsideResponse): HostResult<unknown> {
    const result = readHostResponse(response);
    // A host may quote what it was sent, and a message is printed.
    return result.ok ? result : { ...result, message: result.message.replaceAll(setup.token, "***") };
  }

  return {
    request,
    /** Every entry of a list, whatever its pages; up to and with the first one that `isLast` accepts. */
    async list(
      path: string,
      isLast: (entry: unknown) => boolean = () => false,
    ): Promise<HostResult<readonly unknown[]>> {
      const entries: unknown[] = [];
      let next: string | null = path;
      for (let page = 0; next !== null && page < mostPages; page += 1) {
        const response: OutsideResponse | HostFailure = await send({ path: next });
        if ("ok" in response) return response;
        const value = read(response);
        if (!value.ok) return value;
        if (!Array.isArray(value.value))
          return hostFailure("unreachable", "the host responded with something other than a list");
        entries.push(...value.value);
        if (value.value.some(isLast)) break;
        next = /<([^<>]+)>;\s*rel="next"/.exec(response.headers.link ?? "")?.[1] ?? null;
      }
      return { ok: true, value: entries };
    },
  };
}

function minutes(ms: number): string {
  return pluralize(Math.max(1, Math.ceil(ms / 60_000)), "more minute");
}

/** null: the response is final. A write that may have taken effect is not sent again. */
function pauseFor(response: OutsideResponse, method: string, attempt: number, now: number): number | null {
  const { status } = response;
  const backoffMs = 500 * 2 ** attempt;
  if (isLimited(response)) return limitMs(response, now) ?? Math.max(backoffMs, status === 403 ? secondaryMs : 0);
  // Somebody else writes the same thing right now; nothing was done.
  if (status === 409) return backoffMs;
  const isRetryable = status === 0 || status >= 500;
  return isRetryable && method !== "POST" ? (limitMs(response, now) ?? backoffMs) : null;
}

/** How long GitHub asks to wait if it says only in words that it is called too often. */
const secondaryMs = 60_000;

function isLimited({ status, headers, body }: OutsideResponse): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers["retry-after"] !== undefined ||
    headers["x-ratelimit-remaining"] === "0" ||
    /secondary rate limit/i.test(body)
  );
}

/** What the host itself says about when to try again; null: nothing. */
function limitMs({ headers }: OutsideResponse, now: number): number | null {
  const after = headers["retry-after"];
  if (after !== undefined) {
    const ms = Number.isFinite(Number(after)) ? Number(after) * 1000 : Date.parse(after) - now;
    if (Number.isFinite(ms)) return Math.max(0, ms);
  }
  const isUsedUp = (headers["x-ratelimit-remaining"] ?? headers["ratelimit-remaining"] ?? "0") === "0";
  const reset = Number(headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"] ?? Number.NaN);
  return isUsedUp && Number.isFinite(reset) ? Math.max(1000, reset * 1000 - now) : null;
}

function readHostResponse({ status, body }: OutsideResponse): HostResult<unknown> {
  if (status === 0)
    return hostFailure("unreachable", body === "" ? "the host did not respond" : body.replace(/\.$/, ""));
  const value = body === "" ? null : parseJson(body);
  if (value === undefined && status < 300)
    return hostFailure("unreachable", "the host responded with something other than JSON");
  if (status >= 200 && status < 300) return { ok: true, value };
  const said = `${status}${messageIn(value)}`;
  if (status === 401 || status === 403 || status === 404) return hostFailure("no-rights", said);
  return hostFailure(status >= 500 ? "unreachable" : "refused", said);
}

/** The host's own sentence, cut short: it is printed, and may quote what was sent. */
function messageIn(value: unknown): string {
  // GitLab names a missing permission of the token in other members.
  const { message, error_description: lack, error } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const said = message ?? lack ?? error;
  return said === undefined ? "" : ` (${(typeof said === "string" ? said : JSON.stringify(said)).slice(0, 200)})`;
}

export function hostFailure(reason: HostFailure["reason"], message: string): HostFailure {
  return { ok: false, reason, message };
}
