// What follows for people from changes and their calls: what prices mean, and which changes wait for others.

import { kindOf, parentAddress, soldKind } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Change, Operation, Verb } from "../../model/plan.ts";
import { commissionPercent, type Fee, groupBy } from "../../model/value.ts";
import type { StatusWish } from "../../model/wish.ts";

/** The changes with their `fees` and `heldBack`, whatever they said of these before. */
export function explainChanges(changes: readonly Change[], operations: readonly Operation[]): readonly Change[] {
  const absorbing = absorbingEvents(changes);
  const heldBackOf = findHeldBack(changes, operations);
  return changes.map(({ fees: _, heldBack: __, ...change }) => {
    const fees = feesToExplain(change, absorbing);
    const heldBack = heldBackOf(change);
    return { ...change, ...(fees.length === 0 ? {} : { fees }), ...(heldBack === null ? {} : { heldBack }) };
  });
}

/** Whether events will absorb fees, as far as their own changes show; a new one does by default. */
function absorbingEvents(changes: readonly Change[]): ReadonlyMap<Address | null, boolean> {
  return new Map(
    changes.flatMap((change) => {
      const after = afterOf(change, "/absorbFees");
      if (typeof after === "boolean") return [[change.address, after]];
      return change.action === "create" && parentAddress(change.address) === null ? [[change.address, true]] : [];
    }),
  );
}

/** The prices to explain: of a ticket type whose price is set, of all of them where who bears the fees changes. */
function feesToExplain(change: Change, absorbing: ReadonlyMap<Address | null, boolean>): readonly Fee[] {
  if (change.action === "delete") return [];
  if (change.kind === soldKind.name) {
    const price = afterOf(change, "/price");
    if (typeof price !== "number") return [];
    const absorbFees = change.context?.absorbFees ?? absorbing.get(parentAddress(change.address)) ?? null;
    return [{ price, commission: commissionOn(price), absorbFees }];
  }
  const absorbFees = afterOf(change, "/absorbFees");
  if (change.action === "create" || typeof absorbFees !== "boolean") return [];
  const prices = change.context?.prices ?? [];
  return prices.map(({ name, price }) => ({ ticket: name, price, commission: commissionOn(price), absorbFees }));
}

/** In pesos; a percentage of whole pesos is exact in centavos. */
export function commissionOn(price: number): number {
  return (price * commissionPercent) / 100;
}

function afterOf({ edits }: Change, path: string) {
  return edits.find((edit) => edit.path === path)?.after;
}

const verbOfStatus: Readonly<Record<StatusWish, Verb>> = {
  PUBLISHED: "publish",
  DRAFT: "unpublish",
  ARCHIVED: "archive",
  DELETED: "delete",
};

/** Which changes wait although nothing forbids them, because they need one that is blocked. */
function findHeldBack(changes: readonly Change[], operations: readonly Operation[]) {
  if (changes.every((change) => change.blockedBy.length === 0)) return () => null;
  const byCause = groupBy(operations, ({ because }) => because);
  const does = (address: Address | null, verb: Verb): boolean =>
    address !== null && (byCause.get(address) ?? []).some((operation) => operation.verb === verb);

  return (change: Change): "change" | "status" | null => {
    if (change.blockedBy.length > 0) return null;
    const parent = parentAddress(change.address);
    // Made within the create call of its event, or gone with it: it has no call of its own.
    if (change.action === "create" && kindOf(change.kind).inline && does(parent, "create")) return null;
    if (change.action === "delete" && does(parent, "delete")) return null;
    if (!byCause.has(change.address)) return "change";
    const to = change.transition?.to;
    const staysDraft = change.transition?.from === null && to === "DRAFT";
    return to === undefined || staysDraft || does(change.address, verbOfStatus[to]) ? null : "status";
  };
}
