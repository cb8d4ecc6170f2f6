// `apply`: under the lock, limited to what was reviewed, and repeated as phases come due.
import { rootOf } from "../../model/address.ts";
import { type Diagnostic, errorOf, type Fallible } from "../../model/diagnostic.ts";
import type { ApplyReport, OutcomeError, Plan } from "../../model/plan.ts";
import { shellWord } from "../../model/value.ts";
import type { PlanUse, ReviewedChanges } from "../planning/plan-inputs.ts";
import type { ReadingProgress } from "../planning/plan-project.ts";
import { planOfNothing, planSession } from "../planning/plan-session.ts";
import { keyNames } from "../session/guarded-settings.ts";
import { type LockedSession, lineOfTarget, openLockedSession } from "../session/open-session.ts";
import { endedSession, type NoSession, type SessionOptions, unopened } from "../session/prepare-session.ts";
import { reportProblems } from "../session/report-problems.ts";
import { emptyPlanKey, openSink } from "../session/secret-sink.ts";
import { advise, commandFor, interruptedCode, type World } from "../world.ts";
import { type Applied, type ApplyProgress, applySession, notApproved, refusedReport } from "./apply-session.ts";
import type { ApplyFlags, WhatToApply } from "./attempt.ts";
import { guardedPlan } from "./guarded-plan.ts";
import { shardOfPlanFile } from "./plan-file.ts";
import { readReviewed, withGuardsInForce } from "./reviewed-changes.ts";
import { type ApplyRan, applyAsDue } from "./wait-for-phases.ts";

export interface ApplyRequest extends ApplyFlags {
  /** A file: the plan that was reviewed. */
  readonly reviewed?: string;
  /** In seconds: how long to stay for what comes due. */
  readonly wait?: number;
}

type Reviews = Fallible<{ readonly review: ReviewedChanges }>;

/** What a CI job adds to an apply. */
export interface ApplyHooks {
  /** Whether the CI host says that the run at this address has ended. */
  readonly hasEnded?: (run: string) => Promise<boolean>;
  /** A scheduled run, which no person watches. */
  readonly unattended?: boolean;
  /** Called once the lock is held. */
  readonly reviewed?: (session: LockedSession) => Promise<Reviews>;
  /** Called with how the apply ended. */
  readonly ended?: (applied: Applied) => Promise<void>;
}

/** Shows one run, and is asked for approval. */
export interface ApplyWatcher extends ReadingProgress {
  /** The files come from a commit that is not checked out, so lines of the folder's files must not be quoted. */
  quoteNothing(): void;
  showPlan(plan: Plan): Promise<void>;
  /** The plan of a run that could not begin. */
  showRefusal(plan: Plan): Promise<void>;
  /** Reports at once that Ctrl-C was received, because calls in flight may take a while. Returns a function that stops listening. */
  reportStopping(): () => void;
  readonly canApprove: boolean;
  approve(): Promise<boolean>;
  progress(plan: Pick<Plan, "operations" | "changes" | "observed">): ApplyProgress;
  /** Shows how it ended; the lock is still held. */
  ended(applied: Applied): Promise<void>;
}

export async function applyProject(
  world: World,
  request: ApplyRequest,
  hooks: ApplyHooks,
  watch: () => ApplyWatcher,
): Promise<number> {
  const { wait, planFile, target: targets = [], allow = [] } = request;
  const begin = (): ApplyWatcher => {
    const watcher = watch();
    return { ...watcher, ended: (applied) => watcher.ended(applied).then(() => hooks.ended?.(applied)) };
  };
  if (wait === undefined) return (await applyOnce(begin(), request, hooks)).exitCode;
  if (planFile !== undefined) return reportProblems(world, request.format, [waitsForNothing]);
  // `--allow older-than-applied` accepts the commit checked out now: the first apply uses it, but later ones follow what was applied meanwhile.
  const isMeant = allow.includes("older-than-applied");
  return applyAsDue(world, { waitMs: wait * 1000, targets }, (instant) =>
    applyOnce(begin(), request, hooks, instant === null ? { follows: !isMeant } : { ahead: instant, follows: true }),
  );
}

const waitsForNothing = errorOf(
  "bad-option",
  "--wait cannot be used with a saved plan, which does not contain what comes due later.",
  "Apply the plan without --wait, or leave out the file.",
);

async function applyOnce(
  watcher: ApplyWatcher,
  request: ApplyRequest,
  hooks: ApplyHooks,
  waiting: Pick<SessionOptions, "ahead" | "follows"> = {},
): Promise<ApplyRan> {
  const { world } = watcher;
  const { planFile } = request;
  const unsigned = emptyPlanKey(world);
  if (unsigned !== null)
    return { exitCode: await cannotBegin(watcher, unopened(world, request, [unsigned])), upcoming: null };
  const part = planFile === undefined ? {} : await shardOfPlanFile(request.directory, planFile);
  const recorded = { ...part, ...request, ...waiting, command: "apply", hasEnded: hooks.hasEnded };
  const session = await openLockedSession(world, recorded, watcher.listener);
  if (session.checkout?.pinned === true) watcher.quoteNothing();
  if (request.format === "json") world.stderr.write(`${lineOfTarget(session)}\n`);
  if (!session.ok) return { exitCode: await cannotBegin(watcher, session), upcoming: null };
  let exitCode = 1;
  try {
    const reviews = await findReviews(request, session, hooks);
    const guarded = reviews.ok ? withGuardsInForce(session, reviews.review.reviewed ?? null, request) : reviews;
    if (!reviews.ok || !guarded.ok) {
      const why = guarded.ok ? [] : guarded.diagnostics;
      exitCode = await cannotBegin(watcher, endedSession(session, [...session.remarks, ...why]));
    } else {
      const review = { ...reviews.review, unattended: hooks.unattended === true };
      const applied = await applyWatched(watcher, guarded.session, { flags: request, review, ahead: waiting.ahead });
      const isOpen = applied.refusal === null && applied.report.outcomes.some(({ result }) => result !== "done");
      const next = isOpen ? { next: nextCommandOf(world, request, applied.report) } : {};
      exitCode = await endApply(watcher, { ...applied, ...next });
    }
  } finally {
    watcher.end();
    const left = await session.close();
    if (left !== null) exitCode = Math.max(exitCode, reportProblems(world, "text", [left]));
  }
  return { exitCode, upcoming: session.project.upcoming };
}

