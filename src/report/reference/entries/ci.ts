// CI jobs: reviews, comments, drift.
import type { CodeEntries } from "./entry.ts";

export const ci = {
  "sandbox-in-ci": {
    levels: ["error"],
    summary: "A CI job for the sandbox, which is empty at the start of every job.",
    fix: "Name an environment of ticketing.yaml with `--env`.",
    example: "`ticketing ci plan --env sandbox`",
  },
  "no-default-branch": {
    levels: ["error"],
    summary: "The branch to merge into is not known.",
    fix: "Name it with `--merge-into`, such as `--merge-into origin/main`.",
    example: "`ticketing ci plan` on a machine that is not a CI runner.",
  },
  "branch-not-fetched": {
    levels: ["warning"],
    summary: "The target branch could not be fetched, so the plan is for it as this clone knows it.",
    fix: "Let the checkout step keep its credentials (`persist-credentials: true` on GitHub).",
    example: "A checkout step with `persist-credentials: false`.",
  },
  "no-host-token": {
    levels: ["warning"],
    summary: "There is no token for GitHub or GitLab, so the job can neither read nor write comments.",
    fix: "Add to the step the variable that the message names, on GitHub `env: { GITHUB_TOKEN: … }`, and to the job the permission `pull-requests: write`.",
    example: "The step lacks `env: { GITHUB_TOKEN: … }`.",
  },
  "comment-not-posted": {
    levels: ["warning"],
    summary: "The comment on the pull request could not be written.",
    fix: "Give the job the permission `pull-requests: write`; a pull request from a fork gets a token that can only read. Or run it again.",
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
    details: "The message says what the operating system reported. `ticketing fmt` writes the other files anyway.",
    fix: "Name a file in a folder that exists and can be written to, or let this user write the file and its folder.",
    example: "`ticketing ci plan --comment-file missing-folder/plan.md`",
  },
  unreviewed: {
    levels: ["warning", "error"],
    summary: "A change was not reviewed, so it is held.",
    details: "An error with `review: { unreviewed: stop }` and for a saved plan.",
    fix: 'Merge a pull request whose plan lists it under "Held and waiting", or undo it.',
    example: "Somebody edited an event in the dashboard after the pull request was planned.",
  },
  "review-unreadable": {
    levels: ["error"],
    summary: "A file given to --reviewed is not a JSON plan for this environment.",
    fix: "Pass the output of `ticketing plan --format json`.",
    example: "`ticketing apply --reviewed plan.md`",
  },
  "reviews-not-read": {
    levels: ["error"],
    summary: "What was reviewed could not be read.",
    fix: "Give the job the right to read comments, or run it again. To apply without a review, pass `--unreviewed apply`.",
    example: "`ticketing ci apply` while GitHub is down.",
  },
  "review-not-counted": {
    levels: ["warning"],
    summary: "The comment on a pull request does not count as a review.",
    details: "It is missing, not signed, or was changed by somebody else.",
    fix: "Let `ci plan` write it again in a new pull request, or check the plan and apply with `--unreviewed apply`.",
    example: "Somebody edited the comment with the plan.",
  },
  "budget-too-small": {
    levels: ["error"],
    summary: "The calls of --budget are not enough to compare a single event, so nothing is known about drift.",
    fix: "Raise `--budget`: the lists take a handful of calls, and each event a few more.",
    example: "`ticketing ci drift --budget 2`",
  },
} as const satisfies CodeEntries;
