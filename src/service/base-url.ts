import { checkAddress } from "../model/service-address.ts";
import { type Problem, problemOf } from "./problem.ts";

export interface BaseUrl {
  readonly origin: string;
  /** Begins with a slash and does not end with one; empty where the address has no path. */
  readonly path: string;
}

export function parseBaseUrl(
  text: string,
): { readonly ok: true; readonly url: BaseUrl } | { readonly ok: false; readonly problem: Problem } {
  const trouble = checkAddress(text);
  if (trouble !== null)
    return { ok: false, problem: problemOf("not-sent", "bad-base-url", trouble.message, trouble.hint) };
  const url = new URL(text);
  return { ok: true, url: { origin: url.origin, path: url.pathname.replace(/(?<!\/)\/+$/, "") } };
}
