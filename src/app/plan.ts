// From files and the live service to a plan.
export type { MadePlan } from "./planning/make-plan.ts";
export { observe, type PlanFlags, planOfNothing, planSession, readAhead } from "./planning/plan-session.ts";
export { renderPlan, savePlan, whyNotSaved } from "./planning/save-plan.ts";
export {
  type LockedSession,
  lineOfTarget,
  openLockedSession,
  openSession,
  type Session,
} from "./session/open-session.ts";
export type { NoSession } from "./session/prepare-session.ts";
