import { commandGroup, flag, lockTimeout, maxWait, type Parameter, paceFlags, settle, type Usage } from "./usage.ts";

const withBuyers = flag("--with-buyers", "include buyers' names and email addresses");

const show: Usage = {
  name: "show",
  summary: "show one order with its payment",
  details: "An id takes one call; a number is searched for in the orders of each event.",
  parameters: [{ name: "id", description: "the order's number, as `orders` prints it, or its id", need: "required" }],
  flags: [withBuyers, maxWait],
  examples: [
    ["ticketing orders show ORD-000042", "by its number"],
    ["ticketing orders show 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11 --with-buyers", "by its id, with the buyer"],
  ],
};

export const orders: Usage = {
  name: "orders",
  summary: "list all orders of an event",
  details:
    "Orders are printed as they are read, but JSON only once all have been read. With ndjson, each line is an order. Buyers are left out unless you pass --with-buyers.",
  parameters: [{ name: "event", description: "the event's key, name, id or slug", need: "required", names: "event" }],
  flags: [
    flag("--status <status>", "only orders with this status", {
      choices: ["COMPLETED", "PENDING", "CANCELLED", "REFUNDED"],
    }),
    flag("--since <time>", "only orders placed since this day or time, such as 2027-03-14"),
    withBuyers,
    ...paceFlags,
  ],
  formats: ["text", "csv", "json", "ndjson"],
  examples: [
    ["ticketing orders manila-nights", "a table"],
    ["ticketing orders manila-nights --status COMPLETED --format csv > orders.csv", "for a spreadsheet"],
    ["ticketing orders manila-nights --format ndjson | jq .totalAmount", "one line of JSON per order"],
    ["ticketing orders manila-nights --since 2027-03-01 --with-buyers", "who bought since March 1"],
    ["ticketing orders show ORD-000042", "one order, by its number or id"],
  ],
  below: [show],
};

export const status: Usage = {
  name: "status",
  summary: "show each event: status, dates, sales, revenue",
  details:
    "One line per event, with or without a project; events that you name are shown with their ticket types. Dates of a series are grouped; --verbose lists all of them. Marks events that are not in the files, and events whose fields or ticket types differ from the files; `plan` compares everything. --format html makes a page with charts, and reads every order of these events for it.",
  parameters: [
    {
      name: "event",
      description: "an event's key, name, id, slug or address; the key of a series means all its dates",
      need: "many",
      names: "event",
    },
  ],
  flags: [
    flag("--target <address>", "only this event or series from the files; `*` is a wildcard (repeatable)", {
      names: "address",
      repeatable: true,
    }),
    flag("--next <duration>", "only events that start within this time, such as 14d, or are under way", {
      takes: "duration",
    }),
    flag("--sort <by>", "date (next first), name (A–Z), sold (most), remaining (fewest), gross (highest)", {
      choices: ["date", "name", "sold", "remaining", "gross"],
      default: "date",
    }),
    flag("--archived", "include archived events"),
    flag("--watch", "refresh until Ctrl-C, within the rate limit"),
    ...paceFlags,
  ],
  formats: ["text", "json", "markdown", "csv", "html"],
  examples: [
    ["ticketing status", "how sales are going"],
    ["ticketing status manila-nights", "one event with its ticket types"],
    ["ticketing status --next 14d --sort remaining", "what is about to sell out"],
    ["ticketing status --format html > sales.html", "a page with charts"],
    ["ticketing status --watch", "on the night sales open"],
    ["ticketing status --format csv > sales.csv", "for a spreadsheet"],
  ],
};

const search: Usage = {
  name: "search",
  summary: "find venues by name, with the YAML line to paste",
  parameters: [{ name: "text", description: "part of the venue's name", need: "required", names: "venue" }],
  flags: [flag("--city <city>", "only in this city"), maxWait],
  without: ["no-color"],
  examples: [
    ["ticketing venues search palace", "a table with ids"],
    ["ticketing venues search palace --city Baguio", "only those in one city"],
  ],
};

export const venues = commandGroup("venues", "find venues by name, with their ids", [search]);

const which: Parameter = {
  name: "webhook",
  description: "the webhook's URL or id",
  need: "required",
  names: "webhook",
};

const list: Usage = {
  name: "list",
  summary: "list all webhooks, and which of them are in the files",
  flags: [maxWait],
  examples: [["ticketing webhooks list", "a table"]],
};

const test: Usage = {
  name: "test",
  summary: "have the service send a test event; exits 1 unless it arrives",
  parameters: [which],
  flags: [maxWait],
  examples: [["ticketing webhooks test https://hooks.example.com/orders", "is the receiver up?"]],
};

const deliveries: Usage = {
  name: "deliveries",
  summary: "show what was sent, and how the receivers responded",
  parameters: [{ ...which, description: `${which.description} (default: all webhooks)`, need: "optional" }],
  flags: [flag("--limit <n>", "at most this many per webhook", { takes: "positive" }), maxWait],
  without: ["no-color"],
  examples: [
    ["ticketing webhooks deliveries", "of all webhooks"],
    ["ticketing webhooks deliveries https://hooks.example.com/orders --limit 20", "of one"],
  ],
};

const rotate: Usage = {
  name: "rotate",
  summary: "replace a webhook's secret: create a new webhook, test it, delete the old one",
  details:
    "The old webhook is deleted only after a test event has arrived with the new secret, so one of the two always works (unless you pass --untested). If the command is interrupted, run it again: it continues where it stopped.",
  parameters: [which],
  flags: [
    flag("-y, --yes", "do not ask; without a terminal, it never asks"),
    flag("--untested", "delete the old one even if the test event does not arrive"),
    settle,
    lockTimeout,
    maxWait,
  ],
  examples: [["ticketing webhooks rotate https://hooks.example.com/orders", "after a secret has leaked"]],
};

export const webhooks = commandGroup("webhooks", "list, test and rotate webhooks", [list, test, deliveries, rotate]);

export const whoami: Usage = {
  name: "whoami",
  summary: "show who the API key belongs to and what it can do",
  details: "The API key, its scopes and expiry, the organization, and the current rate limit.",
  flags: [maxWait],
  without: ["no-color"],
  examples: [
    ["ticketing whoami --env production", "is this the right API key?"],
    ["ticketing whoami --format json", "for scripts"],
  ],
};
