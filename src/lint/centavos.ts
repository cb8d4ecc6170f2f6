import type { Diagnostic, Severity } from "../model/diagnostic.ts";
import { formatMoney } from "../model/money.ts";
import type { Wish } from "../model/wish.ts";
import { callOf, childrenOf, numberOf } from "./fields.ts";
import { remarkAt } from "./remark.ts";
import { none } from "./rule.ts";

/** The service once took centavos. A price that still counts in them is a hundred times what was meant. */
export function priceLooksLikeCentavos(event: Wish): readonly Diagnostic[] {
  const priced: Priced[] = [];
  for (const ticket of childrenOf(event, "ticket")) {
    const price = numberOf(ticket, "price");
    // Free tickets say nothing about the unit of the others.
    if (price !== undefined && price > 0) priced.push({ ticket, price });
  }
  if (priced.length === 0) return none;
  const sorted = priced.map(({ price }) => price).sort((one, other) => one - other);
  const found: Diagnostic[] = [];
  for (const { ticket, price } of priced) {
    const severity = suspect(price, sorted);
    if (severity !== null) found.push(explain(ticket, price, severity));
  }
  return found;
}

interface Priced {
  readonly ticket: Wish;
  readonly price: number;
}

function suspect(price: number, sorted: readonly number[]): Severity | null {
  if (price >= 100_000) return "error";
  const median = medianOfOthers(sorted, price);
  if (median !== null && price % 100 === 0) {
    if (price >= 100 * median) return "error";
    // Tables and boxes are dear.
    if (price >= 20 * median) return "warning";
  }
  return (sorted[0] ?? 0) >= 20_000 ? "warning" : null;
}

function medianOfOthers(sorted: readonly number[], price: number): number | null {
  if (sorted.length < 2) return null;
  const own = sorted.indexOf(price);
  const count = sorted.length - 1;
  const nth = (index: number) => sorted[index < own ? index : index + 1] ?? 0;
  const middle = Math.floor(count / 2);
  return count % 2 === 1 ? nth(middle) : (nth(middle - 1) + nth(middle)) / 2;
}

function explain(ticket: Wish, price: number, severity: Severity): Diagnostic {
  const meant = price % 100 === 0 ? `: did you mean ${price / 100}?` : ", not centavos.";
  return remarkAt(ticket, ["price"], {
    code: "price-looks-like-centavos",
    severity,
    message: `${callOf(ticket)} costs ${formatMoney(price)}. Prices are whole pesos${meant}`,
    hint: "If the price is right, add `ignore: [price-looks-like-centavos]` to the ticket type.",
  });
}
