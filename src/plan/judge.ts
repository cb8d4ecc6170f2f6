// Rules, risks and remarks about what differs.
export {
  checkAccount,
  checkReadScopes,
  checkWriteScopes,
  maySeeWebhooks,
  webhooksNotVisible,
} from "./rules/check-account.ts";
export {
  heldRemarks,
  namesIn,
  remarksOnPlanned,
  soldOfEvent,
  unreadableRemarks,
  withContext,
} from "./rules/context.ts";
export { holdUnreviewed, type Review, unreviewedAmong } from "./rules/hold.ts";
export {
  acceptedByFiles,
  acceptedRisks,
  allowedFor,
  type DeleteLimit,
  judgeEvents,
  judgeWebhooks,
  type RuleContext,
  raisedLimit,
  salesNeed,
  tooManyDeletes,
} from "./rules/judge.ts";
