// What was reviewed of everything merged since the last apply: the union over the comments of its pull requests.
import type { FoundComment, Host, HostEntry, HostFailure, HostResult, MergedRequest } from "../../host/host.ts";
import { markerStart, type Review, readReview } from "../../host/review.ts";
import { type Diagnostic, errorOf, type Fallible, failed, warningOf } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { formatCount } from "../../model/value.ts";
import type { FilesAtMerge, MergedReview } from "../../plan/judge.ts";
import { differingFiles, fetchBranch, gitText } from "../../system/git.ts";
import { isAncestor, isHere } from "../session/checkout.ts";
import { planKeyOf } from "../session/secret-sink.ts";
import type { World } from "../world.ts";
import { type CiJob, freshRequest, hostHint, requestName } from "./ci-job.ts";

/** A pull request that was merged, with our comment on it and what that lists. */
export interface ReviewedRequest extends MergedReview {
  readonly number: number;
  readonly comment: HostEntry | null;
  /** What its merge changed. */
  readonly files: ReadonlySet<string>;
}

interface FoundReviews {
  /** null: nothing was merged by a pull request, so there is nothing to compare. */
  readonly reviewed: readonly MergedReview[] | null;
  /** Those that were sent since a merge last brought them. */
  readonly spent: ReadonlySet<string>;
  /** The merges after this commit were looked up; null: only the newest one was. */
  readonly since: string | null;
  readonly pullRequests: readonly ReviewedRequest[];
  readonly remarks: readonly Diagnostic[];
}

interface MergeRange {
  /** The revision that was applied last without a failure, or where the first run began if none was; null: nothing is recorded. */
  readonly applied: string | null;
  /** The commit to apply. */
  readonly head: string;
  /** Digests of what was sent since, each with the revision that was applied then. */
  readonly sent: NonNullable<State["sent"]>;
  /** The files of a commit, asked for from the newest on; null: they are those of the one before, or cannot be read. */
  readonly filesAt: (commit: string) => Promise<FilesAtMerge | null>;
}

export async function findReviewed(
  world: World,
  job: CiJob,
  directory: string,
  { applied, head, sent, filesAt }: MergeRange,
): Promise<Fallible<{ readonly found: FoundReviews }>> {
  const { host, run, commentWarning } = job;
  if (commentWarning !== null) return failed({ ...commentWarning, severity: "error" });
  if (host === null)
    return { ok: true, found: { reviewed: null, spent: new Set(), since: null, pullRequests: [], remarks: [] } };
  const since = await rangeStart(directory, head, applied ?? run?.before ?? null);
  const all = await commitsSince(directory, head, since);
  const commits = all.slice(0, mostCommits);
  const merged = await requestsOf(host, commits);
  if (!merged.ok) return failed(notRead(job, merged));
  const commented: CommentedMerge[] = [];
  const spent = new Set(Object.keys(sent));
  const isNewer = newerThan(directory, head);
  const isCut = commits.length < all.length;
  const remarks: Diagnostic[] = isCut ? [tooManyCommits(all.length)] : [];
  for (const { number, commit, into } of merged.value) {
    const scope = { ...job.scope, pullRequest: number };
    const comment = await host.findComment(number, markerStart("plan", scope));
    if (!comment.ok) return failed(notRead(job, comment));
    const read = await readComment(world, { ...job, scope }, directory, comment, { commit, into });
    if (typeof read === "string") remarks.push(notCounted(job, number, read));
    const digests = new Set(typeof read === "string" ? [] : read);
    const files = new Set(await differingFiles(directory, `${commit}^`, commit));
    commented.push({ number, comment: comment.value, commit, digests, files });
    for (const digest of digests) {
      const at = sent[digest];
      if (at !== undefined && (await isNewer(commit, at))) spent.delete(digest);
    }
  }
  const order = commits.map(({ commit }) => commit);
  const pullRequests = await withMerges(commented, order, filesAt);
  const reviewed = pullRequests.length > 0 || isCut ? pullRequests : null;
  return { ok: true, found: { reviewed, spent, since, pullRequests, remarks } };
}

interface CommentedMerge extends Omit<ReviewedRequest, "merged"> {
  readonly commit: string;
}

/** Each with the files as its merge and each newer commit left them. `order`: newest first. */
async function withMerges(
  requests: readonly CommentedMerge[],
  order: readonly string[],
  filesAt: MergeRange["filesAt"],
): Promise<readonly ReviewedRequest[]> {
  const listing = new Set(requests.flatMap(({ commit, digests }) => (digests.size > 0 ? commit : [])));
  const merged: FilesAtMerge[] = [];
  const since = new Map<string, readonly FilesAtMerge[]>();
  for (const commit of order) {
    if (listing.size === 0) break;
    const files = await filesAt(commit);
    if (files !== null) merged.push(files);
    if (listing.delete(commit)) since.set(commit, [...merged]);
  }
  return requests.map(({ commit, ...request }) => ({ ...request, merged: since.get(commit) ?? [] }));
}

