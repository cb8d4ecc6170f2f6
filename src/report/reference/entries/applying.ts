// What becomes of a plan: saved, approved, sent, confirmed.
import type { CodeEntries } from "./entry.ts";

export const savedPlans = {
  "stale-plan": {
    levels: ["error"],
    summary: "What a saved plan was based on has changed, so nothing was sent.",
    details: "A managed field, a status or a verdict differs. Sales that change no verdict do not make a plan stale.",
    fix: "Make a new plan with `ticketing plan --out FILE`, review it, and apply that.",
    example: "Somebody edits an event in the dashboard between plan and apply.",
  },
  "plan-altered": {
    levels: ["error"],
    summary: "A saved plan was altered after it was made, or was printed and not saved.",
    fix: "Make a new plan with `ticketing plan --out FILE`.",
    example: "`ticketing plan --format json > plan.json`, then `ticketing apply plan.json`.",
  },
  "plan-unreadable": {
    levels: ["error"],
    summary: "A file that cannot be read as a saved plan.",
    fix: "Check the path, or make a new plan with `ticketing plan --out FILE`.",
    example: "`ticketing apply events/manila-nights.yaml`",
  },
  "plan-unsigned": {
    levels: ["error"],
    summary: "A saved plan is not signed, so anyone who can write the file could decide what is applied.",
    fix: "Set TICKETING_PLAN_KEY to the same secret in the job that plans and in the job that applies.",
    example: "A CI job applies a plan file from another job.",
  },
  "plan-of-another-target": {
    levels: ["error"],
    summary: "A saved plan was made for another environment or organization.",
    fix: "Choose the environment that the plan was made for with `--env`.",
    example: "A plan for staging is applied with `--env production`.",
  },
  "plan-is-made": {
    levels: ["error"],
    summary: "Flags that cannot be used with a saved plan.",
    fix: "Make a plan with these flags and `--out`, review it, and apply that.",
    example: "`ticketing apply plan.json --allow delete-event`",
  },
  "plan-key-empty": {
    levels: ["error"],
    summary: "TICKETING_PLAN_KEY is set and empty, so plans would not be signed.",
    fix: "Check that the CI secret exists and that this job may read it, or unset the variable.",
    example: "The secret is missing in a pull request from a fork.",
  },
  "plan-not-saved": {
    levels: ["error"],
    summary: "The plan could not be saved.",
    fix: "Name a file in a folder that exists and can be written to.",
    example: "`ticketing plan --out missing-folder/plan.json`",
  },
  blocked: {
    levels: ["error"],
    summary: "Changes are blocked, so apply refuses the whole plan.",
    fix: "Each has its fix in the plan; `--skip-blocked` applies the rest without them.",
    example: "One of ten changes would delete an event.",
  },
  "not-approved": {
    levels: ["error"],
    summary: "The plan was not approved, so nothing was sent.",
    fix: "Review the plan, then run the command again; without a terminal pass `--yes`.",
    example: "`ticketing apply` in a script, without `--yes`.",
  },
} as const satisfies CodeEntries;

