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

/** What a person specifies about a venue: resolved to an id by search. */
export interface VenueQuery {
  readonly name: string;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly country?: string | undefined;
}

/** One text per venue search: the service is searched only by name, so equal names are searched once. */
export function venueKey(query: VenueQuery): string {
  return comparableText(query.name);
}

/** Names and places are compared without regard to case. */
export function comparableText(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

/** A text as it can be pasted into YAML, also within braces: quoted if it would be read as something else. */
export function yamlWord(text: string): string {
  const isPlain = /^\p{L}[\p{L}\p{M}\p{N}_ .'’&()/-]*$/u.test(text) && text.trim() === text;
  return isPlain && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text) ? text : JSON.stringify(text);
}

/** A field that was cleared, in either of the forms that clear one. */
export function isCleared(value: Value | undefined): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Whether a value that came from outside has fields to look at: no list, and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same; anything else counts as an empty object. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Null where a value that came from outside is no text. */
export function asText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** undefined if it is not JSON, or nested deeper than our data: code that walks or writes it would overflow the stack. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, deepest) ? undefined : value;
  } catch {
    return undefined;
  }
}

const deepest = 200;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const name in value) if (isDeeper(value[name as keyof object], levels - 1)) return true;
  return false;
}

/** At least one. */
export type Group<Item> = readonly [Item, ...Item[]];

/** Items of one key together, in the order in which each key first came. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, Group<Item>> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** How many of `count` items are before a point, if those before it come first. */
export function countBefore(count: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `A, B or C` */
export function either(choices: readonly (string | number)[]): string {
  return choices.length < 2 ? choices.join("") : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}

/** With a capital letter at the beginning. */
export function sentenceCase(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Words of the service or of a library, ended as a sentence: more may follow on the same line. */
export function asSentence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" || /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** By code units, so that the order is the same on every machine. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** `A, B and 3 more` */
export function listSome(items: readonly string[], most: number): string {
  const shown = items.slice(0, most).join(", ");
  return items.length > most ? `${shown} and ${formatCount(items.length - most)} more` : shown;
}

/** Whole pesos as people read them: 1500 is ₱1,500.00. */
export function formatMoney(pesos: number): string {
  if (!Number.isFinite(pesos)) return `₱${pesos}`;
  const amount = Math.abs(pesos);
  // From 1e21 on, numbers print with an exponent and have no digits to group.
  if (amount >= 1e21) return `${pesos < 0 ? "-" : ""}₱${amount}`;
  const [whole = "0", fraction = "00"] = amount.toFixed(2).split(".");
  return `${pesos < 0 ? "-" : ""}₱${groupThousands(whole)}.${fraction}`;
}

/** The same without centavos where there are none. */
export function formatShortMoney(pesos: number): string {
  return formatMoney(pesos).replace(/\.00$/, "");
}

/** A count as people read it: 12500 is 12,500. */
export function formatCount(count: number): string {
  return Number.isSafeInteger(count) ? groupThousands(String(count)) : String(count);
}

/** "1 event", "2,000 events". */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function groupThousands(digits: string): string {
  // The longest number that is shown without an exponent has 21 digits.
  return digits.replace(/\B(?=(?:\d{3}){1,7}$)/g, ",");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A word as a shell reads it, in quotes where it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Not `URL.canParse`: once V8 has compiled it, Node 20 rejects every address with a letter such as ü. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

export const commissionPercent = 7;

/** A price, in pesos. Whoever absorbs fees receives the price minus the commission; otherwise buyers pay it on top. */
export interface Fee {
  /** The ticket type; left out if the change is its own. */
  readonly ticket?: string;
  readonly price: number;
  readonly commission: number;
  /** Whether the event absorbs fees once the plan is applied; null: the service does not show it. */
  readonly absorbFees: boolean | null;
}

/** The text without any of these signs at its end. A pattern that searches for the end needs quadratic time on a long text. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export {
  findSecret,
  isMixed,
  isSecretToken,
  keepSecretsOn,
  maskUrls,
  type SecretPlace,
} from "./value/secret-shapes.ts";
