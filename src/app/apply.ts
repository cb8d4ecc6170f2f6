// A plan, approved and carried out.
export { type Applied, type ApplyFlags, applySession } from "./applying/apply-session.ts";

export { ask, canAsk, goOnCommand, showPlan } from "./applying/approval.ts";

export { guardedPlan } from "./applying/guarded-plan.ts";

export { openSink } from "./applying/open-sink.ts";

export { applyProgress, reportStopping } from "./applying/progress.ts";

export { isAtWork, surveyLeftovers } from "./applying/recover-session.ts";

export { refusedReport, saidNo } from "./applying/refusal.ts";
