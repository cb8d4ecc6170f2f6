import type { Diagnostic } from "../../model/diagnostic.ts";
import { isPinned, type Wish } from "../../model/wish.ts";
import { callOf, isRetired, isStated, lacks, none, remarkAt, type Scene, textFields, textOf } from "./rule.ts";

export function bareListing(event: Wish): readonly Diagnostic[] {
  if (event.own.status !== "PUBLISHED") return none;
  const missing = shownToBuyers.filter(({ field }) => lacks(event, field));
  if (missing.length === 0) return none;
  return [
    remarkAt(event, ["status"], {
      code: "bare-listing",
      severity: "warning",
      message: `${callOf(event)} would be published without ${enumerate(missing.map(({ word }) => word))}.`,
      hint: `Add ${enumerate(missing.map(({ field }) => `\`${field}\``))}.`,
    }),
  ];
}

const shownToBuyers = [
  { field: "imageUrl", word: "an image" },
  { field: "description", word: "a description" },
  { field: "endDateTime", word: "an end" },
];

export function placeholderText(wish: Wish, { event }: Scene): readonly Diagnostic[] {
  if (event?.own.status !== "PUBLISHED") return none;
  let found: Diagnostic[] | null = null;
  for (const field of textFields[wish.kind]) {
    const remark = findPlaceholder(wish, field, textOf(wish, field));
    if (remark === null) continue;
    found ??= [];
    found.push(remark);
  }
  const venue = findPlaceholder(wish, "venue", wish.own.venue?.name);
  if (venue === null) return found ?? none;
  return [...(found ?? none), venue];
}

function findPlaceholder(wish: Wish, field: string, text: string | undefined): Diagnostic | null {
  if (text === undefined || !hasPlaceholder.test(text)) return null;
  const word = placeholder.exec(text)?.[0];
  if (word === undefined) return null;
  return remarkAt(wish, [`${field}/name`, field], {
    code: "placeholder-text",
    severity: "warning",
    message: `The \`${field}\` of '${callOf(wish)}' still says '${word}', and the event is to be published.`,
    hint: "Write the final text, or leave the field out until it is known.",
  });
}

// The quick look spares nearly every text the careful one, which wants whole words.
const hasPlaceholder = /tb[ad]|lorem|xxx/i;
const placeholder = /(?<![\p{L}\p{N}_])(?:tb[ad]|lorem|x{3,})(?![\p{L}\p{N}_])/iu;

function enumerate(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

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
