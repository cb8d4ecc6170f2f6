// Paths and queries, put together of our own words, checked ids and encoded text.
import { uuidPattern } from "../../model/address.ts";
import { type Problem, problemOf } from "../problem.ts";

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface PageOptions {
  /** True if `take` may be sent; lists that do not document it are asked without. */
  readonly sized?: boolean;
}

/** Ids come from the service and become part of paths: only this form is allowed. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && uuidPattern.test(value);
}

/** The path with an id in place of each `:id`; null if one of them is not a UUID. */
export function pathOf(template: string, ...ids: readonly string[]): string | null {
  let next = 0;
  return ids.every(isUuid) ? template.replaceAll(":id", () => ids[next++] ?? "") : null;
}

export const badId: Problem = problemOf(
  "refused",
  "bad-id",
  "The id of the call is not a UUID.",
  "Copy the id as the service shows it, like 3f0c9a52-1111-4222-8333-444455556666.",
);

const form = /^(\/[A-Za-z0-9_~%-][A-Za-z0-9._~%-]*)+$/;

// A service may take these for a step up.
const climbing = /\/(?:%2e|\.){1,2}(?:\/|$)/i;

export function checkPath(path: string): Problem | null {
  if (form.test(path) && !climbing.test(path)) return null;
  return problemOf(
    "refused",
    "bad-path",
    "The path of the call is not valid.",
    "Give it as /events/…, with ids and names percent-encoded.",
  );
}

export function withQuery(path: string, query: Query | undefined): string {
  const parts = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encode(name)}=${encode(String(value))}`],
  );
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}

/** One segment of a path: encodeURIComponent leaves a few characters alone that a path of ours never carries. */
export function encodeInPath(text: string): string {
  return encode(text).replace(/[!'()*]|^\./g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Half of a surrogate pair, which no URL can carry, becomes the replacement character. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(loneSurrogate, "\ufffd"));
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
