// An apply within a session: recover, plan, approve, execute, remember.
import { type Executed, executePlan } from "../../apply/execute.ts";
import { type Journal, openJournal, splitJournal } from "../../apply/journal.ts";
import { hasLeftovers } from "../../apply/recover.ts";
import type { ApplyListener, SecretStore } from "../../apply/run.ts";
import { sameId } from "../../model/address.ts";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { LastRun } from "../../model/live.ts";
import { type ApplyReport, isFullyApplied, type Plan, planErrors, writesOf } from "../../model/plan.ts";
import { formatCount } from "../../model/value.ts";
import { shardFilter } from "../../plan/compare.ts";
import type { Clock } from "../../service/clock.ts";
import { type Lock, lockLost } from "../../state/store.ts";
import { unjudgedCode } from "../planning/deleted-documents.ts";
import type { MadePlan } from "../planning/make-plan.ts";
import { settleMsOf } from "../planning/plan-inputs.ts";
import { planOfNothing } from "../planning/plan-session.ts";
import { deleteOnceApproved, eventNames, recoverSession, surveyLeftovers } from "../planning/recover-session.ts";
import { guardOrder } from "../session/checkout.ts";
import type { Session } from "../session/open-session.ts";
import { endedSession } from "../session/prepare-session.ts";
import { loadSavedState, type SavedState, saveState } from "../session/saved-state.ts";
import type { World } from "../world.ts";
import { attemptOf, endOf, hasComeDue, isComplete, type WhatToApply } from "./attempt.ts";
import { heldAfter, sentAfter, whyHeld } from "./reviewed-changes.ts";
import { sleepUntil } from "./wait-for-phases.ts";

/** Listens while an apply runs. */
export interface ApplyProgress {
  readonly listener: ApplyListener;
  end(): void;
}

export interface ApplySetup extends WhatToApply {
  readonly world: World;
  readonly session: Session;
  readonly lock: Lock;
  readonly sink: SecretStore | null;
  readonly plan: (session: Session) => Promise<MadePlan>;
  /** Asks for approval; null if it is given, otherwise why not. */
  readonly approve: (plan: Plan) => Promise<Diagnostic | null>;
  readonly approvable: boolean;
  readonly progress: (plan: Pick<Plan, "operations" | "changes" | "observed">) => ApplyProgress;
  readonly clock?: Clock;
}

export interface Applied {
  readonly report: ApplyReport;
  readonly notes: readonly Diagnostic[];
  /** Why nothing was sent; null if something was, or nothing had to be. */
  readonly refusal: Diagnostic | null;
  /** What went wrong apart from the operations: the run was halted, or state could not be saved. */
  readonly problem: Diagnostic | null;
  /** Everything was done, the service shows it, and nothing else went wrong. */
  readonly succeeded: boolean;
  /** The command that continues what is left. */
  readonly next?: string;
  /** The events of the plan as they were, and as they were to be. */
  readonly cards?: MadePlan["cards"];
}

export async function applySession(setup: ApplySetup): Promise<Applied> {
  const { report, ...rest } = await applyLocked(setup);
  // All calls of the command, including those of recovery and planning, and of a saved plan none but this run's.
  const applied = { ...rest, report: { ...report, calls: { ...setup.session.target.client.counts } } };
  if (applied.refusal?.code !== "lock-lost") return applied;
  // The lost lock is reported once: not again with the state, nor when the session closes.
  await setup.lock.release();
  return { ...applied, problem: null };
}

