// Rules, risks and remarks about what differs, and what of it was reviewed.
export { digestsOf, eventDigests, guardDigest, partsWithin, reviewedDigests, sentDigests } from "./compare/digests.ts";
export { type HoldPolicy, holdUnreviewed, revertedAmong, unreviewedAmong } from "./compare/hold.ts";
export { type FilesAtMerge, type MergedReview, reviewedOf, reviewedPlace, reviewedWhere } from "./compare/reviews.ts";
export {
  checkAccount,
  checkOrganization,
  checkReadScopes,
  checkWriteScopes,
  maySeeWebhooks,
  webhooksNotRead,
} from "./rules/check-account.ts";
export {
  editVenueNames,
  identityWords,
  withChanges,
  withContext,
} from "./rules/context.ts";
export { type DeleteLimit, raisedLimit, tooManyDeletes } from "./rules/delete-limit.ts";
export { heldLater } from "./rules/hold-later.ts";
export {
  acceptedByFiles,
  acceptedRisks,
  allowedFor,
  judgeEvents,
  judgeWebhooks,
  ordersToRead,
  type RuleContext,
  salesNeed,
} from "./rules/judge-events.ts";
export { blockedOnceSold } from "./rules/once-sold.ts";
export {
  heldRemarks,
  laterRemarks,
  overwriteRemarks,
  remarksOnPlanned,
  revertedRemarks,
  unreadableRemarks,
} from "./rules/plan-remarks.ts";
