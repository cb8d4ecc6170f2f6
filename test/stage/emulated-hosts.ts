// Servers that act as GitHub and GitLab do, as far as the loop uses them: comments, issues, pull requests of commits, runs.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Comment {
  readonly id: number;
  body: string;
  author: string;
}

export interface Issue {
  readonly number: number;
  title: string;
  body: string;
  isOpen: boolean;
  author: string;
}

export interface EmulatedHost {
  readonly apiUrl: string;
  readonly token: string;
  /** By pull request. */
  readonly comments: Map<number, Comment[]>;
  readonly issues: Issue[];
  /** Commits in order, each with the pull request that brought it. */
  readonly commits: { sha: string; pullRequest: number | null; state?: string; into?: string }[];
  readonly ended: Set<string>;
  readonly requests: string[];
  /** Answered once each, before anything else. */
  readonly next: { status: number; headers?: Record<string, string>; body?: string; after?: boolean }[];
  pageSize: number;
  /** What is answered with 502, by its path. */
  down: RegExp | null;
  close(): Promise<void>;
}

/** `self`: who the token is; null: a workflow's own token, which may not ask. */
export async function startHost(kind: "github" | "gitlab", self: string | null): Promise<EmulatedHost> {
  const token = "token-of-the-job";
  const writer = self ?? "github-actions[bot]";
  const host = {
    comments: new Map<number, Comment[]>(),
    issues: [] as Issue[],
    commits: [] as EmulatedHost["commits"],
    ended: new Set<string>(),
    requests: [] as string[],
    next: [] as EmulatedHost["next"],
    pageSize: 30,
    down: null as RegExp | null,
  };
  let nextId = 100;
  const isGithub = kind === "github";

  const stored = (body = "") => (isGithub ? body : body.trimEnd());
  const commentRecord = ({ id, body, author }: Comment) =>
    isGithub
      ? { id, body, user: { login: author }, html_url: `https://host.example/c/${id}` }
      : { id, body, author: { username: author } };
  const issueRecord = ({ number, title, body, isOpen, author }: Issue) =>
    isGithub
      ? { number, title, body, state: isOpen ? "open" : "closed", user: { login: author } }
      : { iid: number, title, description: body, state: isOpen ? "opened" : "closed", author: { username: author } };

  const routes: [RegExp, (parts: string[], body: Record<string, string>, method: string) => unknown][] = [
    // The token of an app may not ask so, only in GitHub's other API.
    [/\/user$/, () => (self === null || self.endsWith("[bot]") ? 403 : { login: self, username: self })],
    [/\/graphql$/, () => ({ data: { viewer: { login: writer } } })],
    [
      /\/(?:issues|merge_requests)\/(\d+)\/(?:comments|notes)$/,
      ([number = ""], body, method) => {
        const list = host.comments.get(Number(number)) ?? [];
        host.comments.set(Number(number), list);
        if (method === "GET") return list.map(commentRecord);
        const comment = { id: nextId++, body: stored(body.body), author: writer };
        list.push(comment);
        return commentRecord(comment);
      },
    ],
    [
      /\/(?:issues\/comments|merge_requests\/\d+\/notes)\/(\d+)$/,
      ([id = ""], body) => {
        const comment = [...host.comments.values()].flat().find((each) => each.id === Number(id));
        if (comment === undefined) return 404;
        comment.body = stored(body.body);
        return commentRecord(comment);
      },
    ],
    [
      /\/issues$/,
      (_, body, method) => {
        if (method === "GET") return host.issues.map(issueRecord);
        const issue = {
          number: nextId++,
          title: body.title ?? "",
          body: body.body ?? body.description ?? "",
          isOpen: true,
          author: writer,
        };
        host.issues.push(issue);
        return issueRecord(issue);
      },
    ],
    [
      /\/issues\/(\d+)$/,
      ([number = ""], body) => {
        const issue = host.issues.find((each) => each.number === Number(number));
        if (issue === undefined) return 404;
        Object.assign(issue, { title: body.title, body: body.body ?? body.description });
        if (body.state !== undefined) issue.isOpen = body.state === "open";
        if (body.state_event !== undefined) issue.isOpen = body.state_event === "reopen";
        return issueRecord(issue);
      },
    ],
    [
      /\/compare\/([0-9a-f]+)\.\.\.([0-9a-f]+)$/,
      ([base = "", head = ""]) => {
        const between = commitsBetween(base, head);
        return between === null ? 404 : { commits: between.map(({ sha }) => ({ sha })), total_commits: between.length };
      },
    ],
    [
      /\/commits\/([0-9a-f]+)\/(?:pulls|merge_requests)$/,
      ([sha = ""]) => {
        return host.commits
          .filter((each) => each.sha === sha)
          .flatMap(({ pullRequest: number, state = "merged", into = "main" }) => {
            if (number === null) return [];
            return isGithub
              ? { number, base: { ref: into }, merged_at: "2027-01-01T00:00:00Z" }
              : { iid: number, target_branch: into, state };
          });
      },
    ],
    [
      /\/(?:pulls|merge_requests)\/(\d+)$/,
      ([number = ""]) => {
        const { state = "merged" } = host.commits.find(({ pullRequest }) => pullRequest === Number(number)) ?? {
          state: "opened",
        };
        return isGithub
          ? { number: Number(number), merged_at: state === "merged" ? "2027-01-01T00:00:00Z" : null }
          : { iid: Number(number), state };
      },
    ],
    [/\/actions\/runs\/(\d+)$/, ([run = ""]) => ({ status: host.ended.has(run) ? "completed" : "in_progress" })],
    [/\/jobs\/(\d+)$/, ([job = ""]) => ({ status: host.ended.has(job) ? "failed" : "running" })],
  ];

  function commitsBetween(base: string, head: string): { sha: string }[] | null {
    const [from, to] = [base, head].map((sha) => host.commits.findIndex((each) => each.sha === sha));
    return from === undefined || to === undefined || to === -1 ? null : host.commits.slice(from + 1, to + 1);
  }

  function act(method: string, url: URL, text: string): { status: number; value: unknown } {
    const body = text === "" ? {} : (JSON.parse(text) as Record<string, string>);
    if (url.pathname.endsWith("/repository/compare")) {
      const between = commitsBetween(url.searchParams.get("from") ?? "", url.searchParams.get("to") ?? "");
      return between === null
        ? { status: 404, value: { message: "404 Not Found" } }
        : { status: 200, value: { commits: between.map(({ sha }) => ({ id: sha })) } };
    }
    for (const [pattern, handle] of routes) {
      const found = pattern.exec(url.pathname);
      if (found === null) continue;
      const value = handle(found.slice(1), body, method);
      return typeof value === "number" ? { status: value, value: { message: "refused" } } : { status: 200, value };
    }
    return { status: 404, value: { message: "Not Found" } };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "GET";
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    let text = "";
    for await (const part of request) text += part;
    host.requests.push(`${method} ${url.pathname}`);
    const isAllowed = request.headers.authorization === `Bearer ${token}` || request.headers["private-token"] === token;
    if (!isAllowed) return void response.writeHead(401).end('{"message":"Bad credentials"}');
    const fault: EmulatedHost["next"][number] | undefined = host.down?.test(url.pathname)
      ? { status: 502 }
      : host.next.shift();
    const acted = fault === undefined || fault.after === true ? act(method, url, text) : null;
    if (fault !== undefined || acted === null) {
      response.writeHead(fault?.status ?? 500, fault?.headers).end(fault?.body ?? '{"message":"acted out"}');
      return;
    }
    const headers: Record<string, string> = { "content-type": "application/json" };
    let { value } = acted;
    if (Array.isArray(value)) {
      const page = Number(url.searchParams.get("page") ?? 1);
      const end = page * host.pageSize;
      if (value.length > end) {
        url.searchParams.set("page", String(page + 1));
        headers.link = `<${origin()}${url.pathname}${url.search}>; rel="next"`;
      }
      value = value.slice(end - host.pageSize, end);
    }
    response.writeHead(acted.status, headers).end(JSON.stringify(value));
  }

  const server: Server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(host, {
    apiUrl: isGithub ? origin() : `${origin()}/api/v4`,
    token,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  });
}
