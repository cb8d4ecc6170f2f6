// Webhooks and their secrets.
import type { CodeEntries } from "./entry.ts";

export const webhooks = {
  "webhook-not-https": {
    levels: ["error"],
    summary: "A webhook or callback address that is not https.",
    details: "A webhook's `url` and an event's `callbackUrl`. Loopback addresses are fine in the sandbox.",
    fix: "Use the https address of the receiver.",
    example: {
      wrong: "callbackUrl: http://hooks.example.com/nights",
      right: "callbackUrl: https://hooks.example.com/nights",
    },
  },
  "unknown-event-type": {
    levels: ["error"],
    summary: "Something in a webhook's events that the service does not send.",
    fix: "Write one of the types that the message lists.",
    example: {
      file: "webhooks.yaml",
      wrong: "- url: https://hooks.example.com/orders\n  events: [order.paid]",
      right: "- url: https://hooks.example.com/orders\n  events: [order.completed]",
    },
  },
  "webhook-without-events": {
    levels: ["error"],
    summary: "A webhook that subscribes to no events.",
    fix: "List what it should be notified of, or write `isActive: false` to keep it silent.",
    example: {
      file: "webhooks.yaml",
      wrong: "- url: https://hooks.example.com/orders\n  events: []",
      right: "- url: https://hooks.example.com/orders\n  events: [order.completed]",
    },
  },
  "secret-name-missing": {
    levels: ["error"],
    summary: "A webhook without secretName in a project whose secrets go to a command.",
    fix: "Give the webhook a `secretName`: it is what the command stores the secret under.",
    example: "ticketing.yaml has `secrets: { sink: command, … }`, and a webhook in webhooks.yaml has no `secretName`.",
  },
  "no-secret-sink": {
    levels: ["rule", "error"],
    summary: "A webhook would be created, and there is no place for its secret, which is shown only once.",
    fix: "Write in ticketing.yaml where secrets go: `secrets: { sink: file, path: .ticketing/secrets.json }`, or a command sink.",
    example: "webhooks.yaml names a new webhook, and ticketing.yaml has no `secrets`.",
  },
  "no-secret-name": {
    levels: ["error"],
    summary: "A webhook is to be rotated, and the secrets command needs a name for its secret.",
    fix: "List the webhook in webhooks.yaml with a `secretName`.",
    example: "`ticketing webhooks rotate` of a webhook that no file names, in a project with a command sink.",
  },
  "secret-would-be-lost": {
    levels: ["rule", "error"],
    summary: "A new webhook's secret would be written to a file of a CI runner, which is gone after the job.",
    fix: "Use a command sink that stores it as a secret of the repository; the message shows the line.",
    example: "`ticketing ci apply` creates a webhook while `secrets` name a file.",
  },
  "secret-on-this-runner-only": {
    levels: ["warning"],
    summary: "A webhook's secret that would be written to a file on a CI runner and be gone with it.",
    fix: "Use a command sink in `secrets`.",
    example: "`ticketing plan` in a CI job that the program does not know as GitHub's or GitLab's.",
  },
  "secret-not-held": {
    levels: ["notice"],
    summary: "A live webhook whose secret is not where ticketing.yaml says secrets go.",
    fix: "Run `ticketing webhooks rotate URL`, if its receiver does not have the secret either.",
    example: "A webhook was made in the dashboard, and then listed in webhooks.yaml.",
  },
  "secret-not-kept": {
    levels: ["error"],
    summary: "The secret of a new webhook could not be stored, so the webhook was deleted again.",
    fix: "Repair the sink under `secrets` in ticketing.yaml, then run `ticketing apply` again.",
    example: "The command of a command sink failed, or the disk was full.",
  },
  "secrets-exposed": {
    levels: ["error"],
    summary: "A file for webhook secrets that git has or would take, or that is read as events.",
    fix: "Use `.ticketing/secrets.json`, which git ignores.",
    example: "`secrets: { sink: file, path: secrets.json }`, and git does not ignore secrets.json.",
  },
  "sink-changed": {
    levels: ["error", "warning", "notice"],
    summary: "Another place for webhook secrets than the one agreed on before.",
    details:
      "`secrets` in the file are not those at `--base`, at the revision applied last or on the default branch: a pull request could send secrets to a command of its own. An error with `--base` or in CI while a key is set.",
    fix: "Read the command or path, and merge that change on its own first.",
    example: "A pull request edits `secrets` in ticketing.yaml.",
  },
  "webhooks-not-seen": {
    levels: ["warning"],
    summary: "The key may not read webhooks, so they are not compared.",
    fix: "Use a key with the scope webhooks:manage.",
    example: "A read-only key plans a pull request in a project with webhooks.",
  },
  "unknown-webhook": {
    levels: ["error"],
    summary: "No webhook has that address or id.",
    fix: "`ticketing webhooks list` shows all.",
    example: "`ticketing webhooks test https://hooks.example.com/order`, without the last letter.",
  },
  "ambiguous-webhook": {
    levels: ["rule", "error"],
    summary: "Several live webhooks have one address, and it is not clear which one is meant.",
    fix: "Name the one that is meant by its id, or delete the others in the dashboard.",
    example: "`ticketing webhooks rotate URL` where two webhooks of that address have different events.",
  },
  "webhook-not-shown": {
    levels: ["error"],
    summary: "The service does not show the events of a webhook, so it cannot be replaced by one like it.",
    fix: "List it in webhooks.yaml with its `events`, then run the command again.",
    example: "`ticketing webhooks rotate ID` of a webhook that no file names.",
  },
  "webhook-gone": {
    levels: ["error"],
    summary: "The webhook that was made to replace another one no longer exists.",
    fix: "Run `ticketing webhooks rotate` again: it makes another.",
    example: "Somebody deleted the new webhook in the dashboard during a rotation.",
  },
  "rotation-unfinished": {
    levels: ["warning"],
    summary: "A rotation was begun, and the former webhook is still there.",
    fix: "Make sure that the receiver has the new secret, then run `ticketing webhooks rotate URL` again.",
    example: "The run was cut off between the new webhook and the end of the former one.",
  },
  "test-failed": {
    levels: ["error"],
    summary: "A webhook's test event did not arrive.",
    fix: "Check that the receiver runs, answers with 2xx and has the secret; `ticketing webhooks deliveries` shows what it answered.",
    example: "`ticketing webhooks test URL` while the receiver is down.",
  },
  "not-sent": {
    levels: ["error"],
    summary: "The service did not send a webhook's test event.",
    fix: "Check that the webhook is active, then test it again.",
    example: "`ticketing webhooks test URL` of a webhook with `isActive: false`.",
  },
} as const satisfies CodeEntries;
