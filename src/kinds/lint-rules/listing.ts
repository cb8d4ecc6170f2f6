import { isPinned, type Wish } from "../../model/wish.ts";
import type { LintFinding } from "../define.ts";
import { callOf, findingAt, isRetired, isStated, lacks, textOf } from "./finding.ts";

export function bareListing(event: Wish): LintFinding {
  if (event.own.status !== "PUBLISHED") return null;
  const missing = shownToBuyers.filter(({ field }) => lacks(event, field));
  if (missing.length === 0) return null;
  return findingAt(event, ["status"], {
    code: "bare-listing",
    message: `${callOf(event)} would be published without ${enumerate(missing.map(({ word }) => word))}.`,
    hint: `Add ${enumerate(missing.map(({ field }) => `\`${field}\``))}.`,
  });
}

const shownToBuyers = [
  { field: "imageUrl", word: "an image" },
  { field: "description", word: "a description" },
  { field: "endDateTime", word: "an end" },
];

function enumerate(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

export function venueMissing(event: Wish): LintFinding {
  if (isRetired(event) || !takesPlaceSomewhere(event)) return null;
  if (
    event.own.venue !== undefined ||
    (event.places.venue !== undefined && event.written.venue !== null) ||
    !lacks(event, "venueId")
  )
    return null;
  return findingAt(event, ["venueId", "locationType"], {
    code: "venue-missing",
    message: `${callOf(event)} takes place at a venue, but does not say which.`,
    hint: "Write `venue: <its name>` (see `ticketing venues search`), or `locationType: ONLINE`.",
  });
}

// Left out, the service takes VENUE; but what a pinned event leaves out is not managed and may be ONLINE.
function takesPlaceSomewhere(event: Wish): boolean {
  return isStated(event, "locationType") ? textOf(event, "locationType") === "VENUE" : !isPinned(event);
}

export function venueOnOnlineEvent(event: Wish): LintFinding {
  if (textOf(event, "locationType") !== "ONLINE") return null;
  if (event.own.venue === undefined && textOf(event, "venueId") === undefined) return null;
  return findingAt(event, ["venue", "venueId", "locationType"], {
    code: "venue-on-online-event",
    message: `${callOf(event)} is ONLINE, but names a venue.`,
    hint: "Remove the venue, or write `locationType: VENUE`.",
  });
}
