// Whether a live value can stand in a file, and in which form.
import * as z from "zod";
import type { FieldPolicy, Kind } from "../kinds/define.ts";
import { isTimezone } from "../model/timezone.ts";
import type { Value } from "../model/value.ts";
import { writeLocalTime } from "./local-time.ts";
import type { Written } from "./written.ts";

/** The value as the file writes it; undefined where the file's schema has no place for it. */
export function writeField(kind: Kind, field: string, value: Value, zone: string): Written | undefined {
  const policy: FieldPolicy | undefined = kind.fields[field];
  const isInstant = policy?.role === "value" && policy.form === "instant";
  const written = isInstant && typeof value === "string" ? writeLocalTime(value, zone) : value;
  // An instant before or beyond all calendars, which is something else than no instant.
  if (written === null && value !== null) return undefined;
  const isZone = policy?.role === "value" && policy.mistake === "unknown-timezone";
  if (isZone && written !== null && !isTimezone(String(written))) return undefined;
  const schema = kind.schema.shape[field];
  return schema !== undefined && z.safeParse(schema, written).success ? written : undefined;
}
