// What `ci apply` makes of an apply: its result in the comments of the pull requests it applied, and in the job's summary.

import type { Diagnostic } from "../../model/diagnostic.ts";
import { renderApplyJson } from "../../report/apply.ts";
import { renderApplyResult, withResult } from "../../report/comment.ts";
import { renderPlanJson, renderPlanMarkdown } from "../../report/plan.ts";
import type { Applied } from "../applying/apply-session.ts";
import { renderPlanPage } from "../planning/save-plan.ts";
import type { World } from "../world.ts";
import { type CiFlags, type CiJob, masked, writeArtifacts, writeCommentFile, writeSummary } from "./ci-job.ts";
import type { ReviewedRequest } from "./find-reviewed.ts";
import { rightsHint } from "./post-comment.ts";

const mostCharacters = 65_536;
const mostSummary = 1_000_000;

/** Gives warnings. */
export async function publishApply(
  world: World,
  { host, run, place }: CiJob,
  flags: CiFlags,
  { report, notes, refusal, cards }: Applied,
  pullRequests: readonly ReviewedRequest[],
): Promise<readonly Diagnostic[]> {
  const text = masked(world, renderApplyResult({ report, refusal, place }));
  const plan = renderPlanMarkdown(report.plan, { room: mostSummary - text.length, full: true, skipBlocked: true });
  const written = await Promise.all([
    writeSummary(world, run, `${text}\n\n${plan}`),
    writeCommentFile(world, flags, `${text}\n`),
    writeArtifacts(world, flags, {
      "plan.html": await renderPlanPage({ plan: report.plan, cards }),
      "plan.json": renderPlanJson(report.plan),
      "apply.json": renderApplyJson({ report, notes }),
    }),
  ]);
  const warnings: Diagnostic[] = written.filter((each) => each !== null);
  if (flags.comment === false || host === null) return warnings;
  for (const { number, comment } of pullRequests) {
    if (comment === null) continue;
    const put = await host.putComment(number, comment, withResult(comment.body, text, mostCharacters));
    if (put.ok) continue;
    warnings.push({
      code: "comment-not-posted",
      severity: "warning",
      message: `The result could not be written to pull request ${number}: ${put.message}.`,
      hint: put.reason === "no-rights" ? rightsHint(run?.host ?? "github") : "The job's summary has it too.",
    });
  }
  return warnings;
}
