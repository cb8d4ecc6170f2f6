// A rehearsal knows the venues of the service that a project is written for: those that its files name, by id or by name.
import { createHash } from "node:crypto";
import type { VenueRow } from "./records.ts";

/** A venue as far as a project's files tell of it. */
export interface NamedVenue {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly country?: string | undefined;
}

interface Place extends NamedVenue {
  readonly name: string;
}

/**
 * The known venues and those that are named besides, such that whatever is named is found once. What is said of one name in
 * several files is one venue, unless it contradicts itself, as two cities do.
 */
export function withNamedVenues(known: readonly VenueRow[], named: readonly NamedVenue[]): readonly VenueRow[] {
  const byName = new Map<string, Place[]>();
  for (const { name, ...place } of named) {
    if (name !== undefined) byName.set(simple(name), [...(byName.get(simple(name)) ?? []), { name, ...place }]);
  }
  let venues = known;
  for (const places of byName.values()) venues = withPlaces(venues, places);
  const ids = new Set(venues.map(({ id }) => id));
  const byId = new Set(
    named.flatMap(({ id, name }) => (id === undefined || name !== undefined ? [] : [id.toLowerCase()])),
  );
  return [...venues, ...[...byId].filter((id) => !ids.has(id)).map(placeholder)];
}

/** `places` share one name. */
function withPlaces(known: readonly VenueRow[], places: readonly Place[]): readonly VenueRow[] {
  const distinct: Place[] = [];
  for (const place of places) {
    const at = distinct.findIndex((other) => parts.every((part) => agree(other[part], place[part])));
    if (at < 0) distinct.push(place);
    else distinct[at] = { ...place, ...definedOf(distinct[at]) } as Place;
  }
  const chosen = distinct.map((place, at) => known.find((venue) => fits(venue, place)) ?? invent(place, at));
  const added = chosen.filter((venue) => !known.includes(venue));
  const all = [...known, ...added];
  // The service may have one venue of a name where the sandbox has two.
  const isUnclear = places.some((place) => all.filter((venue) => fits(venue, place)).length > 1);
  return isUnclear ? all.filter((venue) => chosen.includes(venue) || !sameName(venue, places)) : all;
}

const parts = ["city", "state", "country"] as const;

function fits(venue: VenueRow, place: Place): boolean {
  return (["name", ...parts] as const).every(
    (part) => place[part] === undefined || simple(venue[part]) === simple(place[part]),
  );
}

function agree(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || simple(one) === simple(other);
}

function sameName(venue: VenueRow, [place]: readonly Place[]): boolean {
  return simple(venue.name) === simple(place?.name ?? "");
}

function definedOf(place: Place | undefined): Partial<Place> {
  return Object.fromEntries(Object.entries(place ?? {}).filter(([, value]) => value !== undefined));
}

/** The first of a name keeps its id when its city becomes known later. */
function invent(place: Place, at: number): VenueRow {
  const { name, city = "", state = "", country = "" } = place;
  const identity = [name, ...(at === 0 ? [] : [city, state, country])].map(simple);
  return rowOf(idFrom(`venue ${identity.join("\n")}`), { name, city, state, country });
}

function placeholder(id: string): VenueRow {
  return rowOf(id, { name: `Venue ${id.slice(0, 8)}`, city: "", state: "", country: "" });
}

function rowOf(id: string, place: Pick<VenueRow, "name" | "city" | "state" | "country">): VenueRow {
  // No file says where it is: anywhere but 0, 0, which would cause a warning.
  return { id, address1: "", ...place, latitude: 14.6, longitude: 121 };
}

function simple(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

/** Made from a text, so that whoever starts over has the same; in the form of all other ids: a UUID of version 4. */
export function idFrom(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
