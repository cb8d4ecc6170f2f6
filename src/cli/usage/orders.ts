import type { Usage } from "../usage.ts";
import { paceFlags } from "./change-flags.ts";

const withBuyers = { flags: "--with-buyers", description: "buyers' names and addresses too" };

const show: Usage = {
  name: "show",
  summary: "one order with its payment",
  parameters: [{ name: "id", description: "the order's id", need: "required" }],
  flags: [withBuyers],
  formats: ["text", "json"],
  examples: [{ line: "ticketing orders show 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11", does: "one order" }],
};

export const orders: Usage = {
  name: "orders",
  summary: "the orders of an event, all pages",
  parameters: [{ name: "event", description: "key, name, id or slug of the event", need: "required" }],
  flags: [
    {
      flags: "--status <status>",
      description: "only orders of this status",
      choices: ["COMPLETED", "PENDING", "CANCELLED", "REFUNDED"],
    },
    { flags: "--since <time>", description: "only orders made since then (ISO 8601)" },
    withBuyers,
    ...paceFlags,
  ],
  formats: ["text", "csv", "json"],
  examples: [
    { line: "ticketing orders manila-nights", does: "a table" },
    { line: "ticketing orders manila-nights --status COMPLETED --format csv > orders.csv", does: "for a spreadsheet" },
    { line: "ticketing orders show 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11", does: "one order" },
  ],
  below: [show],
};
