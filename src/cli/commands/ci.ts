// ticketing ci: plan, apply and drift as jobs of a repository, with what they write to its host.
import type { ApplyRequest } from "../../app/apply.ts";
import { type CiFlags, checkDriftJob, type DriftFlags, runApplyJob, runPlanJob } from "../../app/ci.ts";
import { lineOfTarget, renderPlan } from "../../app/plan.ts";
import { openLines } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import { renderDriftJson, renderDriftText } from "../../report/comment.ts";
import { openReading } from "../terminal/progress.ts";
import { runApply } from "./apply.ts";
import { type PlanCommandOptions, runPlan } from "./plan.ts";
import { runValidate } from "./validate.ts";

export async function runCiPlan(world: World, typed: CiFlags & PlanCommandOptions): Promise<number> {
  const options = { ...typed, inJob: true };
  return runPlanJob(world, options, {
    plan: (merging, also) => runPlan(world, { ...options, ...merging, skipBlocked: true }, also),
    async showUnplanned(made) {
      world.stdout.write(await renderPlan(made, { ...options, columns: world.stdout.columns }));
    },
    validate: (format) => runValidate(world, { ...options, paths: [], strict: false, format }),
  });
}

export async function runCiApply(world: World, typed: CiFlags & ApplyRequest): Promise<number> {
  return runApplyJob(world, { ...typed, inJob: true }, (request, hooks) => runApply(world, request, hooks));
}

export async function runCiDrift(outside: World, typed: CiFlags & DriftFlags): Promise<number> {
  const options = { ...typed, inJob: true };
  const progress = openReading(outside);
  const { stdout, stderr } = progress.world;
  return checkDriftJob(progress, options, (report, session) => {
    const out = options.format === "json" ? stderr : stdout;
    const isOfFolder = session.checkout?.pinned !== true;
    out.write(`${lineOfTarget(session)}\n`);
    stdout.write(
      options.format === "json"
        ? renderDriftJson(report)
        : renderDriftText(report, {
            columns: out.columns,
            color: options.color,
            lineAt: isOfFolder ? openLines(options.directory) : undefined,
          }),
    );
  });
}
