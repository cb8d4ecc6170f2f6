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
      const venues = toVenues(await reader.all("/venues/search", { query: name }));
      return [key, venues.some((venue) => sameName(venue.name, name)) ? venues : await withNear(reader, name, venues)];
    }),
  );
  return new Map(found);
}

/** A name that is misspelled finds nothing: parts of it may show what was meant. What fails here is not missed. */
async function withNear(reader: Reader, name: string, found: readonly Venue[]): Promise<readonly Venue[]> {
  const venues = new Map(found.map((venue) => [venue.id, venue]));
  for (const part of partsOf(name)) {
    const result = await reader.ask("/venues/search", { query: part });
    if (!result.ok || !Array.isArray(result.data)) break;
    for (const venue of toVenues(result.data)) if (!venues.has(venue.id)) venues.set(venue.id, venue);
  }
  return [...venues.values()];
}

/** The word that says most, and how it begins. */
function partsOf(name: string): readonly string[] {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), "");
  const parts = [longest, [...longest].slice(0, 3).join("")];
  return [...new Set(parts)].filter((part) => part.length > 2 && part !== name);
}

function sameName(one: string, other: string): boolean {
  return one.normalize("NFC").trim().toLowerCase() === other.normalize("NFC").trim().toLowerCase();
}

function toVenues(records: readonly unknown[]): readonly Venue[] {
  return records.map(toVenue).filter((venue) => venue !== null);
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