async function applyLocked(setup: ApplySetup): Promise<Applied> {
  const { lock, flags } = setup;
  const isOwn = lock.joint === undefined ? undefined : shardFilter(lock.joint.shard);
  const memory = await loadSavedState(setup.session.store, isOwn);
  if (!memory.ok) return refusedApply(await setup.plan(setup.session), memory.diagnostics[0] as Diagnostic);
  if (memory.unverified !== null) {
    // A reason that rules out any apply comes first: a key of another organization also explains a foreign seal.
    const made = await setup.plan({ ...setup.session, state: memory.state });
    return refusedApply(made, whyRefused(made.plan, true) ?? memory.unverified);
  }
  const revision = setup.session.checkout?.revision ?? null;
  const order =
    flags.planFile === undefined
      ? await guardOrder({ ...setup.session, state: memory.state }, revision, flags.allow)
      : null;
  if (order?.severity === "error") {
    // A refused run reads nothing from the service.
    return refusedApply(planOfNothing(setup.world, endedSession(setup.session, [order])), order);
  }
  const session: Session = {
    ...setup.session,
    remarks: [...setup.session.remarks, ...(order === null ? [] : [order])],
  };
  const { journal: file } = session.store;
  const split = isOwn === undefined ? undefined : (text: string) => splitJournal(text, isOwn);
  const unopened = await file.open(() => lock.isHeld(), split);
  if (unopened !== null) return refusedApply(await setup.plan(session), unopened);
  const { entries, highestSeq } = memory;
  const lane = lock.joint === undefined ? undefined : { shard: lock.joint.shard, highestSeq };
  const journal = openJournal(lock.holder.token, entries, file, lane);
  try {
    return await applyWithJournal({ ...setup, session }, memory, journal);
  } finally {
    await file.close();
  }
}

async function applyWithJournal(setup: ApplySetup, memory: SavedState, journal: Journal): Promise<Applied> {
  const { world, flags, sink, ahead } = setup;
  const { state } = memory;
  const notes: Diagnostic[] = [...memory.remarks];
  const settleMs = settleMsOf(flags);
  const common = { journal, sink, settleMs, ...(setup.clock === undefined ? {} : { clock: setup.clock }) };
  const begun: Session = { ...setup.session, state };
  if (setup.approvable && flags.planFile !== undefined && hasLeftovers({ journal })) {
    // A saved plan is refused before any write, and recovery writes.
    const early = await setup.plan(await surveyLeftovers(world, begun, settleMs));
    const why = whyRefused(early.plan, flags.skipBlocked === true);
    if (why !== null) return refusedApply(early, why, notes);
  }
  const listen = () => setup.progress({ operations: [], changes: [], observed: [] });
  const left = { ...common, state, notes };
  const recovered = await recoverSession(world, begun, left, setup.approvable ? listen : null);
  const { session, deletes } = recovered;
  const replayed = journal.entries.length;
  if (recovered.problem !== null) return refusedApply(await setup.plan(session), recovered.problem, notes);
  const made = await setup.plan(session);
  const why =
    whyRefused(made.plan, flags.skipBlocked === true) ??
    whyHeld(made.plan, flags, setup.review, session) ??
    (await deleteOnceApproved(made.plan, deletes, () => approval(setup, made.plan)));
  if (why !== null) {
    // Without approval, the deletes stay undecided.
    const problem = await remember(setup, memory, journal, made, recovered, null);
    return { ...refusedApply(made, why, notes), problem };
  }
  const attempt = attemptOf(world, session, made.plan, setup.review);
  session.store.log?.begin(attempt);
  const progress = setup.progress(made.plan);
  const executed = await executePlan({
    ...common,
    plan: made.plan,
    service: session.target.client,
    secretName: secretNameFinder(session),
    names: eventNames(session),
    state: session.state,
    replayed,
    attempt,
    matched: made.matched,
    known: made.known?.() ?? [],
    reached: made.reached,
    parallelism: flags.parallelism ?? 8,
    unremembered: session.store.stateless === true,
    ...(ahead === undefined ? {} : { untilDue: () => sleepUntil(world, ahead) }),
    verify: flags.verify === true,
    listener: progress.listener,
    signal: world.interrupted,
  });
  progress.end();
  notes.push(...executed.notes);
  const run = await endOf(attempt, setup, isComplete(executed, flags, session), made.plan);
  session.store.log?.end({
    at: new Date(world.now()).toISOString(),
    clean: run.clean,
    ...(run.dirty === true ? { dirty: true } : {}),
    summary: executed.report.summary,
  });
  const problem = await remember(setup, memory, journal, made, executed, run);
  const { report } = executed;
  const remaining = executed.halt ?? problem ?? unresolvedRotationIn(made.plan);
  const succeeded = remaining === null && executed.isVerified && isFullyApplied(report);
  return { report, notes, refusal: null, problem: remaining, succeeded, cards: made.cards };
}

/** Everything was done, but a receiver may lack its secret: every run fails until somebody rotates again. */
function unresolvedRotationIn({ diagnostics }: Plan): Diagnostic | null {
  const unresolved = diagnostics.find(({ code }) => code === "rotation-unfinished");
  return unresolved === undefined ? null : { ...unresolved, severity: "error" };
}

