// What is written to a host: the comment on a pull request, the result of an apply, and the issue about drift.

export { type CommentPlace, forReview } from "./formats/comment-parts.ts";
export * from "./formats/drift-report.ts";
export {
  hasResult,
  renderApplyResult,
  renderPlanComment,
  renderUntouchedComment,
  withResult,
} from "./formats/plan-comment.ts";
