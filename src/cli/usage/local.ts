import type { Flag, Parameter, Usage } from "./usage.ts";

const data: Flag = {
  flags: "--data <file>",
  description: "where its data is kept (.ticketing/sandbox.json)",
  takes: "file",
};

const place: readonly Flag[] = [
  data,
  { flags: "--url <url>", description: "a sandbox that runs, by its address" },
  { flags: "--port <port>", description: "a sandbox that runs on this machine, by its port", takes: "port" },
];

const sell: Usage = {
  name: "sell",
  summary: "have somebody buy tickets",
  parameters: [
    { name: "event", description: "key, id, slug or name of the event", need: "required" },
    { name: "ticket", description: "id or name of the ticket type", need: "required" },
    { name: "count", description: "how many", need: "required", takes: "positive" },
  ],
  flags: place,
  formats: ["text", "json"],
  without: ["env", "base-url", "no-color", "verbose"],
  examples: [
    { line: "ticketing sandbox sell manila-nights VIP 2", does: "an order of two tickets, by the event's key" },
    { line: 'ticketing sandbox sell "Manila Nights" "Early Bird" 20', does: "by names; as many orders as it takes" },
  ],
};

const refund: Usage = {
  name: "refund",
  summary: "have somebody get the money back",
  parameters: [{ name: "order", description: "number or id of the order", need: "required" }],
  flags: place,
  formats: ["text", "json"],
  without: ["env", "base-url", "no-color", "verbose"],
  examples: [{ line: "ticketing sandbox refund ORD-000001", does: "the order becomes REFUNDED, webhooks fire" }],
};

const reset: Usage = {
  name: "reset",
  summary: "empty the sandbox: events, orders and webhooks",
  details: "Touches nothing but the sandbox's own data; your files stay as they are. Its key stays the same.",
  flags: place,
  formats: ["text", "json"],
  without: ["env", "base-url", "no-color", "verbose"],
  examples: [{ line: "ticketing sandbox reset", does: "begin again, empty" }],
};

export const sandbox: Usage = {
  name: "sandbox",
  summary: "serve the embedded service; sell, refund, begin again",
  details:
    "Serves on 127.0.0.1 until stopped: the same service that the environment `sandbox` starts by itself inside each command.",
  flags: [
    { flags: "--port <port>", description: "which port; 0 for any", takes: "port-or-any", standard: 0 },
    data,
    {
      flags: "--profile <profile>",
      description: "how it reads what the API leaves open: likely, minimal, strict, lax, hostile; or knob=value,…",
    },
    {
      flags: "--deliver-outside",
      description: "deliver webhooks to other machines too; without it only to this one",
    },
  ],
  formats: ["text", "json"],
  without: ["env", "base-url", "no-color"],
  examples: [
    { line: "ticketing sandbox --port 4010", does: "until Ctrl-C" },
    { line: "ticketing sandbox --profile hostile --data hostile.json", does: "every awkward reading at once" },
    { line: "ticketing sandbox sell manila-nights VIP 2", does: "somebody buys two tickets" },
    { line: "ticketing sandbox refund ORD-000001", does: "and gets the money back" },
    { line: "ticketing sandbox reset", does: "begin again, empty" },
  ],
  below: [sell, refund, reset],
};

const address: Parameter = {
  name: "address",
  description: "an address such as events/manila-nights",
  need: "required",
};

const list: Usage = {
  name: "list",
  summary: "the addresses that are remembered, with their ids",
  formats: ["text", "json"],
  without: ["no-color", "verbose"],
  examples: [{ line: "ticketing state list", does: "all of them" }],
};

const show: Usage = {
  name: "show",
  summary: "what is remembered of one object",
  parameters: [address],
  formats: ["text", "json"],
  without: ["no-color", "verbose"],
  examples: [{ line: "ticketing state show events/manila-nights", does: "its id and what was applied last" }],
};

const rm: Usage = {
  name: "rm",
  summary: "forget an object and what is below it; nothing live is touched",
  parameters: [address],
  flags: [{ flags: "-y, --yes", description: "do not ask; needed where nobody can answer" }],
  formats: ["text", "json"],
  without: ["no-color", "verbose"],
  examples: [{ line: "ticketing state rm events/manila-nights --yes", does: "it is no longer ours to remove" }],
};

const pull: Usage = {
  name: "pull",
  summary: "print the whole state as JSON",
  formats: ["text", "json"],
  without: ["no-color", "verbose"],
  examples: [{ line: "ticketing state pull > state.json", does: "a copy" }],
};

const unlock: Usage = {
  name: "unlock",
  summary: "take away the lock of an apply that is gone",
  flags: [{ flags: "-y, --yes", description: "do not ask; needed where nobody can answer" }],
  formats: ["text", "json"],
  without: ["no-color", "verbose"],
  examples: [{ line: "ticketing state unlock", does: "after a runner died" }],
};

const reseal: Usage = {
  name: "reseal",
  summary: "look at local data whose seal does not fit, and accept it",
  flags: [{ flags: "-y, --yes", description: "do not ask; needed where nobody can answer" }],
  formats: ["text", "json"],
  examples: [{ line: "ticketing state reseal", does: "after a key was rotated, or a file was edited by hand" }],
};

export const state: Usage = {
  name: "state",
  summary: "look at or mend what is remembered between runs",
  formats: ["text", "json"],
  examples: [list, show, rm, pull, reseal, unlock].flatMap((usage) => usage.examples),
  group: true,
  below: [list, show, rm, pull, reseal, unlock],
};
