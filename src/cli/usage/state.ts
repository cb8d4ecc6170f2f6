import type { Parameter, Usage } from "../usage.ts";

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
