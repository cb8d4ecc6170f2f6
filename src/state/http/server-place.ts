// Where a state server is, and who we are to it. Credentials come from the environment alone, and go to one host alone.
import { checkAddress, type HttpState, sameAddress, shownAddress, stateServerAddress } from "../../model/wish.ts";
import { type Outside, type OutsideCall, unagreed } from "../shared/outside.ts";
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

/** The address of an environment's state: `{environment}` stands for its name. */
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
  const address = stateAddress(settings.address, environment);
  const isGitlab = gitlabAddress.test(new URL(address).pathname);
  const lockUrl = stateAddress(settings.lockAddress ?? `${address}${isGitlab ? "/lock" : ""}`, environment);
  const unlockUrl = stateAddress(settings.unlockAddress ?? lockUrl, environment);
  if ([lockUrl, unlockUrl].some((url) => new URL(url).origin !== new URL(address).origin))
    return storeFailure("setup", "The addresses of the state and of its lock are on different hosts.");
  const authorization = await authorizationFor(address, settings.address, outside);
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

/**
 * What is set in the environment goes where the file says only if somebody agreed to that. A job of GitLab has a token of its
 * own, for the GitLab that runs it and no other host.
 */
async function authorizationFor(
  address: string,
  written: string,
  { env, keepSecret, disagreement }: Pick<Outside, "env" | "keepSecret" | "disagreement">,
): Promise<StoreResult<string | null>> {
  const [name = "", password = "", confirmed = ""] = ["USERNAME", "PASSWORD", "ADDRESS"].map(
    (what) => env[`TICKETING_STATE_${what}`]?.trim() ?? "",
  );
  const { CI_API_V4_URL: gitlab = "", CI_JOB_TOKEN: token = "" } = env;
  if (confirmed !== "" && !sameAddress(confirmed, written) && !sameAddress(confirmed, address))
    return unagreed("`state.address` is not the address in TICKETING_STATE_ADDRESS, so nothing was sent");
  if (password === "") {
    if (name !== "")
      return storeFailure("setup", "TICKETING_STATE_USERNAME is set, and TICKETING_STATE_PASSWORD is not.");
    if (token === "" || gitlab === "" || !isBelow(address, gitlab)) return { ok: true, value: null };
    return { ok: true, value: basic("gitlab-ci-token", token, keepSecret) };
  }
  if (/\p{Cc}/u.test(name + password) || name.includes(":"))
    return storeFailure(
      "setup",
      "TICKETING_STATE_USERNAME or TICKETING_STATE_PASSWORD contains a character that cannot be sent.",
    );
  const changed = confirmed === "" ? await disagreement() : null;
  if (changed !== null) return unagreed(changed);
  return { ok: true, value: basic(name || "ticketing", password, keepSecret) };
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
