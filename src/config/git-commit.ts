import type { Diagnostic } from "../model/diagnostic.ts";
import { runGit } from "./git.ts";

/** The commit that a revision names, or why there is none. */
export async function findCommit(root: string, revision: string): Promise<string | Diagnostic> {
  const inside = await runGit(root, ["rev-parse", "--is-shallow-repository"]);
  if (!inside.ok) return inside.reason === "no-git" ? noGit : notARepository;
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
