// From an HTTP response, or its absence, to a result: by the class of the status first, then by what the body shows. Decides
// whether it is clear what a call did (`ProblemClass`), and whether it may be sent again without harm.
import { isObject, parseJson, parseUrl } from "../../model/value.ts";
import { explainErrorResponse, explainFault } from "../http/explain-problem.ts";
import { headerOf, type Method, type TransportFault, type TransportResponse } from "../http/transport.ts";
import {
  failure,
  isGone,
  type PageMeta,
  type Problem,
  type ProblemClass,
  problemOf,
  type Result,
  type Success,
} from "../problem.ts";
import type { LiveRecord } from "../records.ts";
import { isUuid } from "./path.ts";

export function readResponse(
  response: TransportResponse,
  method: Method,
  origin: string,
  path: string,
): Result<unknown> {
  const { status } = response;
  if (status >= 200 && status < 300) return readSuccess(response, method, origin, path);
  if (status >= 300 && status < 400) return failure(redirected(response, method, origin));
  const problem = { ...explainErrorResponse(response), class: classOfStatus(status) };
  // The object to delete does not exist, which is the goal.
  return method === "DELETE" && isGone(problem) ? { ok: true, data: null, meta: null, status } : failure(problem);
}

function classOfStatus(status: number): ProblemClass {
  if (status === 429) return "throttled";
  return status === 408 || status === 425 || status >= 500 ? "ambiguous" : "refused";
}

/** For a call that got no response, or only a part of one. */
export function problemOfFault(fault: TransportFault, method: Method, origin: string, status: number | null): Problem {
  const explanation = explainFault(fault, new URL(origin).host);
  return { class: classOfFault(fault, method), status, code: fault.code, ...explanation, details: [], requestId: null };
}

function classOfFault(fault: TransportFault, method: Method): ProblemClass {
  if (!fault.sent) return "not-sent";
  if (method !== "GET") return "ambiguous";
  // Nothing changes by a read, so one that was given up may be sent again.
  if (fault.code === "interrupted") return "not-sent";
  return fault.code === "too-large" ? "refused" : "ambiguous";
}

/** True if sending the same call again can neither double nor lose anything, and may help. */
export function mayRetry(method: Method, { class: problemClass, code }: Problem): boolean {
  switch (problemClass) {
    case "throttled":
      return code !== "rate-limited-too-long";
    case "not-sent":
      // A bad certificate or a bad key stay bad.
      return ["unreachable", "timeout", "connection-lost", "dns"].includes(code);
    case "ambiguous":
      return (method === "GET" || method === "DELETE") && code !== "redirect" && code !== "too-large";
    case "refused":
      return false;
  }
}

function readSuccess(response: TransportResponse, method: Method, origin: string, path: string): Result<unknown> {
  const { status, body } = response;
  if (response.cut !== null) return failure(problemOfFault(response.cut, method, origin, status));
  if (body === "") return { ok: true, data: null, meta: null, status };
  const parsed = parseJson(body);
  if (parsed === undefined) return failure(notJson(response, method));
  // The API specification promises `data`; a service that shows the bare record is understood, too.
  const { data, meta } = isObject(parsed) && "data" in parsed ? parsed : { data: parsed };
  const read: Success<unknown> = { ok: true, data: unwrapRecord(data ?? null, path), meta: readMeta(meta), status };
  return method === "GET" ? unwrapList(read, path) : read;
}

/** `{ webhook: { id, … }, secret }` for POST /webhooks: a record under the name of its kind, next to other members. */
function unwrapRecord(data: unknown, path: string): unknown {
  if (!isObject(data) || isRecord(data)) return data;
  const [, top = "", , below = top] = path.split(/[/?]/);
  const { [(below.endsWith("s") ? below : top).slice(0, -1)]: record, ...beside } = data;
  if (!isRecord(record)) return data;
  // The record may mask the secret that is shown next to it, this once.
  return { ...beside, ...record, ...("secret" in beside ? { secret: beside.secret } : {}) };
}

/** `{ webhooks: [...] }` for GET /webhooks, also with its page, or an event with its tickets for GET /events/ID/tickets. Any other name may be anything, and an empty one would pass for an empty list. */
function unwrapList(result: Success<unknown>, path: string): Success<unknown> {
  const { data, meta } = result;
  const [, top = "", , below = "", id] = path.replace(/\?.*/s, "").split("/");
  // A record of a ticket type may list the tickets of which it consists.
  if (!isObject(data) || id !== undefined) return result;
  const names = isRecord(data) ? [below] : [below || top, "items", "data"];
  const name = names.find((each) => Array.isArray(data[each]));
  return name === undefined ? result : { ...result, data: data[name], meta: meta ?? readMeta(data.meta ?? data) };
}

