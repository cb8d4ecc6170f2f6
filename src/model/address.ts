// An address names an object within a project: `events/manila-nights/tickets/VIP`.

export type Address = string;

// A slash, star or percent sign would change an address's meaning; a control character would change how it looks.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const special = /[/*%\u0000-\u001f\u007f-\u009f]/g;

export function encodeSegment(name: string): string {
  if (name.search(special) === -1) return name;
  return name.replace(special, (character) => {
    const bytes = new TextEncoder().encode(character);
    return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  });
}

export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The address of `name` in the list `plural`, below `parent` if there is one; `nth` counts objects of one name from 1. */
export function makeAddress(parent: Address | null, plural: string, name: string, nth = 1): Address {
  const own = `${plural}/${encodeSegment(name)}${nth > 1 ? `#${nth}` : ""}`;
  return parent === null ? own : `${parent}/${own}`;
}

/**
 * The addresses of the objects of one list, in order. The first of a name has the name alone, and each further one the
 * next number that makes a separate address: `Seat#2` may also be somebody's name, or already be in use.
 */
export function makeAddresses(
  parent: Address | null,
  plural: string,
  names: readonly string[],
  inUse: readonly Address[] = [],
): readonly Address[] {
  const used = new Set(inUse);
  const firsts = names.map((name) => {
    const address = makeAddress(parent, plural, name);
    if (used.has(address)) return null;
    used.add(address);
    return address;
  });
  const counts = new Map<string, number>();
  return names.map((name, index) => {
    const first = firsts[index];
    if (typeof first === "string") return first;
    for (let nth = (counts.get(name) ?? 1) + 1; ; nth++) {
      const address = makeAddress(parent, plural, name, nth);
      if (used.has(address)) continue;
      counts.set(name, nth);
      return address;
    }
  });
}

/** The name that an address ends in: that of the object itself, with its number if several share the name. */
export function nameInAddress(address: Address): string {
  return decodeSegment(address.slice(address.lastIndexOf("/") + 1));
}

/** What follows the name of the list: the key of an event, the URL of a webhook. */
export function keyInAddress(address: Address): string {
  return decodeSegment(address.slice(address.indexOf("/") + 1));
}

/** The key of the event that an object belongs to, as YAML writes it. */
export function yamlKey(address: Address): string {
  const key = keyInAddress(rootOf(address));
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** The event or webhook that an address is of, or is below. */
export function rootOf(address: Address): Address {
  return address.split("/").slice(0, 2).join("/") as Address;
}

const dated = /^(.+)@(\d{4}-\d\d-\d\d)$/;

/** The series and the day of a date of it, or of what is below that: `events/club@2027-01-15`. Null for anything else. */
export function dateOf(address: Address): { readonly series: Address; readonly day: string } | null {
  const [, series, day] = dated.exec(rootOf(address)) ?? [];
  return series === undefined || day === undefined ? null : { series, day };
}

/** The date nearest to one that its series does not have; null if the series has none, or no date is named. */
export function nearestDate(wanted: Address, addresses: readonly Address[]): Address | null {
  const [named, away] = [dateOf(wanted), (day: string) => Math.abs(Date.parse(day) - Date.parse(named?.day ?? ""))];
  const days = addresses.flatMap((address) => {
    const date = dateOf(address);
    return date === null || date.series !== named?.series ? [] : date.day;
  });
  const [near] = days.sort((one, other) => away(one) - away(other));
  return near === undefined ? null : `${named?.series}@${near}`;
}

/** `event`, `ticket` and so on: the `name` of a kind in src/kinds, which lists them all. */
export type KindName = string;

// Ids are the service's own: sent back letter for letter as it shows them, and compared without case, as UUIDs are.

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function idKey(id: string): string {
  return id.toLowerCase();
}

export function sameId(one: unknown, other: unknown): boolean {
  if (one === other) return typeof one === "string";
  return typeof one === "string" && typeof other === "string" && idKey(one) === idKey(other);
}

/** Each id once, in its first spelling. */
export function distinctIds(ids: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const id of ids) if (!found.has(idKey(id))) found.set(idKey(id), id);
  return [...found.values()];
}

// Texts with gaps, matched in one pass: a pattern of `.*` would try every way to divide the text between its gaps.

/** Whether a text consists of these parts in their order, with at least `atLeast` characters in each gap. */
export function hasGaps(text: string, parts: readonly string[], atLeast: number): boolean {
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (parts.length < 2) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  // Finding each part as early as possible leaves most for those behind it.
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at + atLeast);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at + atLeast && text.endsWith(last);
}

/** The hint for people who name an event, or its file, where a command accepts none. */
export function howToTarget(word: string): string {
  const key =
    word
      .split("/")
      .at(-1)
      ?.replace(/\.ya?ml$/i, "") ?? "";
  return `For one event: --target events/${/^[\w@.-]+$/.test(key) ? key : "KEY"}.`;
}
