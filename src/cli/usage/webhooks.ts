import type { Parameter, Usage } from "../usage.ts";

const which: Parameter = { name: "webhook", description: "the webhook's URL or id", need: "required" };

const list: Usage = {
  name: "list",
  summary: "all webhooks, and which of them the files name",
  formats: ["text", "json"],
  examples: [{ line: "ticketing webhooks list", does: "a table" }],
};

const test: Usage = {
  name: "test",
  summary: "have the service send a test event; exits 1 unless it arrives",
  parameters: [which],
  formats: ["text", "json"],
  examples: [{ line: "ticketing webhooks test https://hooks.example.com/orders", does: "is the receiver up?" }],
};

const deliveries: Usage = {
  name: "deliveries",
  summary: "what was sent, and how the receiver answered",
  parameters: [which],
  formats: ["text", "json"],
  examples: [{ line: "ticketing webhooks deliveries https://hooks.example.com/orders", does: "the history" }],
};

const rotate: Usage = {
  name: "rotate",
  summary: "a new secret: create anew, hand it to the sink, test, delete the former",
  parameters: [which],
  flags: [{ flags: "-y, --yes", description: "do not ask; needed where nobody can answer" }],
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
