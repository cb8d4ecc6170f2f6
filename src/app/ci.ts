// The jobs of a CI: plan, apply and drift, with what they write to the host.
export { type CiFlags, type CiJob, openJob, writeSummary } from "./ci/ci-job.ts";
export { driftReport, publishDrift } from "./ci/drift-issue.ts";
export { checkForDrift, type DriftFlags, rememberVerified } from "./ci/drift-job.ts";
export { findReviewed, type ReviewedRequest } from "./ci/find-reviewed.ts";
export { findSubject, missingKey, noSubject } from "./ci/find-subject.ts";
export { annotationsOf, publishApply, publishPlan, publishUntouched } from "./ci/publish.ts";
