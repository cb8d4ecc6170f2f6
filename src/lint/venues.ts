import type { Diagnostic } from "../model/diagnostic.ts";
import { isPinned, type Wish } from "../model/wish.ts";
import { callOf, isRetired, isStated, lacks, textOf } from "./fields.ts";
import { remarkAt } from "./remark.ts";
import { none } from "./rule.ts";

export function venueMissing(event: Wish): readonly Diagnostic[] {
  if (isRetired(event) || !takesPlaceSomewhere(event)) return none;
  if (
    event.own.venue !== undefined ||
    (event.places.venue !== undefined && event.written.venue !== null) ||
    !lacks(event, "venueId")
  )
    return none;
  return [
    remarkAt(event, ["venueId", "locationType"], {
      code: "venue-missing",
      severity: "warning",
      message: `${callOf(event)} takes place at a venue, but does not say which.`,
      hint: "Write `venue: <its name>` (see `ticketing venues search`), or `locationType: ONLINE`.",
    }),
  ];
}

// Left out, the service takes VENUE; but what a pinned event leaves out is not managed and may be ONLINE.
function takesPlaceSomewhere(event: Wish): boolean {
  return isStated(event, "locationType") ? textOf(event, "locationType") === "VENUE" : !isPinned(event);
}

export function venueOnOnlineEvent(event: Wish): readonly Diagnostic[] {
  if (textOf(event, "locationType") !== "ONLINE") return none;
  if (event.own.venue === undefined && textOf(event, "venueId") === undefined) return none;
  return [
    remarkAt(event, ["venue", "venueId", "locationType"], {
      code: "venue-on-online-event",
      severity: "warning",
      message: `${callOf(event)} is ONLINE, but names a venue.`,
      hint: "Remove the venue, or write `locationType: VENUE`.",
    }),
  ];
}
