import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Limits } from "../../service/pace/limits.ts";

/** Says when the calls to come are more than the hour still has. */
export function budgetRemark(limits: Limits, writes: number, waitSeconds: number): readonly Diagnostic[] {
  const hour = limits.windows.find((window) => window.span === "hour");
  if (hour === undefined || writes <= hour.left) return [];
  return [
    {
      code: "over-budget",
      severity: "warning",
      message: `The plan needs ${writes} calls and the service allows ${hour.left} more this hour: an apply would wait about ${Math.ceil(waitSeconds / 60)} minutes.`,
      hint: "Apply a part of it with --target, raise --max-wait, or ask for a higher tier.",
    },
  ];
}
