// The key that plans are signed with.
import type { Diagnostic } from "../model/diagnostic.ts";
import type { World } from "./world.ts";

/** null: plans are not signed. */
export function planKeyOf({ env }: Pick<World, "env">): string | null {
  return env.TICKETING_PLAN_KEY?.trim() ? env.TICKETING_PLAN_KEY : null;
}

/** A CI that has no such secret sets the variable to nothing: whoever set it believes that plans are signed. */
export function emptyPlanKey({ env }: Pick<World, "env">): Diagnostic | null {
  if (env.TICKETING_PLAN_KEY === undefined || env.TICKETING_PLAN_KEY.trim() !== "") return null;
  return {
    code: "plan-key-empty",
    severity: "error",
    message: "TICKETING_PLAN_KEY is set and empty, so plans would not be signed.",
    hint: "Check that the CI secret exists and that this job may read it, or unset the variable.",
  };
}
