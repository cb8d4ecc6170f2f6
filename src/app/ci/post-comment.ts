// The one comment of a project and environment on a pull request: found by its marker, edited in place, posted anew if it is gone.
import type { HostComment, HostFailure, HostResult } from "../../host/host.ts";
import { markerStart } from "../../host/review.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { World } from "../world.ts";
import { type CiFlags, type CiJob, masked, writeCommentFile } from "./ci-job.ts";

export interface CommentToPost {
  readonly body: string;
  /** Only an earlier comment is edited; none is posted. */
  readonly onlyIfThere?: boolean;
  /** What follows if it cannot be posted. */
  readonly consequence: string;
}

/** Gives warnings: a comment that cannot be posted stops no job. */
export async function postComment(
  world: World,
  job: CiJob,
  flags: CiFlags,
  { body, onlyIfThere = false, consequence }: CommentToPost,
): Promise<readonly Diagnostic[]> {
  const text = masked(world, body);
  const unwritten = await writeCommentFile(world, flags, text);
  const warnings = unwritten === null ? [] : [unwritten];
  const { host, run, scope, mute } = job;
  if (flags.comment === false || run?.trigger === "merge-queue" || scope.pullRequest === null) return warnings;
  if (host === null)
    return mute === null || onlyIfThere
      ? warnings
      : [...warnings, { ...mute, message: `${mute.message} ${consequence}` }];
  const found = await host.findComment(scope.pullRequest, markerStart("plan", scope));
  const posted = found.ok ? await put(job, scope.pullRequest, found.value, text, onlyIfThere) : found;
  return posted === null || posted.ok ? warnings : [...warnings, notPosted(job, posted, consequence)];
}

async function put(
  { host }: CiJob,
  pullRequest: number,
  existing: HostComment | null,
  body: string,
  onlyIfThere: boolean,
): Promise<HostResult<HostComment> | null> {
  if (host === null || (existing === null && onlyIfThere) || existing?.body === body) return null;
  return host.putComment(pullRequest, existing, body);
}

function notPosted({ run, scope }: CiJob, { reason, message }: HostFailure, consequence: string): Diagnostic {
  return {
    code: "comment-not-posted",
    severity: "warning",
    message: `The comment on pull request ${scope.pullRequest} could not be written: ${message}. ${consequence}`,
    hint: reason === "no-rights" ? rightsHint(run?.host ?? "github") : "Run the job again.",
  };
}

export function rightsHint(host: "github" | "gitlab"): string {
  return host === "github"
    ? "Give the job the permission `pull-requests: write`, and the job that checks for drift `issues: write`. A pull request from a fork gets a token that can only read."
    : "GITLAB_TOKEN must be a token with the scope `api` and at least the role Developer: the job's own token cannot write notes.";
}
