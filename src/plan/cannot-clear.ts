// Fields that are to be emptied and that the service did not let be emptied when it was tried: not asked for for ever.
import { sameValue } from "../kinds/canonical.ts";
import type { Kind } from "../kinds/define.ts";
import { sentName } from "../kinds/sent-name.ts";
import type { Block, Edit } from "../model/change.ts";
import type { Live } from "../model/live.ts";
import type { Value } from "../model/value.ts";
import type { Memory } from "./memory.ts";

type Uncleared = Memory["uncleared"];

/** What of it still stands: the edits want it empty, and the service shows what it showed then. */
export function stillUncleared(kind: Kind, edits: readonly Edit[], live: Live, uncleared: Uncleared): Uncleared {
  const standing: Record<string, Value> = {};
  for (const edit of edits) {
    const name = sentName(kind, edit.path.slice(1));
    const remembered = uncleared[name];
    if (remembered === undefined || !isEmpty(edit.after)) continue;
    if (sameValue(remembered, live.fields[name] ?? null)) standing[name] = remembered;
  }
  return standing;
}

export function cannotClearBlock(uncleared: Uncleared): Block | null {
  const fields = Object.keys(uncleared);
  if (fields.length === 0) return null;
  const them = fields.length === 1 ? "it" : "them";
  return {
    code: "cannot-clear",
    message: `The service did not let ${fields.map((field) => `\`${field}\``).join(", ")} be emptied when it was tried.`,
    hint: `Give ${them} ${fields.length === 1 ? "another value" : "other values"}, leave ${them} out of the file, or empty ${them} in the dashboard.`,
  };
}

function isEmpty(value: Value): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
