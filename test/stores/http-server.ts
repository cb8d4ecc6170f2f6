// A server of Terraform's HTTP state protocol, plain or as GitLab offers it, and servers that only pretend to keep to it.
// Terraform itself is run against it in http-terraform.test.ts, as a witness that it is right.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type Flavor = "plain" | "gitlab";

/** What a server does that cannot exclude, or that is no state server at all. */
export type Lie =
  | "locks-everyone"
  | "ignores-the-id"
  | "forgets"
  | "html"
  | "html-404"
  | "redirects"
  | "truncates"
  | "no-locks"
  | "fails"
  | "not-json";

/**
 * `before`: the request has no effect, and no answer comes; `after`: only the answer is lost; `late`: no answer comes, and a
 * moment later it has its effect; a promise: until it is kept, the request is under way.
 */
export type Fault = "before" | "after" | "late" | Promise<void>;

export interface StateServerOptions {
  readonly flavor: Flavor;
  readonly lie?: Lie;
  /** What GitLab calls a token, with the role that its owner has in the project. Left out: no credentials are asked for. */
  readonly tokens?: Readonly<Record<string, "maintainer" | "developer" | "stranger">>;
  /** A plain server that answers 409 where others answer 423. */
  readonly conflict?: boolean;
  /** GitLab's `max_terraform_state_size_bytes`. */
  readonly maxBytes?: number;
}

export interface StateServerCall {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly bytes: number;
  /** What the body's `Content-MD5` was: right, wrong, or not there. */
  readonly md5: "right" | "wrong" | "none";
  readonly authorization: string | null;
}

export interface StateServer {
  /** Of the states below it: that of `production` is at `production`. */
  readonly base: string;
  readonly calls: StateServerCall[];
  /** What is kept under a name. */
  at(name: string): KeptState;
  /** Asked for each call before it is answered. */
  fault: ((call: FaultyCall) => Fault | null) | null;
  /** Stops to listen, as a server that is gone, and comes back at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface KeptState {
  document: string | null;
  lock: LockInfo | null;
  /** GitLab keeps every version, and shows the one with the highest serial. */
  readonly serials: Set<number>;
  /** On GitLab: it was locked or written before. */
  isKnown: boolean;
}

export interface FaultyCall {
  readonly method: string;
  readonly path: string;
  /** It writes a document, and may do so. */
  readonly isWrite: boolean;
}

export type LockInfo = Readonly<Record<string, unknown>> & { readonly ID: string };

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const lateMs = 1_500;
const folders = { gitlab: "/api/v4/projects/7/terraform/state", plain: "/states" };

