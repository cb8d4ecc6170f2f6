// A plan, approved and carried out.
export {
  type Applied,
  type ApplyProgress,
  applySession,
  refusedReport,
  saidNo,
} from "./applying/apply-session.ts";
export type { ApplyFlags } from "./applying/attempt.ts";
export { guardedPlan } from "./applying/guarded-plan.ts";
export { shardOfPlanFile } from "./applying/plan-file.ts";
export { hasActiveRun, surveyLeftovers } from "./applying/recover-session.ts";
export { readReviewed } from "./applying/reviewed-changes.ts";
export { type ApplyRan, stayForDue } from "./applying/stay.ts";
