import type { Diagnostic } from "./diagnostic.ts";
import type { Plan } from "./plan.ts";

/** Errors of the plan as a whole. One that blocks a single change is that change's matter: it is solved or skipped with it. */
export function planErrors({ diagnostics, changes }: Pick<Plan, "diagnostics" | "changes">): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return errors;
  const blocks = new Set(
    changes.flatMap(({ address, blockedBy }) => blockedBy.map(({ code }) => `${code} ${address}`)),
  );
  return errors.filter(({ code, address }) => !blocks.has(`${code} ${address}`));
}