export async function startStateServer(options: StateServerOptions): Promise<StateServer> {
  const { flavor, lie, tokens } = options;
  const folder = folders[flavor];
  const states = new Map<string, KeptState>();
  const calls: StateServerCall[] = [];

  function at(name: string): KeptState {
    const known = states.get(name);
    if (known !== undefined) return known;
    const state = { document: null, lock: null, serials: new Set<number>(), isKnown: false };
    states.set(name, state);
    return state;
  }

  function stateAt(path: string): { readonly state: KeptState; readonly isLock: boolean } | null {
    const [, name, lock] = path.startsWith(`${folder}/`) ? path.slice(folder.length).split("/") : [];
    if (name === undefined || name === "" || (lock !== undefined && (lock !== "lock" || flavor !== "gitlab")))
      return null;
    return { state: at(name), isLock: lock !== undefined };
  }

  function keep(state: KeptState, text: string): void {
    if (lie !== "forgets") state.document = text;
  }

  function gitlab(method: string, url: URL, body: string, role: string): Answer {
    const says = (status: number, message: string): Answer => ({ status, body: JSON.stringify({ message }) });
    if (role === "none") return says(401, "401 Unauthorized");
    if (role === "stranger") return says(404, "404 Project Not Found");
    const found = stateAt(url.pathname);
    if (found === null) return says(404, "404 Not Found");
    const { state, isLock } = found;
    if (method !== "GET" && role !== "maintainer") return says(403, "403 Forbidden");
    const given = url.searchParams.get("ID");
    if (method === "GET" && !isLock) {
      if (!state.isKnown && state.document === null) return says(404, "404 Not found");
      return state.document === null ? { status: 204 } : tagged(state.document);
    }
    state.isKnown = true;
    if (method === "POST" && isLock) {
      const info = parsed(body);
      const missing = ["ID", "Operation", "Info", "Who", "Version", "Created", "Path"].find((name) => !(name in info));
      if (missing !== undefined) return says(400, `${missing} is missing`);
      const isFree = state.lock === null || lie === "locks-everyone";
      if (isFree) state.lock = { ...info, ID: String(info.ID), Who: "ana", Created: new Date().toISOString() };
      // GitLab remembers no more than these three of the holder: the rest is what was just sent.
      const { ID, Who, Created } = state.lock ?? info;
      return { status: isFree ? 200 : 409, body: JSON.stringify({ ...info, ID, Who, Created }) };
    }
    if (method === "DELETE" && isLock) {
      const id = given ?? (body === "" ? null : (parsed(body).ID ?? null));
      if (id !== null && id !== (state.lock?.ID ?? "")) return { status: 409 };
      state.lock = null;
      return { status: 200 };
    }
    if (method !== "POST") return says(405, "405 Not Allowed");
    if (body === "") return { status: 204 };
    if (options.maxBytes !== undefined && Buffer.byteLength(body) > options.maxBytes)
      return says(413, "413 Request Entity Too Large");
    const { serial } = parsed(body);
    if (typeof serial !== "number") return says(422, "No serial in payload");
    if ((state.lock?.ID ?? null) !== given && lie !== "ignores-the-id") return says(500, "500 Internal Server Error");
    if (state.serials.has(serial)) return says(422, "PG::UniqueViolation: duplicate key value");
    if (serial > Math.max(...state.serials)) keep(state, body);
    state.serials.add(serial);
    return { status: 200 };
  }

  function plain(method: string, url: URL, body: string, role: string): Answer {
    const held = options.conflict === true ? 409 : 423;
    if (role === "none") return { status: 401, body: "who are you?" };
    if (role !== "maintainer") return { status: 403 };
    const found = stateAt(url.pathname);
    if (found === null) return { status: 404, body: "404 page not found\n" };
    const { state } = found;
    const { lock } = state;
    const given = url.searchParams.get("ID");
    switch (method) {
      case "GET":
        return state.document === null ? { status: 404 } : { status: 200, body: state.document };
      case "POST":
        // Where nothing is locked it does not look at the id: many servers do so.
        if (lock !== null && lock.ID !== given && lie !== "ignores-the-id")
          return { status: held, body: JSON.stringify(lock) };
        keep(state, body);
        return { status: 200 };
      case "LOCK":
        if (lie === "no-locks") return { status: 405 };
        if (lock !== null && lie !== "locks-everyone") return { status: held, body: JSON.stringify(lock) };
        state.lock = parsed(body) as LockInfo;
        return { status: 200 };
      case "UNLOCK":
        if (body !== "" && lock !== null && parsed(body).ID !== lock.ID)
          return { status: held, body: JSON.stringify(lock) };
        state.lock = null;
        return { status: 200 };
      default:
        return { status: 405 };
    }
  }

  function respondTo(method: string, url: URL, body: string, request: IncomingMessage): Answer {
    switch (lie) {
      case "html":
        return { status: 200, body: "<!DOCTYPE html><title>Sign in</title>", headers: { "content-type": "text/html" } };
      case "html-404":
        return { status: 404, body: "<html>not here</html>", headers: { "content-type": "text/html; charset=utf-8" } };
      case "redirects":
        return { status: 302, headers: { location: "http://127.0.0.1:9/elsewhere" } };
      case "fails":
        return { status: 502, body: "<html>Bad Gateway</html>", headers: { "content-type": "text/html" } };
      case "not-json":
        return { status: 200, body: '{"serial": 4, "ticketing": {' };
      default: {
        const [, password = ""] = credentials(request);
        const role = tokens === undefined ? "maintainer" : (tokens[password] ?? "none");
        return (flavor === "gitlab" ? gitlab : plain)(method, url, body, role);
      }
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "GET";
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const call = { method, path: `${url.pathname}${url.search}` };
    const found = stateAt(url.pathname);
    const isOwn = (found?.state.lock?.ID ?? null) === url.searchParams.get("ID");
    const isWrite = method === "POST" && found !== null && !found.isLock && isOwn;
    const fault = server.fault?.({ ...call, isWrite }) ?? null;
    if (fault === "before" || fault === "late") request.socket.destroy();
    if (fault === "before") return;
    if (fault === "late") await sleep(lateMs);
    else if (fault !== "after") await fault;
    const md5 = request.headers["content-md5"];
    const isRight = md5 === createHash("md5").update(body).digest("base64");
    const given =
      md5 !== undefined && !isRight ? { status: 400 } : respondTo(method, url, body.toString("utf8"), request);
    const tag = given.headers?.etag;
    const answer = tag !== undefined && request.headers["if-none-match"] === tag ? { status: 304 } : given;
    calls.push({
      ...call,
      status: answer.status,
      bytes: body.length,
      md5: md5 === undefined ? "none" : isRight ? "right" : "wrong",
      authorization: request.headers.authorization ?? null,
    });
    if (fault === "after" || fault === "late") return void request.socket.destroy();
    const text = answer.body ?? "";
    if (lie === "truncates" && method === "GET" && text !== "") {
      response.writeHead(answer.status, { "content-length": Buffer.byteLength(text) });
      response.write(text.slice(0, text.length / 2));
      setTimeout(() => request.socket.destroy(), 20);
      return;
    }
    response.writeHead(answer.status, { ...answer.headers });
    response.end(text);
  }

  const http = createServer((request, response) => void serve(request, response).catch(() => request.socket.destroy()));
  let port = 0;

  function start(): Promise<void> {
    return new Promise((resolve, reject) => {
      http.once("error", reject);
      http.listen(port, "127.0.0.1", () => {
        http.off("error", reject);
        port = (http.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  await start();
  const server: StateServer = {
    base: `http://127.0.0.1:${port}${folder}`,
    calls,
    at,
    fault: null,
    start,
    stop: () =>
      new Promise((resolve) => {
        if (!http.listening) return resolve();
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}

/** As Rails tags what it sends. */
function tagged(text: string): Answer {
  return { status: 200, body: text, headers: { etag: `W/"${createHash("sha256").update(text).digest("hex")}"` } };
}

function credentials({ headers }: IncomingMessage): readonly string[] {
  const [scheme, value = ""] = (headers.authorization ?? "").split(" ");
  return scheme === "Basic" ? Buffer.from(value, "base64").toString("utf8").split(":") : [];
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
