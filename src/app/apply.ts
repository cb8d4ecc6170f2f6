// A plan, approved and carried out.
export { type ApplyHooks, type ApplyRequest, type ApplyWatcher, applyProject } from "./applying/apply-project.ts";
export type { Applied, ApplyProgress } from "./applying/apply-session.ts";
