// Webhooks and their secrets.
import { type CodeEntries, swap } from "./entry.ts";

export const webhookCodes = {
  "webhook-not-https": {
    summary: "A webhook or callback URL that does not use https.",
    details:
      "This applies to a webhook's `url` and to an event's `callbackUrl`. Loopback URLs are fine in the sandbox.",
    fix: "Use the https URL of the receiver.",
    example: swap("callbackUrl: «http://hooks.example.com/nights→https://hooks.example.com/nights»"),
  },
  "unknown-event-type": {
    summary: "An entry in a webhook's `events` that is not one of the service's event types.",
    fix: "Use one of the types that the message lists.",
    example: {
      file: "webhooks.yaml",
      ...swap("- url: https://hooks.example.com/orders\n  events: [«order.paid→order.completed»]"),
    },
  },
  "webhook-without-events": {
    summary: "A webhook without any `events`: it would receive no notifications.",
    fix: "List the types of notifications it should get. To switch it off, add `isActive: false` and keep the list.",
    example: {
      file: "webhooks.yaml",
      ...swap("- url: https://hooks.example.com/orders\n  events: [«→order.completed»]"),
    },
  },
  "secret-name-missing": {
    summary: "A webhook without secretName in a project whose secrets go to a command.",
    fix: "Give the webhook a `secretName`: it is what the command stores the secret under.",
    example: "ticketing.yaml has `secrets: { sink: command, … }`, and a webhook in webhooks.yaml has no `secretName`.",
  },
  "secret-name-shared": {
    ofFiles: true,
    levels: ["error", "warning"],
    summary:
      "Two webhooks with the same `secretName` (an error); two webhooks whose secrets go to a command without `{secretName}` (a warning); or a command that stores the secrets of several environments under the same name (a warning): one secret overwrites another.",
    fix: "Give each webhook its own `secretName`, and use `{secretName}` in the command. For several environments, use `{environment}` in the command, or, in `secretName`, a variable that each environment sets to a different value.",
    example:
      'ticketing.yaml has the environments staging and production and `secrets: { sink: command, command: [gh, secret, set, "{secretName}"] }`.',
  },
  "secret-name-used": {
    levels: ["notice", "warning"],
    summary:
      "The plan says under which name the command sink will store a webhook's secret (a notice), or that `secretName` was changed and nothing is stored under the new name yet (a warning).",
    fix: "Check that nothing else is stored under that name. After a change of `secretName`, run `ticketing webhooks rotate URL`.",
    example:
      "A pull request adds a webhook with `secretName: ORDERS_WEBHOOK_SECRET`, or changes the `secretName` of a live webhook.",
  },
  "no-secret-sink": {
    levels: ["rule", "error"],
    summary: "A webhook would be created, but there is no place to store its secret, which is shown only once.",
    fix: "Write in ticketing.yaml where secrets go: `secrets: { sink: file, path: .ticketing/secrets.json }`, or a command sink. On a GitHub or GitLab runner, only a command sink works; the message shows the line.",
    example: "webhooks.yaml names a new webhook, and ticketing.yaml has no `secrets`.",
  },
  "no-secret-name": {
    summary: "A webhook should be rotated, but the secrets command needs a name for its secret.",
    fix: "List the webhook in webhooks.yaml with a `secretName`.",
    example: "`ticketing webhooks rotate` of a webhook that no file names, in a project with a command sink.",
  },
  "secret-would-be-lost": {
    levels: ["rule", "error"],
    summary: "A new webhook's secret would be written to a file on a CI runner and lost after the job.",
    fix: "Use a command sink that stores it as a secret of the repository; the message shows the line.",
    example: "`ticketing ci apply` creates a webhook while `secrets` names a file.",
  },
  "secret-on-this-runner-only": {
    levels: ["warning"],
    summary: "A webhook's secret would be written to a file on a CI runner and would be lost with it.",
    details: "On a GitHub or GitLab runner, the webhook is not created at all: `secret-would-be-lost`.",
    fix: "Use a command sink in `secrets`, or create the webhook from your own machine.",
    example: "`ticketing plan` in a CI job that `ticketing` does not recognize as GitHub's or GitLab's.",
  },
  "secret-not-held": {
    levels: ["notice"],
    summary: "A live webhook whose secret is not where ticketing.yaml says secrets go.",
    fix: "If the receiver does not have the secret either, run `ticketing webhooks rotate URL`.",
    example: "A webhook was created in the dashboard, and then listed in webhooks.yaml.",
  },
  "secret-not-kept": {
    summary: "The secret of a new webhook could not be stored, so the webhook was deleted again.",
    fix: "Repair the sink under `secrets` in ticketing.yaml, then run `ticketing apply` again. If the service did not show the secret, create the webhook in the dashboard.",
    example: "The command of a command sink failed, or the disk was full.",
  },
  "secrets-exposed": {
    summary: "A file for webhook secrets that git tracks or would add, or that is also read as an event file.",
    fix: "Use `.ticketing/secrets.json`, which git ignores.",
    example: "`secrets: { sink: file, path: secrets.json }`, and git does not ignore secrets.json.",
  },
  "sink-changed": {
    levels: ["error", "warning", "notice"],
    summary: "Webhook secrets would go to a different place than before.",
    details:
      "`secrets` differs from the version at `--base`, at the revision applied last or on the default branch: a pull request could send secrets to its own command. It is an error with `--base` or in CI while an API key is set, otherwise a warning. Without `--base`, it is only a notice if one of these versions has the same setting.",
    fix: "Check that the command or path is right for secrets. If it is an error, merge that change on its own first.",
    example: "A pull request edits `secrets` in ticketing.yaml.",
  },
  "webhooks-not-read": {
    levels: ["warning"],
    summary: "The API key is not allowed to read webhooks, so they are not compared.",
    details: "According to state, they match the files. If state does not show that, the code is `scope-missing`.",
    fix: "Use an API key with the scope webhooks:manage.",
    example: "A read-only API key plans a pull request in a project with webhooks.",
  },
  "unknown-webhook": {
    summary: "No webhook has that URL or id.",
    fix: "Correct the URL or id: `ticketing webhooks list` shows all webhooks.",
    example: "`ticketing webhooks test https://hooks.example.com/order`, without the last letter.",
  },
  "ambiguous-webhook": {
    levels: ["rule", "error"],
    summary: "Several live webhooks have the same URL, and it is not clear which one is meant.",
    fix: "For a command, use the id of the right one. For a plan, leave only one of them: the message says how.",
    example: "`ticketing webhooks rotate URL` where two webhooks with that URL have different `events`.",
  },
  "webhook-not-shown": {
    summary: "The service does not show the `events` of a webhook, so it cannot be replaced by one like it.",
    fix: "List it in webhooks.yaml with its `events`, then run the command again.",
    example: "`ticketing webhooks rotate ID` of a webhook that no file names.",
  },
  "webhook-gone": {
    summary: "The new webhook of a rotation no longer exists.",
    fix: "Run `ticketing webhooks rotate` again: it creates a new one.",
    example: "Somebody deleted the new webhook in the dashboard during a rotation.",
  },
  "rotation-unfinished": {
    levels: ["warning", "error"],
    summary: "A rotation was started, and the old webhook is still there.",
    details:
      "If the run was cut off while a command stored the new secret, it is not known which webhook's secret is stored: there is no way to ask the command. In that case every plan says so, `ticketing webhooks list` shows `?`, and every apply ends with an error, until another rotation replaces both webhooks or both are deleted.",
    fix: "Make sure that the receiver is up, responds with 2xx and has the new secret, then run `ticketing webhooks rotate URL` again.",
    example: "The run was cut off between creating the new webhook and deleting the old one.",
  },
  "test-failed": {
    summary: "A webhook's test event did not arrive.",
    fix: "Check that the webhook is active (`ticketing webhooks list`), and that its receiver is running, has the secret and responds with 2xx; `ticketing webhooks deliveries` shows its responses.",
    example: "`ticketing webhooks test URL` while the receiver is down.",
  },
  "not-sent": {
    summary: "The sandbox did not send a webhook's test event, because its URL is on another machine.",
    fix: "Use a URL on this machine, or start the sandbox with `ticketing sandbox --deliver-outside`, and test again.",
    example: "`ticketing webhooks test https://hooks.example.com/orders` in the sandbox.",
  },
} as const satisfies CodeEntries;

