// What happens to a plan: saved, approved, sent, confirmed.

import type { ServiceCode } from "../../../model/diagnostic.ts";
import type { CodeEntries, WrittenEntry } from "./entry.ts";

export const savedPlans = {
  "stale-plan": {
    summary: "What a saved plan was based on has changed, so nothing was sent.",
    details:
      "A managed field or a status differs, or something else is blocked now. Sales do not make a plan stale, unless they change what is blocked.",
    fix: "Make a new plan with `ticketing plan --out FILE`, review it, and apply that.",
    example: "Somebody edits an event in the dashboard between plan and apply.",
  },
  "plan-altered": {
    summary:
      "A saved plan was altered after it was made, or it was printed with `--format json` and has masked URLs in it.",
    fix: "Make a new plan with `ticketing plan --out FILE`.",
    example: "Somebody changes a price in plan.json by hand, and runs `ticketing apply plan.json`.",
  },
  "plan-unreadable": {
    summary: "A file that cannot be read as a saved plan.",
    fix: "Check the path, or make a new plan with `ticketing plan --out FILE`.",
    example: "`ticketing apply events/manila-nights.yaml`",
  },
  "plan-unsigned": {
    summary: "A saved plan is not signed, so anyone who can write the file could decide what is applied.",
    fix: "Set TICKETING_PLAN_KEY to the same secret in the job that plans and in the job that applies.",
    example: "A CI job applies a plan file from another job.",
  },
  "plan-of-another-target": {
    summary: "A saved plan was made for a different environment or organization.",
    fix: "Choose the environment that the plan was made for with `--env`.",
    example: "A plan for staging is applied with `--env production`.",
  },
  "plan-is-made": {
    summary: "Options that would change what a saved plan does.",
    details:
      "`--target` and `--shard` are refused if the plan covers something else, `--allow` and `--max-deletes` if they would accept what is blocked in it, `--resend-unreadable` always.",
    fix: "Make a plan with these options and `--out`, review it, and apply that.",
    example: "`ticketing apply plan.json --target events/gala`, for a plan that also changes other events.",
  },
  "plan-key-empty": {
    summary: "TICKETING_PLAN_KEY is set and empty, so plans would not be signed.",
    fix: "Check that the CI secret exists and that this job may read it, or unset the variable.",
    example: "The secret is missing in a pull request from a fork.",
  },
  "plan-not-saved": {
    summary: "The plan could not be saved.",
    fix: "Name a file in a folder that exists and can be written to.",
    example: "`ticketing plan --out missing-folder/plan.json`",
  },
  blocked: {
    summary: "Changes are blocked, so apply refuses the whole plan.",
    fix: "The plan shows a fix for each; `--skip-blocked` applies the rest.",
    example: "One of ten changes would delete an event.",
  },
  "not-approved": {
    summary: "The plan was not approved, so nothing was sent.",
    fix: "Review the plan, then run the command again; without a terminal pass `--yes`.",
    example: "`ticketing apply` in a script, without `--yes`.",
  },
} as const satisfies CodeEntries;

