import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Account } from "../../model/snapshot.ts";
import { assemblePlan } from "../../plan/assemble.ts";
import { rememberFrom } from "../../plan/memory.ts";
import type { MadePlan } from "./make-plan.ts";
import type { PlanInputs } from "./plan-inputs.ts";

/** A plan that plans nothing, because something must be put right first. */
export function emptyPlan(
  inputs: Pick<PlanInputs, "target" | "version" | "now" | "planKey"> & { client: { counts: { reads: number } } },
  account: Account | null,
  diagnostics: readonly Diagnostic[],
): MadePlan {
  const assembled = assemblePlan({
    events: [],
    webhooks: [],
    diagnostics,
    target: { ...inputs.target, organization: account === null ? null : account.organization },
    version: inputs.version,
    now: inputs.now,
    isTargeted: () => true,
    allowFor: () => [],
    unmanaged: null,
    reads: inputs.client.counts.reads,
    estimateSeconds: () => 0,
    planKey: inputs.planKey,
    sealed: true,
    forgotten: null,
    remember: rememberFrom(null, []),
    lastDiagnostics: () => [],
  });
  return { ...assembled, forgotten: [], account };
}
