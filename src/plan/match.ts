// Which live object each document means.
export { type EventMatch, hasEnded, matchEvents } from "./match/match-events.ts";
export { alikeUrls } from "./match/match-list.ts";
export { candidateLine } from "./match/match-messages.ts";
export {
  baseUnderAddressesOfNow,
  groupByName,
  namesakesAmong,
  plainName,
  type Recall,
  recallFrom,
} from "./match/recall.ts";
export { resolveVenues, venueLine } from "./match/resolve-venues.ts";
