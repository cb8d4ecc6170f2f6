// What a service may do to texts and times before it keeps or shows them, and which hosts are this machine.
import { createHash } from "node:crypto";
import type { TextRole } from "../data/field.ts";
import type { Profile } from "../profile/knobs.ts";

export function keepText(text: string, role: TextRole, profile: Profile): string {
  if (role === "image") return profile.imageUrls === "rehosted" ? rehost(text) : text;
  const trimmed = profile.trim === "on" ? text.trim() : text;
  const kept = role === "prose" ? keepMarkup(trimmed, profile) : trimmed;
  if (profile.lineEnds === "kept") return kept;
  return profile.lineEnds === "lf" ? kept.replace(/\r\n/g, "\n") : kept.replace(/\r?\n/g, "\r\n");
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

const ownHost = "https://images.sandbox.invalid/";

function rehost(url: string): string {
  if (url.startsWith(ownHost)) return url;
  const digest = createHash("sha256").update(url).digest("hex").slice(0, 16);
  return `${ownHost}${digest}/${url.split(/[?#]/)[0]?.split("/").at(-1) ?? ""}`;
}

// Date-times: read from requests, kept as UTC with milliseconds, shown as the profile writes them.

const iso = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

export function keepTime(text: string, profile: Profile): { readonly value: string } | { readonly problem: string } {
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

/** Names and addresses of this very machine; a name may end in a dot. */
export function isLoopbackHost(host: string): boolean {
  return /^((.+\.)?localhost\.?|::1|\[::1\]|(::ffff:)?127(\.\d{1,3}){3})$/i.test(host);
}
