import { changeFlags, lockTimeout, settle, type Usage, yes } from "./usage.ts";

export const plan: Usage = {
  name: "plan",
  summary: "show what would change, and what the rules forbid",
  details:
    "Reads the files and the live service, and changes nothing. Shows every field that differs, and the order and cost of the calls. Exits 1 if anything is blocked.",
  flags: [
    { flags: "--out <file>", description: "save the plan, for `ticketing apply FILE`", takes: "file" },
    { flags: "--detailed-exitcode", description: "exit 2 if there are changes and none is blocked" },
    {
      flags: "--at <time>",
      description: "plan as of this time, with the phases that have begun by then; such a plan is never applied",
    },
    { flags: "--watch", description: "plan again as files change, reading only what they need, until Ctrl-C" },
    ...changeFlags,
  ],
  anyDirectory: true,
  formats: ["text", "json", "markdown", "html"],
  examples: [
    { line: "ticketing plan", does: "everything that differs" },
    {
      line: "ticketing plan --merge-into origin/main --format markdown",
      does: "a pull request's changes, as a comment",
    },
    { line: "ticketing plan --target events/manila-nights --out plan.json", does: "one event, saved for apply" },
    { line: "ticketing plan --at 2027-03-01T10:00", does: "what will be due on that day" },
    { line: "ticketing plan --shard 2/4", does: "the second quarter of the events, in the second of four jobs" },
    { line: "ticketing plan --watch --env sandbox", does: "beside your editor" },
    { line: "ticketing plan --detailed-exitcode", does: "for scripts: exit 2 means that something would change" },
  ],
};

export const apply: Usage = {
  name: "apply",
  summary: "do what the plan shows, and nothing else",
  details:
    "Plans, asks, then makes the changes. With a plan file it makes exactly those changes, or refuses the file as stale or altered. In CI the plan must be signed: set TICKETING_PLAN_KEY to the same secret for `plan` and `apply`. If the connection drops or the process is killed, nothing is lost: run it again.",
  parameters: [
    { name: "planFile", description: "a plan saved by `ticketing plan --out`", need: "optional", takes: "file" },
  ],
  flags: [
    yes,
    { flags: "--skip-blocked", description: "leave out what is blocked and do the rest" },
    {
      flags: "--reviewed <file>",
      description: "the reviewed plan, as JSON: a change that it does not list is held, not sent",
      takes: "file",
    },
    {
      flags: "--wait <duration>",
      description: "then stay this long, such as 15m, and send what comes due on time",
      takes: "duration",
    },
    { flags: "--verify", description: "read back everything that was written" },
    settle,
    lockTimeout,
    ...changeFlags,
  ],
  formats: ["text", "json"],
  examples: [
    { line: "ticketing apply", does: "show the plan, ask, do it" },
    { line: "ticketing apply --env production --yes", does: "in CI, after merge" },
    { line: "ticketing apply plan.json --yes", does: "exactly the plan that was reviewed" },
    { line: "ticketing apply --yes --shard 2/4", does: "the second quarter of the events, in the second of four jobs" },
    { line: "ticketing apply --yes --reviewed reviewed.json", does: "only what a reviewed plan lists" },
    {
      line: "ticketing apply --yes --base last --wait 15m",
      does: "every 15 minutes: what is due, on time to the second",
    },
    { line: "ticketing apply --allow price-change-with-sales", does: "accept one risk" },
  ],
};

export const validate: Usage = {
  name: "validate",
  summary: "check the files offline and show every problem at once",
  details: "Exits 1 if there is an error (with --strict, also if there is a warning).",
  parameters: [{ name: "paths", description: "only problems in these files or folders", need: "many", takes: "file" }],
  flags: [
    { flags: "--strict", description: "fail on warnings, too" },
    { flags: "--watch", description: "check again as files change, until Ctrl-C" },
  ],
  harmless: true,
  anyDirectory: true,
  formats: ["text", "json", "github", "sarif"],
  examples: [
    { line: "ticketing validate", does: "check the whole project" },
    { line: "ticketing validate --strict events/manila-nights.yaml", does: "one file; warnings count" },
    { line: "ticketing validate --watch", does: "beside your editor" },
    { line: "ticketing validate --format github", does: "annotations in a GitHub workflow" },
  ],
};
