// JSON Schemas for editors, from the same zod schemas that decoding uses. Draft 07: the YAML language server reads it best.
import * as z from "zod";
import type { Kind } from "./define.ts";
import { titleOf } from "./fields/field-schemas.ts";
import { childKinds, kindOf, templateSchema } from "./index.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The files of a project that have a schema. */
export const documentNames = ["event", "template", "webhooks", "project"] as const;
export type DocumentName = (typeof documentNames)[number];

export function eventJsonSchema(): JsonSchema {
  const event = kindOf("event");
  const schema = withRequired(kindJsonSchema(event, event.schema), event, withoutDefaults(event));
  return {
    ...schema,
    allOf: [
      ...startOfDocument(event),
      ...childKinds("event")
        .filter(({ sold }) => sold)
        .map(complete),
    ],
  };
}

/** The start has its date, or in a series those of the series. */
function startOfDocument(event: Kind): readonly JsonSchema[] {
  const [start = ""] =
    Object.entries(event.fields).find(([, policy]) => policy.role === "value" && policy.anchor === "start") ?? [];
  return [
    { if: has("series"), else: { properties: { [start]: dateAndTime } } },
    { if: { not: has("series") }, else: { properties: { [start]: timeAlone } } },
  ];
}

const dateAndTime = {
  type: "string",
  pattern: "^\\s*\\d{4}-\\d{2}-\\d{2}(?:[Tt]|\\s+)\\d{2}:\\d{2}|\\$\\{",
  patternErrorMessage: "Write a date and a time, such as 2027-03-14T19:00. Only a `series` uses a time without a date.",
};
const timeAlone = {
  type: "string",
  pattern: "^\\s*\\d{2}:\\d{2}\\s*$|\\$\\{",
  patternErrorMessage: "In a `series`, the start is only a time, such as 22:00; the series gives the dates.",
};

/** A ticket type states its price and quantity; a template or a date of a series may state them instead. */
function complete(kind: Kind): JsonSchema {
  const asked = requiredOf(kind).filter((name) => name !== kind.identity.label);
  return {
    if: { anyOf: [has("extends"), { ...has("series"), properties: { series: has("dates") } }] },
    else: { properties: { [kind.plural]: { type: "array", items: withRequired({}, kind, asked) } } },
  };
}

// Strict readers want every required field among the properties next to it.
function has(...fields: readonly string[]): JsonSchema {
  return { type: "object", required: fields, properties: Object.fromEntries(fields.map((name) => [name, true])) };
}

/** The schema of a template: a part of an event document, of which nothing is required. */
export function templateJsonSchema(): JsonSchema {
  const event = kindOf("event");
  return kindJsonSchema(event, templateSchema(event));
}

function kindJsonSchema(kind: Kind, schema: z.ZodType): JsonSchema {
  return withListsOf(kind, withPlaceholders(toEditorSchema(schema)) as JsonSchema) as JsonSchema;
}

/** The lists of a document, and of every part of one within it: what an entry needs, and an example. */
function withListsOf(kind: Kind, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((each) => withListsOf(kind, each));
  if (typeof node !== "object" || node === null) return node;
  const schema = mapValues(node, (each) => withListsOf(kind, each)) as JsonSchema;
  const properties = { ...(schema.properties as Record<string, JsonSchema> | undefined) };
  for (const child of childKinds(kind.name)) {
    const list = properties[child.plural];
    if (list?.items === undefined) continue;
    const items = withRequired(list.items as JsonSchema, child, withoutDefaults(child));
    properties[child.plural] = { ...list, items, examples: [[exampleOf(items, child)]] };
  }
  return schema.properties === undefined ? schema : { ...schema, properties };
}

export function webhooksJsonSchema(): JsonSchema {
  const webhook = kindOf("webhook");
  const { $schema, ...items } = withPlaceholders(toEditorSchema(webhook.schema)) as JsonSchema;
  return {
    $schema,
    title: "Webhooks",
    description: "All webhooks of the project.",
    type: "array",
    items: withRequired(items, webhook, requiredOf(webhook)),
  };
}

/** The schema of ticketing.yaml, from what decoding uses for it: variables are filled in only below `defaults`. */
export function projectJsonSchema(schema: z.ZodType): JsonSchema {
  const root = toEditorSchema(schema);
  const properties = root.properties as Record<string, JsonSchema>;
  return {
    ...root,
    properties: { ...properties, defaults: withListsOf(kindOf("event"), withPlaceholders(properties.defaults)) },
  };
}

/** A zod schema as editors like it: every field with a title and description, `null` within `type` instead of a second branch, patterns that allow variables. */
function toEditorSchema(schema: z.ZodType): JsonSchema {
  return withTitles(tidySchema(z.toJSONSchema(schema, { target: "draft-7", io: "input" }))) as JsonSchema;
}

