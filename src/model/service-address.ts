// Where the service is. The API key travels there with every call, so only an address that keeps it private is taken.
import { maskUrls } from "./mask-urls.ts";

export interface AddressProblem {
  readonly message: string;
  readonly hint: string;
}

export function checkAddress(text: string): AddressProblem | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return {
      message: `The address of the service, "${maskUrls(text)}", is not a URL.`,
      hint: `Write it like ${example}.`,
    };
  }
  if (url.username !== "" || url.password !== "") {
    return {
      message: "The address of the service carries a user name or password.",
      hint: "Leave them out: the API key alone says who you are.",
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
  return normalise(one) === normalise(other);
}

const example = "https://api.example.com/open-api/v1";

function normalise(text: string): string {
  try {
    const url = new URL(text);
    return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, "")}`;
  } catch {
    return text;
  }
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
