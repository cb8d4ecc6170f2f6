// The venues that can be searched: invented halls in real Philippine cities. Two share a name, one has no coordinates.
import { createHash } from "node:crypto";
import type { VenueRow } from "./rows.ts";

const lines: readonly [string, string, string, string, number, number][] = [
  ["Palace", "12 Hilltop Road", "Baguio", "Benguet", 16.4023, 120.596],
  ["Palace", "88 Bayfront Avenue", "Taguig", "Metro Manila", 14.5197, 121.0488],
  ["Harbour Lights Arena", "1 Pier Road", "Manila", "Metro Manila", 14.6037, 120.98],
  ["Old Walls Courtyard", "5 Garrison Street", "Manila", "Metro Manila", 14.6058, 120.9779],
  ["Riverside Music Hall", "210 Quay Street", "Manila", "Metro Manila", 14.6079, 120.9758],
  ["Lantern Theatre", "34 Market Lane", "Manila", "Metro Manila", 14.61, 120.9737],
  ["Capitol Park Stage", "4 Capitol Drive", "Pasig", "Metro Manila", 14.5848, 121.0767],
  ["Foundry Hall", "62 Ironworks Street", "Pasig", "Metro Manila", 14.5869, 121.0746],
  ["Session Hall", "140 Session Lane", "Baguio", "Benguet", 16.4065, 120.5918],
  ["Queen City Arena", "5 Reclaim Drive", "Cebu City", "Cebu", 10.322, 123.8791],
  ["Mango Avenue Club", "101 Mango Avenue", "Cebu City", "Cebu", 10.3241, 123.877],
  ["Durian Dome", "90 Highland Road", "Davao City", "Davao del Sur", 7.1928, 125.4532],
  ["Masked Smile Arena", "27 Festival Avenue", "Bacolod", "Negros Occidental", 10.6533, 122.9564],
  ["Pop-up Somewhere", "To be announced", "Manila", "Metro Manila", 0, 0],
];

export const builtInVenues = lines.map(
  ([name, address1, city, state, latitude, longitude], at): VenueRow => ({
    // The place in the list is in the id, so it stays the same from run to run: lines are only ever added at the end.
    id: `5a9db0c0-7e1d-4b0e-8f00-${(at + 1).toString(16).padStart(12, "0")}`,
    name,
    address1,
    city,
    state,
    country: "Philippines",
    latitude,
    longitude,
  }),
);

// A rehearsal knows the venues of the service that a project is written for: those that its files name, by id or by name.

/** A venue as far as a project's files describe it. */
export interface NamedVenue {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly country?: string | undefined;
}

interface VenuePlace extends NamedVenue {
  readonly name: string;
}

/**
 * The known venues and those that projects name, so that every named venue is found once. One name in several files is one
 * venue, unless it contradicts itself, as two cities do.
 */
export function withNamedVenues(known: readonly VenueRow[], named: readonly NamedVenue[]): readonly VenueRow[] {
  const byName = new Map<string, VenuePlace[]>();
  for (const { name, ...place } of named) {
    if (name !== undefined)
      byName.set(comparableName(name), [...(byName.get(comparableName(name)) ?? []), { name, ...place }]);
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
function withPlaces(known: readonly VenueRow[], places: readonly VenuePlace[]): readonly VenueRow[] {
  const distinct: VenuePlace[] = [];
  for (const place of places) {
    const at = distinct.findIndex((other) => parts.every((part) => agree(other[part], place[part])));
    if (at < 0) distinct.push(place);
    else distinct[at] = { ...place, ...definedOf(distinct[at]) } as VenuePlace;
  }
  const chosen = distinct.map((place, at) => known.find((venue) => fits(venue, place)) ?? invent(place, at));
  const added = chosen.filter((venue) => !known.includes(venue));
  const all = [...known, ...added];
  // The service may have one venue of a name where the sandbox has two.
  const isUnclear = places.some((place) => all.filter((venue) => fits(venue, place)).length > 1);
  return isUnclear ? all.filter((venue) => chosen.includes(venue) || !hasVenueName(venue, places)) : all;
}

const parts = ["city", "state", "country"] as const;

function fits(venue: VenueRow, place: VenuePlace): boolean {
  return (["name", ...parts] as const).every(
    (part) => place[part] === undefined || comparableName(venue[part]) === comparableName(place[part]),
  );
}

function agree(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || comparableName(one) === comparableName(other);
}

function hasVenueName(venue: VenueRow, [place]: readonly VenuePlace[]): boolean {
  return comparableName(venue.name) === comparableName(place?.name ?? "");
}

function definedOf(place: VenuePlace | undefined): Partial<VenuePlace> {
  return Object.fromEntries(Object.entries(place ?? {}).filter(([, value]) => value !== undefined));
}

/** The first of a name keeps its id when its city becomes known later. */
function invent(place: VenuePlace, at: number): VenueRow {
  const { name, city = "", state = "", country = "" } = place;
  const identity = [name, ...(at === 0 ? [] : [city, state, country])].map(comparableName);
  // The plan says so: the API specification has no such field.
  return { ...rowOf(idFrom(`venue ${identity.join("\n")}`), { name, city, state, country }), madeUp: true };
}

function placeholder(id: string): VenueRow {
  return rowOf(id, { name: `Venue ${id.slice(0, 8)}`, city: "", state: "", country: "" });
}

function rowOf(id: string, place: Pick<VenueRow, "name" | "city" | "state" | "country">): VenueRow {
  // No file says where it is: anywhere but 0, 0, which would cause a warning.
  return { id, address1: "", ...place, latitude: 14.6, longitude: 121 };
}

function comparableName(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

/** Made from a text, so that starting over yields the same; in the form of all other ids: a UUID of version 4. */
export function idFrom(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