// Characters that the language server would escape in a plain description.
const markup = /[\\`*_{}[\]#+!]/;

/** A title for each field, and descriptions as the Markdown that they are. */
function withTitles(node: unknown, field: string | null = null): unknown {
  if (Array.isArray(node)) return node.map((each) => withTitles(each));
  if (typeof node !== "object" || node === null) return node;
  const { title = field === null ? undefined : titleOf(field), description, properties, ...rest } = node as JsonSchema;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(typeof description === "string" && markup.test(description) ? { markdownDescription: description } : {}),
    ...mapValues(rest, (each) => withTitles(each)),
    ...(typeof properties === "object" && properties !== null
      ? { properties: mapValues(properties, (each, name) => withTitles(each, name)) }
      : {}),
  };
}

// With an `id` the object already exists, and what the file leaves out is not managed; with `extends` a template may have it.
function withRequired(schema: JsonSchema, kind: Kind, required: readonly string[]): JsonSchema {
  const sparing = ["id", "extends"].filter((field) => field in kind.fields);
  if (sparing.length === 0) return { ...schema, required };
  const [only, ...others] = sparing.map((field) => has(field));
  return { ...schema, if: others.length === 0 ? only : { anyOf: [only, ...others] }, else: has(...required) };
}

function requiredOf(kind: Kind): readonly string[] {
  return Object.entries(kind.fields)
    .filter(([, policy]) => policy.role === "value" && policy.required === true)
    .map(([name]) => name);
}

// The rest may be in the project's defaults, which an editor does not see; `validate` does.
function withoutDefaults(kind: Kind): readonly string[] {
  return requiredOf(kind).filter((name) => name === kind.identity.label);
}

function exampleOf(schema: JsonSchema, kind: Kind): Record<string, unknown> {
  const properties = schema.properties as Record<string, { examples?: unknown[] }>;
  return Object.fromEntries(requiredOf(kind).map((name) => [name, properties[name]?.examples?.[0]]));
}

function tidySchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidySchema);
  if (typeof node !== "object" || node === null) return node;
  return inWords(withVariables(withoutTypeList(withOneBranch(withoutNullBranch(mapValues(node, tidySchema))))));
}

// The branches of all our unions differ by type; of `anyOf`, editors show each branch that has no title.
function withOneBranch({ anyOf, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return anyOf === undefined ? rest : { ...rest, oneOf: anyOf };
}

/** What an editor says about a value of another type. */
function inWords(schema: Record<string, unknown>): Record<string, unknown> {
  const types = [schema.type].flat();
  if (types.includes("integer")) return { ...schema, errorMessage: "Write a whole number, without quotes." };
  return types.includes("boolean") && schema.enum === undefined
    ? { ...schema, errorMessage: "Write true or false, without quotes." }
    : schema;
}

/**
 * The same, with a text that holds `${…}` in place of every number, switch and choice. A second branch, because a list of
 * types is refused by strict readers; `oneOf`, because editors then show the field as one thing.
 */
function withPlaceholders(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withPlaceholders);
  if (typeof node !== "object" || node === null) return node;
  const schema = mapValues(node, withPlaceholders);
  const { title, description, markdownDescription, examples, ...rest } = schema;
  const isText = [rest.type].flat().every((type) => type !== "integer" && type !== "boolean");
  if (isText && rest.enum === undefined) return schema;
  const texts = Object.entries({ title, description, markdownDescription, examples });
  return {
    ...Object.fromEntries(texts.filter(([, value]) => value !== undefined)),
    oneOf: [
      rest,
      { type: "string", pattern: placeholder, patternErrorMessage: "Write a variable, such as ${var.NAME}." },
    ],
  };
}

function mapValues(node: object, change: (value: unknown, name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, change(value, name)]));
}

function withoutNullBranch(schema: Record<string, unknown>): Record<string, unknown> {
  const branches = schema.anyOf;
  if (!Array.isArray(branches) || branches.length !== 2 || branches[1]?.type !== "null") return schema;
  const { anyOf: _, ...rest } = schema;
  const [{ const: only, enum: choices = only === undefined ? undefined : [only], ...branch }, empty] = branches;
  if (Array.isArray(branch.oneOf)) return { ...rest, oneOf: [...branch.oneOf, empty] };
  const { enumDescriptions = [] } = rest;
  const values =
    choices === undefined
      ? {}
      : { enum: [...choices, null], enumDescriptions: [...(enumDescriptions as string[]), "The service's default."] };
  return { ...branch, ...rest, type: [branch.type, "null"], ...values };
}

// Strict readers know of a type or null, and of no other list of types.
function withoutTypeList(schema: Record<string, unknown>): Record<string, unknown> {
  const { type, ...rest } = schema;
  if (!Array.isArray(type) || (type.length === 2 && type.includes("null"))) return schema;
  return { ...rest, oneOf: type.map((one) => ({ type: one })) };
}

const placeholder = "\\$\\{";

// JSON Schema has no pattern flags, and `${var.hall}` may be written in place of an id or a color.
function withVariables(schema: Record<string, unknown>): Record<string, unknown> {
  // A text with a format also has a pattern, which a variable may match.
  const { format: _, ...rest } = schema;
  const { pattern } = schema;
  if (typeof pattern !== "string") return schema;
  return { ...rest, pattern: `${pattern.replaceAll("0-9a-f", "0-9A-Fa-f")}|${placeholder}` };
}
