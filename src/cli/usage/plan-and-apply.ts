import { changeFlags, type Usage } from "./usage.ts";

export const plan: Usage = {
  name: "plan",
  summary: "show what would change, and what the rules forbid",
  details:
    "Reads the files and the live service, and changes nothing. Shows each field, the order and cost of the calls. Exits 1 when anything is blocked.",
  flags: [
    { flags: "--out <file>", description: "save the plan, for `ticketing apply FILE`", takes: "file" },
    { flags: "--detailed-exitcode", description: "exit 2 when the plan is fine and not empty" },
    ...changeFlags,
  ],
  anyDirectory: true,
  formats: ["text", "json", "markdown", "html"],
  examples: [
    { line: "ticketing plan", does: "everything that differs" },
    { line: "ticketing plan --base origin/main --format markdown", does: "a pull request's changes, as a comment" },
    { line: "ticketing plan --target events/manila-nights --out plan.json", does: "one event, kept for apply" },
    { line: "ticketing plan --detailed-exitcode", does: "nightly: exit 2 tells of drift" },
  ],
};

export const apply: Usage = {
  name: "apply",
  summary: "do what the plan shows, and nothing else",
  details:
    "Plans, asks, does. With a plan file it does exactly that plan, or refuses it as stale or altered. In CI the plan must be signed: set TICKETING_PLAN_KEY to the same secret for `plan` and `apply`. Losing the connection or the whole process loses nothing: run it again.",
  parameters: [
    { name: "planFile", description: "a plan saved by `ticketing plan --out`", need: "optional", takes: "file" },
  ],
  flags: [
    { flags: "-y, --yes", description: "do not ask; needed where nobody can answer" },
    { flags: "--skip-blocked", description: "do the rest where something is blocked" },
    { flags: "--verify", description: "read back everything that was written" },
    {
      flags: "--settle <seconds>",
      description: "how long a new object may take to be listed (2, or more as seen)",
      takes: "seconds",
    },
    {
      flags: "--lock-timeout <seconds>",
      description: "how long to wait for another apply to end (0)",
      takes: "seconds",
    },
    ...changeFlags,
  ],
  formats: ["text", "json"],
  examples: [
    { line: "ticketing apply", does: "show the plan, ask, do it" },
    { line: "ticketing apply --env production --yes", does: "in CI, after merge" },
    { line: "ticketing apply plan.json --yes", does: "exactly the plan that was reviewed" },
    { line: "ticketing apply --allow price-change-with-sales", does: "accept one risk" },
  ],
};

export const validate: Usage = {
  name: "validate",
  summary: "check the files offline and show every problem at once",
  details:
    "Reads the project without talking to anybody. Exits 1 when there is an error (with --strict also a warning).",
  parameters: [
    { name: "paths", description: "only the problems of these files or folders", need: "many", takes: "file" },
  ],
  flags: [{ flags: "--strict", description: "warnings fail too" }],
  harmless: true,
  anyDirectory: true,
  formats: ["text", "json", "github", "sarif"],
  examples: [
    { line: "ticketing validate", does: "check the whole project" },
    { line: "ticketing validate --strict events/manila-nights.yaml", does: "one file, and warnings count" },
    { line: "ticketing validate --format github", does: "annotations in a GitHub workflow" },
  ],
};
