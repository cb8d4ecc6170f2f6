import * as z from "zod";
import { defineKind } from "./define.ts";
import { choice, clearable, flag, idField, ignoreField, requiredText, text, whole } from "./fields.ts";
import { ticketRules } from "./ticket-rules.ts";

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
      standard: 8,
      mistake: "max-purchase-not-positive",
    },
    published: { role: "value", form: "flag", change: "publish", alwaysSent: false },
    soldOut: { role: "value", form: "flag", change: "sold-out", create: "after", read: readSoldOut },
    renamedFrom: { role: "own" },
    ignore: { role: "own" },
  },
  identity: {
    label: "name",
    keys: [["name", "section", "row"], ["name"]],
    standards: { section: "General Admissions", row: "GA" },
    twins: "ask",
  },
  endpoints: { get: true, patch: true, readScope: "tickets:read", writeScope: "tickets:write" },
  inline: true,
  steps: [],
  rules: ticketRules,
  secret: false,
});
