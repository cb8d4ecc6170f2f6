// A venue by name becomes an id before anything is compared, so that the comparison knows ids only.
import type { Address } from "../../model/address.ts";
import { closest, type Diagnostic, noticeOf, warningOf } from "../../model/diagnostic.ts";
import { sameInAnyCase, type Venue } from "../../model/live.ts";
import type { Block } from "../../model/plan.ts";
import { comparableText, formatCount, type VenueQuery, venueKey, yamlWord } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";

export function resolveVenues(wishes: readonly Wish[], found: ReadonlyMap<string, readonly Venue[]>) {
  /** Documents whose venue was not found, or found several times. */
  const blocks = new Map<Address, Block>();
  const diagnostics: Diagnostic[] = [];
  /** The names of venues that only the sandbox has. */
  const madeUp = new Map<Address, string>();
  const resolved = wishes.map((wish) => {
    const query = wish.own.venue;
    const venues = query === undefined ? undefined : found.get(venueKey(query));
    if (query === undefined || venues === undefined) return wish;
    const fitting = venues.filter((venue) => fitsQuery(venue, query));
    const [venue] = fitting;
    if (venue === undefined || fitting.length > 1) {
      blocks.set(wish.address, fitting.length === 0 ? venueNotFound(query, venues) : ambiguous(query, fitting));
      return wish;
    }
    if (venue.latitude === 0 && venue.longitude === 0) diagnostics.push(nowhere(wish, venue));
    if (venue.madeUp) madeUp.set(wish.address, `"${venue.name}"`);
    return { ...wish, fields: { ...wish.fields, venueId: venue.id } };
  });
  return { wishes: resolved, blocks, diagnostics, madeUp };
}

export function venuesMadeUp(names: readonly string[]): readonly Diagnostic[] {
  const all = [...new Set(names)];
  const [venues, them, theirs] = all.length === 1 ? ["venue", "it", "name"] : ["venues", "them", "names"];
  const message = `The sandbox does not have the ${venues} ${all.join(", ")} and made ${them} up.`;
  const hint = `Check the ${theirs} on your service: \`ticketing venues search TEXT --env NAME\`.`;
  return all.length === 0 ? [] : [noticeOf("venue-made-up", message, hint)];
}

export function venueLine(venue: Venue): string {
  const place = [venue.city, venue.state, venue.country].filter((part) => part !== null && part !== "");
  return [venue.name, ...place].join(", ");
}

/** Whether a venue of this line may be the one that is asked for. */
export function fitsLine(line: string, { name, city, state, country }: VenueQuery): boolean {
  const text = `${comparableText(line)}, `;
  const parts = [city, state, country].flatMap((part) => (part === undefined ? [] : `, ${comparableText(part)}, `));
  return text.startsWith(`${comparableText(name)}, `) && parts.every((part) => text.includes(part));
}

function fitsQuery(venue: Venue, query: VenueQuery): boolean {
  return (["name", "city", "state", "country"] as const).every((part) => {
    const wanted = query[part];
    return wanted === undefined || sameInAnyCase(venue[part], wanted);
  });
}

function words(query: VenueQuery): string {
  return [query.name, query.city, query.state, query.country].filter((part) => part !== undefined).join(", ");
}

function list(venues: readonly Venue[]): string {
  const lines = venues.slice(0, 10).map((venue) => `\n  ${venue.id} · ${venueLine(venue)}`);
  return lines.join("") + (venues.length > 10 ? `\n  and ${venues.length - 10} more` : "");
}

function venueNotFound(query: VenueQuery, found: readonly Venue[]): Block {
  // A name that was copied with its city, such as from a plan, is one too.
  const namesakes = found.filter((venue) => fitsLine(venueLine(venue), { name: query.name }));
  const close = closest(query.name, new Set(found.map((venue) => venue.name)));
  const near = namesakes.length > 0 ? namesakes : nearest(query.name, found, close);
  const likely = near.length === 0 ? "" : ` The search found:${list(near.slice(0, 5))}`;
  const meant = namesakes[0] ?? near.find((venue) => venue.name === close);
  const write = meant === undefined ? "" : `Did you mean \`venue: ${asWritten(meant)}\`? `;
  const message = `No venue is called "${words(query)}".${likely}`;
  const hint = `${write}\`ticketing venues search TEXT\` finds venues by a part of their name. Correct the name, or write \`venueId\` with the id in its place.`;
  return { code: "venue-not-found", message, hint };
}

/** Those whose whole name is close, else those that nearly share a word, else all: no far one next to a near one. */
function nearest(name: string, found: readonly Venue[], close: string | null): readonly Venue[] {
  const alike = found.filter((venue) => closest(name, [venue.name]) !== null);
  if (alike.length > 0)
    return [...alike].sort((one, other) => Number(one.name !== close) - Number(other.name !== close));
  const wanted = longWords(name);
  const sharing = found.filter((venue) => {
    const own = longWords(venue.name);
    return wanted.some((word) => closest(word, own) !== null);
  });
  return sharing.length > 0 ? sharing : found;
}

/** Words of three letters and less are close to too many. */
function longWords(name: string): readonly string[] {
  return (name.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 3);
}

function asWritten({ name, city }: Venue): string {
  return city === null || city === "" ? yamlWord(name) : `{ name: ${yamlWord(name)}, city: ${yamlWord(city)} }`;
}

function ambiguous(query: VenueQuery, fitting: readonly Venue[]): Block {
  const [first] = fitting;
  const city =
    query.city === undefined && first?.city
      ? ` (for example \`venue: { name: ${yamlWord(query.name)}, city: ${yamlWord(first.city)} }\`)`
      : "";
  const message = `${formatCount(fitting.length)} venues are called "${words(query)}":${list(fitting)}`;
  const hint = `Say which one by its city${city}, or write \`venueId\` with its id instead.`;
  return { code: "venue-ambiguous", message, hint };
}

function nowhere(wish: Wish, venue: Venue): Diagnostic {
  const place = wish.places.venue ?? wish.source;
  const message = `The venue "${venueLine(venue)}" has no place on the map (its coordinates are 0, 0).`;
  const hint =
    "Buyers may not find it: ask the service to correct the venue, or choose another entry for the same place from `ticketing venues search`.";
  return { ...warningOf("venue-without-place", message, hint), address: wish.address, source: place };
}
