// A bad branch or a moved folder looks like "delete everything": such a plan never goes through by itself.
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Block } from "../../model/plan.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import type { EventComparison } from "../compare/comparison.ts";

export interface DeleteLimit {
  readonly maxDeletes: number;
  /** Given on the command line: the person has counted. */
  readonly stated: boolean;
  /** Events the project has or had. */
  readonly events: number;
  /** Deletions that other shards plan: the limit applies to all of them together. */
  readonly elsewhere: number;
}

/** A limit that somebody raised is still reported, like every risk that is accepted. */
export function raisedLimit(events: readonly EventComparison[], limit: DeleteLimit): readonly Diagnostic[] {
  const block = tooManyDeletes(events, limit);
  return block === null ? [] : [{ code: block.code, severity: "info", message: `Accepted: ${block.message}` }];
}

export function tooManyDeletes(events: readonly EventComparison[], limit: DeleteLimit): Block | null {
  const deleted = events.filter(({ self: { change } }) => change?.action === "delete");
  const count = deleted.length + limit.elsewhere;
  const overLimit = count > limit.maxDeletes;
  // The project file cannot lift this limit: a number written long ago did not count these.
  const overHalf = !limit.stated && count >= 3 && count * 2 > limit.events;
  if (!overLimit && !overHalf) return null;
  const why = overLimit
    ? limit.maxDeletes === 0
      ? "the limit is 0"
      : `more than the ${formatCount(limit.maxDeletes)} that ${limit.maxDeletes === 1 ? "is" : "are"} allowed at once`
    : `over half of the project's ${formatCount(limit.events)}`;
  const check = "Check that no file was moved or lost. If this is intended,";
  const yaml = `maxDeletes: ${count}`;
  const lasting = `write \`${yaml}\` in ticketing.yaml, and undo that once they are deleted`;
  return {
    code: "too-many-deletes",
    message: `${pluralize(count, "event")} would be deleted: ${why}.`,
    ...(overHalf
      ? {
          hint: `${check} pass --max-deletes ${count}.`,
          plainHint: `${check} delete them in several pull requests, fewer in each${limit.maxDeletes > 0 ? "" : ", with that number as `maxDeletes`"}.`,
        }
      : {
          hint: `${check} pass --max-deletes ${count}, or ${lasting}.`,
          plainHint: `${check} ${lasting}.`,
          yaml,
        }),
  };
}
