// What a price means to the buyer and to the organizer. Seven percent of whole pesos is exact in centavos.
import { parentAddress } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Change } from "../../model/plan.ts";
import { formatMoney } from "../../model/value.ts";

/** The platform's commission in percent of the price. */
const commission = 7;

/** Said once beside all amounts that the sentences below name. */
export const feesFootnote = `Amounts are after the ${commission} % commission on the price; processing fees vary by payment method and are not included.`;

export interface Fee {
  /** The ticket type; null where the change is its own. */
  readonly name: string | null;
  readonly price: number;
  /** undefined: the service does not show it. */
  readonly absorbFees: boolean | undefined;
}

/** Whether the event at an address will absorb fees, as far as its own change tells; a new one does unless told otherwise. */
export type Absorbs = (event: Address | null) => boolean | undefined;

export function findAbsorbs(changes: readonly Change[]): Absorbs {
  const known = new Map<Address | null, boolean>();
  for (const change of changes) {
    const after = change.edits.find((edit) => edit.path === "/absorbFees")?.after;
    if (change.kind !== "event") continue;
    if (typeof after === "boolean") known.set(change.address, after);
    else if (change.action === "create") known.set(change.address, true);
  }
  return (event) => known.get(event);
}

/** The prices to explain: of a ticket type whose price is set, of all of them where who bears the fees changes. */
export function feesOf(change: Change, absorbs: Absorbs): readonly Fee[] {
  if (change.action === "delete") return [];
  const after = (path: string) => change.edits.find((edit) => edit.path === path)?.after;
  if (change.kind === "ticket") {
    const price = after("/price");
    const absorbFees = change.context?.absorbFees ?? absorbs(parentAddress(change.address));
    return typeof price === "number" ? [{ name: null, price, absorbFees }] : [];
  }
  const absorbFees = after("/absorbFees");
  if (change.action === "create" || typeof absorbFees !== "boolean") return [];
  return (change.context?.prices ?? []).map(({ name, price }) => ({ name, price, absorbFees }));
}

/** One sentence on who pays what. */
export function feesSentence({ price, absorbFees }: Fee): string {
  if (price === 0) return "free: the buyer pays nothing and no commission is taken";
  const withCommission = formatMoney((price * (100 + commission)) / 100);
  const lessCommission = formatMoney((price * (100 - commission)) / 100);
  const plain = formatMoney(price);
  if (absorbFees === undefined) {
    return `buyer pays ${plain}, organizer receives ${lessCommission} if the event absorbs fees; else ${withCommission} and ${plain} (the service does not show which)`;
  }
  return absorbFees
    ? `buyer pays ${plain}; organizer receives ${lessCommission} less processing fees`
    : `buyer pays ${withCommission} plus processing fees; organizer receives ${plain}`;
}
