// What was reviewed of all that was merged since the last apply: the union over the comments of the pull requests that brought it.

import type { Host, HostEntry, HostFailure } from "../../host/host.ts";
import { markerStart, readReview } from "../../host/review.ts";
import { type Diagnostic, errorOf, type Fallible, failed, warningOf } from "../../model/diagnostic.ts";
import { runGit } from "../../system/git.ts";
import { planKeyOf } from "../session/secrets.ts";
import type { World } from "../world.ts";
import { type CiJob, hostHint, requestName } from "./ci-job.ts";

/** A pull request that was merged, with our comment on it. */
export interface ReviewedRequest {
  readonly number: number;
  readonly comment: HostEntry | null;
}

interface FoundReviews {
  /** null: nothing was merged by a pull request, so there is nothing to compare. */
  readonly digests: ReadonlySet<string> | null;
  readonly pullRequests: readonly ReviewedRequest[];
  readonly remarks: readonly Diagnostic[];
}

/** `applied`: the revision that was applied last without a failure; null: none is recorded. */
export async function findReviewed(
  world: World,
  job: CiJob,
  directory: string,
  applied: string | null,
): Promise<Fallible<{ readonly found: FoundReviews }>> {
  const { host, run, mute } = job;
  if (mute !== null) return failed({ ...mute, severity: "error" });
  if (host === null) return { ok: true, found: { digests: null, pullRequests: [], remarks: [] } };
  const commits = await commitsSince(directory, applied ?? run?.before ?? null);
  if (commits.length > mostCommits) return failed(tooManyCommits(commits.length));
  const merged = await requestsOf(host, commits);
  if (!merged.ok) return failed(notRead(job, merged));
  const digests = new Set<string>();
  const pullRequests: ReviewedRequest[] = [];
  const remarks: Diagnostic[] = [];
  for (const number of merged.value) {
    const scope = { ...job.scope, pullRequest: number };
    const comment = await host.findComment(number, markerStart("plan", scope));
    if (!comment.ok) return failed(notRead(job, comment));
    pullRequests.push({ number, comment: comment.value });
    const read = comment.value === null ? null : readReview(comment.value.body, scope, planKeyOf(world));
    if (read?.ok === true) for (const digest of [...read.review.digests, ...read.review.events]) digests.add(digest);
    if (read?.ok === false) remarks.push(notCounted(requestName(job, number), read.reason));
  }
  return { ok: true, found: { digests: pullRequests.length === 0 ? null : digests, pullRequests, remarks } };
}

/** Each takes a call. Whoever is further behind has not applied for a long time. */
const mostCommits = 250;

interface MergedCommit {
  readonly commit: string;
  /** Where a merge brought it from. */
  readonly others: readonly string[];
}

/** The commits of the branch itself, newest first; the newest alone where nothing says where to begin. */
async function commitsSince(directory: string, since: string | null): Promise<readonly MergedCommit[]> {
  const list = (...range: readonly string[]) =>
    runGit(directory, ["rev-list", "--first-parent", "--parents", ...range]);
  const all = since === null ? null : await list("HEAD", `^${since}`);
  const listed = all?.ok === true ? all : await list("-1", "HEAD");
  if (!listed.ok) return [];
  const lines = listed.output.toString("utf8").split("\n").filter(Boolean);
  return lines.map((line) => {
    const [commit = "", , ...others] = line.split(" ");
    return { commit, others };
  });
}

async function requestsOf(host: Host, commits: readonly MergedCommit[]) {
  const found = new Set<number>();
  for (const { commit, others } of commits) {
    // A host may know a merge by what was merged.
    for (const each of [commit, ...others]) {
      const merged = await host.mergedWith(each);
      if (!merged.ok) return merged;
      for (const number of merged.value) found.add(number);
      if (merged.value.length > 0) break;
    }
  }
  return { ok: true as const, value: [...found].sort((one, other) => one - other) };
}

function notRead(job: CiJob, failure: HostFailure): Diagnostic {
  return errorOf(
    "reviews-not-read",
    `What was reviewed could not be read: ${failure.message}.`,
    `${hostHint(job, failure)} To apply without a review, pass --unreviewed apply.`,
  );
}

function tooManyCommits(commits: number): Diagnostic {
  return errorOf(
    "reviews-not-read",
    `${commits} commits were merged since the last apply, too many to find out what was reviewed of them.`,
    "Review the plan, then apply it once with --unreviewed apply.",
  );
}

function notCounted(request: string, why: "none" | "unsigned" | "forged"): Diagnostic {
  const what = {
    none: "holds no list of what was reviewed",
    unsigned: "is not signed, and TICKETING_PLAN_KEY is set",
    forged: "does not carry the signature of TICKETING_PLAN_KEY: somebody edited it, or that key was changed",
  }[why];
  return warningOf(
    "review-not-counted",
    `The comment on ${request} ${what}. Nothing of it counts as reviewed.`,
    "Open a new pull request so that `ci plan` posts a fresh comment, or check the plan and apply with --unreviewed apply.",
  );
}
