// ticketing ci apply: applies the reviewed part of what was merged, and reports the result where it was reviewed.
import { gitFiles } from "../../config/files.ts";
import { loadProject, startReading } from "../../config/project.ts";
import { type Diagnostic, type Failed, hasErrors, warningOf } from "../../model/diagnostic.ts";
import { planErrors } from "../../model/plan.ts";
import { wishesByAddress } from "../../model/wish.ts";
import type { FilesAtMerge } from "../../plan/judge.ts";
import { renderApplyJson } from "../../report/apply.ts";
import { renderApplyResult, withResult } from "../../report/comment.ts";
import { renderPlanJson, renderPlanMarkdown } from "../../report/plan.ts";
import { runGit } from "../../system/git.ts";
import type { ApplyHooks, ApplyRequest } from "../applying/apply-project.ts";
import type { Applied } from "../applying/apply-session.ts";
import { withGuardsInForce } from "../applying/reviewed-changes.ts";
import { unreviewedMode } from "../planning/plan-session.ts";
import { renderPlanPage } from "../planning/save-plan.ts";
import { stateMove } from "../session/guards.ts";
import type { LockedSession } from "../session/open-session.ts";
import { reportProblems } from "../session/report-problems.ts";
import type { World } from "../world.ts";
import {
  annotate,
  type CiFlags,
  type CiJob,
  hostHint,
  masked,
  mostInComment,
  placeAt,
  requestName,
  withJob,
  writeArtifacts,
  writeCommentFile,
  writeSummary,
} from "./ci-job.ts";
import { findReviewed, type ReviewedRequest } from "./find-reviews.ts";
import { isNewsOn, type OwningRequest, resultOn, withOwn } from "./request-results.ts";

type ApplyJobRequest = CiFlags & ApplyRequest;

/** Another job may be running; a CI job can wait longer than a person would. */
const lockTimeoutSeconds = 900;

/** `apply` applies and shows it, as the command of that name does. */
export async function runApplyJob(
  world: World,
  asked: ApplyJobRequest,
  apply: (request: ApplyRequest, hooks: ApplyHooks) => Promise<number>,
): Promise<number> {
  return withJob(world, asked, (job) => {
    const { host } = job;
    let pullRequests: readonly ReviewedRequest[] | null = null;
    let isLookedUp = false;
    let remarks: readonly Diagnostic[] = [];
    let document: ReturnType<typeof wishesByAddress> = () => undefined;
    const request: ApplyRequest = {
      ...asked,
      yes: true,
      skipBlocked: true,
      ...(asked.base === undefined && appliesEverything(asked) ? {} : { base: asked.base ?? "last" }),
      lockTimeout: asked.lockTimeout ?? lockTimeoutSeconds,
    };
    return apply(request, {
      unattended: job.run?.isScheduled === true,
      ...(host === null ? {} : { hasEnded: (run: string) => host.hasEnded(run) }),
      async reviewed(session) {
        const { state, project, guarded, checkout } = session;
        document = wishesByAddress(project);
        // Pull requests are looked up even then: the result goes into their comments.
        const isNeeded = [project, guarded ?? project].some((one) => unreviewedMode(asked, one) !== "apply");
        const moved = await judgeStateMove(world, job, asked, session);
        if (!moved.ok) return moved;
        const { appliedRevision, lastRun, sent = {} } = state ?? {};
        const applied = appliedRevision ?? lastRun?.since ?? null;
        const head = checkout?.revision ?? "HEAD";
        const filesAt = isNeeded ? readerOfMerges(world, session, head) : noFiles;
        isLookedUp = true;
        const read = await findReviewed(world, job, asked.directory, { applied, head, sent, filesAt });
        if (!read.ok && isNeeded) return read;
        if (!read.ok) {
          if (asked.comment !== false) reportProblems(world, "text", [resultNotPosted(job, read)]);
          return { ok: true, review: { reviewed: null } };
        }
        const { reviewed, spent, since } = read.found;
        pullRequests = read.found.pullRequests;
        if (isNeeded) remarks = read.found.remarks;
        reportProblems(world, "text", remarks);
        return { ok: true, review: { reviewed: isNeeded ? reviewed : null, spent, since } };
      },
      async ended(applied) {
        const { plan } = applied.report;
        // Why something is held may be that a comment does not count.
        const ended = { ...applied, notes: [...applied.notes, ...remarks] };
        const diagnostics = [...plan.diagnostics, ...remarks, ...unsaidFailures(applied)];
        annotate(world, job, asked, { ...plan, diagnostics }, applied.report);
        // A run that stops at errors in the files has not looked up the pull requests that they came with, and one that cannot
        // begin has not looked up those that it was started for.
        const cannotBegin = applied.refusal !== null && !isLookedUp && job.run?.isScheduled !== true;
        if (cannotBegin || planErrors(plan).some(({ source }) => source !== undefined))
          pullRequests ??= await newestRequests(world, job, asked.directory);
        const own = withOwn(pullRequests ?? [], plan, document);
        reportProblems(world, "text", await publishApply(world, job, asked, ended, own));
        // Their comments have changed, and the next run may end before it looks them up.
        pullRequests = null;
        remarks = [];
      },
    });
  });
}

