// Which live object each document means.

export {
  type EventMatch,
  groupByName,
  hasEnded,
  matchEvents,
  namesakesAmong,
  plainName,
} from "./match/match-events.ts";
export { rewrittenUrls, wishedUrl } from "./match/match-list.ts";
export { candidateLine } from "./match/match-messages.ts";
export { type Remember, rememberFrom } from "./match/remembered.ts";
export { resolveVenues } from "./match/resolve-venues.ts";
