import type { Diagnostic } from "../model/diagnostic.ts";
import { findSecret } from "../model/secret-shape.ts";
import { isTimezone } from "../model/timezone.ts";
import type { Wish } from "../model/wish.ts";
import { textOf } from "./fields.ts";
import { remarkAt } from "./remark.ts";
import { none } from "./rule.ts";

/** A secret in its place is told as one, and never repeated. */
export function unknownTimezone(event: Wish): readonly Diagnostic[] {
  const zone = textOf(event, "timezone");
  if (zone === undefined || isTimezone(zone) || findSecret(zone) !== null) return none;
  const meant = guessZone(zone);
  return [
    remarkAt(event, ["timezone"], {
      code: "unknown-timezone",
      severity: "error",
      message: `'${zone}' is not the name of a time zone.`,
      hint: meant === null ? "Write a place's name, such as Asia/Manila." : `Use ${meant}.`,
    }),
  ];
}

function guessZone(written: string): string | null {
  if (isManilaTime.test(written.trim())) return "Asia/Manila";
  const wanted = soundOf(written);
  if (wanted === "") return null;
  const alike = Intl.supportedValuesOf("timeZone").filter((zone) => soundOf(zone) === wanted);
  const region = written.slice(0, written.indexOf("/") + 1).toLowerCase();
  return alike.find((zone) => zone.toLowerCase().startsWith(region)) ?? alike[0] ?? null;
}

const isManilaTime = /^((gmt|utc)?\s*\+?0?8(:?00)?|pht|pst|phst|philippines?( (standard )?time)?)$/i;

// Slips are mostly about vowels, doubled letters and spaces: Manilla, Sinagpore, New-York.
function soundOf(zone: string): string {
  const city = zone.slice(zone.lastIndexOf("/") + 1).toLowerCase();
  return city.replace(/[^b-df-hj-np-tv-xz]/g, "").replace(/(.)\1+/g, "$1");
}
