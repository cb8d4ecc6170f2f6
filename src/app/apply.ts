// A plan, approved and carried out.
export {
  type Applied,
  type ApplyFlags,
  type ApplyProgress,
  applySession,
  refusedReport,
  saidNo,
} from "./applying/apply-session.ts";
export { guardedPlan } from "./applying/guarded-plan.ts";
export { readReviewed, shardOfPlanFile } from "./applying/plan-file.ts";
export { isAtWork, surveyLeftovers } from "./applying/recover-session.ts";
export { type ApplyRan, stayForDue } from "./applying/stay.ts";