async function approval(setup: ApplySetup, plan: Plan): Promise<Diagnostic | null> {
  if (writesOf(plan) === 0) return null;
  return setup.approvable ? setup.approve(plan) : noTerminal;
}

async function remember(
  setup: ApplySetup,
  memory: SavedState,
  journal: Journal,
  made: MadePlan,
  { objects, ...ended }: Pick<Executed, "objects"> & Partial<Executed>,
  run: LastRun | null,
): Promise<Diagnostic | null> {
  const organization = made.plan.target.organization;
  if (organization === null) return null;
  // State stays with the organization it belongs to.
  const owner = memory.stored?.organization?.id ?? organization.id;
  if (!sameId(owner, organization.id)) return null;
  // The run that took over the lock writes now. That is reported here, and not again when the session ends.
  if (!setup.lock.isHeld()) return (await setup.lock.release()) ?? lockLost;
  // With a record, the next run would think these documents were judged.
  const open = made.plan.diagnostics.find(({ code }) => code === unjudgedCode);
  if (open !== undefined) return run === null ? null : open;
  const problem = await saveState({
    store: setup.session.store,
    stored: memory.stored,
    organization,
    objects,
    forgotten: made.forgotten,
    held: heldAfter(made.plan, setup.flags, { ...setup.session, state: memory.state }, setup.world.now()),
    ...(run === null ? {} : { sent: sentAfter(made.plan, ended, run.revision, memory.state?.sent) }),
    ...(made.venues === undefined ? {} : { venues: made.venues() }),
    entries: journal.entries,
    run,
    timeMoved: hasComeDue(setup.session),
  });
  // Nothing more is sent: the state and the release of the lock are written together.
  return problem ?? setup.lock.release();
}

function secretNameFinder(session: Session): (address: string) => string | null {
  const names = new Map(session.project.webhooks.map((wish) => [wish.address, wish.own.secretName ?? null]));
  return (address) => names.get(address) ?? null;
}

function refusedApply({ plan, cards }: MadePlan, why: Diagnostic, notes: readonly Diagnostic[] = []): Applied {
  return { report: refusedReport(plan, why), notes, refusal: why, problem: null, succeeded: false, cards };
}

/** Why a plan is not applied, known before any write; null: it may be. */
function whyRefused(plan: Plan, skipBlocked: boolean): Diagnostic | null {
  const [error, ...others] = planErrors(plan).filter(({ code }) => !(skipBlocked && code === unjudgedCode));
  if (error !== undefined) {
    const more = others.length === 0 ? "" : ` (and ${formatCount(others.length)} more)`;
    return { ...error, message: `${error.message}${more}` };
  }
  const scope = plan.diagnostics.find((each) => each.code === "scope-missing");
  if (scope !== undefined) return { ...scope, severity: "error" };
  const blocked = plan.changes.filter((change) => change.blockedBy.length > 0);
  if (blocked.length > 0 && !skipBlocked) {
    const codes = [...new Set(blocked.flatMap((change) => change.blockedBy.map(({ code }) => code)))];
    const rest = writesOf(plan) > 0;
    return errorOf(
      "blocked",
      `${blocked.length === 1 ? "1 change is" : `${formatCount(blocked.length)} changes are`} blocked, for ${codes.length > 1 ? "these reasons" : "this reason"}: ${codes.join(", ")}.`,
      `The fix for each blocked change is above${rest ? "; --skip-blocked applies the rest" : ""}.`,
    );
  }
  return null;
}

const noTerminal = errorOf(
  "not-approved",
  "There is no terminal to ask for approval, and --yes was not given.",
  "Review the plan, then run the command again with --yes.",
);

export const notApproved = errorOf(
  "not-approved",
  "The plan was not approved.",
  "To approve it, run the command again and type the whole word: yes.",
);

/** Nothing was sent, and why. */
export function refusedReport(plan: Plan, why: Diagnostic): ApplyReport {
  const error = { code: why.code, message: why.message, hint: why.hint ?? null, requestId: null, status: null };
  return {
    formatVersion: 1,
    plan,
    outcomes: plan.operations.map(({ id }) => ({ operation: id, result: "skipped", error })),
    summary: { done: 0, failed: 0, skipped: plan.operations.length, unsure: 0 },
    calls: { reads: plan.calls.reads, writes: 0, rateLimited: 0 },
  };
}
