// Paths are put together of our own words and checked ids; this is the last look before one is sent.
import { type Problem, problemOf } from "./problem.ts";

export type Query = Readonly<Record<string, string | number | undefined>>;

const form = /^(\/[A-Za-z0-9_~%-][A-Za-z0-9._~%-]*)+$/;

// A service may take these for a step up.
const climbing = /\/(?:%2e|\.){1,2}(?:\/|$)/i;

export function checkPath(path: string): Problem | null {
  if (form.test(path) && !climbing.test(path)) return null;
  return problemOf(
    "not-sent",
    "bad-path",
    "The path of the call is not one of this service.",
    "Give it as /events/…, with ids and names percent-encoded.",
  );
}

export function withQuery(path: string, query: Query | undefined): string {
  if (query === undefined) return path;
  let result = "";
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    result += `${result === "" ? "?" : "&"}${encode(name)}=${encode(String(value))}`;
  }
  return path + result;
}

/** For a path or a query. Half of a surrogate pair, which no URL can carry, becomes the sign for what cannot be shown. */
export function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return encodeURIComponent(
      text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd"),
    );
  }
}
