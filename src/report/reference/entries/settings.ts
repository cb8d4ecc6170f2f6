// Environments, keys, and what a command was asked for.
import { type CodeEntries, swap } from "./entry.ts";

export const settings = {
  "environment-not-chosen": {
    summary: "No environment was chosen, and the project has several.",
    details: "A live service is never used unless it was chosen by name.",
    fix: "Choose one with `--env`, or write `defaultEnvironment: sandbox` in ticketing.yaml.",
    example: "`ticketing plan` in a project with `environments` and without `defaultEnvironment`.",
  },
  "unknown-environment": {
    summary: "An environment that ticketing.yaml does not define.",
    fix: "Correct the name, or add it under `environments`.",
    example: {
      file: "ticketing.yaml",
      ...swap(
        "environments:\n  production: { baseUrl: https://api.example.com/open-api/v1, apiKeyEnv: TICKETING_API_KEY }\ndefaultEnvironment: «prod→production»",
      ),
    },
  },
  "bad-base-url": {
    levels: ["error", "warning"],
    summary: "A service URL that would not keep the API key private, or (a warning) does not end in `/open-api/v1`.",
    fix: "Use https, without a user name, password or query, and end it with `/open-api/v1`.",
    example: {
      file: "ticketing.yaml",
      ...swap(
        "environments:\n  production:\n    apiKeyEnv: TICKETING_API_KEY\n    baseUrl: «http://api.example.com/open-api/v1→https://api.example.com/open-api/v1»",
      ),
    },
  },
  "bad-state-address": {
    summary: "An address of the state that would not keep its credentials private.",
    fix: "Use https, without a user name, password or query, and one host for the state and its lock.",
    example: {
      file: "ticketing.yaml",
      ...swap(
        "state: { backend: http, address: «http://states.example.com/tickets→https://states.example.com/tickets» }",
      ),
    },
  },
  "sandbox-is-embedded": {
    summary: "A URL for the environment sandbox.",
    details: "`sandbox` is the embedded service and has no URL.",
    fix: "Give the environment a different name.",
    example: {
      file: "ticketing.yaml",
      ...swap(
        "environments:\n  «sandbox:→staging:» { baseUrl: https://api.example.com/open-api/v1, apiKeyEnv: TICKETING_API_KEY }",
      ),
    },
  },
  "sandbox-by-default": {
    summary: "An API key is set, but no environment was named, so the command would go to the embedded sandbox.",
    fix: "Pass `--env` with the environment you want; for the sandbox, `--env sandbox`.",
    example: "`TICKETING_API_KEY=… ticketing apply` in a project with `defaultEnvironment: sandbox`.",
  },
  "service-named-twice": {
    levels: ["warning"],
    summary: "A run in the environment `default` writes to a service that ticketing.yaml has under a different name.",
    details:
      "Without `--env`, `--base-url` and `TICKETING_BASE_URL` select the environment `default`. Each environment has its own state and lock, so a run in `default` and a run in the other environment do not wait for each other (except in one folder with the backend `file` or `none`), and neither knows what the other applied.",
    fix: "Pass `--env`, or set `TICKETING_ENV`, in every run. If `ticketing init --ci` wrote your jobs before the environment was in ticketing.yaml, run that command again: it adds the environment to them.",
    example: "`TICKETING_BASE_URL=… ticketing apply` in CI, and `ticketing apply --env production` on a laptop.",
  },
  "address-changed": {
    summary: "ticketing.yaml names a URL, a key variable or a place for state other than the one agreed on before.",
    details:
      "While an API key is set, the URL and key variable are compared with `TICKETING_BASE_URL`, `--base`, the revision applied last or the default branch: a pull request could otherwise send the API key to a different host. `state` is compared with `TICKETING_STATE_ADDRESS` or the default branch: it is an error if its credentials would go to a different address, and in CI also if a job would read another project's state.",
    fix: "Merge that change on its own first, or set `TICKETING_BASE_URL` or `TICKETING_STATE_ADDRESS` to the URL that the API key or the credentials are for.",
    example: "A pull request edits `baseUrl` in ticketing.yaml.",
  },
  "guards-changed": {
    levels: ["notice"],
    summary:
      "A safeguard changed: `allow`, `maxDeletes`, `review` or `state` in ticketing.yaml, or `allow` or `protected` of an event.",
    fix: "Check the change: later runs may do what it allows. A change that only forbids more needs no check.",
    example: "A pull request writes `maxDeletes: 500` in ticketing.yaml.",
  },
  "guards-held": {
    levels: ["warning", "error"],
    summary:
      "A safeguard was changed by a merge whose plan did not show it, so the change is not in force: an apply goes by what was reviewed before.",
    details:
      "`ci apply` exits 1 until the change is reviewed. It is an error, and the run stops, if `state` was changed, if ticketing.yaml has `review: { unreviewed: stop }`, or if a saved plan is applied. A change that only forbids more is in force at once.",
    fix: "Merge a pull request whose plan shows the change: any pull request that edits a file of the project has such a plan. If `state` was changed and nothing is recorded in the new place, revert that change, and make it again in a pull request whose plan shows it. Or check the change and run `ticketing ci apply --unreviewed apply`. If you use `--reviewed FILE`, make the plan in FILE with the same `--base` as the apply.",
    example: "A pull request without a comment writes `allow: [delete-event]` in ticketing.yaml.",
  },
  "key-missing": {
    summary: "The environment needs an API key, and its variable is not set.",
    fix: "Set the variable to an API key of your organization (dashboard: Settings, API Keys), or try it without one: `--env sandbox`.",
    example: "`ticketing plan --env production` without TICKETING_API_KEY.",
  },
  "key-expired": {
    summary: "The API key has expired.",
    fix: "Create a new one in the organizer dashboard (Settings, API Keys).",
    example: "`ticketing plan` with last year's API key.",
  },
  "key-expires-soon": {
    levels: ["warning"],
    summary: "An API key that expires soon.",
    fix: "Create a new one before that day, and store it in CI.",
    example: "The API key expires in nine days.",
  },
  "scope-missing": {
    levels: ["warning", "error"],
    summary: "The plan needs a scope that the API key lacks.",
    details:
      "A missing write scope is a warning in `plan`, so that a read-only API key is enough for pull requests, and an error in `apply` before any write.",
    fix: "Give the API key the scope in the organizer dashboard (Settings, API Keys), or use another API key.",
    example: "A read-only API key plans a change of an event.",
  },
  "wrong-organization": {
    summary:
      "The API key belongs to an organization other than the project's, or the service does not say which organization it belongs to.",
    details: "Nothing more is read, and nothing is written.",
    fix: "Use the API key of the organization that ticketing.yaml names, or correct `organization`. If the service does not say whose key it is, check that `baseUrl` ends in /open-api/v1.",
    example: "`organization: acme-live`, and the API key belongs to acme-test.",
  },
  "over-budget": {
    levels: ["warning"],
    summary: "The plan needs more calls than are left this hour.",
    details:
      "The message says how long it will take. The run waits, but if a single wait would be longer than `--max-wait` (5 minutes by default), the run ends, and the next run continues from there.",
    fix: "Apply a part of it with `--target`, or raise `--max-wait`.",
    example: "Two hundred events are created with an API key of the free tier.",
  },
  "older-reading": {
    levels: ["warning", "notice"],
    summary: "Part of the live data was read by earlier runs.",
    details:
      "It is a warning if that was more than two hours ago or before the last apply, otherwise a notice. Those runs ended early (for example at a rate limit, or when the connection was lost), and this run continued from what they had read. Before it warns, the run reads the old data again: all of it, or, if that would take longer than `--max-wait` (5 minutes by default), only what the plan changes, or nothing if even that would take longer.",
    fix: "Run the command again to read everything again, or narrow it with `--base` or `--target`. An apply always reads again what it changes.",
    example: "Ten thousand events are planned with an API key of the free tier, a thousand calls every hour.",
  },
} as const satisfies CodeEntries;

