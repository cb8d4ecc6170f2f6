import type { Usage } from "../usage.ts";
import { maxWait, paceFlags } from "./change-flags.ts";

const withBuyers = { flags: "--with-buyers", description: "buyers' names and addresses too" };

const show: Usage = {
  name: "show",
  summary: "one order with its payment",
  parameters: [{ name: "id", description: "the order's number, as `orders` prints it, or its id", need: "required" }],
  flags: [withBuyers, maxWait],
  formats: ["text", "json"],
  details: "An id is one call; a number is looked for among the orders of each event.",
  examples: [
    { line: "ticketing orders show ORD-000042", does: "by its number" },
    {
      line: "ticketing orders show 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11 --with-buyers",
      does: "by its id, with the buyer",
    },
  ],
};

export const orders: Usage = {
  name: "orders",
  summary: "the orders of an event, all pages",
  details:
    "Written as they are read; as JSON, once all are. With ndjson each line is an order. Buyers are left out unless --with-buyers asks for them.",
  parameters: [{ name: "event", description: "key, name, id or slug of the event", need: "required" }],
  flags: [
    {
      flags: "--status <status>",
      description: "only orders of this status",
      choices: ["COMPLETED", "PENDING", "CANCELLED", "REFUNDED"],
    },
    { flags: "--since <time>", description: "only orders made since then: 2027-03-14, or with a time" },
    withBuyers,
    ...paceFlags,
  ],
  formats: ["text", "csv", "json", "ndjson"],
  examples: [
    { line: "ticketing orders manila-nights", does: "a table" },
    { line: "ticketing orders manila-nights --status COMPLETED --format csv > orders.csv", does: "for a spreadsheet" },
    { line: "ticketing orders manila-nights --format ndjson | jq .totalAmount", does: "a line of JSON per order" },
    { line: "ticketing orders manila-nights --since 2027-03-01 --with-buyers", does: "who bought since March" },
    { line: "ticketing orders show ORD-000042", does: "one order, by its number or id" },
  ],
  below: [show],
};
