// What a price means to the buyer and to the organizer.

import { commissionPercent, type Fee, formatMoney } from "../../model/value.ts";

/** Said once beside all amounts that the sentences below name. */
export const feesFootnote = `Amounts are after the ${commissionPercent}% commission on the price; processing fees vary by payment method and are not included.`;

/** One sentence on who pays what. */
export function feesSentence({ price, commission, absorbFees }: Fee): string {
  if (price === 0) return "free: the buyer pays nothing and no commission is taken";
  const withCommission = formatMoney(price + commission);
  const lessCommission = formatMoney(price - commission);
  const plain = formatMoney(price);
  if (absorbFees === null) {
    return `buyer pays ${plain}, organizer receives ${lessCommission} if the event absorbs fees; else ${withCommission} and ${plain} (the service does not show which)`;
  }
  return absorbFees
    ? `buyer pays ${plain}; organizer receives ${lessCommission} less processing fees`
    : `buyer pays ${withCommission} plus processing fees; organizer receives ${plain}`;
}
