// Whether a checkout may be applied after what was applied last. A re-run of an older job, or a branch of its own, would take back
// what others have merged.
import type { Diagnostic } from "../../model/diagnostic.ts";
import { runGit } from "../../system/git.ts";

export type OrderCode = "older-than-applied" | "diverged-from-applied";

/** null: it may. `head` and `applied` are commits. */
export async function judgeOrder(directory: string, head: string, applied: string): Promise<Diagnostic | null> {
  if (head === applied) return null;
  const known = await runGit(directory, ["cat-file", "-e", `${applied}^{commit}`]);
  if (!known.ok) {
    const shallow = await runGit(directory, ["rev-parse", "--is-shallow-repository"]);
    const isShallow = shallow.ok && shallow.output.toString("utf8").trim() === "true";
    return isShallow ? notFetched(head, applied) : diverged(head, applied, "which git no longer has");
  }
  if (await isAncestor(directory, applied, head)) return null;
  if (await isAncestor(directory, head, applied)) return older(head, applied, await distance(directory, head, applied));
  // Where a clone does not go back far enough, neither is seen to lead to the other.
  const shallow = await runGit(directory, ["rev-parse", "--is-shallow-repository"]);
  if (shallow.ok && shallow.output.toString("utf8").trim() === "true") return notFetched(head, applied);
  return diverged(head, applied, "which is on another line of history");
}

async function isAncestor(directory: string, one: string, other: string): Promise<boolean> {
  return (await runGit(directory, ["merge-base", "--is-ancestor", one, other])).ok;
}

async function distance(directory: string, from: string, to: string): Promise<number> {
  const counted = await runGit(directory, ["rev-list", "--count", `${from}..${to}`]);
  return counted.ok ? Number(counted.output.toString("utf8").trim()) : 0;
}

function older(head: string, applied: string, commits: number): Diagnostic {
  return {
    code: "older-than-applied" satisfies OrderCode,
    severity: "error",
    message: `This checkout (${short(head)}) is ${commits === 1 ? "1 commit" : `${commits} commits`} older than what was applied last (${short(applied)}). Applying it would undo newer work.`,
    hint: `Check out the newest commit and apply that. To go back on purpose, revert the newer commits in git and apply the revert, or pass --allow older-than-applied.`,
  };
}

function diverged(head: string, applied: string, why: string): Diagnostic {
  return {
    code: "diverged-from-applied" satisfies OrderCode,
    severity: "error",
    message: `This checkout (${short(head)}) does not contain what was applied last (${short(applied)}), ${why}.`,
    hint: `Merge ${short(applied)} into this branch, or apply from the default branch. If history was rewritten on purpose, pass --allow diverged-from-applied.`,
  };
}

function notFetched(head: string, applied: string): Diagnostic {
  return {
    code: "shallow-clone",
    severity: "error",
    message: `This clone does not hold the history between ${short(applied)}, which was applied last, and ${short(head)}.`,
    hint: "Fetch the whole history: `fetch-depth: 0` at the checkout step, `GIT_DEPTH: 0` on GitLab, or `git fetch --unshallow`.",
  };
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
