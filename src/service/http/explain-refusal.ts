// An error answer, read leniently: `hint`, `details` and even JSON may be missing. What the service says comes first;
// our own words fill the gaps.
import { isObject } from "../../model/value.ts";
import type { Problem, ProblemClass, ProblemDetail } from "../problem.ts";
import { headerOf, type TransportAnswer } from "./transport.ts";

interface Words {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export function problemOfRefusal(answer: TransportAnswer): Problem {
  const { status } = answer;
  const body = parse(answer);
  const error = isObject(body?.error) ? body.error : {};
  const words = wordsFor(status);
  const unreadable = body === null;
  return {
    class: classOf(status),
    status,
    code: text(error.code) ?? text(body?.code) ?? (unreadable ? "not-json" : words.code),
    message:
      text(error.message) ??
      text(body?.error) ??
      text(body?.message) ??
      (unreadable ? `${words.message} It sent no readable explanation.` : words.message),
    hint: text(error.hint) ?? text(body?.hint) ?? words.hint,
    details: readDetails(error.details ?? body?.details),
    requestId: text(body?.requestId) ?? text(error.requestId) ?? headerOf(answer.headers, "x-request-id"),
  };
}

function classOf(status: number): ProblemClass {
  if (status === 429) return "throttled";
  return status === 408 || status >= 500 ? "ambiguous" : "refused";
}

function parse(answer: TransportAnswer): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(answer.body);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function readDetails(value: unknown): readonly ProblemDetail[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 100).flatMap((each: unknown) => {
    if (typeof each === "string") return [{ field: "", message: each }];
    if (!isObject(each)) return [];
    const message = text(each.message);
    return message === null ? [] : [{ field: text(each.field) ?? text(each.path) ?? "", message }];
  });
}

function wordsFor(status: number): Words {
  return byStatus[status] ?? (status >= 500 ? broken(status) : refused(status));
}

function refused(status: number): Words {
  return {
    code: `HTTP_${status}`,
    message: `The service refused the call (${status}).`,
    hint: "Check the values that were sent.",
  };
}

function broken(status: number): Words {
  return {
    code: status === 500 ? "INTERNAL_ERROR" : `HTTP_${status}`,
    message: `The service, or a gateway before it, failed (${status}).`,
    hint: "Try again in a minute: the command looks first and does only what is still missing.",
  };
}

const byStatus: Readonly<Record<number, Words>> = {
  400: { ...refused(400), code: "VALIDATION_ERROR" },
  401: {
    code: "UNAUTHORIZED",
    message: "The service does not accept the API key (401).",
    hint: "Check that the key is whole, not expired and of this service; make another in the organizer dashboard (Settings, API Keys).",
  },
  403: {
    code: "FORBIDDEN",
    message: "The API key may not do this (403).",
    hint: "Give the key the scope it lacks (`ticketing whoami` shows them), or add this machine's address to its allowlist.",
  },
  404: {
    code: "NOT_FOUND",
    message: "The service knows nothing at this address (404).",
    hint: "Check the id, that the object is your organization's, and that baseUrl ends in /open-api/v1.",
  },
  408: { ...broken(408), message: "The service gave up waiting for the call (408)." },
  413: {
    ...refused(413),
    message: "The service finds the call too large (413).",
    hint: "Shorten the longest text, or list fewer images.",
  },
  422: { ...refused(422), code: "VALIDATION_ERROR" },
  429: {
    code: "RATE_LIMITED",
    message: "The service asks for fewer calls (429).",
    hint: "Wait, or run again later: nothing was changed by this call.",
  },
};

function text(value: unknown): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value.slice(0, 2000);
  if (typeof value === "number") return String(value);
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string")
    ? value.join("; ").slice(0, 2000)
    : null;
}