/** What was reviewed by the comment on a pull request, or why it does not count. */
async function readComment(
  world: World,
  job: CiJob,
  directory: string,
  { value, others: [other] }: Extract<FoundComment, { readonly ok: true }>,
  { commit, into }: Pick<BroughtRequest, "commit" | "into">,
): Promise<readonly string[] | string> {
  if (value === null)
    return other === undefined ? [] : `was written by ${other}, and the token of this job belongs to a different user`;
  const read = readReview(value.body, job.scope, planKeyOf(world));
  if (!read.ok) return whyNotRead[read.reason];
  const { defaultBranch = null, branch = null } = job.run ?? {};
  // Those who may merge into another branch need not have the right to merge into this one.
  if (into !== null && defaultBranch !== null && into !== defaultBranch && into !== branch)
    return `is about a merge into the branch ${into}, but this job does not apply that branch`;
  const isLate = await isPlannedAfter(world, job, directory, read.review, commit);
  return isLate ? "shows a plan that was made after the merge" : [...read.review.digests, ...read.review.events];
}

/** Whether a commit of `head` came after a revision; all did if git no longer has that. */
function newerThan(directory: string, head: string): (commit: string, revision: string) => Promise<boolean> {
  const since = new Map<string, Promise<string | null>>();
  return async (commit, revision) => {
    const listed = since.get(revision) ?? gitText(directory, ["rev-list", head, `^${revision}`]);
    since.set(revision, listed);
    return (await listed)?.includes(commit) !== false;
  };
}

/** Each takes a call. */
const mostCommits = 250;

/** The commit after which merges are looked up: the known one if this clone has it, else the parent of the newest; null: there is none. */
async function rangeStart(directory: string, head: string, known: string | null): Promise<string | null> {
  if (known !== null && (await isHere(directory, known))) return known;
  return gitText(directory, ["rev-parse", "--quiet", "--verify", `${head}^`]);
}

interface MergedCommit {
  readonly commit: string;
  /** What the commit merged, if it is a merge: its other parents. */
  readonly others: readonly string[];
}

/** The commits of the branch itself that touch the project, or all if none does, newest first; null: the newest alone. */
async function commitsSince(directory: string, head: string, since: string | null): Promise<readonly MergedCommit[]> {
  const range = since === null ? ["-1", head] : [head, `^${since}`];
  const shown = ["log", "--no-show-signature", "--first-parent", "--format=%H %P"];
  const listed = await gitText(directory, [...shown, ...range]);
  if (!listed) return [];
  const commits = listed.split("\n").map((line): MergedCommit => {
    const [commit = "", , ...others] = line.split(" ");
    return { commit, others };
  });
  if (since === null) return commits;
  const own = await gitText(directory, ["rev-list", "--first-parent", ...range, "--", "."]);
  // A merge of what an earlier commit brought already changes nothing, and was reviewed all the same.
  const twice = await gitText(directory, ["rev-list", "--merges", "--simplify-merges", ...range, "--", "."]);
  const touching = new Set([own, twice].flatMap((text) => text?.split("\n") ?? []));
  const some = commits.filter(({ commit }) => touching.has(commit));
  return some.length > 0 ? some : commits;
}

interface BroughtRequest extends MergedRequest {
  /** The newest commit of the branch that it brought. */
  readonly commit: string;
}

/** In the order of their merges. */
async function requestsOf(
  host: Host,
  commits: readonly MergedCommit[],
): Promise<HostResult<readonly BroughtRequest[]>> {
  const found = new Map<number, BroughtRequest>();
  for (const { commit, others } of commits) {
    // A host may list the pull request under the merged commit instead of the merge.
    for (const each of [commit, ...others]) {
      const merged = await host.mergedWith(each);
      if (!merged.ok) return merged;
      for (const one of merged.value) if (!found.has(one.number)) found.set(one.number, { ...one, commit });
      if (merged.value.length > 0) break;
    }
  }
  return { ok: true, value: [...found.values()].reverse() };
}

/** The branch that it was planned for already contained the merge, so the plan cannot have been reviewed before. This does not depend on clocks. */
async function isPlannedAfter(
  world: World,
  { run }: CiJob,
  directory: string,
  { into }: Review,
  commit: string,
): Promise<boolean> {
  if (into === null) return false;
  // It may be newer than the checkout of this job.
  if (!(await isHere(directory, into)) && run !== null && run.defaultBranch !== null)
    await fetchBranch(directory, "origin", run.defaultBranch, world.interrupted);
  return isAncestor(directory, commit, into);
}

function notRead(job: CiJob, failure: HostFailure): Diagnostic {
  const message = `The list of reviewed changes could not be read: ${failure.message}.`;
  const hint = hostHint(job, failure);
  // A rate limit is over soon, so it is no reason to apply without the review.
  const otherwise = failure.reason === "limited" ? "" : " To apply without a review, pass --unreviewed apply.";
  return errorOf("reviews-not-read", message, `${hint}${otherwise}`);
}

function tooManyCommits(commits: number): Diagnostic {
  const message = `${formatCount(commits)} commits were merged since the last complete apply: reviews are looked up only for the newest ${formatCount(mostCommits)}.`;
  const hint =
    "To apply what is held because of that, merge a pull request whose plan lists it, or pass --unreviewed apply.";
  return warningOf("reviews-not-read", message, hint);
}

const whyNotRead = {
  none: "contains no list of what was reviewed",
  unsigned: "is not signed, and TICKETING_PLAN_KEY is set",
  forged: "does not carry the signature of TICKETING_PLAN_KEY: somebody edited it, or that key was changed",
} as const;

function notCounted(job: CiJob, number: number, why: string): Diagnostic {
  const message = `The comment on ${requestName(job, number)} ${why}. So none of its changes count as reviewed.`;
  const hint = `To have them reviewed, ${freshRequest(job)}; or check the plan and apply with --unreviewed apply.`;
  return warningOf("review-not-counted", message, hint);
}
