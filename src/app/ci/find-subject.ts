// What the plan of a pull request is about: its head merged into the default branch as it is now, or nothing of this project.
import { chooseEnvironment } from "../../config/environment.ts";
import { diskFiles, matcherOf } from "../../config/files.ts";
import { loadSettings, projectFile } from "../../config/project.ts";
import { type Diagnostic, errorOf, type Fallible, failed, warningOf } from "../../model/diagnostic.ts";
import type { Settings } from "../../model/wish.ts";
import { clonedDefaultBranch, commitOf, fetchBranch, runGit } from "../../system/git.ts";
import { isAncestor } from "../session/checkout.ts";
import type { World } from "../world.ts";
import type { CiFlags, CiJob } from "./ci-job.ts";

export interface PlanSubject {
  /** The branch to merge into, as git knows it; null: another base was asked for. */
  readonly mergeInto: string | null;
  readonly merged: { readonly head: string; readonly into: string; readonly branch: string } | null;
  /** False: nothing of the project differs from the branch. */
  readonly isTouched: boolean;
  /** It was merged before it was planned: then its comment stays, for an apply takes from it what was reviewed. */
  readonly isMerged: boolean;
  readonly remarks: readonly Diagnostic[];
}

/** Where a revision was named, or none could be found. */
export const noSubject: PlanSubject = { mergeInto: null, merged: null, isTouched: true, isMerged: false, remarks: [] };

const remote = "origin";

export async function findSubject(
  world: World,
  { run }: CiJob,
  flags: CiFlags & { readonly base?: string; readonly mergeInto?: string },
): Promise<Fallible<{ readonly subject: PlanSubject }>> {
  const { directory } = flags;
  const { settings } = await loadSettings(diskFiles(directory));
  // Asked also where nothing differs: a job with a misspelled environment must not be green until then.
  const chosen = chooseEnvironment(settings, { flagEnv: flags.env, flagBaseUrl: flags.baseUrl, env: world.env });
  if (!chosen.ok) return chosen;
  if (flags.base !== undefined) return { ok: true, subject: noSubject };
  const branch = flags.mergeInto ?? run?.defaultBranch ?? (await defaultBranch(directory));
  if (branch === null) return failed(noDefaultBranch);
  const ref = flags.mergeInto ?? `${remote}/${branch}`;
  const fetched =
    flags.mergeInto === undefined ? await fetchBranch(directory, remote, branch, world.interrupted) : null;
  const [into, head] = await Promise.all([commitOf(directory, ref), commitOf(directory, "HEAD")]);
  if (into === null || head === null)
    return failed(notFetched(ref, fetched === null || fetched.ok ? "" : fetched.message));
  const remarks = fetched === null || fetched.ok ? [] : [perhapsOld(ref, fetched.message)];
  const merged = { head: run?.head ?? head, into, branch };
  const touched = await isTouched(directory, settings, into, head);
  const isMerged = !touched && (await isAncestor(directory, merged.head, into));
  return { ok: true, subject: { mergeInto: ref, merged, isTouched: touched, isMerged, remarks } };
}

/** Whether a file of the project differs between the branch and what is to be merged into it. */
async function isTouched(directory: string, settings: Settings, into: string, head: string): Promise<boolean> {
  const names = ["diff", "--relative", "--name-only", "--no-renames", "-z"];
  const changed = await runGit(directory, [...names, `${into}...${head}`, "--", "."]);
  // Two lines without a common commit, or a clone that is cut off before it: then everything may differ.
  if (!changed.ok) return true;
  const isOfProject = matcherOf([
    ...[projectFile, ...settings.events, ...settings.templates, ...settings.webhooks],
    // The sheet of a series may lie anywhere in the project.
    "**/*.csv",
  ]);
  return changed.output.toString("utf8").split("\0").filter(Boolean).some(isOfProject);
}

async function defaultBranch(directory: string): Promise<string | null> {
  const named = await clonedDefaultBranch(directory, remote);
  if (named !== null) return named;
  for (const name of ["main", "master"]) if ((await commitOf(directory, `${remote}/${name}`)) !== null) return name;
  return null;
}

/** The variable that should hold the key, where a pull request comes from a fork and has no secrets; null: there is a key. */
export async function missingKey(world: World, { run }: CiJob, flags: CiFlags): Promise<string | null> {
  if (run?.isFork !== true) return null;
  const { settings } = await loadSettings(diskFiles(flags.directory));
  const chosen = chooseEnvironment(settings, { flagEnv: flags.env, flagBaseUrl: flags.baseUrl, env: world.env });
  if (!chosen.ok) return null;
  const { apiKeyEnv } = chosen.environment;
  return (world.env[apiKeyEnv] ?? "").trim() === "" ? apiKeyEnv : null;
}

const noDefaultBranch = errorOf(
  "no-default-branch",
  "The branch to merge into is not known.",
  "Name it with --merge-into, such as --merge-into origin/main.",
);

function notFetched(ref: string, said: string): Diagnostic {
  const why = said === "" ? "" : `: ${said.split("\n")[0]}`;
  return errorOf(
    "unknown-revision",
    `${ref} is not in this clone and could not be fetched${why}.`,
    "Fetch it first, or let the checkout step keep its credentials and fetch all history: `fetch-depth: 0` on GitHub, `GIT_DEPTH: 0` on GitLab.",
  );
}

function perhapsOld(ref: string, said: string): Diagnostic {
  return warningOf(
    "branch-not-fetched",
    `${ref} could not be fetched (${said.split("\n")[0] ?? ""}), so the plan is for the branch as this clone knows it.`,
    "Let the checkout step keep its credentials (`persist-credentials: true` on GitHub).",
  );
}