export const outcomes = {
  "needs-failed": {
    levels: ["error"],
    summary: "A call was skipped, because one that it needs was not done.",
    fix: "Fix that one first; the next `ticketing apply` continues from there.",
    example: "An event could not be created, so it is not published either.",
  },
  "needs-missing": {
    levels: ["error"],
    summary: "A call was skipped, because one that it needs is not in the plan.",
    fix: "Make a new plan.",
    example: "A plan file that another program has made.",
  },
  "not-confirmed": {
    levels: ["error"],
    summary: "A change was sent several times, and the service does not show it.",
    fix: "Run the command again: it checks what is there and does only what is missing.",
    example: "The service responds, but keeps showing the old value for a long time.",
  },
  "not-reached": {
    levels: ["error"],
    summary: "The service accepted a call, but the object is as it was before.",
    fix: "Check it in the dashboard, then run `ticketing apply` again.",
    example: "The service accepts `publish`, and the event stays a draft.",
  },
  unconfirmed: {
    levels: ["notice"],
    summary: "The service refused a call and does not show whether it was needed; it counts as done.",
    fix: "Check it in the dashboard: it is not sent again.",
    example: "The service refuses to publish a ticket type, and hides whether it is published.",
  },
  verify: {
    levels: ["warning", "error"],
    summary: "An object is not as it was sent.",
    fix: "Somebody else may have changed it, or the service has its own rule for this value: check it in the dashboard, then run `ticketing plan`.",
    example: "`ticketing apply --verify` finds another price than the one sent.",
  },
  "kept-otherwise": {
    levels: ["notice"],
    summary: "The service keeps a value in another form than it was sent.",
    fix: "Nothing to do: it is remembered. Without state, write the value as the service keeps it.",
    example: "A description comes back with other markup.",
  },
  "no-id": {
    levels: ["error"],
    summary: "An id that a call needs is not known.",
    fix: "Run the command again: it checks what is there and does only what is missing.",
    example: "The service accepted a create and did not show what it created.",
  },
  "in-doubt": {
    levels: ["error"],
    summary: "An event is not published while something of it is unconfirmed.",
    fix: "Run the command again: it checks what is there and does only what is missing.",
    example: "The response to a new ticket type was lost.",
  },
  "tickets-not-seen": {
    levels: ["error"],
    summary: "An event was created, but its list of ticket types does not show all of them yet.",
    fix: "Run the command again: it checks what is there and does only what is missing.",
    example: "The service lists new objects late.",
  },
  "too-many-alike": {
    levels: ["error"],
    summary: "After a lost response, several live objects look like the one to create.",
    fix: "Delete those you do not want in the dashboard, or write the `id` of the right one, then apply again.",
    example: "A create was retried while somebody made the same event in the dashboard.",
  },
  "late-lookalikes": {
    levels: ["warning"],
    summary: "Creating an object was never confirmed, and live objects look like it.",
    fix: "Delete those you do not want in the dashboard, or pin the right one with `id`.",
    example: "A response was lost, and the object showed up minutes later.",
  },
  recovered: {
    levels: ["notice"],
    summary: "An earlier run was cut off, and this one determined what it had done.",
    fix: "Nothing to do.",
    example: "The CI job was killed in the middle of an apply.",
  },
  "recovery-delete": {
    levels: ["warning"],
    summary: "A live object that an interrupted run left, and that an apply deletes first.",
    details: "It is proved to be a duplicate of ours before it is deleted.",
    fix: "Review it in the plan like any other delete.",
    example: "A create was sent twice after a lost response.",
  },
  "cannot-recover": {
    levels: ["error"],
    summary: "An earlier run was cut off, and what it had done could not be determined.",
    fix: "Run the command again when the service can be reached.",
    example: "The service is still down when the next run begins.",
  },
  interrupted: {
    levels: ["error"],
    summary: "The run was stopped before this.",
    fix: "Run the same command again: it does only what is missing.",
    example: "Ctrl-C, or a CI job that was canceled.",
  },
  stopped: {
    levels: ["error"],
    summary: "The run stopped before this; its own message says why.",
    fix: "Fix that, and run `ticketing apply` again.",
    example: "Five calls in a row could not reach the service.",
  },
  failed: {
    levels: ["error"],
    summary: "Calls of an apply did not succeed.",
    fix: "Each has its own message and fix above; then run `ticketing apply` again.",
    example: "`ticketing apply --wait` ends with one call refused.",
  },
  "internal-error": {
    levels: ["error"],
    summary: "Something unexpected happened in the middle of an apply, and nothing more was sent.",
    fix: "Run the command again: it checks first. If it happens again, report it.",
    example: "A bug in ticketing.",
  },
  bug: {
    levels: ["error"],
    summary: "A bug in ticketing.",
    fix: "Report it with what `--verbose` prints.",
    example: "An unexpected error.",
  },
  "system-refused": {
    levels: ["error"],
    summary: "The operating system refused something.",
    fix: "Fix what the message names: a full disk, permissions, too many open files.",
    example: "The disk is full.",
  },
} as const satisfies CodeEntries;
