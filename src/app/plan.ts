// From files and the live service to a plan.
export type { MadePlan } from "./planning/make-plan.ts";
export {
  makeProjectPlan,
  makeWatchedReading,
  type PlanOptions,
  type PlanReader,
  type PlanRequest,
} from "./planning/plan-project.ts";
export { renderPlan } from "./planning/save-plan.ts";
export { lineOfTarget } from "./session/open-session.ts";
