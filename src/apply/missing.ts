import type { Kind } from "../kinds/define.ts";
import type { Live } from "../model/live.ts";
import { confirmFields } from "./confirm.ts";
import type { Fields } from "./journal-entry.ts";

/** The part of what was sent that the live object does not show as sent. */
export function missingOf(kind: Kind, sent: Fields, live: Live): Fields {
  const { returned, wrong, uncleared, unshown } = confirmFields(kind, sent, live);
  const names = new Set([...Object.keys(returned), ...Object.keys(wrong), ...uncleared, ...unshown]);
  return Object.fromEntries(Object.entries(sent).filter(([field]) => names.has(field)));
}
