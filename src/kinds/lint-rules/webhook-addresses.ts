import { isLoopbackHost } from "../../model/outside.ts";
import { parseUrl } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import type { LintFinding, LintScene } from "../define.ts";
import { callOf, findingAt, textField } from "./finding.ts";

// Whether anybody on the internet can reach an address.

export function isLoopback(url: URL): boolean {
  return isLoopbackHost(hostOf(url));
}

/** Why buyers and the service cannot reach it, as the end of a sentence; null if they can. */
export function whyNotPublic(url: URL | null): string | null {
  if (url === null) return "it does not begin with https://";
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return `it begins with ${url.protocol} instead of https://`;
  }
  if (isLoopback(url)) return "it points to the local computer";
  return isPrivate(hostOf(url)) ? "it points to a private network" : null;
}

function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, "");
}

function isPrivate(host: string): boolean {
  if (host.startsWith("[")) return isPrivateIpv6(host);
  // The URL parser has brought every way of writing an IPv4 address into this one.
  const ipv4 = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(host);
  if (ipv4 !== null) return isPrivateIpv4(Number(ipv4[1]), Number(ipv4[2]));
  return !host.includes(".") || /\.(local|internal|intranet|lan|home\.arpa)$/.test(host);
}

/** By the first two numbers, which identify the network. */
function isPrivateIpv4(first: number, second: number): boolean {
  if (first === 0 || first === 10 || first === 127 || first >= 224) return true;
  if (first === 172) return second >= 16 && second <= 31;
  if (first === 192) return second === 168;
  if (first === 169) return second === 254;
  return first === 100 && second >= 64 && second <= 127;
}

function isPrivateIpv6(host: string): boolean {
  const mapped = /^\[::ffff:([0-9a-f]+):[0-9a-f]+\]$/.exec(host)?.[1];
  if (mapped !== undefined) {
    const high = Number.parseInt(mapped, 16);
    return isPrivateIpv4(high >> 8, high & 255);
  }
  return host === "[::]" || host === "[::1]" || /^\[f([cd]|e[89ab])/.test(host);
}

export function webhookAddress(webhook: Wish, scene: LintScene): LintFinding {
  return checkCalled(webhook, "url", scene);
}

export function callbackAddress(event: Wish, scene: LintScene): LintFinding {
  return checkCalled(event, "callbackUrl", scene);
}

function checkCalled(wish: Wish, field: string, { environment }: LintScene): LintFinding {
  const text = textField(wish, field);
  if (text === undefined) return null;
  const url = parseUrl(text);
  // The embedded service runs on the same computer, and so may the receiver.
  const isLocal = environment === "sandbox" && url !== null && isLoopback(url);
  if (isLocal && (url.protocol === "http:" || url.protocol === "https:")) return null;
  if (url?.protocol !== "https:")
    return findingAt(wish, [field], {
      code: "webhook-not-https",
      severity: "error",
      message: `Webhook URLs must use https, and this \`${field}\` does not.`,
      hint: "Write the receiver's full URL, beginning with https://.",
    });
  const why = whyNotPublic(url);
  if (why === null) return null;
  return findingAt(wish, [field], {
    code: "not-a-public-url",
    severity: "error",
    message: `The service cannot reach this \`${field}\`: ${why}.`,
    hint: "Write a public https URL.",
  });
}

export function webhookWithoutEvents(wish: Wish): LintFinding {
  const events = wish.fields.events;
  if (Array.isArray(events) && events.length > 0) return null;
  // A missing or unreadable list is reported by the code that reads it.
  if (events === undefined) return null;
  return findingAt(wish, ["events"], {
    code: "webhook-without-events",
    severity: "error",
    message: `The webhook ${callOf(wish)} lists no \`events\`, so it would receive no notifications.`,
    hint: "List at least one, for example `events: [order.completed, order.refunded]`.",
  });
}
