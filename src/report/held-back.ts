import { kindOf } from "../kinds/index.ts";
import { parentAddress } from "../kinds/of-address.ts";
import type { Change } from "../model/change.ts";
import type { Operation, Verb } from "../model/operation.ts";
import type { Plan } from "../model/plan.ts";
import type { StatusWish } from "../model/wish.ts";

/** Which changes wait although nothing forbids them, because they need one that is blocked. */
export type HeldBack = (change: Change) => "all" | "status" | null;

const verbOfStatus: Readonly<Record<StatusWish, Verb>> = {
  PUBLISHED: "publish",
  DRAFT: "unpublish",
  ARCHIVED: "archive",
  DELETED: "delete",
};

export function findHeldBack(plan: Pick<Plan, "changes" | "operations">): HeldBack {
  if (plan.changes.every((change) => change.blockedBy.length === 0)) return () => null;
  const operations = new Map<string, Operation[]>();
  for (const operation of plan.operations) {
    const known = operations.get(operation.because);
    if (known === undefined) operations.set(operation.because, [operation]);
    else known.push(operation);
  }
  const does = (address: string | null, verb: Verb): boolean =>
    address !== null && (operations.get(address) ?? []).some((operation) => operation.verb === verb);

  return (change) => {
    if (change.blockedBy.length > 0) return null;
    const parent = parentAddress(change.address);
    // Made within the create call of its event, or gone with it: it has no call of its own.
    if (change.action === "create" && kindOf(change.kind).inline && does(parent, "create")) return null;
    if (change.action === "delete" && does(parent, "delete")) return null;
    const own = operations.get(change.address) ?? [];
    if (own.length === 0) return "all";
    const to = change.transition?.to;
    const staysDraft = change.transition?.from === null && to === "DRAFT";
    return to === undefined || staysDraft || does(change.address, verbOfStatus[to]) ? null : "status";
  };
}
