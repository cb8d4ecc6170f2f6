// Commands that read, import and copy; the sandbox; CI jobs.
import type { CodeEntries } from "./entry.ts";

export const commands = {
  "unknown-event": {
    summary: "No event has that event key, name, slug or id.",
    fix: "Correct the name: the message suggests a similar one. `ticketing status --archived` lists all events, and with --format csv also their ids.",
    example: "`ticketing show manila-night`",
  },
  "event-not-live": {
    summary: "The event is in the files but not live yet.",
    fix: "Make it live with `ticketing apply`, or check that `--env` names the right environment.",
    example: "`ticketing orders gala` before the first apply.",
  },
  "unknown-order": {
    summary: "There is no order with that number or id.",
    fix: "Correct the number: `ticketing orders EVENT` lists the orders.",
    example: "`ticketing orders show ORD-999999`",
  },
  "files-have-errors": {
    levels: ["error", "warning"],
    summary: "The project's files have errors, so what they say is only partly known.",
    details: "In this case `import` writes nothing; `status` continues and says so.",
    fix: "Run `ticketing validate`, and correct the lines that it shows.",
    example: "`ticketing import --all` while an event file does not validate.",
  },
  "nothing-asked": {
    summary: "The command does not say what to import.",
    fix: "Name events by id or slug, or pass `--all` (and `--webhooks` for webhooks).",
    example: "`ticketing import`",
  },
  "nothing-live": {
    levels: ["notice"],
    summary: "The organization has no event to import.",
    fix: "Describe a first event in a file, such as `events/my-event.yaml`; import archived ones with `--all --status ARCHIVED`.",
    example: "`ticketing import --all` in a new organization.",
  },
  "not-live": {
    levels: ["warning"],
    summary: "A file lists something that is not live.",
    details: "An import removes it from the file, unless the file has changes that are not committed.",
    fix: "If it should still be created, undo the change that was made to the file: `git diff` shows it.",
    example: "A ticket type was deleted in the dashboard before `ticketing import`.",
  },
  "plan-will-differ": {
    levels: ["warning"],
    summary: "A file cannot describe what is live, so `plan` will show a change.",
    fix: "Check `defaults` in ticketing.yaml: an event cannot always undo what they set.",
    example: "`defaults` set an image, and a live event has none.",
  },
  "phases-moved": {
    levels: ["warning"],
    summary:
      "Phases happen at different instants, because the event was postponed, or its time zone was changed on the service.",
    details:
      "If an event is postponed, the phase that published it is in the future again, and the event would leave the marketplace until that phase begins. An import rewrites the times of the event's own phases, so that they keep their instants; it does not edit templates.",
    fix: "To keep the event published, write `status: PUBLISHED`, or set `from` of the phase to the date on which it began. If the phases of a template should keep their instants, write `without: [phases]` in the event, and list its own phases under `phases`.",
    example: "A template has a phase from `-2w at 10:00`, and an event that extends it was moved to Asia/Tokyo.",
  },
  "variable-replaced": {
    levels: ["warning"],
    summary:
      "An import replaced text that contained a variable with the live text, and the file no longer uses the variable.",
    fix: "Remove the variable from `vars` if nothing else uses it; or change its value, and restore the text.",
    example: '`name: "Club: ${var.act}"` was renamed on the service to Club: DJ Bobo.',
  },
  "cannot-update-in-place": {
    levels: ["error", "notice"],
    summary: "An event is written in a way that cannot be edited in place, so the file was left unchanged.",
    fix: "Edit the file by hand (`ticketing plan` shows what differs), or write the event without YAML anchors and import again. If a phase sets what differs, change the phase by hand. For one date of a series, the message is a notice with the entry to add.",
    example:
      "The ticket types of an event are a YAML anchor, or a phase that has begun sets a price that was changed in the dashboard.",
  },
  "left-out": {
    levels: ["warning", "notice"],
    summary: "Something live that the written file leaves out, or a series that cannot be written.",
    fix: "The message says what and why; add it by hand if you want it managed.",
    example: "A live webhook has an event type that this version does not know.",
  },
  "live-like-this": {
    levels: ["warning"],
    summary: "A live object fails a check, so the written file silences that check.",
    fix: "Correct it on the service or in the file, then remove the `ignore`.",
    example: "A live event has a VIP ticket that is cheaper than general admission.",
  },
  "outside-globs": {
    levels: ["warning"],
    summary: "Files were written where the project does not look for events.",
    fix: "Add the folder to `events` in ticketing.yaml, or import without `--out`.",
    example: "`ticketing import --all --out imported`",
  },
  "file-exists": {
    summary: "The file to write exists, and was left as it is.",
    fix: "Choose another name with `--key`.",
    example:
      "`ticketing copy gala --to 2028-03-12`, while events/gala-2028-03-12.yaml exists and `events` in ticketing.yaml leaves it out.",
  },
  "not-copied": {
    summary: "An event is written in a way that cannot be copied with its layout.",
    fix: "Copy the file by hand, and check every date and time in it.",
    example: "`ticketing copy` of an event whose times are YAML anchors.",
  },
  "not-formatted": {
    summary:
      "A file that `ticketing fmt` left as it is: formatting would change its values or comments, or it uses YAML that does not belong in these files.",
    fix: "Lay it out by hand; the message says what is in the way.",
    example: "A file in which YAML is written in a way that cannot be reformatted with its comments.",
  },
  "sandbox-refused": {
    summary: "The sandbox cannot do what was asked.",
    fix: "Correct it as the message says.",
    example: "`ticketing sandbox sell gala VIP 900`, where 200 remain.",
  },
  "sandbox-data": {
    summary: "The sandbox's data file cannot be used.",
    fix: "The message says why. If the file was damaged, it was renamed, and the next command starts with an empty sandbox.",
    example: "The data file was edited by hand.",
  },
  "sandbox-profile": {
    summary: "A profile that the sandbox does not have.",
    fix: "Use likely, minimal, strict, lax or hostile, or set single knobs with `knob=value,…`: docs/sandbox.md lists them.",
    example: "`ticketing sandbox --profile harsh`",
  },
  "port-in-use": {
    summary: "The port is in use by another program.",
    fix: "Choose another with `--port N`, or let the system choose one with `--port 0`.",
    example: "`ticketing sandbox --port 4010` in two terminals.",
  },
} as const satisfies CodeEntries;

