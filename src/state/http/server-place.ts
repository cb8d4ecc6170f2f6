// Where a state server is, and our identity there. Credentials come only from the environment, and go to only one host.
import { checkAddress, type OutsideCall, shownAddress, stateServerAddress } from "../../model/outside.ts";
import { parseUrl } from "../../model/value.ts";
import type { HttpState } from "../../model/wish.ts";
import { checkAgreed, type Outside } from "../shared/backend-setup.ts";
import { type StoreResult, storeFailure } from "../shared/shared-files.ts";

export interface ServerPlace {
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

/** The address of an environment's state: `{environment}` is replaced by its name. */
export function stateAddress(address: string, environment: string): string {
  return shownAddress(address.replaceAll("{environment}", encodeURIComponent(environment))).replace(/\/$/, "");
}

export async function findServerPlace(
  settings: HttpState,
  environment: string,
  outside: Pick<Outside, "env" | "keepSecret" | "disagreement">,
): Promise<StoreResult<ServerPlace>> {
  const given = [settings.address, settings.lockAddress, settings.unlockAddress].filter((text) => text !== undefined);
  // A file with errors is not applied, but its state is read while they are looked for.
  for (const text of given) {
    const problem = checkAddress(text, stateServerAddress);
    if (problem !== null) return storeFailure("setup", problem.message);
  }
  if (/^\.{1,2}$/.test(environment))
    return storeFailure(
      "setup",
      `With the environment name "${environment}", the address would point somewhere else.`,
      "Give the environment a different name, such as production.",
    );
  const address = stateAddress(settings.address, environment);
  const isGitlab = gitlabAddress.test(new URL(address).pathname);
  const lockUrl = stateAddress(settings.lockAddress ?? `${address}${isGitlab ? "/lock" : ""}`, environment);
  const unlockUrl = stateAddress(settings.unlockAddress ?? lockUrl, environment);
  if ([lockUrl, unlockUrl].some((url) => new URL(url).origin !== new URL(address).origin))
    return storeFailure("setup", "The addresses of the state and of its lock are on different hosts.");
  const authorization = authorizationFor(address, outside);
  if (!authorization.ok) return authorization;
  const unagreed = await checkAgreed(outside, {
    names: [settings.address, address],
    sendsCredentials: authorization.value !== null,
    mismatch: "`state.address` is not the address in TICKETING_STATE_ADDRESS, so nothing was sent",
  });
  if (unagreed !== null) return unagreed;
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

/** A job of GitLab has its own token, for the GitLab that runs it and no other host. */
function authorizationFor(
  address: string,
  { env, keepSecret }: Pick<Outside, "env" | "keepSecret">,
): StoreResult<string | null> {
  const [name = "", password = ""] = ["USERNAME", "PASSWORD"].map(
    (what) => env[`TICKETING_STATE_${what}`]?.trim() ?? "",
  );
  const { CI_API_V4_URL: gitlab = "", CI_JOB_TOKEN: token = "" } = env;
  if (password === "") {
    if (name !== "")
      return storeFailure(
        "setup",
        "TICKETING_STATE_USERNAME is set, and TICKETING_STATE_PASSWORD is not.",
        "Set TICKETING_STATE_PASSWORD as well, or unset TICKETING_STATE_USERNAME to go without credentials.",
      );
    if (token === "" || gitlab === "" || !isBelowUrl(address, gitlab)) return { ok: true, value: null };
    return { ok: true, value: basic("gitlab-ci-token", token, keepSecret) };
  }
  if (/\p{Cc}/u.test(name + password) || name.includes(":"))
    return storeFailure(
      "setup",
      "TICKETING_STATE_USERNAME or TICKETING_STATE_PASSWORD contains a character that cannot be sent.",
      "Set both again without line breaks and control characters; a user name has no colon.",
    );
  return { ok: true, value: basic(name || "ticketing", password, keepSecret) };
}

function basic(name: string, password: string, keepSecret: Outside["keepSecret"]): string {
  const pair = Buffer.from(`${name}:${password}`).toString("base64");
  keepSecret(password);
  keepSecret(pair);
  return `Basic ${pair}`;
}

function isBelowUrl(address: string, parent: string): boolean {
  const url = parseUrl(parent);
  return url !== null && address.startsWith(`${url.origin}${url.pathname.replace(/\/$/, "")}/`);
}
