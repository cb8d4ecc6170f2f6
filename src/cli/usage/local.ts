import { commandGroup, type Flag, flag, type Parameter, type Usage, yes } from "./usage.ts";

const data: Flag = flag("--data <file>", "the data file (default: .ticketing/sandbox.json)", { takes: "file" });

/** How the commands below `sandbox` are typed. */
const below = {
  flags: [
    data,
    flag("--url <url>", "a running sandbox, by its URL"),
    flag("--port <port>", "a running sandbox on this machine, by its port", { takes: "port" }),
  ],
  without: ["env", "base-url", "no-color", "verbose"],
} as const;

const sell: Usage = {
  ...below,
  name: "sell",
  summary: "sell tickets, as if customers had bought them",
  parameters: [
    { name: "event", description: "the event's key, name, id or slug", need: "required", names: "event" },
    { name: "ticket", description: "id or name of the ticket type", need: "required" },
    { name: "count", description: "how many", need: "required", takes: "positive" },
  ],
  examples: [
    ["ticketing sandbox sell manila-nights VIP 2", "one order of two tickets, by the event's key"],
    ['ticketing sandbox sell "Manila Nights" "Early Bird" 20', "by name, in as many orders as it takes"],
  ],
};

const refund: Usage = {
  ...below,
  name: "refund",
  summary: "refund an order",
  parameters: [{ name: "order", description: "number or id of the order", need: "required" }],
  examples: [["ticketing sandbox refund ORD-000001", "the order becomes REFUNDED; webhooks fire"]],
};

const reset: Usage = {
  ...below,
  name: "reset",
  summary: "delete the sandbox's events, orders and webhooks",
  details: "Deletes only the sandbox's own data. Your files and the sandbox's key stay the same.",
  flags: [...below.flags, flag("-y, --yes", "do not ask; without a terminal, it never asks")],
  examples: [["ticketing sandbox reset", "start over"]],
};

export const sandbox: Usage = {
  name: "sandbox",
  summary: "run the embedded service; sell, refund, reset",
  details:
    "Serves on 127.0.0.1 until you stop it. In the environment `sandbox`, a command uses the running sandbox, or starts one for itself.",
  flags: [
    flag("--port <port>", "which port; 0 for any", { takes: "port-or-any", default: 0 }),
    data,
    flag(
      "--profile <profile>",
      "how it behaves where the API is unclear: likely, minimal, strict, lax, hostile; or single settings (knobs), as knob=value,…",
    ),
    flag("--deliver-outside", "deliver webhooks to other machines, not only to this one"),
    flag("--verbose", "print a line per request"),
  ],
  without: ["env", "base-url", "no-color"],
  examples: [
    ["ticketing sandbox --port 4010", "until Ctrl-C"],
    ["ticketing sandbox --profile hostile --data hostile.json", "everything awkward at once"],
    ["ticketing sandbox sell manila-nights VIP 2", "sell two tickets"],
    ["ticketing sandbox refund ORD-000001", "refund them"],
    ["ticketing sandbox reset", "start over"],
  ],
  below: [sell, refund, reset],
};

const address: Parameter = {
  name: "address",
  description: "such as events/manila-nights",
  need: "required",
  names: "address",
};
const inState = { without: ["no-color", "verbose"] } as const;

const list: Usage = {
  ...inState,
  name: "list",
  summary: "list the addresses in state, with their ids",
  examples: [["ticketing state list", "all of them"]],
};

const show: Usage = {
  ...inState,
  name: "show",
  summary: "show what state has for one object",
  parameters: [address],
  examples: [["ticketing state show events/manila-nights", "its id and what was last applied"]],
};

const rm: Usage = {
  ...inState,
  name: "rm",
  summary: "forget an object and its children; nothing live is touched",
  parameters: [address],
  flags: [yes],
  examples: [
    [
      "ticketing state rm events/manila-nights --yes",
      "forget its id; if its file is still there, the next plan finds it by name",
    ],
  ],
};

const pull: Usage = {
  ...inState,
  name: "pull",
  summary: "print the whole state as JSON",
  examples: [["ticketing state pull > state.json", "make a copy"]],
};

const log: Usage = {
  ...inState,
  name: "log",
  summary: "show which revision was applied when and with what result; with shared state, also by whom",
  details:
    "`clean`: everything in the files was applied; if anything was held, it was only drift. `incomplete`: something failed, was blocked, or was held and is not drift; the run covered only part of the project; or it applied a saved plan that was made from a different commit, or was made or applied with uncommitted edits. `cut-off`: the run did not finish; the next one finds out what it did. `running`: it holds the lock now. State in a file keeps the last run, any other state the last 200.",
  examples: [["ticketing state log --env production", "the newest first"]],
};

const migrate: Usage = {
  ...inState,
  name: "migrate",
  summary: "move state and journal to another backend",
  details:
    "Overwrites a state in the other backend only if that began as a copy of this one and is not newer. Does not change ticketing.yaml, but prints what to write there. The state that was copied is marked: from then on, `plan` and `apply` refuse to use it (`state-moved`).",
  flags: [
    flag("--to <backend>", "the backend to copy to", { choices: ["git", "postgres", "http", "s3", "file"] }),
    flag(
      "--from <backend>",
      "the backend to copy from (default: as in ticketing.yaml, here or on the default branch)",
      {
        choices: ["git", "postgres", "http", "s3", "file"],
      },
    ),
  ],
  examples: [
    ["ticketing state migrate --to git --env production", "from files on this machine to the remote"],
    ["ticketing state migrate --to file --env production", "from the remote back to files"],
    ["ticketing state migrate --from git --to postgres --env production", "after `backend: postgres` was set"],
    [
      "ticketing state migrate --from git --to http --env production",
      "after `backend: http` was set with its `address`",
    ],
    ["ticketing state migrate --from git --to s3 --env production", "after `backend: s3` was set with its `bucket`"],
  ],
};

const unlock: Usage = {
  ...inState,
  name: "unlock",
  summary: "remove the lock of an apply that is no longer running",
  flags: [yes],
  examples: [["ticketing state unlock", "with state in files, after another machine left its lock"]],
};

const reseal: Usage = {
  name: "reseal",
  summary: "show local files that were edited, or sealed with an earlier key, and accept them",
  flags: [yes],
  examples: [["ticketing state reseal", "after rotating an API key or editing a file by hand"]],
};

export const state = commandGroup("state", "inspect or repair state", [
  list,
  show,
  log,
  rm,
  pull,
  migrate,
  reseal,
  unlock,
]);
