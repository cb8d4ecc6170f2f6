// Rules, risks and remarks about what differs.
export {
  checkAccount,
  checkReadScopes,
  checkWriteScopes,
  maySeeWebhooks,
  webhooksNotRead,
} from "./rules/check-account.ts";
export {
  editVenueNames,
  heldRemarks,
  remarksOnPlanned,
  soldOfEvent,
  unreadableRemarks,
  withContext,
} from "./rules/context.ts";
export { type HoldPolicy, holdUnreviewed, unreviewedAmong } from "./rules/hold.ts";
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
} from "./rules/judge-events.ts";
