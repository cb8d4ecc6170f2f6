// Reading one field of a request body: a value to keep, or a sentence about what is wrong with it.
import { createHash } from "node:crypto";
import type { Profile } from "../../profile/knobs.ts";

// What a service may do to text before it keeps it.

export type TextRole = "line" | "prose" | "image";

export function keepText(text: string, role: TextRole, profile: Profile): string {
  if (role === "image") return profile.imageUrls === "rehosted" ? rehost(text) : text;
  let kept = profile.trim === "on" ? text.trim() : text;
  if (role === "prose") kept = keepMarkup(kept, profile);
  return keepLineEnds(kept, profile);
}

function keepMarkup(text: string, profile: Profile): string {
  switch (profile.html) {
    case "kept":
      return text;
    case "sanitised":
      return text.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, "").replace(/<[^<>]*>/g, "");
    case "wrapped":
      return /^<p>[\s\S]*<\/p>$/.test(text) ? text : `<p>${text}</p>`;
  }
}

function keepLineEnds(text: string, profile: Profile): string {
  switch (profile.lineEnds) {
    case "kept":
      return text;
    case "lf":
      return text.replace(/\r\n/g, "\n");
    case "crlf":
      return text.replace(/\r?\n/g, "\r\n");
  }
}

const ownHost = "https://images.sandbox.invalid/";

function rehost(url: string): string {
  if (url.startsWith(ownHost)) return url;
  const digest = createHash("sha256").update(url).digest("hex").slice(0, 16);
  return `${ownHost}${digest}/${url.split(/[?#]/)[0]?.split("/").at(-1) ?? ""}`;
}

// Date-times: read from requests, kept as UTC with milliseconds, shown as the profile writes them.

const iso = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

export function readTime(text: string, profile: Profile): { readonly value: string } | { readonly problem: string } {
  const parts = iso.exec(text);
  if (parts === null || !isDay(Number(parts[1]), Number(parts[2]), Number(parts[3]))) {
    return { problem: "must be an ISO 8601 date-time" };
  }
  const offset = parts[7];
  if (offset === undefined && profile.nakedTimes === "refused") return { problem: "must carry Z or an offset" };
  const time = parts[4] === undefined ? `${text}T00:00:00` : text.slice(0, text.length - (offset?.length ?? 0));
  const instant = Date.parse(`${time.replace(",", ".")}${fullOffset(offset)}`);
  return Number.isNaN(instant)
    ? { problem: "must be an ISO 8601 date-time" }
    : { value: new Date(instant).toISOString() };
}

function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function fullOffset(offset: string | undefined): string {
  if (offset === undefined || offset === "Z") return "Z";
  return `${offset.slice(0, 3)}:${offset.slice(3).replace(":", "") || "00"}`;
}

const manilaMs = 8 * 60 * 60 * 1000;

/** `utc` is a date-time as the sandbox keeps it. */
export function showTime(utc: string, profile: Profile): string {
  switch (profile.dates) {
    case "utc-ms":
      return utc;
    case "utc":
      return `${utc.slice(0, 19)}Z`;
    case "offset":
      return `${new Date(Date.parse(utc) + manilaMs).toISOString().slice(0, 19)}+08:00`;
    case "offset-ms":
      return `${new Date(Date.parse(utc) + manilaMs).toISOString().slice(0, 23)}+08:00`;
  }
}

export type FieldType =
  | { readonly type: "text"; readonly role: TextRole; readonly format?: "url" | "https-url" | "timezone" }
  | { readonly type: "texts"; readonly role: TextRole; readonly of?: readonly string[]; readonly filled?: boolean }
  | { readonly type: "time" }
  | { readonly type: "choice"; readonly of: readonly string[] }
  | { readonly type: "whole"; readonly least: number }
  | { readonly type: "flag" }
  | { readonly type: "uuid" }
  | { readonly type: "color" }
  /** Read by the endpoint itself. */
  | { readonly type: "other" };

export type Field = FieldType & {
  readonly required?: boolean;
  /** What stands where the request says nothing, or clears it. */
  readonly fallback?: unknown;
};

export type Reading = { readonly value: unknown } | { readonly problem: string };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

export function readField(field: Field, value: unknown, profile: Profile): Reading {
  switch (field.type) {
    case "text":
      return readText(field, value, profile);
    case "texts":
      return readTexts(field, value, profile);
    case "time":
      return typeof value === "string" ? readTime(value, profile) : { problem: "must be an ISO 8601 date-time" };
    case "choice":
      if (typeof value === "string" && field.of.includes(value)) return { value };
      return { problem: `must be one of ${field.of.join(", ")}` };
    case "whole":
      if (typeof value === "number" && Number.isSafeInteger(value) && value >= field.least) return { value };
      return { problem: `must be a whole number from ${field.least} on` };
    case "flag":
      return typeof value === "boolean" ? { value } : { problem: "must be true or false" };
    case "uuid":
      return typeof value === "string" && isUuid(value)
        ? { value: value.toLowerCase() }
        : { problem: "must be a UUID" };
    case "color":
      return readColor(value, profile);
    case "other":
      return { value };
  }
}

function readText(field: Field & { readonly type: "text" }, value: unknown, profile: Profile): Reading {
  if (typeof value !== "string") return { problem: "must be a string" };
  if (value.trim() === "") {
    if (field.required === true) return { problem: "must not be empty" };
    if (profile.emptyText === "refused") return { problem: "must not be empty" };
    return { value: profile.emptyText === "null" ? (field.fallback ?? null) : value };
  }
  if (field.format === "https-url" && !isHttps(value, profile)) return { problem: "must be an https:// URL" };
  if (profile.formatChecks === "all") {
    if (field.format === "url" && !/^https?:$/.test(protocolOf(value))) return { problem: "must be a URL" };
    if (field.format === "timezone" && !isTimezone(value)) return { problem: "must be an IANA time zone" };
    if (field.role === "line" && field.format === undefined && value.length > 255) {
      return { problem: "must be at most 255 characters long" };
    }
  }
  return { value: keepText(value, field.role, profile) };
}

function readTexts(field: Field & { readonly type: "texts" }, value: unknown, profile: Profile): Reading {
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== "string")) {
    return { problem: "must be an array of strings" };
  }
  if (field.filled === true && value.length === 0) return { problem: "must name at least one" };
  const strange = field.of === undefined ? undefined : value.find((entry) => !field.of?.includes(entry));
  if (strange !== undefined) return { problem: `must hold only ${field.of?.join(", ")}` };
  return { value: value.map((entry: string) => keepText(entry, field.role, profile)) };
}

function readColor(value: unknown, profile: Profile): Reading {
  if (typeof value !== "string") return { problem: "must be a string" };
  if (profile.malformedColor === "refused" && !/^#[0-9a-f]{6}$/i.test(value)) {
    return { problem: "must be a hex colour of the form #RRGGBB" };
  }
  switch (profile.colorCase) {
    case "kept":
      return { value };
    case "lower":
      return { value: value.toLowerCase() };
    case "upper":
      return { value: value.toUpperCase() };
  }
}

function protocolOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : "";
}

function isHttps(text: string, profile: Profile): boolean {
  const protocol = protocolOf(text);
  if (protocol === "https:") return true;
  return protocol === "http:" && profile.httpLoopback === "accepted" && isLoopback(new URL(text).hostname);
}

/** Names and numbers of this very machine; a name may end in a dot. */
export function isLoopback(host: string): boolean {
  return /^((.+\.)?localhost\.?|::1|\[::1\]|(::ffff:)?127(\.\d{1,3}){3})$/i.test(host);
}

function isTimezone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
