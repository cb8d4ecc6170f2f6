import { maxWait, paceFlags, type Usage } from "./usage.ts";

export const init: Usage = {
  name: "init",
  summary: "write a first project, with editor settings and CI",
  details:
    "Asks a few questions; --yes takes the flags instead. --base-url gives the address of your service and --env its name in the file (production). No file is overwritten without asking.",
  parameters: [{ name: "dir", description: "where to; the current directory", need: "optional", takes: "directory" }],
  flags: [
    { flags: "-y, --yes", description: "do not ask" },
    { flags: "--organization <slug>", description: "the organization that the key belongs to" },
    { flags: "--import", description: "write files for what is live already" },
    maxWait,
  ],
  anyDirectory: true,
  formats: ["text", "json"],
  without: ["no-color"],
  examples: [
    { line: "ticketing init", does: "here, with questions" },
    { line: "ticketing init tickets --yes --organization acme-live", does: "in a new folder, without" },
    {
      line: "ticketing init --yes --base-url https://api.example.com/open-api/v1 --import",
      does: "for a live organization, with its key in TICKETING_API_KEY",
    },
  ],
};

export const importUsage: Usage = {
  name: "import",
  summary: "write files for events that are live already",
  details:
    "`plan` right after shows no changes. An event that a document describes already is updated in its own file, with its comments and layout; what it lists and is not live is taken out only where git has the file. Other files are never touched. Changes nothing on the service.",
  parameters: [{ name: "events", description: "ids or slugs of live events", need: "many" }],
  flags: [
    { flags: "--all", description: "every event that is not archived" },
    {
      flags: "--status <status>",
      description: "narrows --all to events of this status; archived ones are taken only so",
      choices: ["DRAFT", "PUBLISHED", "ARCHIVED"],
    },
    { flags: "--webhooks", description: "the webhooks too" },
    { flags: "--out <dir>", description: "where the files go (events)", takes: "directory" },
    ...paceFlags,
  ],
  formats: ["text", "json"],
  without: ["no-color"],
  examples: [
    { line: "ticketing import --all --webhooks", does: "adopt a whole organization" },
    { line: "ticketing import manila-nights --out events/2027", does: "one event, by its slug" },
  ],
};

export const schemaNames = ["event", "webhooks", "project"] as const;

export const schema: Usage = {
  name: "schema",
  summary: "print the JSON Schema that editors use for the files",
  parameters: [{ name: "schema", description: "which file it describes", need: "optional", choices: schemaNames }],
  harmless: true,
  formats: ["text", "json"],
  without: ["directory", "env", "base-url", "no-color", "verbose"],
  examples: [{ line: "ticketing schema event > event.schema.json", does: "keep a copy beside the files" }],
};

export const shells = ["bash", "zsh", "fish"] as const;

export const completion: Usage = {
  name: "completion",
  summary: "complete commands and flags in your shell",
  details: "Prints a script for the shell to read.",
  parameters: [{ name: "shell", description: "the shell you use", need: "required", choices: shells }],
  harmless: true,
  formats: ["text"],
  without: ["directory", "env", "base-url", "no-color", "verbose", "format"],
  examples: [
    { line: 'eval "$(ticketing completion bash)"', does: "in ~/.bashrc" },
    { line: 'eval "$(ticketing completion zsh)"', does: "in ~/.zshrc, after compinit" },
    { line: "ticketing completion fish | source", does: "in ~/.config/fish/config.fish" },
  ],
};
