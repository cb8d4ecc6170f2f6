// From files and the live service to a plan.
export type { MadePlan } from "./planning/make-plan.ts";
export { type PlanFlags, settleMsOf } from "./planning/plan-inputs.ts";
export { planOfNothing, planSession } from "./planning/plan-session.ts";
export { readAhead } from "./planning/read-ahead.ts";
export { renderPlan, savePlan, whyNotSaved } from "./planning/save-plan.ts";
export { makeWatchedReading } from "./planning/watched-reading.ts";
export {
  type LockedSession,
  lineOfTarget,
  openLockedSession,
  openSession,
  type Session,
} from "./session/open-session.ts";
export type { NoSession } from "./session/prepare-session.ts";
