// What can be known of a call while it runs and after it failed.
export type { AnswerNote, CallNote, Listener, RetryNote, WaitNote, WaitReason } from "./http/listener.ts";
export { maskSecrets } from "./http/redact.ts";
export type { RetryLimits } from "./http/retry.ts";