const noFiles = async () => null;

/** From the newest on: of an older one, only what differs from that is read. */
function readerOfMerges(
  world: World,
  { directory, environment, reading, now }: LockedSession,
  head: string,
): (commit: string) => Promise<FilesAtMerge | null> {
  let [last, like] = [head, reading];
  return async (commit) => {
    const isSame = (await runGit(directory, ["diff", "--quiet", commit, last, "--", "."])).ok;
    const found = isSame ? null : await gitFiles(directory, commit);
    if (found?.ok !== true) return null;
    const newer = like;
    [last, like] = [commit, startReading(found.files, now)];
    const through = Number.POSITIVE_INFINITY;
    const asked = { environment, env: world.env, now, reading: like, like: newer, through };
    const project = await loadProject(found.files, asked);
    return { project, hasErrors: hasErrors(project.diagnostics), wishAt: wishesByAddress(project) };
  };
}

/** All that is merged is applied, so only the result needs the pull requests. */
function resultNotPosted(job: CiJob, { diagnostics: [why] }: Failed): Diagnostic {
  const message = `${why?.message ?? ""} So the result is not written to any comment.`.trim();
  return warningOf("comment-not-posted", message, `${why?.hint ?? ""} ${alsoIn(job)}`.trim());
}

function alsoIn({ run }: CiJob): string {
  return `The job's ${run?.summaryFile ? "summary" : "log"} has it.`;
}

/** Why the run failed, where the plan does not say it. */
function unsaidFailures({ report: { plan }, refusal, problem }: Applied): readonly Diagnostic[] {
  const said = new Set(planErrors(plan).map(({ code }) => code));
  return [refusal, problem].flatMap((one) => (one === null || said.has(one.code) ? [] : one));
}

async function newestRequests(world: World, job: CiJob, directory: string): Promise<readonly ReviewedRequest[]> {
  const read = await findReviewed(world, job, directory, { applied: null, head: "HEAD", sent: {}, filesAt: noFiles });
  return read.ok ? read.found.pullRequests : [];
}

/** Naming a target and applying unreviewed changes means: make it as the files say, drift included. */
function appliesEverything({ target = [], unreviewed }: ApplyJobRequest): boolean {
  return target.length > 0 && unreviewed === "apply";
}

/** If nothing is recorded, a merge may have moved the state without a review: only git shows that. */
async function judgeStateMove(world: World, job: CiJob, asked: ApplyJobRequest, session: LockedSession) {
  const move = session.recorded ? null : await stateMove(asked.directory, session.project);
  if (move === null) return { ok: true as const };
  const range = { applied: `${move.commit}^`, head: move.commit, sent: {}, filesAt: noFiles };
  const read = await findReviewed(world, job, asked.directory, range);
  return read.ok ? withGuardsInForce({ ...session, ...move }, read.found.reviewed, asked) : read;
}

// How `ci apply` reports an apply: in the comments of the pull requests it applied, and in the job's summary.

/** Returns warnings. */
async function publishApply(
  world: World,
  job: CiJob,
  flags: ApplyJobRequest,
  applied: Applied,
  pullRequests: readonly OwningRequest[],
): Promise<readonly Diagnostic[]> {
  const { host, run } = job;
  const { report, cards } = applied;
  const place = job.place && placeAt(job.place, report.plan.revision?.head);
  const { codeEntry: explain } = await import("../../report/reference.ts");
  const { target = [] } = flags;
  const render = (each: Applied) => masked(world, renderApplyResult(each, place, explain, target));
  const text = render(applied);
  const sizeOf = Buffer.byteLength;
  const planIn = (room: number) =>
    renderPlanMarkdown(report.plan, { room, sizeOf, full: true, skipBlocked: true, explain });
  const written = await Promise.all([
    writeSummary(world, run, (room) => `${text}\n\n${planIn(room - sizeOf(text))}`),
    writeCommentFile(world, flags, `${text}\n`),
    writeArtifacts(world, flags, {
      "plan.html": await renderPlanPage({ plan: report.plan, cards }, true),
      "plan.json": renderPlanJson(report.plan),
      "apply.json": renderApplyJson(applied),
    }),
  ]);
  const warnings: Diagnostic[] = written.filter((each) => each !== null);
  if (flags.comment === false || host === null) return warnings;
  // With targets, nothing to do says nothing about the rest of what was merged.
  if (target.length > 0 && report.outcomes.length === 0) return warnings;
  for (const request of pullRequests) {
    const { number, comment } = request;
    if (comment === null || !isNewsOn(request, pullRequests, applied, target.length > 0)) continue;
    const own = render(resultOn(request, pullRequests, applied));
    const put = await host.putComment(number, comment, withResult(comment.body, own, mostInComment, target.length > 0));
    if (put.ok) continue;
    warnings.push(
      warningOf(
        "comment-not-posted",
        `The result could not be written to ${requestName(job, number)}: ${put.message}.`,
        put.reason === "no-rights" ? hostHint(job, put) : alsoIn(job),
      ),
    );
  }
  return warnings;
}
