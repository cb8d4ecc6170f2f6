// What became of the fields that were sent: confirmed, kept in another shape, not shown, or not cleared.
import { canonical, sameValue } from "../kinds/canonical.ts";
import type { Kind } from "../kinds/define.ts";
import type { Live } from "../model/live.ts";
import { isEmpty } from "./clearing.ts";
import type { Fields } from "./journal-entry.ts";
import { formOf } from "./resemble.ts";

export interface Confirmation {
  /** Shown, and another value than was sent. */
  readonly returned: Fields;
  /** Sent as null and still there. */
  readonly uncleared: readonly string[];
  /** Not shown at all. */
  readonly unshown: readonly string[];
}

export function confirmFields(kind: Kind, sent: Fields, live: Live | null): Confirmation {
  const returned: Record<string, Fields[string]> = {};
  const uncleared: string[] = [];
  const unshown: string[] = [];
  for (const [field, value] of Object.entries(sent)) {
    const shown = live?.fields[field];
    if (shown === undefined) unshown.push(field);
    else if (!sameValue(canonical(formOf(kind, field), value), shown)) {
      if (isEmpty(value)) uncleared.push(field);
      else returned[field] = shown;
    }
  }
  return { returned, uncleared, unshown };
}

export function isConfirmed(confirmation: Confirmation): boolean {
  return confirmation.uncleared.length === 0 && Object.keys(confirmation.returned).length === 0;
}
