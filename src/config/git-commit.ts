import type { Diagnostic } from "../model/diagnostic.ts";
import { runGit } from "./git.ts";

/** The commit that a revision names, or why there is none. */
export async function findCommit(root: string, revision: string): Promise<string | Diagnostic> {
  const inside = await runGit(root, ["rev-parse", "--is-shallow-repository"]);
  if (!inside.ok) {
    if (inside.reason === "no-git") return noGit;
    return /not a git repository/i.test(inside.message) ? notARepository : gitFailed(inside.message);
  }
  const named = await runGit(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
  if (named.ok) return named.output.toString("utf8").trim();
  return inside.output.toString("utf8").trim() === "true" ? shallow(revision) : unknown(revision);
}

const noGit: Diagnostic = {
  code: "no-git",
  severity: "error",
  message: "A base revision is read with the `git` command, and there is none here.",
  hint: "Install git, or plan without --base.",
};

const notARepository: Diagnostic = {
  code: "not-a-repository",
  severity: "error",
  message: "This folder is not in a git repository, so there is no base revision to compare with.",
  hint: "Run the command in the project's repository, or plan without --base.",
};

/** Git has reasons of its own, such as a folder that belongs to somebody else; it says them best itself. */
export function gitFailed(message: string): Diagnostic {
  return {
    code: "git-failed",
    severity: "error",
    message: `git cannot read the repository: ${message.split("\n")[0] ?? ""}`,
    hint: /dubious ownership/.test(message)
      ? "Run `git config --global --add safe.directory` with the repository's folder first."
      : /\bE[MN]FILE\b/.test(message)
        ? "Raise the limit of open files with `ulimit -n 1024`, and run the command again."
        : "Check that the repository is complete (`git fsck`).",
  };
}

function shallow(revision: string): Diagnostic {
  return {
    code: "shallow-clone",
    severity: "error",
    message: `The revision ${revision} is not here: this clone is shallow and holds only the newest commits.`,
    hint: "Fetch the whole history: `fetch-depth: 0` at the checkout step, or `git fetch --unshallow`.",
  };
}

function unknown(revision: string): Diagnostic {
  return {
    code: "unknown-revision",
    severity: "error",
    message: `git knows no revision ${revision}.`,
    hint: "Name a branch, a tag or a commit; a branch that only the remote has needs `git fetch` first, and is called origin/NAME.",
  };
}
