// What a project is called in a store that several repositories share: by its setting, else by the address of its repository,
// which no other repository has.
import { resolve } from "node:path";
import { withoutEnd } from "../../model/value.ts";
import { runGit } from "../../system/git.ts";
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
  const place = await runGit(directory, ["rev-parse", "--show-toplevel", "--show-prefix"]);
  if (!place.ok) return unnamed("This folder is not in a git repository");
  const [root = "", prefix = ""] = place.output.toString("utf8").split("\n");
  const remote = await runGit(directory, ["remote", "get-url", "--", "origin"]);
  if (!remote.ok) return unnamed("This repository has no remote named 'origin'");
  const folder = prefix.replace(/\/$/, "");
  const repository = repositoryName(remote.output.toString("utf8").trim(), root);
  return { ok: true, value: folder === "" ? repository : `${repository}//${folder}` };
}

/**
 * `github.com/acme/events`, however it is reached. The port is a part of it with HTTP alone: with SSH it says nothing about which
 * server that is.
 */
export function repositoryName(remote: string, root: string): string {
  const [, scheme, authority = "", path = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(.*)$/i.exec(remote) ?? [];
  const [, scpHost, scpPath = ""] = scheme === undefined ? (/^([^/:]+):(?!\\)(.*)$/.exec(remote) ?? []) : [];
  const host = (scpHost ?? authority).replace(/^.*@/, "").toLowerCase();
  const server = /^https?$/i.test(scheme ?? "") ? host.replace(/:(80|443)$/, "") : host.replace(/:\d+$/, "");
  const local = scheme === undefined && scpHost === undefined ? resolve(root, remote) : path || `/${scpPath}`;
  return `${server}${withoutEnd(local.replace(/^\/{2,}/, "/"), "/").replace(/\.git$/, "")}`;
}
