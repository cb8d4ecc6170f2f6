// What an apply works from, whether something came due, and whether it was complete.
import type { Executed } from "../../apply/execute.ts";
import type { Attempt, LastRun } from "../../model/live.ts";
import { isFullyApplied, type Plan } from "../../model/plan.ts";
import { differsFromState, listDiffersFromBase, shardFilter } from "../../plan/compare.ts";
import { isOfEverything, type PlanFlags, type ReviewedChanges } from "../planning/plan-inputs.ts";
import { readCheckout } from "../session/checkout.ts";
import { runAddress } from "../session/environment-store.ts";
import type { Session } from "../session/open-session.ts";
import type { World } from "../world.ts";

export interface ApplyFlags extends PlanFlags {
  readonly planFile?: string;
  readonly yes?: boolean;
  readonly skipBlocked?: boolean;
  readonly verify?: boolean;
  /** In seconds. */
  readonly lockTimeout?: number;
}

/** The flags that were typed, what was reviewed, and when it is to be sent. */
export interface WhatToApply {
  readonly flags: ApplyFlags;
  readonly review: ReviewedChanges;
  /** An instant to come that is planned ahead: the first write waits for it. */
  readonly ahead?: number | undefined;
}

/** Recorded before the first write. */
export function attemptOf(world: World, session: Session, plan: Plan, { since }: ReviewedChanges): Attempt {
  const { shard, revision: planned } = plan;
  const { appliedRevision, lastRun } = session.state ?? {};
  const url = runAddress(world.env);
  // A saved plan counts as the commit it was made from, whatever is checked out now.
  const { head, dirty } =
    planned?.head == null
      ? { head: session.checkout?.revision ?? null, dirty: session.checkout?.dirty === true }
      : planned;
  const begin = appliedRevision === undefined ? (lastRun?.since ?? since ?? head) : null;
  return {
    revision: head,
    ...(begin === null ? {} : { since: begin }),
    ...(dirty ? { dirty: true } : {}),
    // What comes due after the files were read is left to the next run.
    at: new Date(session.now).toISOString(),
    ...(url === null ? {} : { url }),
    ...(shard === undefined ? {} : { shard }),
  };
}

/** Whether the same files say something else than at the time of the last run. */
export function hasComeDue({ project, earlier = null }: Session): boolean {
  return earlier !== null && listDiffersFromBase(project.events, earlier.events);
}

/** Recorded at the end. */
export async function endOf(
  attempt: Attempt,
  { session, flags }: { readonly session: Session; readonly flags: ApplyFlags },
  clean: boolean,
  plan: Plan,
): Promise<LastRun> {
  // A saved plan knows nothing of what came due after it was made.
  const ended = { ...attempt, clean, ...(clean && plan.createdAt < attempt.at ? { asOf: plan.createdAt } : {}) };
  const isOfFolder = flags.planFile === undefined && session.checkout?.pinned !== true;
  if (attempt.revision === null || !isOfFolder) return ended;
  const now = await readCheckout(session.directory, session.project.settings);
  // A commit or an edit made while files were being read may be partly in what was applied.
  const isSame = now?.revision === attempt.revision && !now.dirty;
  return { ...ended, ...(isSame ? {} : { dirty: true }) };
}

/** Whether everything that the files say is live now. */
export function isComplete(executed: Executed, flags: ApplyFlags, session: Session): boolean {
  const { report, isVerified } = executed;
  return (
    isFullyApplied(report) &&
    isVerified &&
    isOfEverything(flags) &&
    (flags.planFile === undefined || isOfTheseFiles(executed, session)) &&
    report.plan.compared?.webhooksUnread !== true
  );
}

/** Whether a saved plan covered all files, and they are still the same. The plan may have been altered, so state must match the files, too. */
function isOfTheseFiles({ report: { plan }, objects }: Executed, { checkout, project }: Session): boolean {
  const { head = null, dirty = false } = plan.revision ?? {};
  if (plan.whole !== true || head !== (checkout?.revision ?? null) || dirty || checkout?.dirty === true) return false;
  const isOwn = plan.shard === undefined ? () => true : shardFilter(plan.shard);
  const differs = differsFromState({ objects, lastRun: { clean: false } });
  return [...project.events, ...project.webhooks].every((wish) => !isOwn(wish.address) || !differs(wish));
}
