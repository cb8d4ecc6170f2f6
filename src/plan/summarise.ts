import type { Change } from "../model/change.ts";
import type { Operation } from "../model/operation.ts";
import type { Summary } from "../model/plan.ts";

/** Counts what would be done: a change that is blocked counts as blocked and as nothing else. */
export function summarise(
  changes: readonly Change[],
  operations: readonly Operation[],
  unchanged: number,
  unmanaged: number | null,
): Summary {
  const open = changes.filter((change) => change.blockedBy.length === 0);
  const actions = (action: Change["action"]) => open.filter((change) => change.action === action).length;
  const verbs = (verb: Operation["verb"]) => operations.filter((operation) => operation.verb === verb).length;
  return {
    create: actions("create"),
    update: actions("update"),
    replace: actions("replace"),
    delete: actions("delete"),
    publish: verbs("publish"),
    unpublish: verbs("unpublish"),
    archive: verbs("archive"),
    soldOut: verbs("sold-out"),
    unchanged,
    blocked: changes.length - open.length,
    unmanaged,
  };
}
