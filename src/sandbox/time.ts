// Date-times: read from requests, kept as UTC with milliseconds, shown as the profile writes them.
import type { Profile } from "./knobs.ts";

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