// CI jobs: reviews, comments, drift.

export const ciCodes = {
  "sandbox-in-ci": {
    summary: "A `ticketing ci` command for the sandbox, which starts empty in every job.",
    fix: "Use `--env` with an environment from ticketing.yaml.",
    example: "`ticketing ci plan --env sandbox`",
  },
  "pull-request-target": {
    summary:
      "A job of GitHub's event `pull_request_target`, which has the secrets of the repository while it works on what a pull request contains.",
    details: "No key is used: anyone can open a pull request.",
    fix: "Run the job on `pull_request`; forks get `validate` only, as in the workflow that `ticketing init --ci github` writes.",
    example: "`on: pull_request_target` in a workflow that runs `ticketing plan`.",
  },
  "no-default-branch": {
    summary: "The branch to merge into is not known.",
    fix: "Name it with `--merge-into`, such as `--merge-into origin/main`; without a remote, a local branch: `--merge-into main`.",
    example: "`ticketing ci plan` on a machine that is not a CI runner.",
  },
  "branch-not-fetched": {
    levels: ["warning"],
    summary: "The target branch could not be fetched, so the plan uses the copy of it in this clone.",
    fix: "Run the job again; if the remote refused the fetch, let the checkout step keep its credentials (`persist-credentials: true` on GitHub).",
    example: "A checkout step with `persist-credentials: false`.",
  },
  "no-host-token": {
    levels: ["warning"],
    summary: "There is no token for GitHub or GitLab, so the job can neither read nor write comments.",
    fix: 'On GitHub, add to the step: `env: { GITHUB_TOKEN: "${{ github.token }}" }`, and to the job the permission `pull-requests: write`, or `issues: write` if the job checks for drift. On GitLab, store a project access token with the scopes `api` and `write_repository` as the masked CI/CD variable GITLAB_TOKEN.',
    example: "The step lacks `env: { GITHUB_TOKEN: … }`.",
  },
  "comment-not-posted": {
    levels: ["warning"],
    summary: "The comment with the plan or its result could not be written.",
    details:
      "A plan that is finished only after its pull request was merged is not posted either, because it would count as reviewed.",
    fix: "On GitHub, give the job the permission `pull-requests: write` (a fork gets a token that can only read); on GitLab, give it a token with the scope `api`. Or run the job again.",
    example: "The workflow lacks `permissions: { pull-requests: write }`.",
  },
  "issue-not-written": {
    levels: ["warning"],
    summary: "The issue about drift could not be written.",
    fix: "Give the job the right to write issues, or run it again.",
    example: "The workflow lacks `permissions: { issues: write }`.",
  },
  "not-written": {
    levels: ["warning", "error"],
    summary: "A file that a job was asked to write, or that `ticketing fmt` changes, could not be written.",
    details:
      "The message says what the operating system reported. A CI job only warns; `ticketing fmt` writes the other files, and fails.",
    fix: "Create the folder or name one that exists, give this user permission to write there, and run the command again.",
    example: "`ticketing ci plan --comment-file missing-folder/plan.md`",
  },
  unreviewed: {
    levels: ["warning", "error"],
    summary: "A change was not reviewed, so it is held.",
    details:
      "The rest is applied, and `ci apply` exits 1 unless only drift is held. It is an error, and the run stops, if ticketing.yaml has `review: { unreviewed: stop }` or a saved plan is applied.",
    fix: 'Merge a branch whose plan lists it under "Held and waiting", or change the files to match the service. If the run stopped, pass `--unreviewed hold` to apply the rest; a saved plan is applied only as a whole, so apply without it.',
    example: "Somebody edited an event in the dashboard after the branch was planned.",
  },
  "overwrites-a-change": {
    levels: ["warning"],
    summary: "A field was changed on the service after the last apply, and the files now set it to a third value.",
    details:
      "The value in the files is sent and overwrites that change. The warning needs a record of what was applied last.",
    fix: "To keep what the service has, run `ticketing import EVENT` and commit the file before this is merged or applied. If the files are right, there is nothing to do.",
    example: "A branch raises a price from 1,500 to 1,800; before the merge, somebody sets 1,600 in the dashboard.",
  },
  "review-unreadable": {
    summary: "A file given to --reviewed is not a JSON plan for this environment.",
    fix: "Pass the output of `ticketing plan --format json`.",
    example: "`ticketing apply --reviewed plan.md`",
  },
  "reviews-not-read": {
    levels: ["error", "warning"],
    summary: "What was reviewed could not be read.",
    details:
      "It is a warning if too much was merged since the last apply that had no failures: then only the newest part is looked up, and the rest counts as not reviewed.",
    fix: "Give the job the right to read comments, or run it again. To apply without a review, pass `--unreviewed apply`.",
    example: "`ticketing ci apply` while GitHub is down.",
  },
  "review-not-counted": {
    levels: ["warning"],
    summary: "The comment with a plan does not count as a review.",
    details:
      "It is not signed, was changed or written by somebody else (this includes the user of a token that the job used earlier), is about a merge into a branch that is not applied, or shows a plan that was made after the merge. Or it lists a change that a later commit or merge reverted: it no longer counts for that change.",
    fix: "Open a new pull request that changes a file of the project (a comment line is enough), wait for its plan and merge it, or check the plan and apply with `--unreviewed apply`.",
    example: "Somebody edited the comment with the plan.",
  },
  "budget-too-small": {
    summary: "The calls of --budget are not enough to compare a single event, so nothing is known about drift.",
    fix: "Raise `--budget` to what the message names: that is enough for the lists and one event.",
    example: "`ticketing ci drift --budget 2`",
  },
} as const satisfies CodeEntries;
