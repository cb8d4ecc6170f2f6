import { maxWait, type Parameter, paceFlags, type Usage } from "./usage.ts";

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

export const status: Usage = {
  name: "status",
  summary: "each event: status, dates, tickets sold, money earned",
  details:
    "All live events, with or without a project. Marks what the files do not name and what differs from them in the event itself and its ticket types; `plan` looks at everything.",
  flags: [
    { flags: "--archived", description: "archived events too" },
    { flags: "--watch", description: "refresh until Ctrl-C, within the rate limit" },
    ...paceFlags,
  ],
  formats: ["text", "json", "markdown", "csv"],
  examples: [
    { line: "ticketing status", does: "how sales are going" },
    { line: "ticketing status --watch", does: "on the evening that sales begin" },
    { line: "ticketing status --format csv > sales.csv", does: "for a spreadsheet" },
  ],
};

const search: Usage = {
  name: "search",
  summary: "find venues by name, with the YAML line to paste",
  parameters: [{ name: "text", description: "part of the venue's name", need: "required" }],
  flags: [{ flags: "--city <city>", description: "only in this city" }, maxWait],
  formats: ["text", "json"],
  without: ["no-color"],
  examples: [
    { line: "ticketing venues search palace", does: "a table with ids" },
    { line: "ticketing venues search palace --city Baguio", does: "only those in one city" },
  ],
};

export const venues: Usage = {
  name: "venues",
  summary: "find venues by name, with their ids",
  formats: ["text", "json"],
  examples: [{ line: "ticketing venues search palace", does: "a table with ids" }],
  group: true,
  below: [search],
};

const which: Parameter = { name: "webhook", description: "the webhook's URL or id", need: "required" };

const list: Usage = {
  name: "list",
  summary: "all webhooks, and which of them the files name",
  flags: [maxWait],
  formats: ["text", "json"],
  examples: [{ line: "ticketing webhooks list", does: "a table" }],
};

const test: Usage = {
  name: "test",
  summary: "have the service send a test event; exits 1 unless it arrives",
  parameters: [which],
  flags: [maxWait],
  formats: ["text", "json"],
  examples: [{ line: "ticketing webhooks test https://hooks.example.com/orders", does: "is the receiver up?" }],
};

const deliveries: Usage = {
  name: "deliveries",
  summary: "what was sent, and how the receivers answered",
  parameters: [{ ...which, description: `${which.description}; all of them where left out`, need: "optional" }],
  flags: [{ flags: "--limit <n>", description: "no more than so many of each webhook", takes: "positive" }, maxWait],
  formats: ["text", "json"],
  without: ["no-color"],
  examples: [
    { line: "ticketing webhooks deliveries", does: "the history of all" },
    { line: "ticketing webhooks deliveries https://hooks.example.com/orders --limit 20", does: "of one" },
  ],
};

const rotate: Usage = {
  name: "rotate",
  summary: "a new secret: create anew, hand it to the sink, test, delete the former",
  details:
    "The former webhook goes only once a test event arrives with the new secret, so there is always one that works. Stopped at any point, run it again: it goes on.",
  parameters: [which],
  flags: [
    { flags: "-y, --yes", description: "do not ask, where there is a terminal to ask on" },
    { flags: "--untested", description: "delete the former even if the test event does not arrive" },
    {
      flags: "--settle <seconds>",
      description: "how long a new webhook may take to be listed (2, or more as seen)",
      takes: "seconds",
    },
    {
      flags: "--lock-timeout <seconds>",
      description: "how long to wait for another run to end (0)",
      takes: "seconds",
    },
    maxWait,
  ],
  formats: ["text", "json"],
  examples: [{ line: "ticketing webhooks rotate https://hooks.example.com/orders", does: "after a secret got out" }],
};

export const webhooks: Usage = {
  name: "webhooks",
  summary: "list, test and rotate webhooks",
  formats: ["text", "json"],
  examples: list.examples.concat(test.examples, deliveries.examples, rotate.examples),
  group: true,
  below: [list, test, deliveries, rotate],
};

export const whoami: Usage = {
  name: "whoami",
  summary: "whose key it is and what it may do",
  details: "The key, its scopes and expiry, the organization, and the rate limit as it stands now.",
  flags: [maxWait],
  formats: ["text", "json"],
  without: ["no-color"],
  examples: [
    { line: "ticketing whoami --env production", does: "is this the right key?" },
    { line: "ticketing whoami --format json", does: "for scripts" },
  ],
};
