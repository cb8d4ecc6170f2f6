// Schemas of the fields that several kinds share, each with the description and example that editors show.

import * as z from "zod";
import { uuidPattern } from "../../model/address.ts";
import type { RiskCode } from "../../model/diagnostic.ts";
import { sentenceCase } from "../../model/value.ts";

/** Where the name alone says too little. */
const titles: Readonly<Record<string, string>> = {
  allow: "Accepted risks",
  apiKeyEnv: "Variable of the API key",
  dateTime: "Start",
  endDateTime: "End",
  ignore: "Silenced checks",
  new: "New event",
  published: "On sale",
  rrule: "Repeat rule (RFC 5545)",
  table: "Sheet",
  vars: "Variables",
};

/** The name of a field for people: `imageUrl` is the "Image URL". */
export function titleOf(field: string): string {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return titles[field] ?? sentenceCase(words.replace(/\b(?:url|id)\b/g, (word) => word.toUpperCase()));
}

/** Adds to a schema that nothing else uses what `meta` would add to a copy: copies of hundreds of schemas would slow down every start. */
export function described<Schema extends z.ZodType>(fresh: Schema, meta: z.GlobalMeta): Schema {
  z.globalRegistry.add(fresh, meta);
  return fresh;
}

export function text(description: string, ...examples: readonly string[]) {
  return described(z.string(), { description, examples: [...examples] });
}

const filled = z
  .string()
  .min(1)
  .refine((written) => written.trim() !== "");

export function requiredText(description: string, example: string) {
  return filled.meta({ description, examples: [example] });
}

export function whole(minimum: number, description: string, example: number) {
  return described(z.int().min(minimum), { description, examples: [example] });
}

export function yesNo(description: string, example: boolean) {
  return described(z.boolean(), { description, examples: [example] });
}

/** `choices`: each with its meaning, as plain text, which editors show next to it. */
export function choice<Name extends string>(
  choices: Readonly<Record<Name, string>>,
  description: string,
  example: NoInfer<Name>,
) {
  const names = Object.keys(choices) as [Name, ...Name[]];
  return described(z.enum(names), { description, examples: [example], enumDescriptions: Object.values(choices) });
}

export function texts(description: string, example: readonly string[]) {
  return described(z.array(z.string()), { description, examples: [[...example]] });
}

export const ignoreField = texts(
  "Codes of checks to silence here; in an event, also for the entries of its lists. Errors about values that the service would not accept cannot be silenced.",
  ["placeholder-text"],
).optional();

const risks: Readonly<Record<RiskCode, string>> = {
  "delete-event": "An event is deleted.",
  "delete-webhook":
    "A webhook is deleted: its receiver gets no more notifications. Of all files, only ticketing.yaml can accept this risk.",
  "delete-ticket-on-sale": "A ticket type that is on sale is deleted.",
  "unpublish-with-sales": "An event goes back to DRAFT after tickets were sold.",
  "archive-with-sales": "An event is archived after tickets were sold. This does not refund anyone.",
  "price-change-with-sales": "A price changes after tickets of that type were sold.",
  "reschedule-with-sales": "The start moves after tickets were sold. The service does not notify buyers.",
  "venue-change-with-sales": "The venue changes after tickets were sold. The service does not notify buyers.",
  "make-private-with-sales": "The event becomes private after tickets were sold.",
};

const risk = choice(
  risks,
  "The code of the risk, as the plan prints it next to the change that it blocks.",
  "delete-event",
);
const until = z.iso
  .date()
  .meta({
    patternErrorMessage: "Write it as YYYY-MM-DD, such as 2027-12-01.",
    description:
      "The last day on which the risk is accepted, in the project's time zone (`defaults.timezone`, or Asia/Manila). After that day, the entry has no effect.",
    examples: ["2026-12-01"],
  })
  .optional();
const why = text("Why the risk is accepted, for reviewers.", "Sponsor left; buyers were told").optional();
const event = requiredText(
  "The key of the event that the risk is accepted for; the key of a series stands for all its dates.",
  "gala",
).optional();
const allowEntries = z.array(z.union([risk, z.strictObject({ risk, event, until, why })]));

export const allowField = allowEntries.meta({
  description:
    "Risks that are accepted for this event. Each is a code, or a map with a `risk` and, in `until`, the last day on which it is accepted. The plan blocks a risky change that is not accepted.",
  examples: [["price-change-with-sales"], [{ risk: "price-change-with-sales", until: "2026-12-01" }]],
});

export const projectAllowField = allowEntries.meta({
  description:
    "Risks that are accepted for the whole project, or, with `event`, for one event, even one whose file is deleted.",
  examples: [["price-change-with-sales"], [{ risk: "delete-event", event: "gala", until: "2026-12-01" }]],
});

const pinnedId = z
  .string()
  .regex(uuidPattern)
  .meta({ patternErrorMessage: "An id is 32 hexadecimal digits in five groups, as `ticketing import` writes it." });

export const idField = z
  .union([pinnedId, z.record(z.string().min(1), pinnedId).refine((pins) => Object.keys(pins).length > 0)])
  .meta({
    description:
      "Says which live object this is. `{ production: … }` applies only to that environment. A plain id applies to all environments, but the sandbox ignores it if it has no object with that id. `ticketing import` writes the form with the environment's name. With an id, fields that are otherwise required can be left out; they are then not managed.",
    examples: [{ production: "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11" }, "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11"],
  })
  .optional();

/** `null` clears an optional field, or resets it to the service's default (the policy's `serviceDefault`); a field that is left out is not touched. */
export function clearable<Schema extends z.ZodType>(schema: Schema) {
  return described(schema.nullable(), schema.meta() ?? {}).optional();
}

/** Each part may come from another level; a document needs the name once they are merged. */
export const venueQuery = z.strictObject({
  name: requiredText(
    "The venue's name, as `ticketing venues search` prints it. Required here or in what the event extends.",
    "Palace",
  ).optional(),
  city: text("The city, if several venues share the name.", "Baguio").optional(),
  state: text("The province or region.", "Benguet").optional(),
  country: text("The country.", "Philippines").optional(),
});

/** What a file may say; no live event is DELETED. */
export const statusField = choice(
  {
    DRAFT: "Only your organization sees it.",
    PUBLISHED: "Buyers see it, and ticket types that are published are on sale.",
    ARCHIVED: "Closed for good: kept for its orders, never changed again.",
    DELETED: "Deleted. Refused once anything has been sold: archive the event instead.",
  },
  "The status that the event should have. If left out, the status is not managed, and a new event stays DRAFT.",
  "PUBLISHED",
);
