import type { Facts, Rule, Verdict } from "./define.ts";
import { archivedIsFinal, editOf, mayHurtBuyers, risk, rule, salesUnknown, soldWords } from "./verdicts.ts";

function deletion(facts: Facts): Verdict | null {
  if (facts.change.action !== "delete") return null;
  if (facts.sold.any === null) return salesUnknown;
  if (facts.sold.any) {
    return rule(
      "delete-after-sales",
      `The ticket type '${facts.name}' cannot be deleted: ${soldWords(facts.sold)}.`,
      `If it was renamed, write \`renamedFrom: ${facts.name}\` on the new entry; if not, list it again with \`soldOut: true\`: nobody can buy it any more and sold tickets stay valid.`,
    );
  }
  // Where the service does not show whether it is on sale, it may be.
  if (facts.event?.status !== "PUBLISHED" || facts.live?.fields.published === false) return null;
  return risk(
    "delete-ticket-on-sale",
    `The ticket type '${facts.name}' is on sale (${soldWords(facts.sold)}) and would be deleted.`,
    `If it was renamed, write \`renamedFrom: ${facts.name}\` on the new entry.`,
  );
}

function noWithdrawal(facts: Facts): Verdict | null {
  const edit = editOf(facts, "/published");
  if (facts.live === null || edit === undefined || edit.after !== false || edit.before !== true) return null;
  return rule(
    "no-withdrawal",
    `The ticket type '${facts.name}' is on sale, and the service has no way to withdraw it.`,
    "Write `published: true` and `soldOut: true`: nobody can buy it any more.",
  );
}

function quantityBelowSold(facts: Facts): Verdict | null {
  const wished = editOf(facts, "/quantity")?.after;
  const sold = facts.sold.count;
  if (facts.live === null || typeof wished !== "number" || sold === null || wished >= sold) return null;
  return rule(
    "quantity-below-sold",
    `The ticket type '${facts.name}' cannot have ${wished} tickets: ${soldWords(facts.sold)}.`,
    `Set \`quantity\` to ${sold} or more, or stop the sale with \`soldOut: true\`.`,
  );
}

function priceChangeWithSales(facts: Facts): Verdict | null {
  if (facts.live === null || editOf(facts, "/price") === undefined || !mayHurtBuyers(facts, facts.sold)) return null;
  return risk("price-change-with-sales", `The price of '${facts.name}' would change while ${soldWords(facts.sold)}.`);
}

export const ticketRules: readonly Rule[] = [
  archivedIsFinal,
  deletion,
  noWithdrawal,
  quantityBelowSold,
  priceChangeWithSales,
];
