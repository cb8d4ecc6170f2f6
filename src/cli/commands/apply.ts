import { type Applied, type ApplyHooks, type ApplyRequest, type ApplyWatcher, applyProject } from "../../app/apply.ts";
import { renderPlan } from "../../app/plan.ts";
import { reportProblems } from "../../app/session.ts";
import { variantOf, type World } from "../../app/world.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { type Plan, planErrors } from "../../model/plan.ts";
import { targetLine } from "../../report/text.ts";
import { applyProgress, openReading, reportStopping } from "../terminal/progress.ts";
import { ask, canAsk } from "../terminal/watch-rounds.ts";

export async function runApply(world: World, options: ApplyRequest, hooks: ApplyHooks = {}): Promise<number> {
  const rounds: Applied[] = [];
  const exitCode = await applyProject(world, options, hooks, () => watchApply(world, options, rounds));
  const last = rounds.pop();
  if (last !== undefined) await writeJson(world, last, rounds);
  return exitCode;
}

/** A log that lists more changes than this is too long to read. */
const mostListed = 1000;

/** `rounds` collects the results of --wait, which are printed as one JSON value at the end. */
function watchApply(outside: World, options: ApplyRequest, rounds: Applied[]): ApplyWatcher {
  const { screen, world, ...reading } = openReading(outside);
  const json = options.format === "json";
  const { skipBlocked = false, verbose, yes } = options;
  let shown: Plan | null = null;
  let isCutShort = false;
  let pinned = false;
  async function show(plan: Plan): Promise<void> {
    shown = plan;
    const out = json ? world.stderr : world.stdout;
    // With --yes there is no prompt, and each operation is reported as it is done.
    const brief = yes === true && !verbose && plan.changes.length > mostListed;
    const how = { ...options, format: "text", columns: out.columns, skipBlocked, brief, pinned };
    out.write(await renderPlan({ plan }, how));
  }

  return {
    ...reading,
    world,
    quoteNothing() {
      pinned = true;
    },
    async showPlan(plan) {
      isCutShort = world.interrupted.aborted && planErrors(plan).length > 0;
      if (!isCutShort && shown === null && (!json || canAsk(world))) await show(plan);
    },
    async showRefusal(plan) {
      isCutShort = false;
      if (!json && !world.interrupted.aborted) await show(plan);
    },
    reportStopping: () => reportStopping(world),
    canApprove: canAsk(world),
    approve: () => ask(world, "", "apply"),
    progress: (plan) => applyProgress(screen, plan, json, options.parallelism ?? 8),
    async ended(applied) {
      const quoting = pinned ? variantOf(world, { directory: "" }) : world;
      if (json && options.wait === undefined) await writeJson(world, applied, []);
      else if (json) rounds.push(applied);
      else if (!isCutShort) await writeText(quoting, options, applied, shown !== null);
      const { refusal, problem } = applied;
      if (isCutShort) world.stderr.write("Stopped before everything was read. Nothing was applied.\n");
      const nothing = refusal === null || isCutShort ? null : nothingApplied(world, refusal, shown);
      const problems = [nothing, problem].filter((each) => each !== null);
      reportProblems(quoting, "text", problems, applied.report.plan.diagnostics);
    },
  };
}

async function writeText(world: World, options: ApplyRequest, applied: Applied, isShown: boolean) {
  const { report, notes, refusal } = applied;
  if (refusal === null && report.outcomes.length > 0) {
    const { renderApplyText } = await import("../../report/apply.ts");
    const { columns } = world.stdout;
    world.stdout.write(`\n${renderApplyText(applied, { columns, color: options.color })}`);
    return;
  }
  const { environment, baseUrl } = report.plan.target;
  if (!isShown) world.stdout.write(`${targetLine(environment, baseUrl)}\n`);
  reportProblems(world, "text", notes);
}

async function writeJson(world: World, applied: Applied, earlier: readonly Applied[]): Promise<void> {
  const { renderApplyJson } = await import("../../report/apply.ts");
  world.stdout.write(renderApplyJson(applied, earlier));
}

/** Repeats the reason on stderr for those who read only that, unless the plan has just shown it on the same terminal. */
function nothingApplied({ stdout, stderr }: World, refusal: Diagnostic, shown: Plan | null): Diagnostic {
  const { code, severity, message, address } = refusal;
  const isRead = shown?.diagnostics.some((each) => each.code === code && each.address === address) === true;
  if (isRead && stdout.isTerminal && stderr.isTerminal)
    return { code, severity, message: "Nothing was applied, for the reason above." };
  return { ...refusal, message: `${message} Nothing was applied.` };
}
