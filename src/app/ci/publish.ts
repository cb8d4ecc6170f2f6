// What `ci plan` and `ci apply` write to the host: comments, summaries, annotations and artifacts.
import type { HostFailure } from "../../host/host.ts";
import { markerStart, reviewMarker } from "../../host/review.ts";
import { type Diagnostic, warningOf } from "../../model/diagnostic.ts";
import type { ApplyReport, Plan } from "../../model/plan.ts";
import { digestsOf, eventDigests } from "../../plan/fingerprint.ts";
import { renderApplyJson } from "../../report/apply.ts";
import {
  renderApplyResult,
  renderPlanComment,
  renderUntouchedComment,
  withoutFlags,
  withResult,
} from "../../report/comment.ts";
import { renderAnnotations } from "../../report/diagnostics.ts";
import { renderPlanJson, renderPlanMarkdown } from "../../report/plan.ts";
import type { Applied } from "../applying/apply-session.ts";
import type { MadePlan } from "../planning/make-plan.ts";
import { renderPlanPage } from "../planning/save-plan.ts";
import { planKeyOf } from "../session/secrets.ts";
import type { World } from "../world.ts";
import {
  type CiFlags,
  type CiJob,
  hostHint,
  masked,
  requestName,
  writeArtifacts,
  writeCommentFile,
  writeSummary,
} from "./ci-job.ts";
import type { ReviewedRequest } from "./find-reviewed.ts";
import type { PlanSubject } from "./find-subject.ts";

// The one comment of a project and environment on a pull request: found by its marker, edited in place, posted again if it is gone.

/**
 * Gives warnings: a comment that cannot be posted stops no job, but has a consequence. `onlyIfThere`: an earlier comment is edited; none
 * is posted.
 */
async function postComment(
  world: World,
  job: CiJob,
  flags: CiFlags,
  body: string,
  consequence: string,
  onlyIfThere = false,
): Promise<readonly Diagnostic[]> {
  const text = masked(world, body);
  const unwritten = await writeCommentFile(world, flags, text);
  const warnings = unwritten === null ? [] : [unwritten];
  const { host, run, scope, mute } = job;
  if (flags.comment === false || run?.isMergeQueue === true || scope.pullRequest === null) return warnings;
  if (host === null)
    return mute === null || onlyIfThere
      ? warnings
      : [...warnings, { ...mute, message: `${mute.message} ${consequence}` }];
  const found = await host.findComment(scope.pullRequest, markerStart("plan", scope));
  if (found.ok && (found.value === null ? onlyIfThere : found.value.body === text)) return warnings;
  const posted = found.ok ? await host.putComment(scope.pullRequest, found.value, text) : found;
  return posted.ok ? warnings : [...warnings, notPosted(job, posted, consequence)];
}

function notPosted(job: CiJob, failure: HostFailure, consequence: string): Diagnostic {
  return warningOf(
    "comment-not-posted",
    `The comment on ${requestName(job, job.scope.pullRequest)} could not be written: ${failure.message}. ${consequence}`,
    hostHint(job, failure),
  );
}

/** Hosts take 65,536 characters; what came of an apply is added later. */
const mostCharacters = 65_536;
const roomForResult = 5_000;
/** A summary may be a MiB. */
const mostSummary = 1_000_000;

const willBeHeld = "When it is merged, its changes will be held: nothing shows that they were reviewed.";

/** Gives warnings. `held`: digests that earlier runs held. */
export async function publishPlan(
  world: World,
  job: CiJob,
  flags: CiFlags,
  { merged }: Pick<PlanSubject, "merged">,
  { plan, cards }: Pick<MadePlan, "plan" | "cards">,
  held: ReadonlySet<string>,
): Promise<readonly Diagnostic[]> {
  const { codeEntry: explain } = await import("../../report/reference.ts");
  const marker = markerOf(world, job, plan);
  const room = mostCharacters - roomForResult - marker.length;
  const comment = renderPlanComment({
    plan,
    project: job.scope.project,
    place: job.place,
    merged,
    held,
    room,
    explain,
  });
  const written = await Promise.all([
    writeSummary(
      world,
      job.run,
      renderPlanMarkdown(plan, { room: mostSummary, full: true, skipBlocked: true, explain }),
    ),
    writeArtifacts(world, flags, {
      "plan.html": await renderPlanPage({ plan, cards }),
      "plan.json": renderPlanJson(plan),
    }),
  ]);
  const posted = await postComment(world, job, flags, `${marker}\n${comment}`, willBeHeld);
  return [...written.filter((each) => each !== null), ...posted];
}

