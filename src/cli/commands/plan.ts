import { hasActiveRun, surveyLeftovers } from "../../app/apply.ts";
import {
  lineOfTarget,
  type MadePlan,
  makeWatchedReading,
  type NoSession,
  openSession,
  type PlanFlags,
  planOfNothing,
  planSession,
  readAhead,
  renderPlan,
  type Session,
  savePlan,
  settleMsOf,
  whyNotSaved,
} from "../../app/plan.ts";
import { emptyPlanKey, reportProblems } from "../../app/session.ts";
import { interruptedCode, sameTarget, type World } from "../../app/world.ts";
import { type Diagnostic, errorOf, hasErrors } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { type Plan, planErrors, recoveryDeletes } from "../../model/plan.ts";
import { formatCount } from "../../model/value.ts";
import { safeText } from "../../report/text.ts";
import type { Reader } from "../../snapshot/reader.ts";
import { openReading } from "../terminal/progress.ts";
import { timeOfDay, watchRounds, whyNotWatched } from "../terminal/watch-rounds.ts";

export interface PlanCommandOptions extends PlanFlags {
  readonly out?: string;
  readonly detailedExitcode?: boolean;
  /** Whoever applies it leaves out what is blocked. */
  readonly skipBlocked?: boolean;
  readonly at?: string;
  readonly watch?: boolean;
}

/** Also gets the plan, once it is shown. */
export type PlanReader = (made: MadePlan, state: State | null) => Promise<void>;

export async function runPlan(outside: World, options: PlanCommandOptions, also: PlanReader | null = null) {
  if (options.watch !== true || whyPlanNotWatched(outside, options) !== null) return planOnce(outside, options, also);
  const reading = makeWatchedReading(outside);
  let nextDue: number | null = null;
  const keepDue: PlanReader = async ({ plan }) => {
    // A plan for another time stays as it is.
    nextDue = plan.upcoming[0] === undefined || options.at !== undefined ? null : Date.parse(plan.upcoming[0].at);
  };
  const round = (world: World, asked: boolean) =>
    planOnce(world, options, keepDue, (session, atWork) => reading.readerFor(session, asked || atWork));
  return watchRounds(outside, options, round, {
    note: () => (reading.since === null ? "" : ` The service was read at ${timeOfDay(reading.since)}.`),
    nextDue: () => nextDue,
  });
}

async function planOnce(
  outside: World,
  options: PlanCommandOptions,
  also: PlanReader | null,
  readerFor?: (session: Session, atWork: boolean) => Reader,
): Promise<number> {
  const progress = openReading(outside);
  const { world } = progress;
  const hindrance = await hindranceOf(world, options);
  const fail = async (none: NoSession) => {
    const made = planOfNothing(world, none);
    const exitCode = await finishPlan(world, options, made);
    await also?.(made, null);
    return exitCode;
  };
  if (hindrance !== null) return fail(unopened(world, options, hindrance));
  // A plan of some events, or one that another was made before, may need less.
  const isWhole = (options.target ?? []).length === 0 && readerFor === undefined;
  const session = await openSession(world, options, progress.listener, isWhole ? readAhead : null);
  if (options.format === "json") world.stderr.write(`${lineOfTarget(session)}\n`);
  if (!session.ok) return fail(session);
  try {
    const settleMs = settleMsOf(options);
    const atWork = await hasActiveRun(session);
    const surveyed = atWork ? session : await surveyLeftovers(world, session, settleMs);
    // Without a fingerprint no apply takes it: what is planned for another time, or shown to people alone, is only looked at.
    const isShown = options.watch === true || (options.out === undefined && options.format !== "json" && also === null);
    const kind = isShown || options.at !== undefined ? { unsealed: true } : { savable: true };
    const reading = readerFor === undefined ? { resume: true } : { reader: readerFor(surveyed, atWork) };
    const flags = { ...options, ...heldAsApplied(options), ...reading, ...kind };
    const made = await planSession(world, surveyed, flags, progress.onProgress);
    progress.end();
    if (!world.interrupted.aborted) {
      const exitCode = await finishPlan(world, options, made);
      await also?.(made, session.state);
      return exitCode;
    }
    world.stderr.write("Stopped. Nothing was changed.\n");
    if (options.format === "json") world.stdout.write(await renderPlan(made, { ...options, columns: 80 }));
    return interruptedCode;
  } finally {
    progress.end();
    await session.close();
  }
}

async function finishPlan(world: World, options: PlanCommandOptions, made: MadePlan): Promise<number> {
  const { plan } = made;
  world.stdout.write(
    await renderPlan(made, { ...options, columns: world.stdout.columns, skipBlocked: options.skipBlocked === true }),
  );
  const failed = isFailed(plan);
  if (options.out !== undefined && planErrors(plan).length === 0) {
    const { renderPlanFile } = await import("../../report/plan.ts");
    const text = renderPlanFile(plan);
    const problem = await savePlan(options.directory, options.out, world.secrets?.mask(text) ?? text);
    if (problem !== null) return reportProblems(world, "text", [problem]);
    world.stderr.write(`Saved ${safeText(options.out)}. ${nextCommand(plan, options, options.out)}\n`);
  }
  if (failed) return 1;
  return options.detailedExitcode === true && plan.changes.length + recoveryDeletes(plan).length > 0 ? 2 : 0;
}

/** A pull request's plan is for review: it holds nothing. Any other shows what an apply would do now. */
function heldAsApplied({ base, mergeInto }: PlanCommandOptions): Pick<PlanFlags, "reviewed"> {
  return mergeInto === undefined && (base === undefined || base === "last") ? { reviewed: null } : {};
}

/** What apply would do with the saved plan. */
function nextCommand(plan: Plan, options: PlanCommandOptions, out: string): string {
  const command = (...flags: readonly string[]) => ["ticketing apply", ...sameTarget(options), ...flags, out].join(" ");
  const blocked = plan.changes.filter(({ blockedBy }) => blockedBy.length > 0).length;
  if (blocked === 0) return `Apply it with: ${command()}`;
  if (plan.operations.length === 0)
    return "It cannot be applied: every change is blocked. Plan again once that is resolved.";
  return `${formatCount(blocked)} of its changes ${blocked === 1 ? "is" : "are"} blocked. Apply the rest with: ${command("--skip-blocked")}`;
}

/** Problems known before anything is read: a plan that could not be signed as configured, or not saved. */
async function hindranceOf(world: World, options: PlanCommandOptions): Promise<Diagnostic | null> {
  const { out, at, format, directory } = options;
  const unwatched = options.watch === true ? whyPlanNotWatched(world, options) : null;
  if (unwatched !== null) return unwatched;
  if (out !== undefined && at !== undefined) return neverApplied;
  const unsigned = out === undefined && format !== "json" ? null : emptyPlanKey(world);
  return unsigned ?? (out === undefined ? null : whyNotSaved(directory, out));
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

const neverApplied = errorOf(
  "bad-option",
  "A plan made with --at is never applied, so it cannot be saved with --out.",
  "Leave out one of the two; --format json prints what would be due then.",
);

function unopened(world: World, { env }: PlanCommandOptions, why: Diagnostic): NoSession {
  const environment = env ?? (world.env.TICKETING_ENV || "none");
  return { ok: false, environment, baseUrl: "", diagnostics: [why] };
}

/** Something is wrong or blocked: a pull request with such a plan must not look fine. */
export function isFailed(plan: Plan): boolean {
  return hasErrors(plan.diagnostics) || plan.changes.some((change) => change.blockedBy.length > 0);
}
