// One form for both sides of a comparison, so that the comparison itself has no special cases.
import { sameId, uuidPattern } from "../../model/address.ts";
import type { Live, StateEntry } from "../../model/live.ts";
import { parseUrl, type Value } from "../../model/value.ts";
import type { FieldPolicy, Form, ValuePolicy } from "../define.ts";

/** The canonical form of a value from YAML or the service; undefined if it cannot have this form. */
export function canonical(form: Form, value: unknown): Value | undefined {
  if (value === null || (typeof value === "string" && value.trim() === "")) return null;
  switch (form) {
    case "text":
    case "markup":
      return typeof value === "string" ? canonicalText(value) : typeof value === "number" ? String(value) : undefined;
    case "url":
    // An id keeps the case in which it is shown; comparisons ignore case.
    case "id":
      return typeof value === "string" ? value.trim() : undefined;
    // `public` is the same choice as `PUBLIC`.
    case "choice":
    case "color":
      return typeof value === "string" ? value.trim().toUpperCase() : undefined;
    case "instant":
      return canonicalInstant(value);
    case "number":
      return canonicalNumber(value);
    case "flag":
      return typeof value === "boolean" ? value : undefined;
    case "list":
      return canonicalList(value);
    case "set": {
      const list = canonicalList(value);
      return Array.isArray(list) ? [...new Set(list)].sort() : list;
    }
  }
}

export function sameValue(one: Value | undefined, other: Value | undefined): boolean {
  if (one === other) return true;
  if (typeof one === "string") return one.length === 36 && uuidPattern.test(one) && sameId(one, other);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => item === other[index]);
  return false;
}

/** Whether the service shows the value that the files ask for. A field that is shown empty has the value that `null` means in YAML. */
export function showsWish(policy: ValuePolicy, shown: Value, wish: Value): boolean {
  return sameValue(shown ?? policy.serviceDefault ?? policy.plainest ?? null, wish);
}

/** The same in another shape: a text in other markup, or a URL that the service writes in its normal form. */
export function sameMeaning(form: Form, shown: Value, wish: Value): boolean {
  if (Array.isArray(shown) && Array.isArray(wish))
    return form === "list" && shown.length === wish.length && shown.every((url, index) => sameUrl(url, wish[index]));
  if (typeof shown !== "string" || typeof wish !== "string") return false;
  if (form === "url") return sameUrl(shown, wish);
  return (form === "text" || form === "markup") && sameText(shown, wish);
}

/** The URL of a stored image may be signed again in each response: what follows its `?` does not count. */
export function showsSame(policy: FieldPolicy | undefined, one: Value | undefined, other: Value): boolean {
  const unsigned = (value: Value) => [value].flat().map((url) => String(url).replace(/\?.*/s, "?"));
  if (one === undefined || sameValue(one, other)) return one !== undefined;
  return policy?.role === "value" && policy.leadsTo === "image" && sameValue(unsigned(one), unsigned(other));
}

/** Whether a field shows what was applied to it last, or sent without a known outcome, in whatever form the service keeps that. Selling out looks like closing the sale, which may lower the quantity. */
export function showsApplied(
  policy: ValuePolicy,
  field: string,
  shown: Value,
  { applied, returned = {}, unconfirmed = [] }: Pick<StateEntry, "applied" | "returned" | "unconfirmed">,
): boolean {
  const isSent = (call: StateEntry["applied"]) =>
    call[field] !== undefined && showsApplied(policy, field, shown, { applied: call });
  if (unconfirmed.some(isSent)) return true;
  const sent = applied[field];
  if (sent === undefined || showsWish(policy, shown, sent)) return true;
  if (policy.change === "sold-out" && sent === false) return true;
  if (policy.loweredBy !== undefined && applied[policy.loweredBy] === true) return true;
  if (!isRewritable(policy.form)) return false;
  return showsSame(policy, returned[field], shown) || sameMeaning(policy.form, shown, sent);
}

/** The same for the status of an event. */
export function hasAppliedStatus({ status }: Pick<Live, "status">, { applied, unconfirmed = [] }: StateEntry): boolean {
  const isApplied = status === null || applied.status === undefined || applied.status === status;
  return isApplied || unconfirmed.some((call) => call.status === status);
}

function sameUrl(shown: string, wish: string): boolean {
  return shown === wish || normalUrl(shown) === normalUrl(wish);
}