export const outcomes = {
  "needs-failed": {
    summary: "A call was skipped, because one that it depends on was not done.",
    fix: "Fix the call that it depends on first; the next `ticketing apply` continues from there.",
    example: "An event could not be created, so it is not published either.",
  },
  "not-confirmed": {
    summary:
      "A change was sent several times without a clear response, and the service still shows the old value. The message ends with the last response.",
    fix: "If that response shows a cause, such as a redirect, fix it first. Then run the command again: it checks what is there and does only what is missing.",
    example: "Every PATCH fails with 502, and the old value stays.",
  },
  "not-reached": {
    summary: "The service accepted a call, but the object is as it was before.",
    fix: "Check it in the dashboard, then run `ticketing apply` again.",
    example: "The service accepts `publish`, and the event stays a draft.",
  },
  unconfirmed: {
    levels: ["notice"],
    summary: "The service refused a call and does not show whether the change is in place; it counts as done.",
    fix: "Check the object in the dashboard, and make the change there if it is missing: the call will not be sent again.",
    example: "The service refuses to publish a ticket type, and hides whether it is published.",
  },
  verify: {
    levels: ["warning", "error"],
    summary:
      "After a change, an object does not have the values that were sent, or an event that was to stay published is a draft.",
    details: "It is an error if a call shows it, and a warning if only `--verify` finds it at the end of the run.",
    fix: "Somebody else may have changed it, or the service has its own rule for this value: check it in the dashboard, then run `ticketing plan`. If an event has become a draft, run `ticketing apply` again: that publishes it if its file says `status: PUBLISHED`.",
    example: "`ticketing apply --verify` finds a price other than the one sent.",
  },
  normalized: {
    levels: ["notice"],
    summary: "The service keeps a value in a form other than the one sent.",
    fix: "Nothing to do: it is remembered. Without state, write the value as the service keeps it.",
    example: "A description comes back with other markup.",
  },
  "no-id": {
    summary: "An id that a call needs is not known.",
    fix: "Run the command again: it checks what is there and does only what is missing.",
    example: "The service accepted a create and did not show what it created.",
  },
  "part-unconfirmed": {
    summary: "An event is not published while any part of it is unconfirmed.",
    fix: "Run the command again: it checks what is there and does only what is missing.",
    example: "The response to a new ticket type was lost.",
  },
  "tickets-not-shown": {
    summary: "An event was created, but its list of ticket types does not show all of them yet.",
    fix: "Run the command again: it checks what is there and does only what is missing.",
    example: "The service lists new objects late.",
  },
  "too-many-alike": {
    summary:
      "After a lost response, several live objects look like the one to create, or a single one does but has a different name.",
    fix: "In the dashboard, delete those that you do not want, or write the `id` of the right one (for an event that is not among them, write `new: true`), then apply again.",
    example: "A create was retried while somebody created the same event in the dashboard.",
  },
  "late-lookalikes": {
    levels: ["warning"],
    summary: "It was never confirmed that an object was created, and there are live objects that look like it.",
    fix: "In the dashboard, delete those that you do not want, or pin the right one with `id`.",
    example: "A response was lost, and the object showed up minutes later.",
  },
  recovered: {
    levels: ["notice"],
    summary: "A call in this or an earlier run was unclear or refused; the message says what was found and done.",
    fix: "Nothing to do.",
    example: "The CI job was killed in the middle of an apply.",
  },
  "recovery-delete": {
    levels: ["warning"],
    summary: "A live object that an earlier run left behind, and that an apply deletes.",
    details:
      "A duplicate that provably comes from an earlier run is deleted before anything else; the old webhook of a rotation is deleted once the new one works.",
    fix: "Review it in the plan like any other delete.",
    example: "A create was sent twice after a lost response.",
  },
  "cannot-recover": {
    summary: "An earlier run was cut off, and what it had done could not be determined.",
    fix: "Run the command again when the service can be reached.",
    example: "The service is still down when the next run begins.",
  },
  interrupted: {
    summary: "The run was stopped (Ctrl-C, or a signal), so the next call was not sent.",
    fix: "Run the same command again: it does only what is missing.",
    example: "Ctrl-C, or a CI job that was canceled.",
  },
  stopped: {
    summary: "The run stopped before this call was sent; another message says why.",
    fix: "Fix the problem named in that message, and run `ticketing apply` again.",
    example: "Five calls in a row could not reach the service.",
  },
  failed: {
    summary: "Some calls of an apply failed.",
    fix: "Each has its own message and fix above: follow those, then run `ticketing apply` again.",
    example: "`ticketing apply --wait` ends with one call refused.",
  },
  "internal-error": {
    summary: "Something unexpected happened in the middle of an apply, and nothing more was sent.",
    fix: "Run the command again: it checks first. If it happens again, report it.",
    example: "A bug in ticketing.",
  },
  bug: {
    summary: "A bug in ticketing.",
    fix: "Report it with what `--verbose` prints.",
    example: "An unexpected error.",
  },
  "system-refused": {
    summary: "The operating system refused something.",
    fix: "Fix what the message names: a full disk, permissions, too many open files.",
    example: "The disk is full.",
  },
} as const satisfies CodeEntries;

// The connection to the service.

