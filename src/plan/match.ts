// Which live object each document means.

export { baseUnderAddressesOfNow } from "./match/former-documents.ts";
export { alikeUrls, groupByName, namesakesAmong, plainName } from "./match/likeness.ts";
export type { EventMatch } from "./match/live-search.ts";
export { matchEvents } from "./match/match-events.ts";
export { candidateLine, newRemarks } from "./match/match-messages.ts";
export { type Recall, recallFrom } from "./match/recall.ts";
export { resolveVenues, venueLine, venuesMadeUp } from "./match/resolve-venues.ts";
