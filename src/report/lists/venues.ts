// Venues for the terminal: a table with ids, and the lines to paste.
import { formatCount, pluralize } from "../../model/value.ts";
import { renderSentence } from "../text/page.ts";
import { safeText } from "../text/sanitize.ts";
import { renderTable } from "../text/table.ts";

// The line that puts a venue into an event's document.

export interface VenueView {
  readonly id: string;
  readonly name: string | null;
  readonly address1: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** By name and city where that means this venue alone, which reads well; by its id otherwise. */
export function venueYaml(venue: VenueView, all: readonly VenueView[]): string {
  const { name, city } = venue;
  if (name !== null && city !== null) {
    const alike = all.filter((other) => same(other.name, name) && same(other.city, city));
    if (alike.length === 1) return `venue: { name: ${scalar(name)}, city: ${scalar(city)} }`;
  }
  return `venueId: ${venue.id}`;
}

function same(one: string | null, other: string): boolean {
  return one !== null && one.normalize("NFC").trim().toLowerCase() === other.normalize("NFC").trim().toLowerCase();
}

// Plain where nothing in it means something to YAML; otherwise in quotes, as JSON writes it, which YAML reads alike.
const plain = /^[\p{L}][\p{L}\p{M}\p{N} .'’&()/-]*$/u;
const word = /^(true|false|yes|no|on|off|null|y|n)$/i;

function scalar(text: string): string {
  const isPlain = plain.test(text) && !word.test(text) && text.trim() === text;
  return isPlain ? text : JSON.stringify(text);
}

export interface VenuesTextOptions {
  readonly columns: number;
  readonly query: string;
  readonly city: string | null;
  /** How many the search found before the city was looked at. */
  readonly found: number;
}

const mostLines = 10;

export function renderVenuesText(venues: readonly VenueView[], options: VenuesTextOptions): string {
  if (venues.length === 0) {
    return `\n${renderSentence(nothingFound(options), { columns: options.columns, color: false })}`;
  }
  const table = renderTable(
    [{ title: "Venue" }, { title: "City" }, { title: "Id", whole: true }],
    venues.map(({ id, name, city, state }) => [name ?? "name not shown", placeOf(city, state), id]),
    { columns: Math.min(options.columns, 120) },
  );
  const lines = venues.slice(0, mostLines).map((venue) => `  ${safeText(venueYaml(venue, venues))}`);
  const more = venues.length > mostLines ? [`  … for the others: use venueId with the id, or narrow the search`] : [];
  return `\n${table}\nAdd one of these to the event's file:\n${[...lines, ...more].join("\n")}\n\n${pluralize(venues.length, "venue")}.\n`;
}

function placeOf(city: string | null, state: string | null): string {
  return [city, state].filter((part) => part !== null && part !== "").join(", ") || "not shown";
}

function nothingFound({ query, city, found }: VenuesTextOptions): string {
  if (city !== null && found > 0) {
    return `No venue matching "${query}" is in ${city}; ${formatCount(found)} elsewhere ${found === 1 ? "does" : "do"}. Leave out --city to see them.`;
  }
  return `No venue matches "${query}". The search covers names only: try a shorter part of the name, without the city.`;
}
