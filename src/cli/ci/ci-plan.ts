import {
  annotationsOf,
  type CiFlags,
  type CiJob,
  findSubject,
  missingKey,
  openJob,
  publishPlan,
  publishUntouched,
  writeSummary,
} from "../../app/ci.ts";
import { type MadePlan, planOfNothing, renderPlan } from "../../app/plan.ts";
import { reportProblems } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import { type PlanCommandOptions, runPlan } from "../commands/plan.ts";
import { runValidate } from "../commands/validate.ts";

type Options = CiFlags & PlanCommandOptions;

export async function runCiPlan(world: World, options: Options): Promise<number> {
  const opened = await openJob(world, options);
  if (!opened.ok) return reportProblems(world, options.format, opened.diagnostics);
  const { job } = opened;
  try {
    const variable = await missingKey(world, job, options);
    return await (variable === null ? planJob(world, job, options) : validateFork(world, job, options, variable));
  } finally {
    await job.close();
  }
}

async function planJob(world: World, job: CiJob, options: Options): Promise<number> {
  const found = await findSubject(world, job, options);
  const none = { mergeInto: null, merged: null, isTouched: true, remarks: [] };
  const subject = found.ok ? found.subject : none;
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
    reportProblems(world, "text", await publishUntouched(world, job, options));
    world.stderr.write("Nothing to plan: no file of the project differs from the default branch.\n");
    return 0;
  }
  const merging = subject.mergeInto === null ? {} : { mergeInto: subject.mergeInto };
  return runPlan(world, { ...options, ...merging, skipBlocked: true }, (made, state) =>
    publish(made, new Set(Object.keys(state?.held ?? {}))),
  );
}

/** A fork's job has no secrets, so there is no key: its files are checked, and it is said why there is no plan. */
async function validateFork(world: World, job: CiJob, options: Options, variable: string): Promise<number> {
  const why = `No plan: this pull request comes from a fork, whose jobs get no secrets, so ${variable} is empty. The files were validated. A maintainer who has read the changes can push the branch to this repository to plan it.`;
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
