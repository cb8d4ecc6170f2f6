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
