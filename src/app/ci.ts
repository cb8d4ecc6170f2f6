// The jobs of a CI: plan, apply and drift, with what they write to the host.
export { runApplyJob } from "./ci/apply-job.ts";
export type { DriftFlags } from "./ci/check-drift.ts";
export type { CiFlags } from "./ci/ci-job.ts";
export { checkDriftJob } from "./ci/drift-job.ts";
export { runPlanJob } from "./ci/plan-job.ts";
