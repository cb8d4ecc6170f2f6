import {
  type MadePlan,
  makeProjectPlan,
  makeWatchedReading,
  type PlanOptions,
  type PlanReader,
  type PlanRequest,
  renderPlan,
} from "../../app/plan.ts";
import { reportProblems } from "../../app/session.ts";
import { commandFor, interruptedCode, type World } from "../../app/world.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import { originOfChange, type Plan, planErrors } from "../../model/plan.ts";
import { formatCount } from "../../model/value.ts";
import { safeText } from "../../report/text.ts";
import { openReading } from "../terminal/progress.ts";
import { timeOfDay, watchRounds, whyNotWatched } from "../terminal/watch-rounds.ts";

export interface PlanCommandOptions extends PlanRequest {
  readonly detailedExitcode?: boolean;
  /** The apply of this plan skips what is blocked. */
  readonly skipBlocked?: boolean;
}

export async function runPlan(outside: World, options: PlanCommandOptions, also: PlanReader | null = null) {
  const refusal = options.watch === true ? whyPlanNotWatched(outside, options) : null;
  const isPublished = also !== null;
  if (options.watch !== true || refusal !== null) return planOnce(outside, options, { refusal, isPublished }, also);
  const reading = makeWatchedReading(outside);
  let nextDue: number | null = null;
  const keepDue: PlanReader = async ({ plan }) => {
    // A plan for another time stays as it is.
    nextDue = plan.upcoming[0] === undefined || options.at !== undefined ? null : Date.parse(plan.upcoming[0].at);
  };
  const round = (world: World, asked: boolean) =>
    planOnce(world, options, { readerFor: (session, atWork) => reading.readerFor(session, asked || atWork) }, keepDue);
  return watchRounds(outside, options, round, {
    note: () => (reading.since === null ? "" : ` The service was read at ${timeOfDay(reading.since)}.`),
    nextDue: () => nextDue,
  });
}

async function planOnce(outside: World, options: PlanCommandOptions, how: PlanOptions, also: PlanReader | null) {
  const progress = openReading(outside);
  const { world } = progress;
  const { made, state, isStopped, unsaved } = await makeProjectPlan(progress, options, how);
  if (isStopped) {
    world.stderr.write("Stopped. Nothing was changed.\n");
    if (options.format === "json") world.stdout.write(await renderPlan(made, { ...options, columns: 80 }));
    return interruptedCode;
  }
  const exitCode = await finishPlan(world, options, made, unsaved);
  await also?.(made, state);
  return exitCode;
}

async function finishPlan(world: World, options: PlanCommandOptions, made: MadePlan, unsaved: Diagnostic | null) {
  const { plan } = made;
  const { out, skipBlocked = false } = options;
  world.stdout.write(await renderPlan(made, { ...options, columns: world.stdout.columns, skipBlocked }));
  if (unsaved !== null) return reportProblems(world, "text", [unsaved]);
  if (out !== undefined && planErrors(plan).length === 0)
    world.stderr.write(`Saved ${safeText(out)}. ${nextCommand(world, options.directory, plan, out)}\n`);
  if (isFailed(plan, skipBlocked)) return 1;
  return options.detailedExitcode === true && plan.changes.length + (plan.leftovers?.length ?? 0) > 0 ? 2 : 0;
}

/** What apply would do with the saved plan. */
function nextCommand(world: World, directory: string, plan: Plan, out: string): string {
  const command = (...flags: readonly string[]) => commandFor(world, directory, "apply", [...flags, safeText(out)]);
  const blocked = plan.changes.filter(({ blockedBy }) => blockedBy.length > 0).length;
  if (plan.diagnostics.some(({ code }) => code === "older-than-applied" || code === "diverged-from-applied"))
    return "An apply would refuse it, because of the checkout that it was made from.";
  if (blocked === 0) return `Apply it with: ${command()}`;
  if (plan.operations.length === 0)
    return "It cannot be applied: every change is blocked. Plan again once that is resolved.";
  return `${formatCount(blocked)} of its changes ${blocked === 1 ? "is" : "are"} blocked. Apply the rest with: ${command("--skip-blocked")}`;
}

function whyPlanNotWatched(world: World, options: PlanCommandOptions): Diagnostic | null {
  const { out, detailedExitcode, mergeInto } = options;
  return whyNotWatched(world, options, [
    ...(out === undefined ? [] : ["--out"]),
    ...(detailedExitcode === true ? ["--detailed-exitcode"] : []),
    // It plans commits, and not the files that are edited.
    ...(mergeInto === undefined ? [] : ["--merge-into"]),
  ]);
}

/**
 * A plan with errors or blocked changes fails, so that the pull request does not look fine. If blocked changes are skipped, only the
 * checkout's own changes count: an older one would fail every pull request.
 */
function isFailed(plan: Plan, skipBlocked: boolean): boolean {
  if (!skipBlocked) return hasErrors(plan.diagnostics) || plan.changes.some(({ blockedBy }) => blockedBy.length > 0);
  const own = plan.changes.filter((change) => originOfChange(change) === "edit");
  return planErrors(plan).length > 0 || own.some((one) => one.blockedBy.length > 0 || one.heldBack !== undefined);
}
