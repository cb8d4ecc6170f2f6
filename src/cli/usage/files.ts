import { flag, maxWait, paceFlags, type Usage } from "./usage.ts";

export const init: Usage = {
  name: "init",
  summary: "create a project with editor settings and CI",
  details:
    "Asks a few questions; with --yes it uses the options instead. --base-url is the URL of your service, --env its name in ticketing.yaml. Never overwrites a file without asking. In an existing project, --ci adds the jobs for all environments. If needed, it also sets `state: { backend: git }`, and adds the copy of `ticketing` that the jobs install.",
  parameters: [
    { name: "dir", description: "the project's folder (default: here)", need: "optional", takes: "directory" },
  ],
  flags: [
    flag("-y, --yes", "do not ask"),
    flag("--env <name>", "the name of the new environment (default: production)"),
    flag("--organization <slug>", "the organization that the API key belongs to"),
    flag("--import", "write files for everything that is live"),
    flag("--ci <host>", "write the jobs for this host (default: github, or gitlab if the repository is hosted there)", {
      choices: ["github", "gitlab", "none"],
    }),
    maxWait,
  ],
  anyDirectory: true,
  without: ["no-color"],
  examples: [
    ["ticketing init", "here, with questions"],
    ["ticketing init tickets --yes --organization acme-live", "in a new folder, without questions"],
    [
      "ticketing init --yes --base-url https://api.example.com/open-api/v1 --import",
      "for a live organization; its API key is in TICKETING_API_KEY",
    ],
    ["ticketing init --ci gitlab", "add jobs to a project that has none"],
  ],
};

export const importUsage: Usage = {
  name: "import",
  summary: "write files for events that are already live",
  details:
    "`plan` right after shows no changes. If a file already describes an event, that file is updated and keeps its comments and layout; entries that are no longer live are removed only if the file is committed as it is. Other files are never touched, and neither is the service.",
  parameters: [
    {
      name: "events",
      description: "ids or slugs of live events, or event keys of those that were applied",
      need: "many",
    },
  ],
  flags: [
    flag("--all", "every event that is not archived"),
    flag("--status <status>", "every event with this status, with or without --all", {
      choices: ["DRAFT", "PUBLISHED", "ARCHIVED"],
    }),
    flag("--webhooks", "also import webhooks"),
    flag("--series", "write events that differ only in their dates as a template and a series"),
    flag("--out <dir>", "where new files go (default: events, or the folder that `events` in ticketing.yaml names)", {
      takes: "directory",
    }),
    ...paceFlags,
  ],
  without: ["no-color"],
  examples: [
    ["ticketing import --all --webhooks", "adopt a whole organization"],
    ["ticketing import --all --series", "every weekly night as one file"],
    ["ticketing import manila-nights --out events/2027", "one event, by its slug"],
  ],
};

export const show: Usage = {
  name: "show",
  summary: "show an event as its files define it",
  details:
    "Merges templates, defaults and phases that have begun, fills in variables and works out times: the event as `plan` reads it, with the file and line of each value. Needs no service.",
  parameters: [{ name: "event", description: "the event's key, or its file", need: "required", names: "event" }],
  flags: [flag("--at <time>", "as of this time; without an offset, in the project's time zone")],
  without: ["no-color", "verbose"],
  examples: [
    ["ticketing show manila-nights", "as YAML, with the origin of each value as a comment"],
    ["ticketing show friday-club@2027-05-01 --at 2027-04-30T12:00", "one date of a series, as it will be then"],
    ["ticketing show manila-nights --format json | jq .document.tickets", "for scripts"],
  ],
};

export const preview: Usage = {
  name: "preview",
  summary: "show the events as buyers will see them, in a browser",
  details:
    "Serves pages on 127.0.0.1 until you stop it, and redraws them as files change. Problems are on top, and next to each price is what you receive; buyers see neither. A slider shows the coming phases. It only reads files: it needs no API key, calls no service, and writes nothing.",
  flags: [
    flag("--port <port>", "which port; 0 for any (default: 4020, or a free one)", { takes: "port-or-any" }),
    flag("--at <time>", "begin at this time; without an offset, in the project's time zone"),
  ],
  without: ["no-color", "verbose"],
  examples: [
    ["ticketing preview", "open the URL that it prints; Ctrl-C stops it"],
    ["ticketing preview --at 2027-01-31T10:00", "as it will be then"],
    ["ticketing preview --port 0 --format json", 'any free port: {"url":"…","formatVersion":1}'],
  ],
};

