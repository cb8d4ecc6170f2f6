// What is written to a host: the comment on a pull request, what came of an apply, and the issue about drift.

export {
  type DriftReport,
  driftSentence,
  driftTitle,
  renderDriftIssue,
  renderDriftJson,
  renderDriftText,
} from "./comment/drift-report.ts";
export type { CommentPlace } from "./comment/links.ts";
export { renderPlanComment, renderUntouchedComment } from "./comment/plan-comment.ts";