export const usage = {
  usage: {
    summary: "An unknown command, option or argument, or one with an invalid value.",
    fix: "The message suggests a correction; `ticketing COMMAND --help` shows examples.",
    example: "`ticketing plan --evn production`",
  },
  "bad-option": {
    summary: "Options that cannot be used together.",
    fix: "Leave out one of them.",
    example: "`ticketing plan --at 2027-02-01T10:00 --out plan.json`",
  },
  "wrong-flag": {
    summary: "A value given to `init` that cannot be used.",
    fix: "Correct it as the message says.",
    example: "`ticketing init --yes --env production`, without `--base-url`.",
  },
  "bad-clock": {
    summary: "TICKETING_NOW is not a time.",
    fix: "Use a time such as 2027-03-01T09:00:00Z, or unset it.",
    example: "`TICKETING_NOW=tomorrow ticketing plan`",
  },
  "no-terminal": {
    summary: "There is no terminal to ask on, and --yes was not given.",
    fix: "Run `ticketing init --yes --organization SLUG`.",
    example: "`ticketing init` in a script.",
  },
  "not-a-folder": {
    summary: "`init` was given a file, not a folder.",
    fix: "Name a folder; it is created if it does not exist.",
    example: "`ticketing init ticketing.yaml`",
  },
  "would-overwrite": {
    summary: "`init` would overwrite a file with other content, so nothing was written.",
    fix: "Move it away, choose another folder, or run without `--yes` to be asked about each file.",
    example: "`ticketing init --yes` in a folder with another ticketing.yaml.",
  },
  "changed-meanwhile": {
    summary: "A file was created or changed by someone else in the meantime, so it was not touched.",
    fix: "Run the command again.",
    example: "You save a file while `ticketing import` is writing it.",
  },
  "branch-guessed": {
    levels: ["notice"],
    summary: "The remote did not say which branch is its default, so the CI jobs apply the current one.",
    fix: "Push a branch, then run `ticketing init --ci github`: it asks the remote again.",
    example: "`ticketing init` in a repository that was never pushed.",
  },
  "ci-file-left": {
    levels: ["warning"],
    summary: "`init` did not change the CI file, because nothing can be added to its `include`.",
    fix: "Add the line that the message shows.",
    example: "`.gitlab-ci.yml` has its `include` in an anchor.",
  },
  "editor-settings-left": {
    levels: ["notice"],
    summary: "`init` did not change the editor's settings: they have other schemas, or are not valid JSON.",
    fix: "Add the lines that the message shows, for completion while typing.",
    example: "`.vscode/settings.json` already has `yaml.schemas`.",
  },
  "state-left": {
    levels: ["warning"],
    summary: "`init` did not set `state: { backend: git }`: `state` is already set, or could not be added.",
    fix: "For each environment, run `ticketing state migrate --to git --env NAME`. Then write `state: { backend: git }` in ticketing.yaml.",
    example: "ticketing.yaml has `state: { backend: file }`.",
  },
} as const satisfies CodeEntries;
