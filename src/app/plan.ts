// From files and the live service to a plan.
export { lineOfTarget, type NoSession, openSession, type Session } from "./planning/open-session.ts";
export { type PlanFlags, planOfNothing, planSession, readSecretHolder } from "./planning/plan-session.ts";
export { renderPlan, savePlan, whyNotSaved } from "./planning/save-plan.ts";
