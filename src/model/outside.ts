// Servers: the service, hosts of repositories, stores of state.
import type { Advice } from "./diagnostic.ts";
import { maskUrls } from "./value/secret-shapes.ts";
import { parseUrl, withoutEnd } from "./value.ts";

// Where the service and other servers are. A key is sent there with every call, so only a URL that keeps it private is accepted.

/** Whose address it is, and what would travel there. */
export interface AddressUse {
  /** "the service" */
  readonly of: string;
  /** "the API key" */
  readonly secret: string;
  /** Where credentials come from instead. */
  readonly instead: string;
  readonly example: string;
}

const serviceAddress: AddressUse = {
  of: "the service",
  secret: "the API key",
  instead: "the API key is enough to identify you",
  example: "https://api.example.com/open-api/v1",
};

/** The address of a server that keeps state: credentials travel there with every call. */
export const stateServerAddress: AddressUse = {
  of: "the state",
  secret: "its credentials",
  instead: "credentials come from TICKETING_STATE_USERNAME and TICKETING_STATE_PASSWORD",
  example: "https://gitlab.example.com/api/v4/projects/42/terraform/state/tickets-{environment}",
};

export const bucketStoreAddress: AddressUse = {
  of: "the store",
  secret: "its credentials",
  instead: "credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  example: "https://s3.example.com",
};

export function checkAddress(
  text: string,
  { of, secret, instead, example }: AddressUse = serviceAddress,
): Advice | null {
  if (misleading.test(text)) {
    return {
      message: `The URL of ${of} contains a space, a backslash or a control character.`,
      hint: `Use a URL such as ${example}.`,
    };
  }
  if (/^[^/?#]*\/\/[^/?#]*@/.test(text)) {
    return {
      message: `The URL of ${of} contains a user name or password.`,
      hint: `Leave them out: ${instead}.`,
    };
  }
  const url = parseUrl(text);
  if (url === null || !/^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(text)) {
    return {
      message: `"${maskUrls(text)}" is not a URL, so it cannot be the URL of ${of}.`,
      hint: `Use a URL such as ${example}.`,
    };
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.hostname))) {
    return {
      message: `The URL of ${of} begins with ${url.protocol}//, so ${secret} would be sent unprotected.`,
      hint: "Use https://; http:// is for this machine only (127.0.0.1, ::1 or localhost).",
    };
  }
  if (url.search !== "" || url.hash !== "") {
    return {
      message: `The URL of ${of} contains a query or fragment.`,
      hint: `End it with the path, as in ${example}.`,
    };
  }
  return null;
}

/** What is wrong with an address that can be called: the specification says how the service's ends. */
export function checkApiPath(text: string): Advice | null {
  const path = withoutEnd(parseUrl(text)?.pathname ?? "", "/");
  if (path.endsWith(apiPath)) return null;
  const message = `The URL of the service does not end in ${apiPath}, so calls would find nothing there.`;
  return { message, hint: `Use a URL such as ${serviceAddress.example}.` };
}

const apiPath = "/open-api/v1";

export function sameAddress(one: string, other: string): boolean {
  return withoutEnd(shownAddress(one), "/") === withoutEnd(shownAddress(other), "/");
}

/** The address as calls will use it: the host in its ASCII form, `..` and default ports resolved. */
export function shownAddress(text: string): string {
  return parseUrl(text)?.href ?? text;
}

/** Everything that `new URL` silently drops or turns into something else; also characters that a reader cannot see. */
const misleading = /[\\\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}]/u;

/** Names and numbers of this very machine; `hostname` as a URL shows it. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}

// Calls to servers other than the service.

export interface OutsideCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "LOCK" | "UNLOCK";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Longest time for the whole of it. */
  readonly mostMs?: number;
  readonly signal?: AbortSignal;
}

export interface OutsideResponse {
  /** 0: there was no complete response, and `body` says why in a sentence. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Follows no redirect, and never rejects. */
export type SendOutside = (call: OutsideCall) => Promise<OutsideResponse>;

/** One value for all runs that share an organization's limits and a store. What it loads may be missing or damaged. */
export interface PaceLedger<Data = unknown> {
  load(): Promise<unknown>;
  /**
   * Compare and swap: `change` gets the current value and returns the next one; undefined: nothing is written. It is called
   * again if another run was faster. Rejects if the store fails.
   */
  update(change: (kept: unknown) => Data | undefined): Promise<void>;
  /** The same for updates that need not be written where others see them. Left out: `update` is used. */
  note?(change: (kept: unknown) => Data | undefined): Promise<void>;
}