export const upcoming: Usage = {
  name: "upcoming",
  summary: "list what is coming up: phases, starts and ends",
  details: "In chronological order; times are local to each event. Needs no service.",
  flags: [flag("--until <date>", "up to this day, like 2027-12-31")],
  formats: ["text", "json", "markdown", "ics"],
  without: ["no-color", "verbose"],
  examples: [
    ["ticketing upcoming --until 2027-03-31", "a table"],
    ["ticketing upcoming --format ics > events.ics", "a calendar that people can subscribe to"],
  ],
};

export const copyUsage: Usage = {
  name: "copy",
  summary: "copy an event's file to a new date",
  details:
    "Comments and layout are kept. Dates move by the same number of days and keep their local time; times relative to the start move with it. Fields that belong to the original are left out: status, id, new, renamedFrom, soldOut and allow, except in phases. Needs no service.",
  parameters: [{ name: "event", description: "the event's key, or its file", need: "required", names: "event" }],
  flags: [
    flag("--to <date>", "the day on which the copy starts, like 2028-03-10"),
    flag("--key <key>", "the copy's key (default: the old key with the new year, or with the date added)"),
  ],
  without: ["base-url", "no-color", "verbose"],
  examples: [
    ["ticketing copy river-festival-2027 --to 2028-03-10", "next year's, in river-festival-2028.yaml"],
    ["ticketing copy gala --to 2028-05-01 --key gala-in-may", "with its own key"],
  ],
};

export const fmt: Usage = {
  name: "fmt",
  summary: "format the files consistently, keeping comments",
  details:
    "Changes the order of fields, indentation, quotes and spacing. Comments are kept, and so is the order of entries: no value changes, and `plan` shows the same as before. A file with mistakes in its YAML, unknown fields or tags is left alone and reported (exit 1). CSV sheets are not touched.",
  parameters: [{ name: "paths", description: "only these files or folders", need: "many", takes: "file" }],
  flags: [
    flag("--check", "write nothing; exit 1 if a file would change"),
    flag("--verbose", "print what changes in each file"),
  ],
  anyDirectory: true,
  without: ["env", "base-url", "no-color"],
  examples: [
    ["ticketing fmt", "all files of the project"],
    ["ticketing fmt events/manila-nights.yaml", "one file"],
    ["ticketing fmt --check --verbose", "in CI: what would change"],
  ],
};

export const schemaNames = ["event", "template", "webhooks", "project"] as const;

export const schema: Usage = {
  name: "schema",
  summary: "print the JSON Schema that editors use for the files",
  parameters: [
    { name: "schema", description: "which schema (default: event)", need: "optional", choices: schemaNames },
  ],
  harmless: true,
  without: ["directory", "env", "base-url", "no-color", "verbose"],
  examples: [["ticketing schema event > event.schema.json", "keep a copy with the files"]],
};

export const shells = ["bash", "zsh", "fish"] as const;

export const completion: Usage = {
  name: "completion",
  summary: "set up tab completion in your shell",
  details:
    "Prints a script for the shell to read. It knows commands, options and their choices, and looks up environments, events, addresses, venues and webhooks in the project's files.",
  parameters: [{ name: "shell", description: "the shell you use", need: "required", choices: shells }],
  harmless: true,
  formats: ["text"],
  without: ["directory", "env", "base-url", "no-color", "verbose", "format"],
  examples: [
    ['eval "$(ticketing completion bash)"', "in ~/.bashrc"],
    ['eval "$(ticketing completion zsh)"', "in ~/.zshrc, after compinit"],
    ["ticketing completion fish | source", "in ~/.config/fish/config.fish"],
  ],
};

export const explainUsage: Usage = {
  name: "explain",
  summary: "explain a code or a field",
  details:
    "Prints what a code in a message means, with an example and what to do; or what a field of a file means. Without an argument it lists all codes; `event`, `template`, `webhooks` and `project` list the fields of a file.",
  parameters: [
    {
      name: "word",
      description: "a code such as ambiguous-event, or a field such as tickets.price",
      need: "optional",
      names: "code",
    },
  ],
  formats: ["text", "json", "markdown"],
  without: ["directory", "env", "base-url", "no-color", "verbose"],
  harmless: true,
  anyDirectory: true,
  examples: [
    ["ticketing explain ambiguous-event", "what it means, and what to do"],
    ["ticketing explain tickets.price", "a field of a file"],
    ["ticketing explain", "all codes, by subject"],
    ["ticketing explain event --format markdown", "all fields of an event"],
  ],
};