// How a file is written: YAML, fields and values.

export const writing = {
  "unknown-key": {
    summary: "A field that does not exist: the service might ignore it silently.",
    fix: "Write the field as the message suggests, or remove the line.",
    example: { wrong: "capacity: 700", right: "eventCapacity: 700" },
  },
  "missing-field": {
    summary: "A required field is missing.",
    details: "If there is an `id`, the fields that the service requires may be left out: then they are not managed.",
    fix: "Add the line.",
    example: { wrong: "performers:\n  - type: DJ", right: "performers:\n  - type: DJ\n    name: DJ Ana" },
  },
  "wrong-case": {
    summary: "The right word in the wrong case.",
    fix: "Write it exactly as the message shows.",
    example: { wrong: "visibility: public", right: "visibility: PUBLIC" },
  },
  "unknown-value": {
    summary: "A value that is not one of those allowed.",
    fix: "Use one of the values that the message lists.",
    example: { wrong: "visibility: SECRET", right: "visibility: PRIVATE" },
  },
  "wrong-type": {
    summary: "A value of the wrong type, such as text where a list is expected.",
    fix: "Write it as the message shows.",
    example: { wrong: "performers: DJ Ana", right: "performers: [{ name: DJ Ana }]" },
  },
  "wrong-value": {
    summary: "A number out of range, or settings that cannot be used together.",
    fix: "Correct the value.",
    example: { wrong: "eventCapacity: -1", right: "eventCapacity: 700" },
  },
  "empty-text": {
    summary: "A field that needs a value is empty.",
    fix: "Fill it in. If the field is not required, you can also remove the line.",
    example: { wrong: 'name: ""', right: "name: Manila Nights" },
  },
  "bad-id": {
    summary: "An id or venueId that is not a UUID.",
    fix: "Copy the id from the dashboard or from `ticketing venues search`; a venue can also be named with `venue`.",
    example: { wrong: "venueId: palace", right: "venue: Palace" },
  },
  "pinned-twice": {
    levels: ["error", "rule"],
    summary: "Two events, or two ticket types of an event, that pin the same id in the same environment.",
    details:
      "`ignore: [pinned-twice]` silences only `validate`: if the object is live, a plan blocks the second one all the same.",
    fix: "A live object can be described only once: remove one of the two, or correct its `id`. In a series, write each `id` for its date under `dates`.",
    example: swap(
      "tickets:\n  - id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11\n  - id: «0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11→1b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11»",
    ),
  },
  "yaml-syntax": {
    summary: "Text that is not valid YAML.",
    fix: "Correct the line that the message shows; an editor with YAML support marks it while you type.",
    example: { wrong: 'description: "no end', right: 'description: "an end"' },
  },
  "yaml-trap": {
    levels: ["warning", "error"],
    summary:
      "Text that YAML does not read the way it looks: duplicate fields, tabs, words such as NO, leading zeros, comments.",
    details:
      "A # after a space starts a comment and cuts the text short. An & starts an anchor; if nothing refers to it, that is a warning. Too many aliases are refused.",
    fix: "Put the text in quotes, or remove the duplicate field.",
    example: { wrong: "name: Jazz Night #3", right: 'name: "Jazz Night #3"' },
  },
  "unknown-code": {
    levels: ["warning"],
    summary: "A code in ignore that silences nothing: no check has it, or the check cannot be silenced.",
    fix: "Write the code of the warning that you want to silence (the message shows it in brackets), or remove this one. `ticketing explain` lists all codes.",
    example: { wrong: "ignore: [far-futur]", right: "ignore: [far-future]" },
  },
  "unknown-variable": {
    summary: "A variable that is not defined, or must not be read.",
    details:
      "Only environment variables whose names begin with TICKETING_VAR_ can be read: a pull request must not be able to print other CI secrets.",
    fix: "Define it under `vars` in the event, its template or ticketing.yaml. For a literal `${`, write `$${`.",
    example: {
      wrong: "description: ${var.blurb}",
      right: "vars: { blurb: A night by the bay. }\ndescription: ${var.blurb}",
    },
  },
  "variable-circle": {
    summary: "Variables that refer to each other in a circle.",
    fix: "Give one of them a value without variables.",
    example: { file: "ticketing.yaml", ...swap('vars:\n  host: «"${var.host}.example"→hooks.example»') },
  },
  "duplicate-key": {
    summary: "Two events with the same event key, or with event keys that differ only in case.",
    details: "The event key is the file's base name unless the event has a `key`.",
    fix: "Give one of them a different `key`, or rename its file.",
    example: "`events/gala.yaml` and `events/2027/gala.yaml` are in one project.",
  },
  "forbidden-key": {
    summary: "__proto__, constructor or prototype as a field: these names are reserved in JavaScript.",
    fix: "Remove it.",
    example: { wrong: "constructor: 1", right: "" },
  },
  "too-deep": {
    summary: "Values nested more than 64 levels deep, which no event needs.",
    fix: "Check indentation and brackets.",
    example: "A file with a hundred opening brackets.",
  },
  "too-many-keys": {
    summary: "A map with more than 2,000 fields.",
    fix: "Write one event per YAML document, with the fields that `ticketing schema event` lists.",
    example: "A file that was generated by another program, with every ticket as a separate field.",
  },
  "too-many-documents": {
    summary: "A file with more than 2,000 YAML documents.",
    fix: "Split it: one event per file is best.",
    example: "A whole archive of events was exported into one file.",
  },
  "too-long": {
    summary:
      "Text of more than 100,000 characters, or variables that add more than 1 MiB to one file or 64 MiB to all files together.",
    fix: "Shorten it, or use fewer variables.",
    example: "An image was pasted into `description` as text.",
  },
} as const satisfies CodeEntries;