/** What was held or is drift is listed too: whoever merges the pull request has seen it. */
function markerOf(world: World, { scope }: CiJob, { changes }: Plan): string {
  const digests = changes.flatMap(digestsOf);
  return reviewMarker(scope, { digests, events: [...eventDigests(changes).values()] }, planKeyOf(world));
}

/** A pull request that no longer touches the project: an old comment must not go on saying what it would do. */
export async function publishUntouched(world: World, job: CiJob, flags: CiFlags): Promise<readonly Diagnostic[]> {
  const marker = reviewMarker(job.scope, { digests: [], events: [] }, planKeyOf(world));
  const text = renderUntouchedComment(job.scope, job.place);
  const unwritten = await writeSummary(world, job.run, text);
  const posted = await postComment(world, job, flags, `${marker}\n${text}`, "It still shows an old plan.", true);
  return [...(unwritten === null ? [] : [unwritten]), ...posted];
}

// What `ci apply` makes of an apply: its result in the comments of the pull requests it applied, and in the job's summary.

/** Gives warnings. */
export async function publishApply(
  world: World,
  job: CiJob,
  flags: CiFlags,
  applied: Applied,
  pullRequests: readonly ReviewedRequest[],
): Promise<readonly Diagnostic[]> {
  const { host, run, place } = job;
  const { report, refusal, cards } = applied;
  const { codeEntry: explain } = await import("../../report/reference.ts");
  const text = masked(world, renderApplyResult({ report, refusal, place, explain }));
  const plan = renderPlanMarkdown(report.plan, {
    room: mostSummary - text.length,
    full: true,
    skipBlocked: true,
    explain,
  });
  const written = await Promise.all([
    writeSummary(world, run, `${text}\n\n${plan}`),
    writeCommentFile(world, flags, `${text}\n`),
    writeArtifacts(world, flags, {
      "plan.html": await renderPlanPage({ plan: report.plan, cards }),
      "plan.json": renderPlanJson(report.plan),
      "apply.json": renderApplyJson(applied),
    }),
  ]);
  const warnings: Diagnostic[] = written.filter((each) => each !== null);
  if (flags.comment === false || host === null) return warnings;
  for (const { number, comment } of pullRequests) {
    if (comment === null) continue;
    const put = await host.putComment(number, comment, withResult(comment.body, text, mostCharacters));
    if (put.ok) continue;
    warnings.push(
      warningOf(
        "comment-not-posted",
        `The result could not be written to ${requestName(job, number)}: ${put.message}.`,
        put.reason === "no-rights" ? hostHint(job, put) : "The job's summary has it too.",
      ),
    );
  }
  return warnings;
}

// Problems at the lines of files, as GitHub shows them beside a change. GitLab shows the log, which has them already.

/** Lines for the log; empty where the host reads none. */
export function annotationsOf({ run, scope }: CiJob, plan: Plan, applied?: Pick<ApplyReport, "outcomes">): string {
  if (run?.host !== "github") return "";
  const sources = new Map(plan.changes.map(({ address, source }) => [address, source]));
  const at = (address: string) => {
    const source = sources.get(address) ?? null;
    return source === null ? {} : { source };
  };
  const blocks = plan.changes.flatMap(({ address, blockedBy }) =>
    blockedBy.map(
      (block): Diagnostic => ({
        ...block,
        // There is no command line in a pull request.
        hint: withoutFlags(block.hint),
        severity: "error",
        ...at(address),
      }),
    ),
  );
  const causes = new Map(plan.operations.map(({ id, because }) => [id, because]));
  const failures = (applied?.outcomes ?? []).flatMap(({ operation, result, error }): readonly Diagnostic[] => {
    if (result === "done" || result === "skipped" || error === undefined) return [];
    const { code, message, hint } = error;
    return [
      { code, severity: "error", message, ...(hint === null ? {} : { hint }), ...at(causes.get(operation) ?? "") },
    ];
  });
  // Pull requests should have a key that only reads: that it does is nothing to point out in each of them.
  const unsaid = applied === undefined ? "scope-missing" : null;
  const remarks = plan.diagnostics.filter(
    ({ severity, code }) => severity === "error" || (severity === "warning" && code !== unsaid),
  );
  return renderAnnotations([...remarks, ...blocks, ...failures], scope.project === "" ? "" : `${scope.project}/`);
}