/** The reviews in `--reviewed FILE`, on the CI host, or both. */
async function findReviews({ reviewed: file }: ApplyRequest, session: LockedSession, hooks: ApplyHooks) {
  const found: Reviews = (await hooks.reviewed?.(session)) ?? { ok: true, review: { reviewed: null } };
  if (!found.ok || file === undefined) return found;
  const read = await readReviewed(file, session);
  if (!read.ok) return read;
  const reviewed = [...(found.review.reviewed ?? []), { digests: read.reviewed, merged: [] }];
  const spent = new Set([...(found.review.spent ?? [])].filter((digest) => !read.reviewed.has(digest)));
  return { ok: true as const, review: { ...found.review, reviewed, spent } };
}

async function applyWatched(watcher: ApplyWatcher, session: LockedSession, asked: WhatToApply): Promise<Applied> {
  const { world } = watcher;
  const { flags } = asked;
  const { planFile, directory } = flags;
  let hush = watcher.reportStopping();
  return applySession({
    ...asked,
    world,
    session,
    lock: session.lock,
    sink: openSink(world, directory, session.sink, keyNames(world, session.project.settings, session.environment)),
    async plan(current) {
      const use: PlanUse = { ...asked.review, purpose: "apply", sealed: flags.format === "json" };
      const made = await (planFile === undefined
        ? planSession(world, current, flags, use, watcher.onProgress)
        : guardedPlan(world, current, planFile, asked));
      watcher.end();
      await watcher.showPlan(made.shown ?? made.plan);
      return made;
    },
    async approve() {
      if (flags.yes === true || world.interrupted.aborted) return null;
      // Nothing is in flight while the prompt is open.
      hush();
      const isApproved = await watcher.approve();
      hush = watcher.reportStopping();
      return isApproved ? null : notApproved;
    },
    approvable: flags.yes === true || watcher.canApprove,
    progress: (plan) => watcher.progress(plan),
  }).finally(() => hush());
}

async function cannotBegin(watcher: ApplyWatcher, none: NoSession): Promise<number> {
  const { plan } = planOfNothing(watcher.world, none);
  await watcher.showRefusal(plan);
  const refusal: Diagnostic = none.diagnostics.find((each) => each.severity === "error") ?? {
    code: "failed",
    severity: "error",
    message: "The command could not start.",
  };
  const report = refusedReport(plan, refusal);
  return endApply(watcher, { report, notes: [], refusal, problem: null, succeeded: false });
}

async function endApply(watcher: ApplyWatcher, ended: Applied): Promise<number> {
  const applied = withAdvice(watcher.world, ended);
  await watcher.ended(applied);
  if (watcher.world.interrupted.aborted) return interruptedCode;
  return applied.succeeded ? 0 : 1;
}

function withAdvice(world: World, { report, notes, refusal, problem, ...rest }: Applied): Applied {
  const adviseOne = <Said extends Diagnostic | OutcomeError>(said: Said) => advise(world, [said])[0] ?? said;
  const outcomes = report.outcomes.map((outcome) =>
    outcome.error === undefined ? outcome : { ...outcome, error: adviseOne(outcome.error) },
  );
  return {
    ...rest,
    report: { ...report, outcomes },
    notes: advise(world, notes),
    refusal: refusal && adviseOne(refusal),
    problem: problem && adviseOne(problem),
  };
}

/** A command with more targets than this is too long to read; the plan shows what it covers anyway. */
const mostTargets = 10;

/** The command to type next. A saved plan is used up: what is left needs a new plan, of the same objects only, that somebody reviews. */
function nextCommandOf(world: World, options: ApplyRequest, report: ApplyReport): string {
  const { planFile, directory } = options;
  if (planFile === undefined) return ["ticketing", ...world.argv].map(shellWord).join(" ");
  const targets = openTargets(report);
  const named = targets.length > mostTargets ? [] : targets.flatMap((target) => ["--target", target]);
  return commandFor(world, directory, "plan", [...named, "--out", planFile]);
}

/** The events and webhooks of which something is left to do. */
function openTargets({ plan, outcomes }: ApplyReport): readonly string[] {
  const done = new Set(outcomes.filter(({ result }) => result === "done").map(({ operation }) => operation));
  const open = plan.operations.filter((operation) => !done.has(operation.id));
  return [...new Set(open.map(({ address }) => rootOf(address)))];
}
