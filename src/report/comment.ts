// What is written to a host: the comment on a pull request, what came of an apply, and the issue about drift.

export { renderApplyResult, withResult } from "./formats/apply-result.ts";
export {
  type DriftReport,
  driftTitle,
  renderDriftIssue,
  renderDriftJson,
  renderDriftText,
} from "./formats/drift-report.ts";
export type { CommentPlace } from "./formats/host-links.ts";
export { renderPlanComment, renderUntouchedComment } from "./formats/plan-comment.ts";
export { withoutFlags } from "./formats/yaml-fixes.ts";
