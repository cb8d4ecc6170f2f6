import type { Address } from "./address.ts";

/** A field's value in canonical form: instants as ISO text in UTC with milliseconds, money as whole pesos. */
export type Value = string | number | boolean | null | readonly string[];

/** The id of another object of the project, which may not exist yet. */
export interface Reference {
  readonly $id: Address;
}

export function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && "$id" in value;
}

/** What a person asks a venue to be: resolved to an id by search. */
export interface VenueQuery {
  readonly name: string;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly country?: string | undefined;
}

/** One text per question to the venue search: the service is asked by name alone, so equal names are asked once. */
export function venueKey(query: VenueQuery): string {
  return query.name.normalize("NFC").trim().toLowerCase();
}
