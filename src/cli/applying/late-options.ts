// Options that come too late: a saved plan is done as it stands, so what would make it another plan is refused.
import { rootOf } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import { eventFilter, targetFilter } from "../../plan/targets.ts";
import type { PlanFlags } from "../planning/plan-session.ts";
import { refusal } from "./refusal.ts";

/** Those that change nothing about the plan may stand beside it: people repeat what they typed. */
export function lateOptions(plan: Plan, flags: PlanFlags, file: string): readonly Diagnostic[] {
  const late = [
    ...(isWiderThan(plan, flags.target ?? []) ? ["--target"] : []),
    ...(isBlockedBy(plan, flags.allow ?? []) ? ["--allow"] : []),
    ...(flags.maxDeletes !== undefined && isBlockedBy(plan, ["too-many-deletes"]) ? ["--max-deletes"] : []),
    ...(flags.resendUnreadable === true ? ["--resend-unreadable"] : []),
  ];
  if (late.length === 0) return [];
  return [
    refusal(
      "plan-is-made",
      `${file} is done exactly as it was saved, so ${late.join(" and ")} cannot change it any more.`,
      `Make a plan with ${late.join(" and ")} and \`--out\`, review it, and apply that.`,
    ),
  ];
}

function isWiderThan(plan: Plan, targets: readonly string[]): boolean {
  const isTargeted = targetFilter(targets);
  const isAround = eventFilter(targets);
  // What a target needs to be made at all is made along with it.
  return plan.changes.some(
    ({ address, action }) => !isTargeted(address) && !(action === "create" && isAround(rootOf(address))),
  );
}

function isBlockedBy(plan: Plan, codes: readonly string[]): boolean {
  return plan.changes.some(({ blockedBy }) => blockedBy.some(({ code }) => codes.includes(code)));
}
