// Rules, risks and remarks about what differs.
export {
  checkAccount,
  checkReadScopes,
  checkWriteScopes,
  maySeeWebhooks,
  webhooksNotVisible,
} from "./rules/check-account.ts";

export {
  acceptedRisks,
  allowedFor,
  type DeleteLimit,
  judgeComparison,
  judgeDeletes,
  judgeEvent,
  type RuleContext,
  raisedLimit,
  salesNeed,
} from "./rules/judge.ts";

export { judgeMistakes, remarksOn, remarksOnPlanned, webhookRemarks } from "./rules/remarks.ts";

export { blockVenue, withContext } from "./rules/rule-context.ts";

export { soldOfEvent } from "./rules/sold.ts";

export { unreadableRemarks } from "./rules/unreadable-remarks.ts";
