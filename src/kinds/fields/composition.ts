// What documents may say about how they are composed. The registry adds it to the kinds, so that each describes only its objects.
import * as z from "zod";
import type { FieldPolicy, Kind } from "../define.ts";
import { flag } from "./field-schemas.ts";

const name = z.string().min(1);

const removeField = flag("True: takes out the inherited entry of this name.", true).optional();

/** An entry of a list can take an inherited one out. */
export function withRemove(kind: Kind): Kind {
  return extended(kind, { remove: removeField }, { remove: { role: "compose", merge: "none" } });
}

/** A document can extend templates. */
export function withComposition(kind: Kind): Kind {
  const { documentOnly } = kind;
  if (documentOnly === undefined) return kind;
  const inherited = [...Object.keys(kind.fields), "vars"].filter((field) => !documentOnly.includes(field)) as [string];
  return extended(
    kind,
    {
      extends: z
        .union([name, z.array(name)])
        .meta({
          description:
            "The template that this takes its fields from, or several: later ones over earlier ones. What is written here wins.",
          examples: ["club-night"],
        })
        .optional(),
      without: z
        .array(z.enum(inherited))
        .meta({ description: "Inherited fields to drop: they are then not managed.", examples: [["brands"]] })
        .optional(),
      vars: z
        .record(name, z.union([z.string(), z.number(), z.boolean()]))
        .meta({
          description:
            "Values that texts can use as ${var.NAME}; they override inherited ones and those of the project.",
          examples: [{ headliner: "DJ Ana" }],
        })
        .optional(),
    },
    {
      extends: { role: "compose", merge: "none" },
      without: { role: "compose", merge: "none" },
      vars: { role: "compose", merge: "deep" },
    },
  );
}

function extended(kind: Kind, shape: z.ZodRawShape, fields: Readonly<Record<string, FieldPolicy>>): Kind {
  return {
    ...kind,
    schema: kind.schema.extend(shape).meta(kind.schema.meta() ?? {}),
    fields: { ...kind.fields, ...fields },
  };
}

/** The same without some fields. */
export function schemaWithout(schema: z.ZodObject, fields: readonly string[]): z.ZodObject {
  const shape = Object.entries(schema.shape).filter(([field]) => !fields.includes(field));
  return z.strictObject(Object.fromEntries(shape));
}

/** What a template may say: a part of a document. */
export function templateSchema(kind: Kind): z.ZodObject {
  return schemaWithout(kind.schema, kind.documentOnly ?? []).meta({
    title: "Template",
    description: `What several ${kind.words.many} share; each names it under \`extends\`.`,
  });
}
