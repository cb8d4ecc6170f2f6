import * as z from "zod";
import type { Live } from "../../model/live.ts";
import { formatCount, type Value } from "../../model/value.ts";
import { defineKind, type Facts, type Verdict } from "../define.ts";
import { choice, clearable, flag, idField, ignoreField, requiredText, text, whole } from "../fields/field-schemas.ts";
import { archivedIsFinal, describeSold, editOf, mayHurtBuyers, risk, rule, salesUnknown } from "../fields/verdicts.ts";
import { bornSoldOut, yearInName } from "../lint-rules/copied-year.ts";
import { freeEventWithPrice, rsvpWithPrice } from "../lint-rules/prices.ts";
import {
  maxPurchaseAboveQuantity,
  publishedNotStated,
  reservedSeatWithoutSeat,
  standardMost,
} from "../lint-rules/sale.ts";

function deletion(facts: Facts): Verdict | null {
  if (facts.change.action !== "delete") return null;
  if (facts.sold.any === null) return salesUnknown(facts, facts.sold);
  if (facts.sold.any) {
    return rule(
      "delete-after-sales",
      `The ticket type '${facts.name}' cannot be deleted: ${
        facts.sold.ofEvent === true
          ? "nothing shows that none of it is sold, and the event has orders that do not name their ticket types"
          : describeSold(facts.sold)
      }.`,
      `If it was renamed, write \`renamedFrom: ${facts.name}\` on the new entry; if not, list it again with \`soldOut: true\`: nobody can buy it any more and sold tickets stay valid.`,
    );
  }
  // Where the service does not show whether it is on sale, it may be.
  if (facts.event?.status !== "PUBLISHED" || facts.live?.fields.published === false) return null;
  // Nothing remains of what nobody bought: its sale was closed.
  const state = facts.live?.remaining === 0 ? "is public and closed" : "is on sale";
  return risk(
    "delete-ticket-on-sale",
    `The ticket type '${facts.name}' ${state} (${describeSold(facts.sold)}) and would be deleted.`,
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
    `The ticket type '${facts.name}' cannot have ${formatCount(wished)} tickets: ${describeSold({ count, any: true })}.`,
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
  return risk(
    "price-change-with-sales",
    `The price of '${facts.name}' would change while ${describeSold(facts.sold)}.`,
  );
}

const schema = z
  .strictObject({
    id: idField,
    name: requiredText("The ticket type's name, as buyers see it.", "VIP").optional(),
    price: whole(0, "Price in whole pesos: 1500 means ₱1,500.00.", 1500).optional(),
    quantity: whole(1, "How many tickets there are in all.", 200).optional(),
    section: clearable(text("The section; the service takes General Admissions where left out.", "Balcony")),
    row: clearable(text("The row; the service takes GA where left out.", "A")),
    type: clearable(
      choice(
        ["GENERAL_ADMISSION", "RESERVED_SEAT", "VIP"],
        "What kind of ticket it is; GENERAL_ADMISSION where it is null.",
        "VIP",
      ),
    ),
    maximumPurchaseQuantity: clearable(
      whole(1, "The most that one order may hold; the service takes 8 where left out.", 6),
    ),
    published: flag("True: on sale. It cannot be withdrawn later, only sold out.", true).optional(),
    soldOut: flag("True: nobody can buy it any more; the remaining quantity becomes 0.", true).optional(),
    renamedFrom: requiredText("The ticket type's former name, for a rename.", "Early Bird").optional(),
    ignore: ignoreField,
  })
  .meta({ title: "Ticket type", description: "One kind of ticket with its price and how many there are." });

/** Sold out is not a field of the service: it shows as nothing remaining. */
function readSoldOut(record: Readonly<Record<string, unknown>>): boolean | undefined {
  const remaining = record.remainingQuantity;
  return typeof remaining === "number" ? remaining === 0 : undefined;
}

export const ticket = defineKind({
  name: "ticket",
  plural: "tickets",
  words: { one: "ticket type", many: "ticket types" },
  parent: "event",
  schema,
  fields: {
    id: { role: "own" },
    name: { role: "value", form: "text", change: "patch", required: true },
    price: { role: "value", form: "whole", change: "patch", required: true, mistake: "price-not-whole" },
    quantity: {
      role: "value",
      form: "whole",
      change: "patch",
      required: true,
      loweredBy: "soldOut",
      mistake: "quantity-not-positive",
    },
    section: { role: "value", form: "text", change: "patch", standard: "General Admissions" },
    row: { role: "value", form: "text", change: "patch", standard: "GA" },
    type: { role: "value", form: "choice", change: "patch", plainest: "GENERAL_ADMISSION" },
    maximumPurchaseQuantity: {
      role: "value",
      form: "whole",
      change: "patch",
      standard: standardMost,
      mistake: "max-purchase-not-positive",
    },
    published: { role: "value", form: "flag", change: "publish", alwaysSent: false, imported: "always" },
    // Nothing left may be all sold, and a refund brings tickets back: a file that says `soldOut` would close the sale for good.
    soldOut: {
      role: "value",
      form: "flag",
      change: "sold-out",
      create: "after",
      read: readSoldOut,
      imported: "never",
    },
    renamedFrom: { role: "own" },
    ignore: { role: "own" },
  },
  writeFirst: ["id", "name", "type", "section", "row", "price", "quantity", "maximumPurchaseQuantity", "published"],
  // The dearest first, as on a poster.
  sortBy: ["-price", "name", "section", "row"],
  defaultsExample: { maximumPurchaseQuantity: 6 },
  identity: {
    label: "name",
    keys: [["name", "section", "row"], ["name"]],
    likeness: "name, section and row",
    standards: { section: "General Admissions", row: "GA" },
    twins: "ask",
  },
  endpoints: { get: true, patch: true, readScope: "tickets:read", writeScope: "tickets:write" },
  inline: true,
  sold: true,
  steps: [],
  rules: [archivedIsFinal, deletion, noWithdrawal, quantityBelowSold, priceChangeWithSales],
  lint: [
    freeEventWithPrice,
    rsvpWithPrice,
    maxPurchaseAboveQuantity,
    publishedNotStated,
    bornSoldOut,
    yearInName,
    reservedSeatWithoutSeat,
  ],
});
