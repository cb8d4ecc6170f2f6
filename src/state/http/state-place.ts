// Where a state server is, and who we are to it. Credentials come from the environment alone, and go to one host alone.
import type { HttpState } from "../../model/wish.ts";
import type { Outside, OutsideCall } from "../shared/outside.ts";
import { type StoreResult, storeFailure } from "../shared/shared-files.ts";

export interface StatePlace {
  /** Where the document is read and written. */
  readonly address: string;
  readonly lock: Pick<OutsideCall, "method" | "url">;
  readonly unlock: Pick<OutsideCall, "method" | "url">;
  /** For every call. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether GitLab keeps it: there a project that one may not see does not exist. */
  readonly isGitlab: boolean;
}

const gitlabAddress = /\/api\/v4\/projects\/[^/]+\/terraform\/state\/[^/]+$/;

/** The address of an environment's state: `{environment}` stands for its name. */
export function stateAddress(address: string, environment: string): string {
  return new URL(address.replaceAll("{environment}", encodeURIComponent(environment))).href.replace(/\/$/, "");
}

export function findStatePlace(
  settings: HttpState,
  environment: string,
  outside: Pick<Outside, "env" | "keepSecret">,
): StoreResult<StatePlace> {
  const address = stateAddress(settings.address, environment);
  const isGitlab = gitlabAddress.test(new URL(address).pathname);
  const lockUrl =
    settings.lockAddress === undefined
      ? `${address}${isGitlab ? "/lock" : ""}`
      : stateAddress(settings.lockAddress, environment);
  const unlockUrl = settings.unlockAddress === undefined ? lockUrl : stateAddress(settings.unlockAddress, environment);
  if ([lockUrl, unlockUrl].some((url) => new URL(url).origin !== new URL(address).origin))
    return storeFailure("setup", "The addresses of the state and of its lock are on different hosts.");
  const authorization = authorizationFor(address, outside);
  if (!authorization.ok) return authorization;
  return {
    ok: true,
    value: {
      address,
      lock: { url: lockUrl, method: settings.lockMethod ?? (isGitlab ? "POST" : "LOCK") },
      unlock: { url: unlockUrl, method: settings.unlockMethod ?? (isGitlab ? "DELETE" : "UNLOCK") },
      headers: authorization.value === null ? {} : { authorization: authorization.value },
      isGitlab,
    },
  };
}

/** A job of GitLab has a token of its own, for the GitLab that runs it and no other host. */
function authorizationFor(
  address: string,
  { env, keepSecret }: Pick<Outside, "env" | "keepSecret">,
): StoreResult<string | null> {
  const { TICKETING_STATE_USERNAME: name = "", TICKETING_STATE_PASSWORD: password = "" } = env;
  const { CI_API_V4_URL: gitlab = "", CI_JOB_TOKEN: token = "" } = env;
  if (password.trim() === "") {
    if (name.trim() !== "")
      return storeFailure("setup", "TICKETING_STATE_USERNAME is set, and TICKETING_STATE_PASSWORD is not.");
    if (token === "" || gitlab === "" || !isBelow(address, gitlab)) return { ok: true, value: null };
    return { ok: true, value: basic("gitlab-ci-token", token, keepSecret) };
  }
  if (/\p{Cc}/u.test(name.trim() + password.trim()) || name.includes(":"))
    return storeFailure(
      "setup",
      "TICKETING_STATE_USERNAME or TICKETING_STATE_PASSWORD contains a character that cannot be sent.",
    );
  return { ok: true, value: basic(name.trim() || "ticketing", password.trim(), keepSecret) };
}

function basic(name: string, password: string, keepSecret: Outside["keepSecret"]): string {
  const pair = Buffer.from(`${name}:${password}`).toString("base64");
  keepSecret(password);
  keepSecret(pair);
  return `Basic ${pair}`;
}

function isBelow(address: string, parent: string): boolean {
  try {
    const { origin, pathname } = new URL(parent);
    return address.startsWith(`${origin}${pathname.replace(/\/$/, "")}/`);
  } catch {
    return false;
  }
}
