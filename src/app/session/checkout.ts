// Which commit is checked out, whether the project's files are exactly that, and whether it may follow what was applied last.

import type { Environment } from "../../config/environment.ts";
import { type GitFiles, matcherOf, mergedFiles } from "../../config/files.ts";
import { projectFile } from "../../config/project.ts";
import { type Diagnostic, errorOf, failed, warningOf } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { pluralize } from "../../model/value.ts";
import type { Settings } from "../../model/wish.ts";
import {
  askDefaultBranch,
  currentRevision,
  defaultBranchOf,
  fetchBranch,
  gitText,
  isShallow,
  runGit,
} from "../../system/git.ts";
import { wholeHistoryHint } from "../../system/git-output.ts";

export interface Checkout {
  readonly revision: string;
  /** Some project files differ from the commit. */
  readonly dirty: boolean;
  /** The files are read from the commit, whatever is in the work tree. */
  readonly pinned?: true;
}

/** null: outside git, or before the first commit. */
export async function readCheckout(
  directory: string,
  { events, templates, webhooks }: Pick<Settings, "events" | "templates" | "webhooks">,
): Promise<Checkout | null> {
  // A submodule has its own configuration, and git would run inside it.
  const flags = "--porcelain=v2 --branch --no-ahead-behind --untracked-files=no --ignore-submodules=dirty".split(" ");
  const [edited, added] = await Promise.all([
    gitText(directory, ["status", ...flags, "--", "."]),
    runGit(directory, ["ls-files", "-z", "--others", "--exclude-standard", "--", "."]),
  ]);
  const [, head = null] = /^# branch\.oid ([0-9a-f]+)/.exec(edited ?? "") ?? [];
  const revision = edited === null ? await currentRevision(directory) : head;
  if (revision === null) return null;
  // Saved plans and reports do not count: the project does not read them. A series may read any sheet.
  const isRead = matcherOf([projectFile, ...events, ...templates, ...webhooks, "**/*.{csv,tsv}"]);
  const isCommitted = edited?.split("\n").every((line) => line.startsWith("#")) ?? false;
  const isComplete = added.ok && !added.output.toString("utf8").split("\0").some(isRead);
  return { revision, dirty: !isCommitted || !isComplete };
}

// Whether a checkout may be applied after the last one. Re-running an older job, or a separate branch, would revert what others merged.

/**
 * null: it is in order. An error refuses the run; if it is allowed, or for the sandbox, it is a warning. `revision`: the commit to
 * apply; null outside a git repository. `planFile`: a plan that was saved at that commit.
 */
export async function guardOrder(
  { directory, state, environment }: { directory: string; state: State | null; environment: Environment },
  revision: string | null,
  allow: readonly string[] = [],
  planFile?: string,
): Promise<Diagnostic | null> {
  const applied = newestAttempt(state);
  if (applied === null) return null;
  const what = planFile === undefined ? undefined : `The commit that ${planFile} was made from`;
  const problem =
    revision === null
      ? errorOf("diverged-from-applied", noHistory(applied), inClone, flagged("this folder is the newer one"))
      : await (what === undefined
          ? judgeReset(directory, revision, applied)
          : judgeOrder(directory, revision, applied, what));
  if (problem === null || !(environment.baseUrl === null || allow.includes(problem.code))) return problem;
  return { code: problem.code, severity: "warning", message: problem.message };
}

function newestAttempt(state: State | null): string | null {
  return (state?.lastRun === undefined ? state?.appliedRevision : state.lastRun.revision) ?? null;
}

/**
 * The commit applied last, if it comes after the checkout: a merge was applied while this job waited. It is fetched, and counts only on the
 * default branch, because a record alone must not decide which files are applied. null: it does not.
 */
export async function appliedSince(
  { directory, state }: { directory: string; state: State | null },
  checkout: Checkout | null,
  signal: AbortSignal,
): Promise<string | null> {
  const applied = newestAttempt(state);
  if (applied === null || checkout === null || checkout.dirty || state?.lastRun?.dirty === true) return null;
  const { revision } = checkout;
  if (applied === revision || (await isAncestor(directory, applied, revision))) return null;
  const branch = (await isShallow(directory)) ? null : await defaultBranchOf(directory, "origin");
  if (branch === null) return null;
  await fetchBranch(directory, "origin", branch, signal);
  const tip = `refs/remotes/origin/${branch}`;
  const follows = (await isAncestor(directory, revision, applied)) && (await isAncestor(directory, applied, tip));
  return follows ? applied : null;
}

