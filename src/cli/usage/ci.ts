import { apply as applyUsage, plan as planUsage } from "./plan-and-apply.ts";
import { commandGroup, type Flag, lockTimeout, paceFlags, shard, type Usage } from "./usage.ts";

const textFlags: readonly Flag[] = [
  { flags: "--no-comment", description: "write no comment and no issue" },
  { flags: "--comment-file <file>", description: "write the comment to this file, for any host", takes: "file" },
];

/** What the jobs about pull requests share. */
const jobFlags: readonly Flag[] = [
  ...textFlags,
  {
    flags: "--pull-request <n>",
    description: "the pull request, where the job's variables do not name it",
    takes: "positive",
  },
];

const artifacts: Flag = {
  flags: "--artifacts <dir>",
  description: "write plan.html and plan.json into this directory",
  takes: "directory",
};

/** Not `--shard`, whose parts would overwrite each other in the one comment; not `--watch`, because nobody edits files during a job. */
function withoutFlags(usage: Usage, ...left: readonly string[]): readonly Flag[] {
  return (usage.flags ?? []).filter(({ flags }) => !left.includes(flags));
}

const plan: Usage = {
  name: "plan",
  summary: "plan a pull request, and comment on it",
  details:
    "Plans the merge of the checkout into the default branch as it is now. Writes one comment per project and environment, the job's summary, and annotations at the lines. Works out of the box on GitHub and GitLab; elsewhere use --comment-file and --pull-request. Exits 1 if anything is blocked or wrong.",
  flags: [...jobFlags, artifacts, ...withoutFlags(planUsage, shard.flags, "--watch")],
  anyDirectory: true,
  formats: planUsage.formats,
  examples: [
    { line: "ticketing ci plan --env production", does: "in the job of a pull request" },
    { line: "ticketing ci plan --env production --artifacts out", does: "also plan.html and plan.json, to keep" },
    { line: "ticketing ci plan --env production --comment-file comment.md", does: "on any other host" },
  ],
};

const apply: Usage = {
  name: "apply",
  summary: "apply what was merged and reviewed",
  details:
    "Waits up to 15 minutes for another run, plans what differs from the revision applied last, and applies it event by event: what is blocked stays as it is and holds up nothing else. What no merged pull request's comment lists is held. Writes the result into those comments and the job's summary. Exits 1 if anything was blocked, held or failed.",
  flags: [
    {
      flags: "--unreviewed <what>",
      description: "what to do with changes that were not reviewed (default: as the project file says, or hold)",
      choices: ["hold", "apply", "stop"],
    },
    ...jobFlags,
    { ...artifacts, description: "write plan.html, plan.json and apply.json into this directory" },
    ...withoutFlags(applyUsage, "--skip-blocked", lockTimeout.flags, shard.flags),
    { flags: "--skip-blocked", description: "implied: what is blocked holds up nothing else" },
    { ...lockTimeout, description: "how long to wait for another run to finish (default: 900)" },
  ],
  formats: applyUsage.formats,
  examples: [
    { line: "ticketing ci apply --env production", does: "in the job that follows a merge" },
    {
      line: "ticketing ci apply --env production --unreviewed apply",
      does: "also what was not reviewed, once you have checked it",
    },
    { line: "ticketing ci apply --env production --wait 15m", does: "every 15 minutes: what comes due" },
    {
      line: "ticketing ci apply --env production --target events/gala --unreviewed apply",
      does: "make one event as the files say, and undo its drift",
    },
  ],
};

const drift: Usage = {
  name: "drift",
  summary: "find what was changed on the service, and keep an issue about it",
  details:
    "Compares the files with the service, and lists what was changed there apart from what is merged and not applied yet. Opens one issue per project and environment, updates it, and closes it again. Exits 2 for drift, 1 if the check failed, 0 otherwise.",
  flags: [
    {
      flags: "--budget <n>",
      description: "make at most this many calls, for the events whose last check is oldest",
      takes: "positive",
    },
    {
      flags: "--target <address>",
      description: "only this object and its children; `*` is a wildcard; repeatable",
      repeatable: true,
    },
    ...textFlags,
    ...paceFlags,
  ],
  formats: ["text", "json"],
  examples: [
    { line: "ticketing ci drift --env production", does: "every night" },
    { line: "ticketing ci drift --env production --budget 500", does: "a part each night, with 500 calls at most" },
  ],
};

export const ci = commandGroup("ci", "plan, apply and check for drift in CI jobs", [plan, apply, drift]);
