// What is written to a host: the comment on a pull request, the result of an apply, and the issue about drift.

export { renderApplyResult, resultIn, withResult } from "./formats/apply-comment.ts";
export { type CommentPlace, forReview } from "./formats/comment-parts.ts";
export * from "./formats/drift-report.ts";
export { renderPlanComment, renderUntouchedComment } from "./formats/plan-comment.ts";
