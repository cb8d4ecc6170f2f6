// What `ci plan` makes of a plan: the comment with its marker, the summary, annotations and artifacts.

import { reviewMarker } from "../../host/review.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import { digestsOf, eventDigests } from "../../plan/fingerprint.ts";
import { renderPlanComment, renderUntouchedComment } from "../../report/comment.ts";
import { renderPlanJson, renderPlanMarkdown } from "../../report/plan.ts";
import type { MadePlan } from "../planning/make-plan.ts";
import { renderPlanPage } from "../planning/save-plan.ts";
import { planKeyOf } from "../session/secrets.ts";
import type { World } from "../world.ts";
import { type CiFlags, type CiJob, writeArtifacts, writeSummary } from "./ci-job.ts";
import { postComment } from "./post-comment.ts";
import type { PlanSubject } from "./subject.ts";

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
  const marker = markerOf(world, job, plan);
  const room = mostCharacters - roomForResult - marker.length;
  const comment = renderPlanComment({ plan, project: job.scope.project, place: job.place, merged, held, room });
  const written = await Promise.all([
    writeSummary(world, job.run, renderPlanMarkdown(plan, { room: mostSummary, full: true, skipBlocked: true })),
    writeArtifacts(world, flags, {
      "plan.html": await renderPlanPage({ plan, cards }),
      "plan.json": renderPlanJson(plan),
    }),
  ]);
  const posted = await postComment(world, job, flags, { body: `${marker}\n${comment}`, consequence: willBeHeld });
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
  const posted = await postComment(world, job, flags, {
    body: `${marker}\n${text}`,
    onlyIfThere: true,
    consequence: "It still shows an old plan.",
  });
  return [...(unwritten === null ? [] : [unwritten]), ...posted];
}
