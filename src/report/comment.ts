// What is written to a host: the comment on a pull request, what came of an apply, and the issue about drift.

export type { CommentPlace } from "./formats/comment-parts.ts";
export { withoutFlags } from "./formats/comment-parts.ts";
export {
  type DriftReport,
  driftTitle,
  renderDriftIssue,
  renderDriftJson,
  renderDriftText,
} from "./formats/drift-report.ts";
export { renderApplyResult, renderPlanComment, renderUntouchedComment, withResult } from "./formats/plan-comment.ts";
