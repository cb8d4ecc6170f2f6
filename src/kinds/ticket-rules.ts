import type { Live } from "../model/live.ts";
import { formatCount } from "../model/money.ts";
import type { Value } from "../model/value.ts";
import type { Facts, Rule, Verdict } from "./define.ts";
import { archivedIsFinal, editOf, mayHurtBuyers, risk, rule, salesUnknown, soldWords } from "./verdicts.ts";

function deletion(facts: Facts): Verdict | null {
  if (facts.change.action !== "delete") return null;
  if (facts.sold.any === null) return salesUnknown(facts, facts.sold);
  if (facts.sold.any) {
    return rule(
      "delete-after-sales",
      `The ticket type '${facts.name}' cannot be deleted: ${
        facts.sold.ofEvent === true
          ? "nothing shows that none of it is sold, and the event has orders that do not name their ticket types"
          : soldWords(facts.sold)
      }.`,
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
  const edit = editOf(facts, "/quantity");
  const wished = edit?.after;
  if (facts.live === null || typeof wished !== "number") return null;
  const count = facts.sold.count ?? soldSince(facts.live, edit?.before);
  if (count === null || wished >= count) return null;
  return rule(
    "quantity-below-sold",
    `The ticket type '${facts.name}' cannot have ${formatCount(wished)} tickets: ${soldWords({ count, any: true })}.`,
    `Set \`quantity\` to ${count} or more, or stop the sale with \`soldOut: true\`.`,
  );
}

/** Where the service hides the quantity: what remains of the one that was applied last. Nothing remaining says nothing. */
function soldSince({ fields, remaining }: Live, applied: Value | undefined): number | null {
  const isHidden = fields.quantity === undefined && remaining !== null && remaining > 0;
  return isHidden && typeof applied === "number" ? Math.max(0, applied - remaining) : null;
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
