import {
  changeFlags,
  commandGroup,
  type Flag,
  flag,
  formatsOf,
  lockTimeout,
  paceFlags,
  settle,
  shard,
  type Usage,
  yes,
} from "./usage.ts";

export const plan: Usage = {
  name: "plan",
  summary: "show what would change, and what is blocked",
  details:
    "Reads the files and the live service, and changes nothing. Shows every field that differs, and the order and cost of the calls. Exits 1 if anything is blocked.",
  flags: [
    flag("--out <file>", "save the plan, for `ticketing apply FILE`", { takes: "file" }),
    flag("--detailed-exitcode", "exit 2 if there are changes and none is blocked"),
    flag("--at <time>", "plan as of this time, with the phases that have begun by then; such a plan is never applied"),
    flag("--watch", "plan again as files change, until Ctrl-C; calls the service only for what the changed files need"),
    ...changeFlags,
  ],
  anyDirectory: true,
  formats: ["text", "json", "markdown", "html"],
  examples: [
    ["ticketing plan", "everything that differs"],
    ["ticketing plan --merge-into origin/main --format markdown", "a pull request's changes, as a comment"],
    ["ticketing plan --target events/manila-nights --out plan.json", "one event, saved for apply"],
    ["ticketing plan --at 2027-03-01T10:00", "what will be due on that day"],
    ["ticketing plan --shard 2/4", "the second quarter of the events, in the second of four jobs"],
    ["ticketing plan --watch --env sandbox", "next to your editor"],
    ["ticketing plan --detailed-exitcode", "for scripts: exit 2 means that something would change"],
  ],
};

export const apply: Usage = {
  name: "apply",
  summary: "do what the plan shows, and nothing else",
  details:
    "Plans, asks, then makes the changes. With a plan file it makes exactly those changes, or refuses the file as stale or altered. In CI, a plan file must be signed: set TICKETING_PLAN_KEY to the same secret for `plan` and `apply`. If the connection drops or the process is killed, nothing is lost: run it again.",
  parameters: [
    { name: "planFile", description: "a plan saved by `ticketing plan --out`", need: "optional", takes: "file" },
  ],
  flags: [
    yes,
    flag("--skip-blocked", "leave out what is blocked and do the rest"),
    flag("--reviewed <file>", "the reviewed plan, as JSON: a change that it does not list is held, not sent", {
      takes: "file",
    }),
    flag("--wait <duration>", "keep running for up to this long, such as 15m, to send later changes exactly when due", {
      takes: "duration",
    }),
    flag("--verify", "read back everything that was written"),
    settle,
    lockTimeout,
    ...changeFlags,
  ],
  examples: [
    ["ticketing apply", "show the plan, ask, do it"],
    ["ticketing apply --env production --yes", "in CI, after merge"],
    ["ticketing apply plan.json --yes", "exactly the plan that was reviewed"],
    ["ticketing apply --yes --shard 2/4", "the second quarter of the events, in the second of four jobs"],
    ["ticketing apply --yes --reviewed reviewed.json", "only what a reviewed plan lists"],
    [
      "ticketing apply --yes --base last --wait 15m",
      "in a job that starts every 15 minutes: send what comes due, to the second",
    ],
    ["ticketing apply --allow price-change-with-sales", "accept one risk"],
  ],
};

export const validate: Usage = {
  name: "validate",
  summary: "check the files offline and show all problems found",
  details:
    "If a file has mistakes in its YAML, times or series, or extends a template that is missing or cannot be read, the rest of it is checked once these are corrected. Exits 1 if there is an error; with --strict, also if there is a warning.",
  parameters: [{ name: "paths", description: "only problems in these files or folders", need: "many", takes: "file" }],
  flags: [
    flag("--strict", "also fail on warnings"),
    flag("--watch", "check again as files change, until Ctrl-C"),
    flag("--verbose", "also print notices, and full lists"),
  ],
  harmless: true,
  anyDirectory: true,
  formats: ["text", "json", "github", "sarif"],
  examples: [
    ["ticketing validate", "check the whole project"],
    ["ticketing validate --strict events/manila-nights.yaml", "one file; warnings count"],
    ["ticketing validate --watch", "next to your editor"],
    ["ticketing validate --format github", "annotations in a GitHub workflow"],
  ],
};

const textFlags = (what: string): readonly Flag[] => [
  flag("--no-comment", `write no ${what}`),
  flag("--comment-file <file>", `write the ${what} to this file, for any host`, { takes: "file" }),
];

