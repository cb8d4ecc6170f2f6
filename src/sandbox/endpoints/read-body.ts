// Reading a body by the table of its fields, with all problems at once.
import { createHash } from "node:crypto";
import { type Field, type FieldTable, fallbackOf, type TextRole } from "../data/field.ts";
import type { Profile } from "../profile/knobs.ts";
import type { FieldProblem } from "./handler.ts";

type Values = Readonly<Record<string, unknown>>;

export interface BodyReading {
  readonly values: Values;
  readonly problems: readonly FieldProblem[];
}

/**
 * `create`: every field gets a value, its fallback if the body has none. `patch`: only the fields in the body. `check`: like
 * `patch`, but required fields must be there, and null only if a field is nullable.
 */
type ReadingMode = "create" | "patch" | "check";

export function readBody(
  mode: ReadingMode,
  fields: FieldTable,
  body: Values,
  profile: Profile,
  prefix = "",
): BodyReading {
  const values: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  function report(name: string, problem: string): void {
    problems.push({ field: prefix + name, message: `${prefix}${name} ${problem}` });
  }
  function readNested(name: string, of: FieldTable, given: unknown): unknown {
    if (typeof given !== "object" || given === null || Array.isArray(given)) return report(name, "must be an object");
    const reading = readBody(mode, of, given as Values, profile, `${prefix}${name}.`);
    problems.push(...reading.problems);
    return reading.values;
  }
  function readGiven(name: string, field: Field, given: unknown): FieldReading {
    if (field.type === "object") return { value: readNested(name, field.of, given) };
    if (field.type !== "objects") return readField(field, given, profile);
    if (!Array.isArray(given)) return { problem: "must be an array" };
    return { value: given.map((each, at) => readNested(`${name}.${at}`, field.of, each)) };
  }

  for (const name of profile.unknownFields === "refused" ? Object.keys(body) : [])
    if (!Object.hasOwn(fields, name)) report(name, "is not a field of this request");
  for (const name in fields) {
    const field = fields[name] as Field;
    const given = body[name];
    const reading = given == null ? readMissing(mode, field, given, profile) : readGiven(name, field, given);
    if (reading === null) continue;
    if ("value" in reading) values[name] = reading.value;
    else report(name, reading.problem);
  }
  return { values, problems };
}

type FieldReading = { readonly value: unknown } | { readonly problem: string };

/** What a field without a value in the body becomes; null: it stays as it is. */
function readMissing(mode: ReadingMode, field: Field, given: null | undefined, profile: Profile): FieldReading | null {
  if (given === undefined && (mode === "patch" || (mode === "check" && field.required !== true))) return null;
  if (field.required === true || (mode === "check" && field.nullable !== true))
    return { problem: given === null ? "must not be null" : "is required" };
  if (mode === "create" || profile.clearing === "accepted") return { value: fallbackOf(field, profile) };
  return profile.clearing === "refused" ? { problem: "must not be null" } : null;
}

type PlainField = Exclude<Field, { readonly type: "object" | "objects" }>;
type FieldOf<T extends Field["type"]> = Extract<Field, { readonly type: T }>;

function readField(field: PlainField, value: unknown, profile: Profile): FieldReading {
  const keep = (isValid: boolean, expected: string) => (isValid ? { value } : { problem: `must be ${expected}` });
  switch (field.type) {
    case "text":
      return readTextField(field, value, profile);
    case "texts":
      return readTexts(field, value, profile);
    case "time":
      return keepTime(typeof value === "string" ? value : "", profile);
    case "choice":
      return keep(field.of.includes(value as string), `one of ${field.of.join(", ")}`);
    case "number":
      return keep(typeof value === "number", "a number");
    case "whole": {
      const { least, most = Number.MAX_SAFE_INTEGER } = field;
      const range = field.most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
      const count = Number.isSafeInteger(value) ? (value as number) : Number.NaN;
      return keep(count >= least && count <= most, `a whole number ${range}`);
    }
    case "flag":
      return keep(typeof value === "boolean", "true or false");
    case "uuid":
      return typeof value === "string" && isUuidText(value) ? { value: value.toLowerCase() } : keep(false, "a UUID");
    case "color":
      return readColor(value, profile);
    default:
      return keep(field.accepts(value), field.expected);
  }
}

