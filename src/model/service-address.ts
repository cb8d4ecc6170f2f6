// Where the service is. The API key travels there with every call, so only an address that keeps it private is taken.
import { maskUrls } from "./mask-urls.ts";

export interface AddressProblem {
  readonly message: string;
  readonly hint: string;
}

export function checkAddress(text: string): AddressProblem | null {
  if (misleading.test(text)) {
    return {
      message: "The address of the service contains a space, a backslash or a control character.",
      hint: `A URL parser skips or rewrites these, so calls would not go where a reader expects. Write it like ${example}.`,
    };
  }
  if (/^[^/?#]*\/\/[^/?#]*@/.test(text)) {
    return {
      message: "The address of the service carries a user name or password.",
      hint: "Leave them out: the API key alone says who you are.",
    };
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(text)) {
    return {
      message: `The address of the service, "${maskUrls(text)}", is not a URL.`,
      hint: `Write it like ${example}.`,
    };
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.hostname))) {
    return {
      message: `The address of the service begins with ${url.protocol}// and would send the API key unprotected.`,
      hint: "Use https://; http:// is for this machine only (127.0.0.1, ::1 or localhost).",
    };
  }
  if (url.search !== "" || url.hash !== "") {
    return {
      message: "The address of the service carries a query or fragment.",
      hint: `End it with the path, like ${example}.`,
    };
  }
  return null;
}

/** Whether two addresses lead to the same service. */
export function sameAddress(one: string, other: string): boolean {
  return withoutSlash(shownAddress(one)) === withoutSlash(shownAddress(other));
}

/** The address as calls will use it: the host in its ASCII form, `..` and default ports resolved. */
export function shownAddress(text: string): string {
  return URL.canParse(text) ? new URL(text).href : text;
}

const example = "https://api.example.com/open-api/v1";

/** Everything that `new URL` silently drops or turns into something else; also characters that a reader cannot see. */
const misleading = /[\\\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}]/u;

function withoutSlash(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end -= 1;
  return text.slice(0, end);
}

/** Names and numbers of this very machine; `hostname` as a URL shows it. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}
