// A branch gone wrong or a moved folder looks like "delete everything": no such plan goes through by itself.
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
  const count = events.filter((event) => event.self.change?.action === "delete").length;
  const overLimit = count > limit.maxDeletes;
  const overHalf = !limit.stated && count >= 3 && count * 2 > limit.events;
  if (!overLimit && !overHalf) return events;
  const why = overLimit
    ? `more than the ${limit.maxDeletes} that are allowed at once`
    : `over half of the project's ${limit.events}`;
  const block = {
    code: "too-many-deletes",
    message: `${count} events would be deleted: ${why}.`,
    hint: `Check that no file was moved or lost. If it is meant, pass --max-deletes ${count}.`,
  };
  return events.map((event) => {
    const change = event.self.change;
    if (change === null || change.action !== "delete") return event;
    return { ...event, self: { ...event.self, change: withBlocks(change, [block]) } };
  });
}
