import * as z from "zod";
import { defineKind } from "../define.ts";
import { ticketAdvice } from "../fields/advice.ts";
import { canonical } from "../fields/canonical.ts";
import { choice, clearable, idField, ignoreField, requiredText, text, whole, yesNo } from "../fields/field-schemas.ts";
import { archivedIsFinal } from "../fields/verdicts.ts";
import { bornSoldOut, yearInName } from "../lint-rules/copied-year.ts";
import {
  defaultMost,
  maxPurchaseAboveQuantity,
  publishedNotStated,
  reservedSeatWithoutSeat,
} from "../lint-rules/sale.ts";
import {
  centavosBesideLive,
  freeEventWithPrice,
  largePriceChange,
  priceChangeWithSales,
  rsvpWithPrice,
} from "../rules/price-rules.ts";
import {
  createdSoldOut,
  noWithdrawal,
  quantityBelowSold,
  soldOutStays,
  ticketDeletion,
} from "../rules/ticket-rules.ts";

const schema = z
  .strictObject({
    id: idField,
    name: requiredText("The ticket type's name, as buyers see it. To change it, see `renamedFrom`.", "VIP").optional(),
    price: whole(0, "The price in whole pesos: `1500` means ₱1,500.00, and `0` is free.", 1500).optional(),
    quantity: whole(
      1,
      "The total number of tickets, including those already sold. It cannot go below the number sold.",
      200,
    ).optional(),
    section: clearable(text("The section of the venue. By default General Admissions.", "Balcony")),
    row: clearable(text("The row within the section. By default GA.", "A")),
    type: clearable(
      choice(
        {
          GENERAL_ADMISSION: "No assigned seat.",
          RESERVED_SEAT: "An assigned seat: give section and row.",
          VIP: "A better seat or extra service, at a higher price.",
        },
        "What kind of ticket it is. By default GENERAL_ADMISSION.",
        "VIP",
      ),
    ),
    maximumPurchaseQuantity: clearable(whole(1, "The maximum number of tickets in one order. By default 8.", 6)),
    published: yesNo(
      "`true` puts the ticket type on sale. It cannot be withdrawn later; only its sale can be closed (`soldOut`). A new ticket type without `published: true` is not on sale.",
      true,
    ).optional(),
    soldOut: yesNo(
      "`true` ends the sale: the ticket type can no longer be bought, and the remaining quantity becomes 0. This cannot be undone; whether a higher `quantity` puts tickets back on sale is up to the service.",
      true,
    ).optional(),
    renamedFrom: requiredText(
      "The ticket type's former name. Without it, a new name means a new ticket type, and the old one is deleted. Remove `renamedFrom` after the apply.",
      "Early Bird",
    ).optional(),
    ignore: ignoreField,
  })
  .meta({ title: "Ticket type", description: "One kind of ticket, with its price and how many there are." });

/** Sold out is not a field of the service: it shows as nothing remaining. */
function readSoldOut(record: Readonly<Record<string, unknown>>): boolean | undefined {
  const remaining = canonical("number", record.remainingQuantity);
  return typeof remaining === "number" ? remaining === 0 : undefined;
}

export const ticket = defineKind({
  name: "ticket",
  plural: "tickets",
  words: { one: "ticket type", many: "ticket types" },
  parent: "event",
  schema,
  synonyms: {
    list: "tickettypes tickettype tiers prices admission",
    fields: {
      name: "ticketname",
      quantity: "qty count stock inventory available seats total",
      price: "cost amount",
      published: "onsale forsale publish",
      maximumPurchaseQuantity:
        "limit max maxperorder maxperperson perorder maxpurchase maxquantity maxpurchasequantity maximumquantity maxtickets",
    },
    values: {
      type: {
        GENERAL_ADMISSION: "ga general regular standard normal standing earlybird freeseating",
        RESERVED_SEAT: "seated reserved seat numbered assigned",
      },
    },
  },
  notFields: ticketAdvice,
  fields: {
    id: { role: "own" },
    name: { role: "value", form: "text", change: "patch", required: true },
    price: { role: "value", form: "number", change: "patch", required: true, money: true, mistake: "price-not-whole" },
    quantity: {
      role: "value",
      form: "number",
      change: "patch",
      required: true,
      loweredBy: "soldOut",
      mistake: "quantity-not-positive",
    },
    section: { role: "value", form: "text", change: "patch", serviceDefault: "General Admissions" },
    row: { role: "value", form: "text", change: "patch", serviceDefault: "GA" },
    type: { role: "value", form: "choice", change: "patch", plainest: "GENERAL_ADMISSION" },
    maximumPurchaseQuantity: {
      role: "value",
      form: "number",
      change: "patch",
      serviceDefault: defaultMost,
      mistake: "max-purchase-not-positive",
    },
    published: {
      role: "value",
      form: "flag",
      change: "publish",
      loweredBy: "soldOut",
      alwaysSent: false,
      imported: "always",
      shownAs: { true: "yes (on sale)", false: "no (not on sale)" },
      shownUnpublished: { true: "yes (on sale once the event is published)" },
      inShort: { true: "on sale", false: "not on sale" },
    },
    // Nothing left may be all sold, and a refund brings tickets back: a file that says `soldOut` would close the sale for good.
    soldOut: {
      role: "value",
      form: "flag",
      change: "sold-out",
      create: "after",
      read: readSoldOut,
      imported: "never",
      shownAs: { true: "yes (no further sales)" },
      inShort: { true: "sold out" },
    },
    renamedFrom: { role: "own" },
    ignore: { role: "own", merge: "append" },
  },
  writeFirst: ["id", "name", "type", "section", "row", "price", "quantity", "maximumPurchaseQuantity", "published"],
  // The most expensive first, as on a poster.
  sortBy: ["-price", "name", "section", "row"],
  defaultsExample: { maximumPurchaseQuantity: 6 },
  identity: {
    label: "name",
    keys: [["name", "section", "row"], ["name"]],
    likeness: "name, section and row",
    twins: "ask",
  },
  endpoints: { get: true, patch: true, readScope: "tickets:read", writeScope: "tickets:write" },
  inline: true,
  sold: true,
  steps: [],
  rules: [archivedIsFinal, ticketDeletion, noWithdrawal, quantityBelowSold, priceChangeWithSales],
  remarks: [createdSoldOut, centavosBesideLive, largePriceChange, soldOutStays],
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
