// An address names an object within a project: `events/manila-nights/tickets/VIP`.

export type Address = string;

// A slash, star or percent sign would change an address's meaning; a control character would change its looks.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const special = /[/*%\u0000-\u001f\u007f-\u009f]/g;

/** A name as one segment of an address. */
export function encodeSegment(name: string): string {
  if (name.search(special) === -1) return name;
  return name.replace(special, (character) => {
    const bytes = new TextEncoder().encode(character);
    return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  });
}

/** The name that a segment stands for. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The address of `name` in the list `plural`, below `parent` where there is one; `nth` counts objects of one name from 1. */
export function makeAddress(parent: Address | null, plural: string, name: string, nth = 1): Address {
  const own = `${plural}/${encodeSegment(name)}${nth > 1 ? `#${nth}` : ""}`;
  return parent === null ? own : `${parent}/${own}`;
}

/** The event or webhook that an address is of, or is below. */
export function rootOf(address: Address): Address {
  return address.split("/").slice(0, 2).join("/") as Address;
}
