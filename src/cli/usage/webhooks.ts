import type { Parameter, Usage } from "../usage.ts";
import { maxWait } from "./change-flags.ts";

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