function readMeta(meta: unknown): PageMeta | null {
  if (!isObject(meta)) return null;
  const read = {
    page: wholeNumber(meta.page),
    take: wholeNumber(meta.take),
    total: wholeNumber(meta.total),
    totalPages: wholeNumber(meta.totalPages),
  };
  const odd = (["page", "take", "total", "totalPages"] as const).find(
    (name) => read[name] === null && meta[name] !== undefined && meta[name] !== null,
  );
  if (odd === undefined) return read;
  return { ...read, malformed: `meta.${odd} is ${JSON.stringify(meta[odd]).slice(0, 40)}` };
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function notJson(response: TransportResponse, method: Method): Problem {
  const page = isWebPage(response);
  return problemOf(
    // A page instead of data will not turn into data; a text that breaks off may be whole the next time.
    method === "GET" && page ? "refused" : "ambiguous",
    "not-json",
    page
      ? `The service responded with ${response.status} and a web page instead of data.`
      : `The service responded with ${response.status}, but the response is cut off, not JSON, or nested too deeply.`,
    page
      ? "Check that baseUrl ends in /open-api/v1 and that no login page or gateway responds in the service's place."
      : "Run the command again.",
    response.status,
  );
}

function isWebPage(response: TransportResponse): boolean {
  return (
    (headerOf(response.headers, "content-type") ?? "").includes("html") ||
    /^\s*<(!doctype|html)/i.test(response.body.slice(0, 200))
  );
}

function redirected(response: TransportResponse, method: Method, origin: string): Problem {
  return problemOf(
    method === "GET" ? "refused" : "ambiguous",
    "redirect",
    `The service responded with ${response.status} and redirects to ${redirectTarget(response, origin)}. The redirect was not followed, because the API key would be sent there too.`,
    "If the service has moved, set baseUrl to its new URL.",
    response.status,
  );
}

/** For another host only its name, for this one the path: the rest of a Location may contain anything. */
function redirectTarget(response: TransportResponse, origin: string): string {
  const url = parseUrl(headerOf(response.headers, "location") ?? "//", origin);
  if (url === null) return "a different URL";
  return url.origin === origin ? `the path ${url.pathname}` : url.origin;
}

/** Lenient on fields, strict on ids: a record whose id is not a UUID must not find its way into a path. */
const shapes = {
  record: { is: isRecord, wanted: "a record with an id" },
  records: { is: (data: unknown) => Array.isArray(data) && data.every(isRecord), wanted: "a list of records with ids" },
  list: { is: Array.isArray, wanted: "a list" },
  account: { is: isObject, wanted: "the API key and its organization" },
  echo: {
    is: (data: unknown) => data === null || (isObject(data) && (!("id" in data) || isUuid(data.id))),
    wanted: "the record that was created or changed",
  },
  /** Its `id`, if it has one, is not an object's. */
  report: { is: (data: unknown) => data === null || isObject(data), wanted: "the result" },
};

export type Shape = keyof typeof shapes;

export function checkShape<T>(result: Result<unknown>, method: Method, path: string, shape: Shape): Result<T> {
  if (!result.ok) return result;
  const { is } = shapes[shape];
  return is(result.data) ? (result as Result<T>) : failure(unexpected(method, path, shape, result.status, result.data));
}

function isList(shape: Shape): boolean {
  return shape === "list" || shape === "records";
}

function isRecord(value: unknown): value is LiveRecord {
  return isObject(value) && isUuid(value.id);
}

export function unexpected(method: Method, path: string, shape: Shape, status: number, data?: unknown): Problem {
  const instead = data === null ? "null" : isObject(data) && isList(shape) ? "an object" : null;
  return problemOf(
    method === "GET" ? "refused" : "ambiguous",
    "unexpected-response",
    `The service responded to ${method} ${path} with ${status}, but the response ${instead === null ? "does not show" : `shows ${instead} instead of`} ${shapes[shape].wanted}.`,
    "Check that baseUrl names the ticketing service, version 1 (it ends in /open-api/v1). If it does, report this response to the service's support.",
    status,
  );
}
