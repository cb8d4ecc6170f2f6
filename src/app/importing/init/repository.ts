import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { defaultBranchOf, gitText, runGit } from "../../../system/git.ts";

/** Where the project is kept, as far as CI must know it. */
export type Repository = Awaited<ReturnType<typeof findRepository>>;

const remote = "origin";

/** Outside of any repository, the project will be one. The folder need not be there yet. */
export async function findRepository(directory: string) {
  let present = directory;
  while (!existsSync(present)) present = dirname(present);
  const place = await runGit(present, ["rev-parse", "--show-cdup", "--show-prefix"]);
  if (!place.ok)
    return {
      root: directory,
      folder: "",
      branch: "main",
      isBranchGuessed: false,
      lacks: "repository" as const,
      isOnGitlab: existsSync(join(directory, gitlabFile)),
    };
  const [up = "", prefix = ""] = place.output.toString("utf8").split("\n");
  const root = resolve(present, up);
  const folder = [prefix.replace(/\/$/, ""), relative(present, directory).split(sep).join("/")]
    .filter(Boolean)
    .join("/");
  const [branch, url] = await Promise.all([
    defaultBranchOf(present, remote),
    gitText(present, ["remote", "get-url", "--", remote]),
  ]);
  const isOnGitlab = existsSync(join(root, gitlabFile)) || /gitlab/i.test(url ?? "");
  return {
    root,
    /** The project's folder as the repository sees it, with `/`; "" if it is the root. */
    folder,
    branch: branch ?? (await mainBranch(present)),
    /** Whether there is a remote that did not name its default branch. */
    isBranchGuessed: url !== null && branch === null,
    /** What is missing for state in git, which is stored on the remote. */
    lacks: url === null ? ("remote" as const) : null,
    isOnGitlab,
  };
}

export const gitlabFile = ".gitlab-ci.yml";

/** Without a remote that knows: the branch that is checked out if it is a main one, for somebody may be on another just now. */
async function mainBranch(folder: string): Promise<string> {
  const name = await gitText(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  return name !== null && ["main", "master", "trunk"].includes(name) ? name : "main";
}
