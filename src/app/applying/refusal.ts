// Why a plan is not applied: known before any write.
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import { type ApplyReport, type Plan, planErrors } from "../../model/plan.ts";
import { formatCount } from "../../model/value.ts";

/** null: it may be applied. */
export function whyRefused(plan: Plan, skipBlocked: boolean): Diagnostic | null {
  const [error, ...others] = planErrors(plan);
  if (error !== undefined) {
    const more = others.length === 0 ? "" : ` (and ${formatCount(others.length)} more)`;
    return { ...error, message: `${error.message}${more}` };
  }
  const scope = plan.diagnostics.find((each) => each.code === "scope-missing");
  if (scope !== undefined) return { ...scope, severity: "error" };
  const blocked = plan.changes.filter((change) => change.blockedBy.length > 0);
  if (blocked.length > 0 && !skipBlocked) {
    const codes = [...new Set(blocked.flatMap((change) => change.blockedBy.map(({ code }) => code)))].join(", ");
    return errorOf(
      "blocked",
      `${blocked.length === 1 ? "1 change is" : `${formatCount(blocked.length)} changes are`} blocked (${codes}).`,
      "Each has its fix above; --skip-blocked applies the rest without them.",
    );
  }
  return null;
}

export const noTerminal = errorOf(
  "not-approved",
  "There is no terminal to ask for approval, and --yes was not given.",
  "Review the plan, then run the command again with --yes.",
);

export const saidNo = errorOf("not-approved", "The plan was not approved.", "Run the command again to be asked again.");

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
