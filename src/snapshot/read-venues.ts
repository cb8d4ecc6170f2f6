import { canonical } from "../kinds/canonical.ts";
import type { Venue } from "../model/snapshot.ts";
import { type VenueQuery, venueKey } from "../model/value.ts";
import type { Reader } from "./reader.ts";

/** What the search shows for each name; each name is asked once. */
export async function findVenues(
  reader: Reader,
  queries: readonly VenueQuery[],
): Promise<ReadonlyMap<string, readonly Venue[]>> {
  const names = new Map(queries.map((query) => [venueKey(query), query.name]));
  const found = await Promise.all(
    [...names].map(async ([key, name]): Promise<[string, readonly Venue[]]> => {
      const records = await reader.all("/venues/search", { query: name });
      return [key, records.map(toVenue).filter((venue) => venue !== null)];
    }),
  );
  return new Map(found);
}

function toVenue(record: unknown): Venue | null {
  if (typeof record !== "object" || record === null) return null;
  const shown = record as Record<string, unknown>;
  const id = canonical("id", shown.id);
  const name = text(shown.name);
  if (typeof id !== "string" || name === null) return null;
  return {
    id,
    name,
    city: text(shown.city),
    state: text(shown.state),
    country: text(shown.country),
    latitude: number(shown.latitude),
    longitude: number(shown.longitude),
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
