// The connection to the service.
import type { ServiceCode } from "../../../model/diagnostic.ts";
import type { CodeEntries, CodeEntry } from "./entry.ts";

export const connection = {
  unreachable: {
    levels: ["error"],
    summary: "The service cannot be reached.",
    fix: "Check `baseUrl`, the network, and any firewall or proxy (HTTPS_PROXY) in between.",
    example: "The service is down, or the machine is offline.",
  },
  dns: {
    levels: ["error"],
    summary: "The host name of the service cannot be resolved.",
    fix: "Check the spelling of `baseUrl`, this machine's network and its DNS.",
    example: "`baseUrl: https://api.exmaple.com/open-api/v1`",
  },
  tls: {
    levels: ["error"],
    summary: "No secure connection could be set up, so the key was not sent.",
    fix: "Check `baseUrl` and this machine's date. Behind a company proxy, give its certificate with NODE_EXTRA_CA_CERTS.",
    example: "The certificate of the host has expired.",
  },
  timeout: {
    levels: ["error"],
    summary: "The service did not answer in time.",
    fix: "Try again in a minute; if it keeps happening, check the network and the service's status.",
    example: "The service is overloaded.",
  },
  "connection-lost": {
    levels: ["error"],
    summary: "The connection was lost before the whole response arrived.",
    fix: "Run the command again: it checks what is there and does only what is missing.",
    example: "The network goes away in the middle of an apply.",
  },
  protocol: {
    levels: ["error"],
    summary: "The service did not send a valid HTTP response.",
    fix: "Check that `baseUrl` names the ticketing service and its right port.",
    example: "`baseUrl` names the port of a database.",
  },
  proxy: {
    levels: ["error"],
    summary: "The proxy refused to connect to the service.",
    fix: "Check HTTPS_PROXY (with user and password if it needs them), or exempt the host with NO_PROXY.",
    example: "The company's proxy allows only some hosts.",
  },
  "bad-proxy": {
    levels: ["error"],
    summary: "The address of the proxy cannot be used.",
    fix: "Set HTTPS_PROXY to something like http://proxy.example.com:8080, or exempt the host with NO_PROXY.",
    example: "`HTTPS_PROXY=socks5://proxy.example.com`",
  },
  redirect: {
    levels: ["error"],
    summary: "The service redirects to another address, which was not followed: the key would be sent there too.",
    fix: "If the service has moved, set `baseUrl` to its new address.",
    example: "`baseUrl` lacks the `www.` of the host.",
  },
  "not-json": {
    levels: ["error"],
    summary: "The service responded with something other than JSON.",
    fix: "Check that `baseUrl` ends in /open-api/v1 and that no login page or gateway answers in the service's place.",
    example: "`baseUrl` names the dashboard.",
  },
  "too-large": {
    levels: ["error"],
    summary: "The service sent a response that is too large.",
    fix: "Check that `baseUrl` names the ticketing service: no record of it is that large.",
    example: "`baseUrl` names a file server.",
  },
  "unexpected-answer": {
    levels: ["error"],
    summary: "The service's response does not hold what was asked for, or contradicts itself.",
    details: "An incomplete list is never used.",
    fix: "Check that `baseUrl` names version 1 (it ends in /open-api/v1). If it keeps happening, report it to the service's support.",
    example: "A list says that it has three pages, and the third is empty.",
  },
  "rate-limited-too-long": {
    levels: ["error"],
    summary: "The service asks to wait longer than `--max-wait` allows.",
    details: "What was read is kept for the next run; what was applied is done.",
    fix: "Run the command again later: it continues where it stopped. Or allow a longer wait with `--max-wait SECONDS`.",
    example: "The calls of the hour are used up by another program.",
  },
  "bad-key": {
    levels: ["error"],
    summary: "The API key is empty or contains an invalid character.",
    fix: "Copy the key again from the organizer dashboard (Settings, API Keys), without quotes or line breaks.",
    example: "The CI secret was pasted with a line break.",
  },
  "bad-path": {
    levels: ["error"],
    summary: "The path of a call is not one of this service.",
    details: "Only users of the library meet it.",
    fix: "Write it like /events/…, with ids and names percent-encoded.",
    example: '`client.request("GET", "https://elsewhere.example")`',
  },
} as const satisfies CodeEntries;

/** Codes of the service itself. */
export const serviceCodes: Readonly<Record<ServiceCode, CodeEntry>> = {
  VALIDATION_ERROR: {
    levels: ["error"],
    summary: "The service did not accept a value that was sent.",
    fix: "Check the values that were sent, and correct the field that the message names.",
    example: "The service has a rule for a field that its document does not mention.",
  },
  UNAUTHORIZED: {
    levels: ["error"],
    summary: "The service does not accept the API key.",
    fix: "Check that the key is complete, not expired and for this service; create another in the organizer dashboard (Settings, API Keys).",
    example: "The key was revoked.",
  },
  FORBIDDEN: {
    levels: ["error"],
    summary: "The API key may not do this.",
    fix: "Give the key the scope it lacks (`ticketing whoami` shows them), or add this machine's address to its allowlist.",
    example: "The key is limited to certain addresses.",
  },
  SCOPE_REQUIRED: {
    levels: ["error"],
    summary: "The API key lacks a scope.",
    fix: "Give the key the scope it lacks (`ticketing whoami` shows them) in the organizer dashboard, or use another key.",
    example: "A read-only key applies a plan.",
  },
  NOT_FOUND: {
    levels: ["error"],
    summary: "The service has nothing at this address.",
    fix: "Check the id, that the object is your organization's, and that `baseUrl` ends in /open-api/v1.",
    example: "An event was deleted in the dashboard a moment ago.",
  },
  RATE_LIMITED: {
    levels: ["error"],
    summary: "The service asks for fewer calls.",
    fix: "Wait, or run again later: nothing was changed by this call.",
    example: "Another program uses the same key.",
  },
  INTERNAL_ERROR: {
    levels: ["error"],
    summary: "The service, or a gateway in front of it, failed.",
    fix: "Try again in a minute: the command checks what is there and does only what is missing.",
    example: "The service is being updated.",
  },
};
