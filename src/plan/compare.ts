// What differs between a wish and the live object it means.
export { cardOfWish } from "./cards/make-card.ts";
export { pairCards } from "./cards/pair-cards.ts";
export { compareEvent, compareWithBase } from "./compare/compare-event.ts";
export { allComparisons, type Comparison, type EventComparison } from "./compare/comparison.ts";
export { type Former, findRemoved, formerEvents, unjudgedDeletions } from "./compare/find-removed.ts";
export { furtherLists, type Referrer, referrersOf } from "./compare/references.ts";
export {
  eventFilter,
  eventOver,
  type IsTargeted,
  limitEvent,
  readFilter,
  shardFilter,
  targetFilter,
  unknownTargets,
} from "./compare/targets.ts";
export {
  differsFromBase,
  differsFromState,
  isAsRemembered,
  listDiffersFromBase,
  listsLeftOpen,
  openAddresses,
} from "./match/former-documents.ts";
