// What a backend on another machine needs from this one; it is passed in.

import { resolve } from "node:path";
import type { Advice } from "../../model/diagnostic.ts";
import { type SendOutside, sameAddress } from "../../model/outside.ts";
import { withoutEnd } from "../../model/value.ts";
import type { Settings } from "../../model/wish.ts";
import { gitText, placeInRepository } from "../../system/git.ts";
import type { StoreSetup } from "../file/local-folder.ts";
import type { LockTimes } from "./lock-times.ts";
import { type StoreFailure, type StoreResult, storeFailure } from "./shared-files.ts";

/** What a backend on another machine is opened with, in addition to its settings. */
export interface BackendSetup extends StoreSetup {
  readonly times: LockTimes;
  readonly outside: Outside;
}

export type BackendSettings<Name extends Settings["state"]["backend"]> = Extract<
  Settings["state"],
  { readonly backend: Name }
>;

export interface Outside {
  /** Where credentials come from: never from a file of the project. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Keeps a credential out of everything that is printed. */
  keepSecret(secret: string): void;
  /**
   * Why the state must not be used where `state` in the project file says: a pull request could have changed it. null: it is as
   * agreed before, or nothing is known. `sendsCredentials`: those of the environment would go to a URL from the file; otherwise
   * only the rights of a CI runner are at stake. Called before the first call.
   */
  disagreement(sendsCredentials: boolean): Promise<Advice | null>;
  readonly send: SendOutside;
  /** Ends the connections that calls have opened. */
  close(): Promise<void>;
}

export interface NamedPlace {
  /** As the owner of the credentials confirms it with TICKETING_STATE_ADDRESS; the first is shown. */
  readonly names: readonly string[];
  readonly sendsCredentials: boolean;
  /** The problem if TICKETING_STATE_ADDRESS names another place; left out: then the default branch decides. */
  readonly mismatch?: string;
}

/** null: the state may be used where the file says, since the owner of the credentials, or the default branch, says the same. */
export async function checkAgreed(
  { env, disagreement }: Pick<Outside, "env" | "disagreement">,
  { names, sendsCredentials, mismatch }: NamedPlace,
): Promise<StoreFailure | null> {
  const confirmed = env.TICKETING_STATE_ADDRESS?.trim() ?? "";
  if (names.some((name) => sameAddress(confirmed, name))) return null;
  const confirm = `If the state belongs there, confirm it where the credentials are set: TICKETING_STATE_ADDRESS=${names[0]}.`;
  if (confirmed !== "" && mismatch !== undefined) return unagreed(mismatch, confirm);
  const found = await disagreement(sendsCredentials);
  return found === null ? null : unagreed(found.message, `${confirm} ${found.hint}`);
}

function unagreed(message: string, hint: string): StoreFailure {
  return { ...storeFailure("setup", message), code: "address-changed", hint };
}

// The name of a project in a store that several repositories share: from its setting, else from the URL of its repository,
// which no other repository has.

/** `hint`: how it is named. */
export async function projectName(
  directory: string,
  setting: string | undefined,
  hint: string,
): Promise<StoreResult<string>> {
  function unnamed(why: string) {
    return storeFailure("setup", `${why}, so the project has no name in the store.`, hint);
  }
  if (setting !== undefined) return { ok: true, value: setting };
  const place = await placeInRepository(directory);
  if (!place.ok) return unnamed("This folder is not in a git repository");
  const remote = await gitText(directory, ["remote", "get-url", "--", "origin"]);
  if (remote === null) return unnamed('This repository has no remote named "origin"');
  const repository = repositoryName(remote, place.root);
  return { ok: true, value: place.folder === "" ? repository : `${repository}//${place.folder}` };
}

/** Letters, digits, `-`, `_` and `.` stay as they are. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * `github.com/acme/events`, however it is reached. The port is part of it only with HTTP: with SSH it does not say which server
 * that is.
 */
export function repositoryName(remote: string, root: string): string {
  const [, scheme, authority = "", path = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(.*)$/i.exec(remote) ?? [];
  const [, scpHost, scpPath = ""] = scheme === undefined ? (/^([^/:]+):(?!\\)(.*)$/.exec(remote) ?? []) : [];
  const host = (scpHost ?? authority).replace(/^.*@/, "").toLowerCase();
  const server = /^https?$/i.test(scheme ?? "") ? host.replace(/:(80|443)$/, "") : host.replace(/:\d+$/, "");
  const local = scheme === undefined && scpHost === undefined ? resolve(root, remote) : path || `/${scpPath}`;
  return `${server}${withoutEnd(local.replace(/^\/{2,}/, "/"), "/").replace(/\.git$/, "")}`;
}
