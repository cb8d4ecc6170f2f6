// Venues for the terminal: a table with ids, and the lines to paste.
import { formatCount } from "../model/money.ts";
import { safeText } from "./safe-text.ts";
import { renderSentence } from "./sentence.ts";
import { renderTable } from "./table.ts";
import { type VenueView, venueYaml } from "./venue-yaml.ts";

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
  const more = venues.length > mostLines ? [`  … for the others: venueId and the id, or a narrower search`] : [];
  const count = `${formatCount(venues.length)} ${venues.length === 1 ? "venue" : "venues"}.`;
  return `\n${table}\nInto the event's file goes one of:\n${[...lines, ...more].join("\n")}\n\n${count}\n`;
}

function placeOf(city: string | null, state: string | null): string {
  return [city, state].filter((part) => part !== null && part !== "").join(", ") || "not shown";
}

function nothingFound({ query, city, found }: VenuesTextOptions): string {
  if (city !== null && found > 0) {
    return `No venue called "${query}" is in ${city}; there are ${formatCount(found)} elsewhere: leave out --city to see them.`;
  }
  return `No venue is called "${query}". The search looks at names: try a shorter part of it, without the city.`;
}
