// Which fields the service shows at all. A field that some records show and another leaves out is empty there, not hidden.
import type { Kind } from "../kinds/define.ts";
import type { Live } from "../model/live.ts";
import type { Value } from "../model/value.ts";

export type ShownFields = Set<string>;

export function noteShown(shown: ShownFields, live: Live): void {
  for (const field of Object.keys(live.fields)) shown.add(field);
}

/** The same object with fields that are shown elsewhere and missing here as empty ones. */
export function fillShown(shown: ShownFields, kind: Kind, live: Live): Live {
  const fields: Record<string, Value> = { ...live.fields };
  for (const field of shown) {
    const policy = kind.fields[field];
    if (field in fields || policy?.role !== "value" || policy.required === true) continue;
    // A missing flag or choice means nothing in particular; only what can be empty can be taken for empty.
    if (policy.form !== "flag" && policy.form !== "choice") fields[field] = null;
  }
  return { ...live, fields };
}
