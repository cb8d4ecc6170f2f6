// What became of the fields that were sent: confirmed, kept in another shape, not shown, or not cleared.
import { canonical, sameValue } from "../kinds/canonical.ts";
import type { Kind } from "../kinds/define.ts";
import { isRewritable } from "../kinds/rewritable.ts";
import type { Live } from "../model/live.ts";
import { type Fields, isEmpty } from "./journal-entry.ts";
import { formOf } from "./resemble.ts";

export interface Confirmation {
  /** Shown in another shape than was sent, where the service may have its own. */
  readonly returned: Fields;
  /** Shown, and another value than was sent: a number, a time or a choice has no other shape. */
  readonly wrong: Fields;
  /** Sent as null and still there. */
  readonly uncleared: readonly string[];
  /** Not shown at all. */
  readonly unshown: readonly string[];
}

export function confirmFields(kind: Kind, sent: Fields, live: Live | null): Confirmation {
  const returned: Record<string, Fields[string]> = {};
  const wrong: Record<string, Fields[string]> = {};
  const uncleared: string[] = [];
  const unshown: string[] = [];
  for (const [field, value] of Object.entries(sent)) {
    const shown = live?.fields[field];
    if (shown === undefined) unshown.push(field);
    else if (!sameValue(canonical(formOf(kind, field), value), shown)) {
      if (isEmpty(value)) uncleared.push(field);
      else if (isRewritable(formOf(kind, field))) returned[field] = shown;
      else wrong[field] = shown;
    }
  }
  return { returned, wrong, uncleared, unshown };
}

export function isConfirmed({ returned, wrong, uncleared }: Confirmation): boolean {
  return uncleared.length === 0 && !hasAny(returned) && !hasAny(wrong);
}

export function hasAny(fields: Fields): boolean {
  return Object.keys(fields).length > 0;
}
