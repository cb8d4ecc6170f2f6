import * as z from "zod";
import { keepSecretsOn } from "../../model/value.ts";
import { defineKind, type Facts, type Verdict } from "../define.ts";
import { choice, ignoreField, requiredText, yesNo } from "../fields/field-schemas.ts";
import { risk, rule } from "../fields/verdicts.ts";
import { webhookAddress, webhookWithoutEvents } from "../lint-rules/webhook-addresses.ts";

const webhookEvents = {
  "order.completed": "An order is completed.",
  "order.refunded": "An order is refunded.",
  "event.sold_out": "An event is sold out.",
  "ticket.inventory_low": "Few tickets of a type are left.",
} as const;

const schema = z
  .strictObject({
    url: requiredText(
      "The https URL that notifications are sent to. A different URL is a different webhook, with its own secret.",
      "https://hooks.example.com/orders",
    ).optional(),
    events: z
      .array(choice(webhookEvents, "What the receiver is notified of.", "order.completed"))
      .meta({
        description: "What the receiver is notified of. List at least one type of notification.",
        examples: [["order.completed", "order.refunded"]],
      })
      .optional(),
    isActive: yesNo(
      "`false`: the webhook is kept, but receives nothing. If left out, this is not managed.",
      true,
    ).optional(),
    // It becomes an argument of a command, so it must not look like an option or a path; nor may the receiver, who knows the
    // secret, thereby know a key of this program. JSON Schema has no flags, and stores do not distinguish case.
    secretName: z
      .string()
      .regex(/^(?![Tt][Ii][Cc][Kk][Ee][Tt][Ii][Nn][Gg]_)[A-Za-z0-9][A-Za-z0-9_.-]*$/)
      .meta({
        patternErrorMessage:
          "Use letters, digits, `_`, `-` and `.`, and begin with a letter or a digit. Names that begin with TICKETING_ are reserved for the program. Put a path into the command: `prod/{secretName}`.",
        description:
          "The name under which the command in ticketing.yaml stores the webhook's secret; required with `sink: command`. Letters, digits, `_`, `-` and `.`.",
        examples: ["ORDERS_WEBHOOK_SECRET"],
      })
      .optional(),
    ignore: ignoreField,
  })
  .meta({ title: "Webhook", description: "A URL that the service notifies of orders and inventory." });

function deletion(facts: Facts): Verdict | null {
  if (facts.change.action !== "delete") return null;
  return risk(
    facts,
    "delete-webhook",
    `The webhook ${facts.name} would be deleted: its receiver would get no more notifications.`,
  );
}

function noSecretSink(facts: Facts): Verdict | null {
  if (facts.change.action !== "create" || facts.secretPlace.fate !== "none") return null;
  return rule(
    "no-secret-sink",
    `The webhook ${facts.name} would be created, but there is no place to store its secret, which is shown only once.`,
    keepSecretsOn(facts.secretPlace.host),
  );
}

/** A webhook without its secret must be rotated before anybody can trust what it sends. */
function secretWouldBeLost({ change, secretPlace, name }: Facts): Verdict | null {
  if (change.action !== "create" || secretPlace.fate !== "lost") return null;
  return rule(
    "secret-would-be-lost",
    `The secret of the webhook ${name} is shown only once. It would be written to a file on this runner, and be lost when the job ends.`,
    keepSecretsOn(secretPlace.host),
  );
}

export const webhook = defineKind({
  name: "webhook",
  plural: "webhooks",
  words: { one: "webhook", many: "webhooks" },
  parent: null,
  schema,
  synonyms: { fields: { url: "endpoint", isActive: "active enabled" } },
  fields: {
    url: {
      role: "value",
      form: "url",
      change: "identity",
      required: true,
      leadsTo: "receiver",
      mistake: "webhook-not-https",
    },
    events: {
      role: "value",
      form: "set",
      change: "patch",
      required: true,
      mistake: "unknown-event-type",
      absent: "webhook-without-events",
    },
    // The create call does not accept `isActive`: a new webhook is active until it is switched off.
    isActive: {
      role: "value",
      form: "flag",
      change: "patch",
      create: "after",
      serviceDefault: true,
      imported: "always",
      shownAs: { true: "yes (receives notifications)", false: "no (receives nothing)" },
    },
    secretName: { role: "own" },
    ignore: { role: "own" },
  },
  sortBy: ["url"],
  identity: {
    label: "url",
    keys: [["url"]],
    likeness: "URL",
    twins: "ask",
    advice: {
      inFiles: "Keep one of the two and list the `events` of both in it.",
      // An interrupted rotation leaves two, and it is unknown whose secret was stored.
      live: (name, twins) =>
        new Set(twins.map(({ fields }) => String(fields.events))).size === 1
          ? `\`ticketing webhooks rotate ${name}\` replaces them all with one new webhook.`
          : "Their `events` differ. In the dashboard, delete all but the one whose secret your receiver has.",
    },
  },
  endpoints: { get: false, patch: true, readScope: "webhooks:manage", writeScope: "webhooks:manage" },
  steps: [],
  rules: [deletion, noSecretSink, secretWouldBeLost],
  lint: [webhookAddress, webhookWithoutEvents],
  secret: true,
});