export function isUuidText(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

function readTextField(field: FieldOf<"text">, value: unknown, profile: Profile): FieldReading {
  if (typeof value !== "string") return { problem: "must be a string" };
  if (value.trim() === "") {
    if (field.required === true || profile.emptyText === "refused") return { problem: "must not be empty" };
    return { value: profile.emptyText === "null" ? fallbackOf(field, profile) : value };
  }
  const url = field.format === undefined ? undefined : parseAddress(value);
  const protocol = url?.protocol ?? "";
  if (field.format === "https-url" && protocol !== "https:" && !isAcceptedHttp(url, profile))
    return { problem: "must be an https:// URL" };
  if (profile.formatChecks === "all") {
    if (field.format === "url" && !/^https?:$/.test(protocol)) return { problem: "must be a URL" };
    if (field.format === "timezone" && !isZone(value)) return { problem: "must be an IANA time zone" };
    if (field.role === "line" && field.format === undefined && value.length > 255)
      return { problem: "must be at most 255 characters long" };
  }
  return { value: keepText(value, field.role, profile) };
}

function isAcceptedHttp(url: URL | undefined, profile: Profile): boolean {
  return url?.protocol === "http:" && profile.httpLoopback === "accepted" && isThisMachine(url.hostname);
}

function readTexts({ role, of, nonEmpty }: FieldOf<"texts">, value: unknown, profile: Profile): FieldReading {
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== "string"))
    return { problem: "must be an array of strings" };
  if (nonEmpty === true && value.length === 0) return { problem: "must have at least one entry" };
  if (of !== undefined && !value.every((entry) => of.includes(entry)))
    return { problem: `must contain only ${of.join(", ")}` };
  return { value: value.map((entry: string) => keepText(entry, role, profile)) };
}

function readColor(value: unknown, profile: Profile): FieldReading {
  if (typeof value !== "string") return { problem: "must be a string" };
  if (profile.malformedColor === "refused" && !/^#[0-9a-f]{6}$/i.test(value))
    return { problem: "must be a hex color of the form #RRGGBB" };
  if (profile.colorCase === "kept") return { value };
  return { value: profile.colorCase === "lower" ? value.toLowerCase() : value.toUpperCase() };
}

function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Names and addresses of this very machine; a name may end in a dot. */
export function isThisMachine(host: string): boolean {
  return /^((.+\.)?localhost\.?|::1|\[::1\]|(::ffff:)?127(\.\d{1,3}){3})$/i.test(host);
}

// What a service may do to texts before it keeps them.

function keepText(text: string, role: TextRole, profile: Profile): string {
  if (role === "image") return profile.imageUrls === "rehosted" ? rehost(text) : text;
  const whole = profile.trim === "collapse" ? text.replace(/ +/g, " ") : text;
  const trimmed = profile.trim === "off" ? text : whole.trim();
  const kept = role === "prose" ? keepMarkup(trimmed, profile) : trimmed;
  if (profile.lineEnds === "kept") return kept;
  return profile.lineEnds === "lf" ? kept.replace(/\r\n/g, "\n") : kept.replace(/\r?\n/g, "\r\n");
}

function keepMarkup(text: string, profile: Profile): string {
  switch (profile.html) {
    case "kept":
      return text;
    case "sanitized":
      return text.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, "").replace(/<[^<>]*>/g, "");
    case "wrapped":
      return /^<p>[\s\S]*<\/p>$/.test(text) ? text : `<p>${text}</p>`;
  }
}

const ownHost = "https://images.sandbox.invalid/";

function rehost(url: string): string {
  if (url.startsWith(ownHost)) return url;
  const digest = createHash("sha256").update(url).digest("hex").slice(0, 16);
  return `${ownHost}${digest}/${url.split(/[?#]/)[0]?.split("/").at(-1) ?? ""}`;
}

// Date-times are kept as UTC with milliseconds.

const iso = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

function keepTime(text: string, profile: Profile): { readonly value: string } | { readonly problem: string } {
  const [, year, month, day, hour, , , offset] = iso.exec(text) ?? [];
  const isDay = year !== undefined && isDate(Number(year), Number(month), Number(day));
  if (isDay && offset === undefined && profile.nakedTimes === "refused") return { problem: "must have Z or an offset" };
  const time = hour === undefined ? `${text}T00:00:00` : text.slice(0, text.length - (offset?.length ?? 0));
  const instant = isDay ? Date.parse(`${time.replace(",", ".")}${fullOffset(offset)}`) : Number.NaN;
  if (Number.isNaN(instant)) return { problem: "must be an ISO 8601 date-time" };
  return { value: new Date(instant).toISOString() };
}

function isDate(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function fullOffset(offset = "Z"): string {
  return offset === "Z" ? "Z" : `${offset.slice(0, 3)}:${offset.slice(3).replace(":", "") || "00"}`;
}

/** Not `URL.canParse`: once V8 has compiled it, Node 20 rejects every address with a letter such as ü. */
export function parseAddress(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