const noHistory = (applied: string) =>
  `The commit applied last is ${short(applied)}, and no git repository here shows whether this folder is newer.`;
const inClone = "Run the command in a clone of the project's repository.";
const flagged = (reason: string) => `If ${reason}, pass --allow diverged-from-applied.`;

const lost = "which git does not have here: it was not fetched, or history was rewritten";

/** null: it may. `head` and `applied` are commits; `what` is `head` in words. */
export async function judgeOrder(
  directory: string,
  head: string,
  applied: string,
  what = "This checkout",
): Promise<Diagnostic | null> {
  if (head === applied) return null;
  if (!(await isHere(directory, applied))) {
    if (await isShallow(directory)) return historyMissing(head, applied);
    return diverged(`${what} (${short(head)})`, applied, lost);
  }
  if (await isAncestor(directory, applied, head)) return null;
  if (await isAncestor(directory, head, applied)) return older(directory, head, applied, what);
  // If a clone does not go back far enough, neither commit is seen to lead to the other.
  if (await isShallow(directory)) return historyMissing(head, applied);
  return diverged(`${what} (${short(head)})`, applied, "which is on a different line of history");
}

/** The same. If the default branch was moved back, there is no newer commit to check out, so the fix differs. */
async function judgeReset(directory: string, head: string, applied: string): Promise<Diagnostic | null> {
  const problem = await judgeOrder(directory, head, applied);
  if (problem?.code !== "older-than-applied") return problem;
  const found = await askDefaultBranch(directory, "origin");
  if (found?.newest !== head) return problem;
  const message = `${problem.message} It is the newest commit of ${found.branch}: that branch was moved back, or the newer work is not in it yet.`;
  const hint = `To return to the newer work, push it: \`git push origin ${short(applied)}:${found.branch}\`.`;
  const flagged =
    "To undo the newer work, pass --allow older-than-applied once; in CI, run the workflow by hand with that code for `allow` (GitLab: TICKETING_ALLOW).";
  return errorOf(problem.code, message, hint, flagged);
}

export async function isHere(directory: string, commit: string): Promise<boolean> {
  return (await runGit(directory, ["cat-file", "-e", `${commit}^{commit}`])).ok;
}

export async function isAncestor(directory: string, one: string, other: string): Promise<boolean> {
  return (await runGit(directory, ["merge-base", "--is-ancestor", one, other])).ok;
}

async function older(directory: string, head: string, applied: string, what: string): Promise<Diagnostic> {
  const commits = Number((await gitText(directory, ["rev-list", "--count", `${head}..${applied}`])) ?? 0);
  const message = `${what} (${short(head)}) is ${pluralize(commits, "commit")} older than what was applied last (${short(applied)}). Applying it would undo newer work.`;
  const hint =
    "Check out the newest commit of the default branch (`git switch BRANCH`, then `git pull`) and apply that; in CI, run the newest job again instead of this one. To go back on purpose, `git revert` the newer commits and apply that.";
  return errorOf("older-than-applied", message, hint);
}

function diverged(what: string, applied: string, why: string): Diagnostic {
  const message = `${what} does not contain what was applied last (${short(applied)}), ${why}.`;
  const hint = `Run \`git fetch\`, then apply from the branch that contains ${short(applied)}, or merge that branch into this one first.`;
  return errorOf("diverged-from-applied", message, hint, flagged("history was rewritten on purpose"));
}

function historyMissing(head: string, applied: string): Diagnostic {
  return errorOf(
    "shallow-clone",
    `This clone does not hold the history between ${short(applied)}, which was applied last, and ${short(head)}.`,
    wholeHistoryHint,
  );
}

function short(commit: string): string {
  return commit.slice(0, 12);
}

export async function readMerged(directory: string, base: string | undefined, mergeInto: string): Promise<GitFiles> {
  if (base === undefined) return mergedFiles(directory, mergeInto);
  const hint = "Leave out --base: --merge-into already names the revision to compare with.";
  return failed(errorOf("bad-option", "--merge-into and --base cannot be used together.", hint));
}

export function notCommitted(commit: string): Diagnostic {
  const message = `This plan merges the checked-out commit into ${short(commit)}: it does not include uncommitted edits.`;
  const hint = "Commit them, or plan without --merge-into.";
  return warningOf("not-committed", message, hint);
}
