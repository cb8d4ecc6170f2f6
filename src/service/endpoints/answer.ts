// From an HTTP answer to a result: by the class of the status first, then by what the body shows.
import { problemOfFault } from "../http/explain-fault.ts";
import { problemOfRefusal } from "../http/explain-refusal.ts";
import { headerOf, type Method, type TransportAnswer } from "../http/transport.ts";
import { failure, type PageMeta, type Problem, problemOf, type Result } from "../problem.ts";

export function readAnswer(answer: TransportAnswer, method: Method, origin: string): Result<unknown> {
  const { status } = answer;
  if (status >= 200 && status < 300) return readSuccess(answer, method, origin);
  if (status >= 300 && status < 400) return failure(redirected(answer, method));
  // What was to be deleted is not there: that is what was wanted.
  if (method === "DELETE" && (status === 404 || status === 410)) return { ok: true, data: null, meta: null, status };
  return failure(problemOfRefusal(answer));
}

function readSuccess(answer: TransportAnswer, method: Method, origin: string): Result<unknown> {
  const { status, body } = answer;
  if (answer.cut !== null) return failure(problemOfFault(answer.cut, method, origin, status));
  if (body === "") return { ok: true, data: null, meta: null, status };
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return failure(notJson(answer, method));
  }
  if (typeof parsed !== "object" || parsed === null || !("data" in parsed)) {
    // The document promises `data`; a service that shows the record bare is understood all the same.
    return { ok: true, data: parsed, meta: null, status };
  }
  return { ok: true, data: parsed.data ?? null, meta: "meta" in parsed ? readMeta(parsed.meta) : null, status };
}

function readMeta(meta: unknown): PageMeta | null {
  if (typeof meta !== "object" || meta === null) return null;
  const shown = meta as Readonly<Record<string, unknown>>;
  const read = {
    page: whole(shown.page),
    take: whole(shown.take),
    total: whole(shown.total),
    totalPages: whole(shown.totalPages),
  };
  const odd = (["page", "take", "total", "totalPages"] as const).find(
    (name) => read[name] === null && shown[name] !== undefined && shown[name] !== null,
  );
  if (odd === undefined) return read;
  return { ...read, malformed: `meta.${odd} is ${JSON.stringify(shown[odd]).slice(0, 40)}` };
}

function whole(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function notJson(answer: TransportAnswer, method: Method): Problem {
  const page = isWebPage(answer);
  return problemOf(
    // A page where data was asked for will not turn into data; a text that breaks off may be whole the next time.
    method === "GET" && page ? "refused" : "ambiguous",
    "not-json",
    page
      ? `The service answered ${answer.status} with a web page instead of data.`
      : `The service answered ${answer.status}, but its text is broken off or not JSON.`,
    page
      ? "Check that baseUrl ends in /open-api/v1 and that no login page or gateway answers in the service's place."
      : "Run the command again: it looks first and does only what is still missing.",
    answer.status,
  );
}

function isWebPage(answer: TransportAnswer): boolean {
  return (
    (headerOf(answer.headers, "content-type") ?? "").includes("html") ||
    /^\s*<(!doctype|html)/i.test(answer.body.slice(0, 200))
  );
}

function redirected(answer: TransportAnswer, method: Method): Problem {
  return problemOf(
    method === "GET" ? "refused" : "ambiguous",
    "redirect",
    `The service answered ${answer.status} and points to ${placeOf(answer)}. It is not followed, because the key would travel there too.`,
    "If the service has moved, write its new address into baseUrl yourself.",
    answer.status,
  );
}

/** The host only: the rest of a Location may carry anything. */
function placeOf(answer: TransportAnswer): string {
  const location = headerOf(answer.headers, "location");
  if (location === null) return "another address";
  try {
    return new URL(location).origin;
  } catch {
    return "another path";
  }
}
