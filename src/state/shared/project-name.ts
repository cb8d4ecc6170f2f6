// The name of a project in a store that several repositories share: from its setting, else from the URL of its repository,
// which no other repository has.
import { resolve } from "node:path";
import { withoutEnd } from "../../model/value.ts";
import { gitText, placeInRepository } from "../../system/git.ts";
import { type StoreResult, storeFailure } from "./shared-files.ts";

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
