// The venues that can be searched: invented halls in real Philippine cities. Two share a name, one has no coordinates.
import { createHash } from "node:crypto";
import type { VenueRow } from "./records.ts";

const lines: readonly [string, string, string, string, number, number][] = [
  ["Palace", "12 Hilltop Road", "Baguio", "Benguet", 16.4023, 120.596],
  ["Palace", "88 Bayfront Avenue", "Taguig", "Metro Manila", 14.5197, 121.0488],
  ["Harbour Lights Arena", "1 Pier Road", "Manila", "Metro Manila", 14.6037, 120.98],
  ["Old Walls Courtyard", "5 Garrison Street", "Manila", "Metro Manila", 14.6058, 120.9779],
  ["Riverside Music Hall", "210 Quay Street", "Manila", "Metro Manila", 14.6079, 120.9758],
  ["Lantern Theatre", "34 Market Lane", "Manila", "Metro Manila", 14.61, 120.9737],
  ["Northgate Coliseum", "700 Circle Road", "Quezon City", "Metro Manila", 14.6886, 121.0311],
  ["Jackfruit Yard", "19 Orchard Street", "Quezon City", "Metro Manila", 14.676, 121.0437],
  ["Tramline Warehouse", "45 Depot Street", "Quezon City", "Metro Manila", 14.6781, 121.0416],
  ["University Amphitheatre", "3 Campus Drive", "Quezon City", "Metro Manila", 14.6802, 121.0395],
  ["Skyline Rooftop", "88 Exchange Street", "Makati", "Metro Manila", 14.561, 121.0181],
  ["Little Basement", "7 Alley Nine", "Makati", "Metro Manila", 14.5631, 121.016],
  ["Ayala Garden Stage", "2 Garden Walk", "Makati", "Metro Manila", 14.5652, 121.0139],
  ["High Street Pavilion", "31 Boulevard East", "Taguig", "Metro Manila", 14.5302, 121.0383],
  ["Lakeshore Grounds", "1 Lakeshore Way", "Taguig", "Metro Manila", 14.5176, 121.0509],
  ["Bayside Convention Centre", "9 Reclamation Road", "Pasay", "Metro Manila", 14.5399, 120.9993],
  ["Sunset Boardwalk", "15 Seafront Street", "Pasay", "Metro Manila", 14.542, 120.9972],
  ["Hangar Eleven", "11 Airfield Road", "Pasay", "Metro Manila", 14.5441, 120.9951],
  ["Capitol Park Stage", "4 Capitol Drive", "Pasig", "Metro Manila", 14.5848, 121.0767],
  ["Foundry Hall", "62 Ironworks Street", "Pasig", "Metro Manila", 14.5869, 121.0746],
  ["Crossing Ballroom", "20 Crossing Street", "Mandaluyong", "Metro Manila", 14.592, 121.0233],
  ["Shoe Museum Lawn", "8 Plaza Road", "Marikina", "Metro Manila", 14.6507, 121.1029],
  ["Pine Ridge Amphitheatre", "77 Ridge Road", "Baguio", "Benguet", 16.4044, 120.5939],
  ["Session Hall", "140 Session Lane", "Baguio", "Benguet", 16.4065, 120.5918],
  ["Queen City Arena", "5 Reclaim Drive", "Cebu City", "Cebu", 10.322, 123.8791],
  ["Mango Avenue Club", "101 Mango Avenue", "Cebu City", "Cebu", 10.3241, 123.877],
  ["Fuente Open Stage", "1 Circle Park", "Cebu City", "Cebu", 10.3262, 123.8749],
  ["Bridgehead Expo Hall", "16 Bridge Approach", "Mandaue", "Cebu", 10.3362, 123.9097],
  ["Coral Beach Club", "3 Shoreline Road", "Lapu-Lapu", "Cebu", 10.3103, 123.9494],
  ["Durian Dome", "90 Highland Road", "Davao City", "Davao del Sur", 7.1928, 125.4532],
  ["Matina Grounds", "22 Matina Street", "Davao City", "Davao del Sur", 7.1949, 125.4511],
  ["Riverwalk Davao", "6 Embankment Road", "Davao City", "Davao del Sur", 7.197, 125.449],
  ["Esplanade Theatre", "14 Esplanade", "Iloilo City", "Iloilo", 10.7286, 122.5537],
  ["Dinagyang Plaza", "1 Festival Street", "Iloilo City", "Iloilo", 10.7307, 122.5516],
  ["Masked Smile Arena", "27 Festival Avenue", "Bacolod", "Negros Occidental", 10.6533, 122.9564],
  ["Sugar Mill Hall", "58 Mill Road", "Bacolod", "Negros Occidental", 10.6407, 122.969],
  ["Golden River Coliseum", "33 River Road", "Cagayan de Oro", "Misamis Oriental", 8.4563, 124.6298],
  ["Vinta Bay Stage", "10 Bay Road", "Zamboanga City", "Zamboanga del Sur", 6.9256, 122.0748],
  ["Tuna Port Pavilion", "2 Fishport Road", "General Santos", "South Cotabato", 6.1227, 125.1653],
  ["Acacia Boulevard Stage", "1 Boulevard", "Dumaguete", "Negros Oriental", 9.3152, 123.297],
  ["Leyte Gulf Convention Hall", "41 Gulf Street", "Tacloban", "Leyte", 11.2648, 124.9895],
  ["Volcano View Park", "8 Crater Road", "Legazpi", "Albay", 13.1517, 123.7312],
  ["Penafrancia Hall", "12 Basilica Street", "Naga", "Camarines Sur", 13.6218, 123.1948],
  ["Flightline Club", "66 Runway Street", "Angeles", "Pampanga", 15.1471, 120.5866],
  ["Surfbreak Beach Stage", "4 Break Road", "San Fernando", "La Union", 16.6201, 120.3167],
  ["Cobblestone Plaza", "9 Heritage Street", "Vigan", "Ilocos Sur", 17.581, 120.3806],
  ["Ridgeview Gardens", "73 Ridge Highway", "Tagaytay", "Cavite", 14.1237, 120.9537],
  ["Batangas Pier Hall", "3 Port Road", "Batangas City", "Batangas", 13.767, 121.0478],
  ["Underground River Stage", "18 Cavern Road", "Puerto Princesa", "Palawan", 9.7518, 118.7227],
  ["White Sand Stage", "Station Two Beach", "Boracay", "Aklan", 11.9674, 121.9248],
  ["Chocolate Hills Lawn", "5 Hillside Road", "Tagbilaran", "Bohol", 9.6521, 123.8479],
  ["Sand Dunes Grounds", "1 Dunes Road", "Laoag", "Ilocos Norte", 18.2002, 120.5885],
  ["Agusan River Hall", "29 River Street", "Butuan", "Agusan del Norte", 8.9538, 125.5343],
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
  return rowOf(idFrom(`venue ${identity.join("\n")}`), { name, city, state, country });
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
