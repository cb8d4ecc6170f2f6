// JSON Schemas for editors, from the same zod schemas that decoding uses. Draft 07: the YAML language server reads it best.
import * as z from "zod";
import type { Kind } from "./define.ts";
import { childKinds, kindOf, templateSchema } from "./index.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of one event document. */
export function eventJsonSchema(): JsonSchema {
  const event = kindOf("event");
  return withRequired(documentSchema(event, event.schema), event, withoutDefaults(event));
}

/** The schema of a template: a part of an event document, of which nothing is required. */
export function templateJsonSchema(): JsonSchema {
  const event = kindOf("event");
  return documentSchema(event, templateSchema(event));
}

function documentSchema(kind: Kind, schema: z.ZodType): JsonSchema {
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

/** The schema of webhooks.yaml. */
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

/** The schema of ticketing.yaml, from what decoding uses for it: variables are filled in below `defaults` alone. */
export function projectJsonSchema(schema: z.ZodType): JsonSchema {
  const root = toEditorSchema(schema);
  const properties = root.properties as Record<string, JsonSchema>;
  return {
    ...root,
    properties: { ...properties, defaults: withListsOf(kindOf("event"), withPlaceholders(properties.defaults)) },
  };
}

/** A zod schema as editors like it: one `type` with null in it rather than two branches, patterns that variables may fill. */
function toEditorSchema(schema: z.ZodType): JsonSchema {
  return tidy(z.toJSONSchema(schema, { target: "draft-7", io: "input" }) as JsonSchema) as JsonSchema;
}

// Strict readers want to see what is required among the properties beside it. With an `id` the object is there already, and what the file leaves out
// is not managed; with `extends` a template may have it.
function withRequired(schema: JsonSchema, kind: Kind, required: readonly string[]): JsonSchema {
  const sparing = ["id", "extends"].filter((field) => field in kind.fields);
  if (sparing.length === 0) return { ...schema, required };
  const conditions = sparing.map((field) => ({ required: [field], properties: { [field]: true } }));
  return {
    ...schema,
    if: conditions.length === 1 ? conditions[0] : { anyOf: conditions },
    else: { required, properties: Object.fromEntries(required.map((name) => [name, true])) },
  };
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

function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (typeof node !== "object" || node === null) return node;
  return withVariables(withoutTypeList(withoutNullBranch(mapValues(node, tidy))));
}

/**
 * The same, with a text that holds `${…}` in place of every number, switch and choice. A second branch, because a list of
 * types is refused by strict readers; `oneOf`, because editors then show the field as one thing.
 */
function withPlaceholders(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withPlaceholders);
  if (typeof node !== "object" || node === null) return node;
  const schema = mapValues(node, withPlaceholders);
  const { description, examples, ...rest } = schema;
  const isText = [rest.type].flat().every((type) => type !== "integer" && type !== "boolean");
  if (isText && rest.enum === undefined) return schema;
  return {
    oneOf: [rest, { type: "string", pattern: placeholder }],
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  };
}

function mapValues(node: object, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, change(value)]));
}

function withoutNullBranch(schema: Record<string, unknown>): Record<string, unknown> {
  const branches = schema.anyOf;
  if (!Array.isArray(branches) || branches.length !== 2 || branches[1]?.type !== "null") return schema;
  const { anyOf: _, ...rest } = schema;
  const [{ const: only, enum: choices = only === undefined ? undefined : [only], ...branch }, empty] = branches;
  if (Array.isArray(branch.anyOf)) return { ...rest, anyOf: [...branch.anyOf, empty] };
  const values = choices === undefined ? {} : { enum: [...choices, null] };
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
  // What has a format has a pattern as well, which a variable may fill.
  const { format: _, ...rest } = schema;
  const { pattern } = schema;
  if (typeof pattern !== "string") return schema;
  return { ...rest, pattern: `${pattern.replaceAll("0-9a-f", "0-9A-Fa-f")}|${placeholder}` };
}
