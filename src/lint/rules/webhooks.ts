import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Project, Wish } from "../../model/wish.ts";
import { callOf, none, remarkAt, type Scene, textOf } from "./rule.ts";
import { isLoopback, readAddress, whyNotPublic } from "./urls.ts";

export function webhookAddress(wish: Wish, scene: Scene): readonly Diagnostic[] {
  return judge(wish, "url", scene);
}

export function callbackAddress(event: Wish, scene: Scene): readonly Diagnostic[] {
  return judge(event, "callbackUrl", scene);
}

function judge(wish: Wish, field: string, { environment }: Scene): readonly Diagnostic[] {
  const text = textOf(wish, field);
  if (text === undefined) return none;
  const address = readAddress(text);
  // The embedded service runs on the same computer, and so may the receiver.
  const spared = environment === "sandbox" && address !== null && isLoopback(address);
  if (spared && (address.protocol === "http:" || address.protocol === "https:")) return none;
  if (address?.protocol !== "https:") return [webhookNotHttps(wish, field)];
  const why = whyNotPublic(address);
  return why === null ? none : [notReachable(wish, field, why)];
}

function webhookNotHttps(wish: Wish, field: string): Diagnostic {
  return remarkAt(wish, [field], {
    code: "webhook-not-https",
    severity: "error",
    message: `The service sends notifications only to https addresses, and this \`${field}\` is none.`,
    hint: "Write the receiver's full address, beginning with https://.",
  });
}

function notReachable(wish: Wish, field: string, why: string): Diagnostic {
  return remarkAt(wish, [field], {
    code: "not-a-public-url",
    severity: "error",
    message: `The service cannot reach this \`${field}\`: ${why}.`,
    hint: "Write a public https address.",
  });
}

export function webhookWithoutEvents(wish: Wish): readonly Diagnostic[] {
  const events = wish.fields.events;
  if (Array.isArray(events) && events.length > 0) return none;
  // What is missing, or cannot be read, is told by those who read it.
  if (events === undefined) return none;
  return [
    remarkAt(wish, ["events"], {
      code: "webhook-without-events",
      severity: "error",
      message: `The webhook ${callOf(wish)} is told about nothing: it lists no events.`,
      hint: "Write for example `events: [order.completed, order.refunded]`.",
    }),
  ];
}

/** A command that stores secrets has to be told under which name: found out later, the webhook would exist without one. */
export function secretNameMissing({
  settings,
  webhooks,
}: Pick<Project, "settings" | "webhooks">): readonly Diagnostic[] {
  if (settings.secrets?.sink !== "command") return [];
  return webhooks
    .filter((webhook) => webhook.own.secretName === undefined)
    .map((webhook) => ({
      code: "secret-name-missing",
      severity: "error",
      message: `The webhook ${webhook.name} has no \`secretName\`, and the command in ticketing.yaml stores its secret by name.`,
      hint: "Add for example `secretName: ORDERS_WEBHOOK_SECRET`.",
      address: webhook.address,
      source: webhook.source,
    }));
}