/** `https://Example.com` is `https://example.com/`. */
export function normalUrl(url: string): string {
  return parseUrl(url)?.href ?? url;
}

/** The same words in other markup, as shown by a service that wraps or sanitizes text. Plain text must be equal. */
function sameText(shown: string, wish: string): boolean {
  if (!isMarkedUp(shown) && !isMarkedUp(wish)) return shown === wish;
  // A service that cleans up markup does not add links.
  const led = linksIn(wish);
  return withoutMarkup(shown) === withoutMarkup(wish) && [...linksIn(shown)].every((link) => led.has(link));
}

/** Text without its markup, for a service that wraps or sanitizes text. */
export function withoutMarkup(text: string): string {
  const lines = withoutEntities(text)
    .replace(/<br\s*\/?>/gi, "\n")
    .replace(/<\/p>\s*<p[^>]*>/gi, "\n\n");
  return withoutTags(lines).replace(/\s+/g, " ").trim();
}

/** The same for people: paragraphs, lines and points of lists are lines. */
export function linesWithoutMarkup(text: string): readonly string[] {
  const broken = text
    .replace(/<li(?:\s[^<>]*)?>/gi, "\n• ")
    .replace(/<\/?(?:p|div|ul|ol|li|h[1-6]|blockquote|tr|br|hr)(?:\s[^<>]*)?\/?>/gi, "\n");
  const lines = withoutEntities(withoutTags(broken)).split("\n");
  return lines.map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line !== "");
}

// `< 18` is not a tag.
const tags = /<\/?[a-z][^<>]*>/gi;
const entity = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;

function isMarkedUp(text: string): boolean {
  return text.search(entity) !== -1 || withoutTags(text) !== text;
}

/** Without tags and comments. A comment that is not closed is text; one search finds that, however many are opened. */
function withoutTags(text: string): string {
  let rest = "";
  let at = 0;
  for (;;) {
    const open = text.indexOf("<!--", at);
    const close = open === -1 ? -1 : text.indexOf("-->", open + 4);
    if (close === -1) return rest + text.slice(at).replace(tags, "");
    rest += text.slice(at, open).replace(tags, "");
    at = close + 3;
  }
}

function withoutEntities(text: string): string {
  return text.replace(entity, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

function linksIn(text: string): ReadonlySet<string> {
  const found = withoutEntities(text).matchAll(/\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi);
  return new Set([...found].map(([, double, single, bare]) => (double ?? single ?? bare ?? "").trim()));
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

// Nearly all names and most texts: nothing in them has another form.
const simple = /^[!-~](?:[ -~]*[!-~])?$/;

function canonicalText(text: string): string | null {
  if (simple.test(text)) return text;
  const plain = text.normalize("NFC").replace(/\r\n?/g, "\n").trim();
  return plain === "" ? null : plain;
}

// As the service writes an instant. Days after the 28th are left to code that knows how long a month is.
const canonicalForm = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.000Z$/;

/** In whole seconds: not every service keeps a part of one, and nothing begins at one. */
function canonicalInstant(value: unknown): string | undefined {
  if (typeof value === "string" && canonicalForm.test(value)) return value;
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const milliseconds = typeof value === "number" ? value : Date.parse(withZone(value.trim()));
  return Number.isFinite(milliseconds) && Math.abs(milliseconds) < 8.64e15
    ? new Date(Math.floor(milliseconds / 1000) * 1000).toISOString()
    : undefined;
}

// The service speaks UTC. Without a zone, Date.parse would take the one of this machine.
function withZone(text: string): string {
  return /[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? `${text}Z` : text;
}

// A price may come as 1500, "1500" or "1500.00"; a fraction is never rounded away.
function canonicalNumber(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || !/^-?\d+(\.\d+)?$/.test(value.trim())) return undefined;
  return Number(value);
}

// An empty list and no list say the same, as "" and null do.
function canonicalList(value: unknown): readonly string[] | null | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: string[] = [];
  for (const item of value) {
    const text = typeof item === "string" ? item : typeof item?.url === "string" ? (item.url as string) : undefined;
    if (text === undefined) return undefined;
    items.push(text.trim());
  }
  return items.length === 0 ? null : items;
}

const rewritable: ReadonlySet<Form> = new Set<Form>(["text", "markup", "url", "list"]);

/** A service may trim, clean, wrap or re-host these. In any other form, a different value is a difference. */
export function isRewritable(form: Form): boolean {
  return rewritable.has(form);
}
