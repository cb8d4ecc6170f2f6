// A branch gone wrong or a moved folder looks like "delete everything": no such plan goes through by itself.
import type { Block } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { formatCount } from "../model/money.ts";
import type { EventCase } from "./case.ts";
import { withBlocks } from "./compare.ts";

export interface DeleteLimit {
  readonly maxDeletes: number;
  /** Given on the command line: the person has counted. */
  readonly stated: boolean;
  /** Events the project has or had. */
  readonly events: number;
}

export function judgeDeletes(events: readonly EventCase[], limit: DeleteLimit): readonly EventCase[] {
  const block = tooMany(events, limit);
  if (block === null) return events;
  return events.map((event) => {
    const change = event.self.change;
    if (change === null || change.action !== "delete") return event;
    return { ...event, self: { ...event.self, change: withBlocks(change, [block]) } };
  });
}

/** A limit that somebody raised is still told, like every risk that is accepted. */
export function raisedLimit(events: readonly EventCase[], limit: DeleteLimit): readonly Diagnostic[] {
  const block = tooMany(events, limit);
  return block === null ? [] : [{ code: block.code, severity: "info", message: `Accepted: ${block.message}` }];
}

function tooMany(events: readonly EventCase[], limit: DeleteLimit): Block | null {
  const count = events.filter((event) => event.self.change?.action === "delete").length;
  const overLimit = count > limit.maxDeletes;
  const overHalf = !limit.stated && count >= 3 && count * 2 > limit.events;
  if (!overLimit && !overHalf) return null;
  const why = overLimit
    ? `more than the ${limit.maxDeletes} that are allowed at once`
    : `over half of the project's ${limit.events}`;
  return {
    code: "too-many-deletes",
    message: `${formatCount(count)} events would be deleted: ${why}.`,
    hint: `Check that no file was moved or lost. If it is meant, pass --max-deletes ${count}.`,
  };
}
