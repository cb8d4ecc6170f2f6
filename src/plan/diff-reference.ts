// What an entry names: ids on the service, addresses in files. Where the service does not show it, memory stands in.
import type { Edit } from "../model/change.ts";
import type { Live } from "../model/live.ts";
import { isReference, type Value } from "../model/value.ts";
import type { Wish } from "../model/wish.ts";
import { appliedTo, isStillUnknown, knowsOf, type Memory } from "./memory.ts";

/** What references of one event come to: the name for people, and the address that a live id stands for. */
export interface References {
  addressOf(id: string): string | undefined;
  nameOf(addressOrId: string): string;
}

export interface ReferenceField {
  /** As the files call it. */
  readonly name: string;
  readonly sentAs: string;
}

/** "unknown": the service does not show what is named, and nobody remembers. */
export function diffReference(
  field: ReferenceField,
  wish: Wish,
  live: Live,
  memory: Memory,
  references: References,
): Edit | "unknown" | null {
  const { name, sentAs } = field;
  const after = wish.fields[sentAs];
  if (after === undefined) return null;
  const wished = isReference(after) ? after.$id : null;
  const shown = live.fields[sentAs];
  if (shown === undefined && (!knowsOf(memory, sentAs) || isStillUnknown(memory, sentAs, wished))) return "unknown";
  const former = addressIn(appliedTo(memory, sentAs), references);
  const present = shown === undefined ? former : addressIn(shown, references);
  if (present === wished) return null;
  const label = shown === undefined ? "edit" : labelOfReference(memory, sentAs, former, wished);
  return {
    path: `/${name}`,
    before: typeof present === "string" ? references.nameOf(present) : null,
    after: wished === null ? null : references.nameOf(wished),
    ...(shown === undefined ? { unreadable: true } : {}),
    ...(label === undefined ? {} : { label }),
  };
}

/** The service and state hold an id, a base the address: all come to an address, or to the id of what no address means. */
function addressIn(value: Value | undefined, references: References): Value | undefined {
  return typeof value === "string" ? (references.addressOf(value) ?? value) : value;
}

function labelOfReference(
  memory: Memory,
  sentAs: string,
  former: Value | undefined,
  wished: string | null,
): Edit["label"] {
  if (!knowsOf(memory, sentAs)) return undefined;
  return former === wished ? "drift" : "edit";
}
