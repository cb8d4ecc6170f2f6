// One request, answered: who, how often, what, and the envelope around the result.
import { randomUUID } from "node:crypto";
import type { ApiKey, Scope } from "../data/records.ts";
import type { Call, Reply, SandboxContext } from "../endpoints/call.ts";
import { invalid, Refusal } from "../endpoints/refusal.ts";
import type { Rate, RateVerdict } from "../wire/rate.ts";
import { basePath, envelope, headerOf, isWrite, type SandboxAnswer, type SandboxRequest } from "../wire/wire.ts";
import { createRouter, routes } from "./router.ts";

// Who calls, from where, and what the key may do.

export function authenticate(desk: SandboxContext, value: string | undefined, address: string | undefined): ApiKey {
  if (value === undefined || value === "") {
    throw unauthorized("The api-key header is missing.", "Send your API key in the api-key header.");
  }
  const key = desk.store.keys.byAlias(value);
  if (key === undefined) {
    throw unauthorized("The API key is not valid.", "Check the key, or create another in the organizer dashboard.");
  }
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= desk.now()) {
    throw unauthorized(`The API key expired at ${key.expiresAt}.`, "Create another key in the organizer dashboard.");
  }
  if (key.allowlist.length > 0 && !key.allowlist.includes(plainAddress(address))) {
    throw new Refusal(
      403,
      "FORBIDDEN",
      "The API key may not be used from this address.",
      "Add the address to the IP allowlist of the key.",
    );
  }
  return key;
}

export function requireScope(key: ApiKey, scope: Scope | undefined): void {
  if (scope === undefined || key.scopes.includes(scope)) return;
  throw new Refusal(
    403,
    "SCOPE_REQUIRED",
    `This request needs the scope ${scope}, which the API key does not have.`,
    `Use a key with the scope ${scope}.`,
  );
}

function unauthorized(message: string, hint: string): Refusal {
  return new Refusal(401, "UNAUTHORIZED", message, hint);
}

/** An IPv4 address may arrive written as an IPv6 one. */
function plainAddress(address = "127.0.0.1"): string {
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

// The answer to a call over the limit.

export function limited(desk: SandboxContext, verdict: RateVerdict, requestId: string): SandboxAnswer {
  const { retryAfter, limitBody } = desk.profile();
  const headers: Record<string, string> = { "X-Request-Id": requestId, ...verdict.headers };
  if (retryAfter === "seconds") headers["Retry-After"] = String(verdict.waitSeconds);
  if (retryAfter === "date") headers["Retry-After"] = new Date(desk.now() + verdict.waitSeconds * 1000).toUTCString();
  if (limitBody === "html") {
    const body = "<html><head><title>429 Too Many Requests</title></head><body>Too Many Requests</body></html>";
    return { status: 429, headers: { ...headers, "Content-Type": "text/html" }, body };
  }
  const refusal = new Refusal(429, "RATE_LIMITED", "Too many requests.", "Wait until the limit resets, then go on.");
  const { status, body } = envelope(refusal, requestId);
  return { status, headers: { ...headers, "Content-Type": "application/json; charset=utf-8" }, body };
}

export interface Office {
  readonly desk: SandboxContext;
  readonly rate: Rate;
  /** Called with the id of every key that is used. */
  used(keyId: string): void;
  refusesWrites(): boolean;
  /** Makes what changed durable. */
  commit(): void;
}

const maxBody = 1024 * 1024;
const findRoute = createRouter(routes);

export function respond(
  office: Office,
  request: SandboxRequest,
  cutShort: boolean,
): SandboxAnswer | Promise<SandboxAnswer> {
  const { desk, rate } = office;
  const requestId = randomUUID();
  let verdict: RateVerdict | undefined;
  try {
    let key: ApiKey;
    try {
      key = authenticate(desk, headerOf(request, "api-key"), request.remoteAddress);
    } catch (problem) {
      verdict = rate.count("", desk.now(), desk.elapsed());
      throw problem;
    }
    verdict = rate.count(key.id, desk.now(), desk.elapsed());
    if (!verdict.allowed) return limited(desk, verdict, requestId);
    office.used(key.id);
    const reply = dispatch(office, request, key, cutShort);
    if (reply instanceof Promise) return reply.then(finish, fail);
    return finish(reply);
  } catch (problem) {
    return fail(problem);
  }

  function finish(reply: Reply): SandboxAnswer {
    if (isWrite(request.method)) office.commit();
    const { status, data, meta } = reply;
    const body = status === 204 ? "" : JSON.stringify(meta === undefined ? { data } : { data, meta });
    return { status, headers: headersOf(verdict, requestId), body };
  }

  function fail(problem: unknown): SandboxAnswer {
    const { status, body } = envelope(problem, requestId);
    return { status, headers: headersOf(verdict, requestId), body };
  }
}

function headersOf(verdict: RateVerdict | undefined, requestId: string): Record<string, string> {
  return { "Content-Type": "application/json; charset=utf-8", "X-Request-Id": requestId, ...verdict?.headers };
}

function dispatch(office: Office, request: SandboxRequest, key: ApiKey, cutShort: boolean): Reply | Promise<Reply> {
  const mark = request.path.indexOf("?");
  const path = mark < 0 ? request.path : request.path.slice(0, mark);
  const inside = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : "";
  const match = findRoute(request.method, inside);
  if (match === undefined) {
    throw new Refusal(404, "NOT_FOUND", `There is no ${path}.`, `Paths begin with ${basePath}; check the spelling.`);
  }
  if ("allowed" in match) {
    const allowed = match.allowed.join(", ");
    throw new Refusal(405, "METHOD_NOT_ALLOWED", `${path} does not take ${request.method}.`, `It takes ${allowed}.`);
  }
  requireScope(key, match.route.scope);
  if (isWrite(request.method) && office.refusesWrites()) {
    throw new Refusal(
      403,
      "WRITES_REFUSED",
      "The sandbox refuses every write now.",
      "Its control face switches this off.",
    );
  }
  const call: Call = {
    desk: office.desk,
    key,
    params: match.params,
    query: mark < 0 ? noQuery : new URLSearchParams(request.path.slice(mark + 1)),
    body: readBody(request),
    cutShort,
  };
  return match.route.handle(call);
}

const noQuery = new URLSearchParams();
const noBody = {};

function readBody(request: SandboxRequest): Readonly<Record<string, unknown>> {
  const { body, method } = request;
  if (body === undefined || body === "" || method === "GET" || method === "DELETE") return noBody;
  if (body.length > maxBody) {
    throw new Refusal(413, "PAYLOAD_TOO_LARGE", "The body is larger than 1 MiB.", "Send less at once.");
  }
  if (!/^application\/json\b/i.test(headerOf(request, "content-type") ?? "")) {
    throw new Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "The body is not JSON.", "Send Content-Type: application/json.");
  }
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw invalid([{ field: "body", message: "the body is not well-formed JSON" }]);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid([{ field: "body", message: "the body must be a JSON object" }]);
  }
  return value as Record<string, unknown>;
}
