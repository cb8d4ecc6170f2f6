// The jobs of a CI: plan, apply and drift, with what they write to the host.
export type { DriftFlags } from "./ci/check-drift.ts";
export { type CiFlags, type CiJob, withJob, writeSummary } from "./ci/ci-job.ts";
export { checkDriftJob } from "./ci/drift-job.ts";
export { findReviewed, type ReviewedRequest } from "./ci/find-reviewed.ts";
export { findSubject, missingKey, noSubject } from "./ci/find-subject.ts";
export { annotationsOf, publishApply, publishPlan, publishUntouched } from "./ci/publish.ts";