export const connection = {
  unreachable: {
    summary: "The service cannot be reached.",
    fix: "Check `baseUrl`, the network, and any firewall or proxy (HTTPS_PROXY) in between.",
    example: "The service is down, or the machine is offline.",
  },
  dns: {
    summary: "The host name of the service cannot be resolved.",
    fix: "Check the spelling of `baseUrl`, this machine's network and its DNS.",
    example: "`baseUrl: https://api.exmaple.com/open-api/v1`",
  },
  tls: {
    summary: "No secure connection could be set up, so the API key was not sent.",
    fix: "Check `baseUrl` and this machine's date. Behind a company proxy, set NODE_EXTRA_CA_CERTS to the path of the proxy's certificate file.",
    example: "The certificate of the host has expired.",
  },
  timeout: {
    summary: "The service did not respond in time.",
    fix: "Try again in a minute; if it keeps happening, check the network and the service's status.",
    example: "The service is overloaded.",
  },
  "connection-lost": {
    summary: "The connection was lost before the whole response arrived.",
    fix: "Run the command again.",
    example: "The network goes away in the middle of an apply.",
  },
  protocol: {
    summary: "The service did not send a valid HTTP response.",
    fix: "Check that `baseUrl` names the ticketing service and its right port.",
    example: "`baseUrl` names the port of a database.",
  },
  proxy: {
    summary: "The proxy refused to connect to the service.",
    fix: "Check HTTPS_PROXY (with user and password if it needs them), or exempt the host with NO_PROXY.",
    example: "The company's proxy allows only some hosts.",
  },
  "bad-proxy": {
    summary: "The URL of the proxy cannot be used.",
    fix: "Set HTTPS_PROXY to something like http://proxy.example.com:8080, or exempt the host with NO_PROXY.",
    example: "`HTTPS_PROXY=socks5://proxy.example.com`",
  },
  redirect: {
    summary: "The service redirects to a different URL, which was not followed: the API key would be sent there, too.",
    fix: "If the service has moved, set `baseUrl` to its new URL.",
    example: "`baseUrl` lacks the `www.` of the host.",
  },
  "not-json": {
    summary: "The service responded with something other than JSON.",
    fix: "Check that `baseUrl` ends in /open-api/v1 and that no login page or gateway responds in the service's place.",
    example: "`baseUrl` names the dashboard.",
  },
  "too-large": {
    summary: "The service sent a response that is too large.",
    fix: "Check that `baseUrl` names the ticketing service: none of its records is that large.",
    example: "`baseUrl` names a file server.",
  },
  "unexpected-response": {
    summary: "The service's response does not contain what was asked for, or contradicts itself.",
    details: "An incomplete list is never used.",
    fix: "Check that `baseUrl` names version 1 (it ends in /open-api/v1). If it keeps happening, report it to the service's support.",
    example: "A list says that it has three pages, and the third is empty.",
  },
  "rate-limited-too-long": {
    summary: "The service asks to wait longer than `--max-wait` allows.",
    details: "What was read is kept for the next run; what was applied is done.",
    fix: "Run the command again later, or allow a longer wait with `--max-wait SECONDS`.",
    example: "The calls of the hour are used up by another program.",
  },
  "bad-key": {
    summary: "The API key is empty or contains an invalid character.",
    fix: "Copy the API key again from the organizer dashboard (Settings, API Keys), without quotes or line breaks.",
    example: "The CI secret was pasted with a line break.",
  },
  "bad-path": {
    summary: "The path of a call does not belong to this service.",
    details: "Only users of the library can see this.",
    fix: "Use a path such as /events/…, with ids and names percent-encoded.",
    example: '`client.request("GET", "https://elsewhere.example")`',
  },
} as const satisfies CodeEntries;

export const serviceCodes: Readonly<Record<ServiceCode, WrittenEntry>> = {
  VALIDATION_ERROR: {
    summary: "The service did not accept a value that was sent.",
    fix: "Correct what the service names in its message.",
    example: "The service has a rule for a field that the API specification does not mention.",
  },
  UNAUTHORIZED: {
    summary: "The service does not accept the API key.",
    fix: "Check that the API key is complete, has not expired, and is for this service; create another in the organizer dashboard (Settings, API Keys).",
    example: "The API key was revoked.",
  },
  FORBIDDEN: {
    summary: "The API key is not allowed to do this.",
    fix: "Give the API key the scope it lacks (`ticketing whoami` shows the scopes it has), or add this machine's IP address to its allowlist.",
    example: "The API key is limited to certain IP addresses.",
  },
  SCOPE_REQUIRED: {
    summary: "The API key lacks a scope.",
    fix: "In the organizer dashboard, give the API key the scope it lacks (`ticketing whoami` shows the scopes it has), or use another API key.",
    example: "A read-only API key applies a plan.",
  },
  NOT_FOUND: {
    summary: "The service has nothing at this URL.",
    fix: "Check that the id is right, that the object belongs to your organization, and that `baseUrl` ends in /open-api/v1.",
    example: "An event was deleted in the dashboard a moment ago.",
  },
  RATE_LIMITED: {
    summary: "Too many calls: the service asked us to slow down.",
    fix: "Wait, or run again later: nothing was changed by this call.",
    example: "Another program uses the same API key.",
  },
  INTERNAL_ERROR: {
    summary: "The service, or a gateway in front of it, failed.",
    fix: "Try again in a minute.",
    example: "The service is being updated.",
  },
};
