// Where the service is. The key travels there with every call, so only addresses that keep it private are taken.
import { type Problem, problemOf } from "./problem.ts";
import { redact } from "./redact.ts";

export interface BaseUrl {
  readonly origin: string;
  /** Begins with a slash and does not end with one; empty where the address has no path. */
  readonly path: string;
  readonly loopback: boolean;
}

export function parseBaseUrl(
  text: string,
): { readonly ok: true; readonly url: BaseUrl } | { readonly ok: false; readonly problem: Problem } {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return bad(
      `The address of the service, "${redact(text, [])}", is not a URL.`,
      "Write it like https://api.example.com/open-api/v1.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    return bad(
      "The address of the service carries a user name or password.",
      "Leave them out: the API key alone identifies you.",
    );
  }
  if (url.search !== "" || url.hash !== "") {
    return bad(
      "The address of the service carries a query or a fragment.",
      "End it with the path, like https://api.example.com/open-api/v1.",
    );
  }
  const loopback = isLoopback(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback)) {
    return bad(
      `The address of the service begins with ${url.protocol}// and would send the API key unprotected.`,
      "Use https:// (http:// is for this machine only: 127.0.0.1, ::1 or localhost).",
    );
  }
  return { ok: true, url: { origin: url.origin, path: url.pathname.replace(/\/+$/, ""), loopback } };
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

function bad(message: string, hint: string) {
  return { ok: false, problem: problemOf("not-sent", "bad-base-url", message, hint) } as const;
}