/** What the jobs about pull requests share. */
const jobFlags: readonly Flag[] = [
  ...textFlags("comment"),
  flag("--pull-request <n>", "the pull request (GitLab: merge request), where the job's variables do not name it", {
    takes: "positive",
  }),
];

const artifacts: Flag = flag("--artifacts <dir>", "write plan.html and plan.json to this folder", {
  takes: "directory",
});

/** Jobs take no `--shard`, since each part would overwrite the comment of the others, and no `--watch`: files do not change under a job. */
function flagsExcept(usage: Usage, ...left: readonly string[]): readonly Flag[] {
  return (usage.flags ?? []).filter(({ flags }) => !left.includes(flags));
}

const ciPlan: Usage = {
  name: "plan",
  summary: "plan a pull request, and comment on it",
  details:
    "Plans the merge of the checkout into the default branch as it is now. Writes one comment per project and environment, the job's summary, and annotations on the lines they concern. Works out of the box on GitHub and GitLab; elsewhere use --comment-file and --pull-request. Exits 1 if it fails, or if a change of the pull request itself is blocked or waits for a blocked one.",
  flags: [...jobFlags, artifacts, ...flagsExcept(plan, shard.flags, "--watch")],
  anyDirectory: true,
  formats: formatsOf(plan),
  examples: [
    ["ticketing ci plan --env production", "in the job for a pull request"],
    ["ticketing ci plan --env production --artifacts out", "also plan.html and plan.json, to keep"],
    ["ticketing ci plan --env production --comment-file comment.md", "on any other host"],
  ],
};

const ciApply: Usage = {
  name: "apply",
  summary: "apply what was merged and reviewed",
  details:
    "Waits up to 15 minutes for another run, plans what differs from the revision applied last, and applies it event by event: a blocked event stays as it is and does not stop the others. By default, it holds each change that no comment on the merged pull requests lists: the change is not sent until somebody reviews it. Phases that come due are not held. If no pull request was merged since the last complete apply, or if the host is neither GitHub nor GitLab and you do not pass --reviewed, it holds nothing new, and what earlier runs held stays held; a scheduled run then leaves drift alone, too. Writes the result into those comments and the job's summary. Exits 1 if anything was blocked or failed, or if a change other than drift was held.",
  flags: [
    flag(
      "--unreviewed <what>",
      "what to do with changes that were not reviewed (default: as ticketing.yaml says, or hold)",
      { choices: ["hold", "apply", "stop"] },
    ),
    ...jobFlags,
    { ...artifacts, description: "write plan.html, plan.json and apply.json to this folder" },
    ...flagsExcept(apply, yes.flags, "--skip-blocked", lockTimeout.flags, shard.flags),
    // Implied.
    ...[yes.flags, "--skip-blocked"].map((flags) => flag(flags, "")),
    { ...lockTimeout, description: "how long to wait for another run to finish (default: 900)" },
  ],
  examples: [
    ["ticketing ci apply --env production", "in the job that follows a merge"],
    ["ticketing ci apply --env production --unreviewed apply", "also what was not reviewed, once you have checked it"],
    [
      "ticketing ci apply --env production --wait 15m",
      "in a job that starts every 15 minutes: send what comes due, to the second",
    ],
    [
      "ticketing ci apply --env production --target events/gala --unreviewed apply",
      "set one event to what the files say, undoing its drift",
    ],
  ],
};

const drift: Usage = {
  name: "drift",
  summary: "find what was changed on the service, and keep an issue open for it",
  details:
    "Compares the service with the files, and distinguishes drift from changes that are merged but not applied yet. Opens one issue per project and environment, updates it, and closes it once there is no drift. Exits 2 if there is drift, 1 if the check failed, 0 otherwise.",
  flags: [
    flag(
      "--budget <n>",
      "make at most this many calls; events that had drifted come first, then those checked longest ago",
      {
        takes: "positive",
      },
    ),
    flag("--target <address>", "only this object and its children; `*` is a wildcard (repeatable)", {
      repeatable: true,
    }),
    ...textFlags("issue"),
    ...paceFlags,
  ],
  examples: [
    ["ticketing ci drift --env production", "every night"],
    ["ticketing ci drift --env production --budget 500", "a part each night, with 500 calls at most"],
  ],
};

export const ci = commandGroup("ci", "plan, apply and check for drift in CI jobs", [ciPlan, ciApply, drift]);
