/** Whole pesos as people read them: 1500 is ₱1,500.00. */
export function formatMoney(pesos: number): string {
  if (!Number.isFinite(pesos)) return `₱${pesos}`;
  const amount = Math.abs(pesos);
  // From 1e21 on, numbers print with an exponent and have no digits to group.
  if (amount >= 1e21) return `${pesos < 0 ? "-" : ""}₱${amount}`;
  const [whole = "0", fraction = "00"] = amount.toFixed(2).split(".");
  return `${pesos < 0 ? "-" : ""}₱${groupThousands(whole)}.${fraction}`;
}

/** A count as people read it: 12500 is 12,500. */
export function formatCount(count: number): string {
  return Number.isSafeInteger(count) ? groupThousands(String(count)) : String(count);
}

function groupThousands(digits: string): string {
  // The longest number that is shown without an exponent has 21 digits.
  return digits.replace(/\B(?=(?:\d{3}){1,7}$)/g, ",");
}
