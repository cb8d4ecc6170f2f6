// ticketing ci: plan, apply and drift as the jobs of a repository, with what they write to its host.
import type { ApplyRequest } from "../../app/apply.ts";
import {
  annotationsOf,
  type CiFlags,
  type CiJob,
  checkDriftJob,
  type DriftFlags,
  findReviewed,
  findSubject,
  missingKey,
  noSubject,
  publishApply,
  publishPlan,
  publishUntouched,
  type ReviewedRequest,
  withJob,
  writeSummary,
} from "../../app/ci.ts";
import { lineOfTarget, type MadePlan, planOfNothing, renderPlan } from "../../app/plan.ts";
import { reportProblems } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import { renderDriftJson, renderDriftText } from "../../report/comment.ts";
import { openLines } from "../../system/inside-project.ts";
import { openReading } from "../terminal/progress.ts";
import { runApply } from "./apply.ts";
import { type PlanCommandOptions, runPlan } from "./plan.ts";
import { runValidate } from "./validate.ts";

type PlanJobOptions = CiFlags & PlanCommandOptions;

export async function runCiPlan(world: World, options: PlanJobOptions): Promise<number> {
  return withJob(world, options, async (job) => {
    const variable = await missingKey(world, job, options);
    return variable === null ? runPlanJob(world, job, options) : validateFork(world, job, options, variable);
  });
}

async function runPlanJob(world: World, job: CiJob, options: PlanJobOptions): Promise<number> {
  const found = await findSubject(world, job, options);
  const subject = found.ok ? found.subject : noSubject;
  const publish = async (made: MadePlan, held: ReadonlySet<string>) => {
    (options.format === "text" ? world.stdout : world.stderr).write(annotationsOf(job, made.plan));
    reportProblems(world, "text", await publishPlan(world, job, options, subject, made, held));
  };
  if (!found.ok) {
    const made = planOfNothing(world, { ...found, environment: job.scope.environment, baseUrl: "" });
    world.stdout.write(await renderPlan(made, { ...options, columns: world.stdout.columns }));
    await publish(made, new Set());
    return 1;
  }
  reportProblems(world, "text", subject.remarks);
  if (!subject.isTouched) {
    if (!subject.isMerged) reportProblems(world, "text", await publishUntouched(world, job, options));
    world.stderr.write("Nothing to plan: no file of the project differs from the default branch.\n");
    return 0;
  }
  const merging = subject.mergeInto === null ? {} : { mergeInto: subject.mergeInto };
  return runPlan(world, { ...options, ...merging, skipBlocked: true }, (made, state) =>
    publish(made, new Set(Object.keys(state?.held ?? {}))),
  );
}

/** A fork's job has no secrets, so there is no key: its files are checked, and it is said why there is no plan. */
async function validateFork(world: World, job: CiJob, options: PlanJobOptions, variable: string): Promise<number> {
  const why = `No plan: this branch comes from a fork, whose jobs get no secrets, so ${variable} is empty. The files were validated. A maintainer who has read the changes can push the branch to this repository to plan it.`;
  const format = options.format === "json" ? "json" : job.run?.host === "github" ? "github" : "text";
  const code = await runValidate(world, { ...options, paths: [], strict: false, format });
  world.stderr.write(`${why}\n`);
  const unwritten = await writeSummary(
    world,
    job.run,
    `### Ticketing: ${code === 0 ? "the files are valid" : "the files have errors"}\n\n${why}\n`,
  );
  if (unwritten !== null) reportProblems(world, "text", [unwritten]);
  return code;
}

type ApplyJobOptions = CiFlags & ApplyRequest;

/** Another job may be at work; the queue of a host is longer than a person's patience. */
const lockTimeoutSeconds = 900;

export async function runCiApply(world: World, options: ApplyJobOptions): Promise<number> {
  return withJob(world, options, (job) => runApplyJob(world, job, options));
}

function runApplyJob(world: World, job: CiJob, options: ApplyJobOptions): Promise<number> {
  const { host } = job;
  let pullRequests: readonly ReviewedRequest[] = [];
  const flags: ApplyRequest = {
    ...options,
    yes: true,
    skipBlocked: true,
    ...(options.base === undefined && isMeantWhole(options) ? {} : { base: options.base ?? "last" }),
    lockTimeout: options.lockTimeout ?? lockTimeoutSeconds,
  };
  return runApply(world, flags, {
    ...(host === null ? {} : { hasEnded: (run: string) => host.hasEnded(run) }),
    async reviewed({ state, project }) {
      // Also then the pull requests are looked for: the result goes into their comments.
      const isNeeded = (options.unreviewed ?? project.settings.unreviewed) !== "apply";
      const read = await findReviewed(world, job, options.directory, state?.appliedRevision ?? null);
      if (!read.ok) return isNeeded ? read : { ok: true, reviewed: null };
      pullRequests = read.found.pullRequests;
      if (isNeeded) reportProblems(world, "text", read.found.remarks);
      return { ok: true, reviewed: isNeeded ? read.found.digests : null };
    },
    async ended(applied) {
      const text = annotationsOf(job, applied.report.plan, applied.report);
      (options.format === "text" ? world.stdout : world.stderr).write(text);
      reportProblems(world, "text", await publishApply(world, job, options, applied, pullRequests));
    },
  });
}

/** Somebody who names an object, and means also what was not reviewed, wants it as the files say: drift is undone, too. */
function isMeantWhole({ target = [], unreviewed }: ApplyJobOptions): boolean {
  return target.length > 0 && unreviewed === "apply";
}

export async function runCiDrift(outside: World, options: CiFlags & DriftFlags): Promise<number> {
  const progress = openReading(outside);
  const { stdout, stderr } = progress.world;
  return checkDriftJob(progress, options, (report, session) => {
    const out = options.format === "json" ? stderr : stdout;
    out.write(`${lineOfTarget(session)}\n`);
    stdout.write(
      options.format === "json"
        ? renderDriftJson(report)
        : renderDriftText(report, { columns: out.columns, color: options.color, lineAt: openLines(options.directory) }),
    );
  });
}
