// Schemas of the fields that several kinds share, each with the description and example that editors show.
import * as z from "zod";
import { uuidPattern } from "../../model/address.ts";
import { riskCodes } from "./verdicts.ts";

export function text(description: string, example: string) {
  return z.string().meta({ description, examples: [example] });
}

export function requiredText(description: string, example: string) {
  return z
    .string()
    .min(1)
    .meta({ description, examples: [example] });
}

export function moment(description: string, ...examples: readonly string[]) {
  return z.string().meta({ description, examples: [...examples] });
}

export function whole(minimum: number, description: string, example: number) {
  return z
    .int()
    .min(minimum)
    .meta({ description, examples: [example] });
}

export function flag(description: string, example: boolean) {
  return z.boolean().meta({ description, examples: [example] });
}

export function choice<const Choices extends readonly [string, ...string[]]>(
  choices: Choices,
  description: string,
  example: Choices[number],
) {
  return z.enum(choices).meta({ description, examples: [example] });
}

export function texts(description: string, example: readonly string[]) {
  return z.array(z.string()).meta({ description, examples: [[...example]] });
}

export const ignoreField = texts(
  "Codes of remarks that do not apply to this object; each is silenced here and nowhere else.",
  ["vip-cheaper-than-ga"],
).optional();

const risk = z.enum(riskCodes).meta({ description: "The code of the risk.", examples: ["delete-event"] });
const until = z.iso
  .date()
  .meta({ description: "The last day on which it is accepted, in the project's time zone.", examples: ["2026-12-01"] })
  .optional();
const why = text("The reason, for whoever reviews it.", "Sponsor left; buyers were told").optional();
const allowedEvent = requiredText("The key of the only event that it is accepted for.", "gala").optional();

export const allowField = z.array(z.union([risk, z.strictObject({ risk, until, why })])).meta({
  description: "Risks accepted for this event: a code, or one that ends by itself.",
  examples: [["price-change-with-sales"], [{ risk: "price-change-with-sales", until: "2026-12-01" }]],
});

/** The same for the project, where an entry may be about one event, also one whose file is deleted. */
export const projectAllowField = z
  .array(z.union([risk, z.strictObject({ risk, event: allowedEvent, until, why })]))
  .meta({
    description: "Risks accepted for the whole project, or for one event.",
    examples: [["price-change-with-sales"], [{ risk: "delete-event", event: "gala", until: "2026-12-01" }]],
  });

const pinnedId = z.string().regex(uuidPattern);

export const idField = z
  .union([pinnedId, z.record(z.string().min(1), pinnedId).refine((pins) => Object.keys(pins).length > 0)])
  .meta({
    description:
      "Pins the live object by its id: `{ production: … }` in that environment alone, a plain id in every one. With an id, fields that are otherwise required may be left out.",
    examples: [{ production: "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11" }, "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11"],
  })
  .optional();

/**
 * `null` clears an optional field on the service, or sets it back to what the service takes if nothing is sent (the
 * policy's `standard`); leaving it out leaves it alone.
 */
export function clearable<Schema extends z.ZodType>(schema: Schema) {
  const meta = schema.meta() ?? {};
  return schema.nullable().meta(meta).optional();
}
