// What venues are called. The service finds a venue by its name and not by its id, so that one which an event leaves is known only
// where a response shows it, or an earlier run has remembered it.
import { idKey } from "../../model/address.ts";
import type { State, VenueNames } from "../../model/live.ts";
import { venueLine } from "../../plan/match.ts";
import { venuesShown } from "../../snapshot/read-organization.ts";
import type { Reader } from "../../snapshot/reader.ts";

/** As the responses of this run show them, by the keys of their ids. */
export function venuesSeen(reader: Pick<Reader, "kept">): NonNullable<State["venues"]> {
  return Object.fromEntries(Array.from(venuesShown(reader), ([id, venue]) => [id, venueLine(venue)]));
}

/** What was read so far is looked through once, and only if a name is asked for. */
export function venueNames(reader: Pick<Reader, "kept">, state: State | null): VenueNames {
  let seen: State["venues"];
  return (id) => {
    seen ??= venuesSeen(reader);
    const key = idKey(id);
    return seen[key] ?? state?.venues?.[key] ?? null;
  };
}
