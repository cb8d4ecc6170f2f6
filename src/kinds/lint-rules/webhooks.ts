import { parseUrl } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import type { LintFinding, LintScene } from "../define.ts";
import { callOf, findingAt, textOf } from "./finding.ts";
import { isLoopback, whyNotPublic } from "./public-url.ts";

export function webhookAddress(webhook: Wish, scene: LintScene): LintFinding {
  return checkCalled(webhook, "url", scene);
}

export function callbackAddress(event: Wish, scene: LintScene): LintFinding {
  return checkCalled(event, "callbackUrl", scene);
}

function checkCalled(wish: Wish, field: string, { environment }: LintScene): LintFinding {
  const text = textOf(wish, field);
  if (text === undefined) return null;
  const url = parseUrl(text);
  // The embedded service runs on the same computer, and so may the receiver.
  const isLocal = environment === "sandbox" && url !== null && isLoopback(url);
  if (isLocal && (url.protocol === "http:" || url.protocol === "https:")) return null;
  if (url?.protocol !== "https:")
    return findingAt(wish, [field], {
      code: "webhook-not-https",
      severity: "error",
      message: `The service sends notifications only to https addresses, and this \`${field}\` is not one.`,
      hint: "Write the receiver's full address, beginning with https://.",
    });
  const why = whyNotPublic(url);
  if (why === null) return null;
  return findingAt(wish, [field], {
    code: "not-a-public-url",
    severity: "error",
    message: `The service cannot reach this \`${field}\`: ${why}.`,
    hint: "Write a public https address.",
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
    message: `The webhook ${callOf(wish)} subscribes to no events.`,
    hint: "Write for example `events: [order.completed, order.refunded]`.",
  });
}
