// What a schema says about a place: which keys it knows, what it expects.

import type * as z from "zod";
import type { Code } from "../../model/diagnostic.ts";
import type { Located } from "../yaml/located.ts";

export type Schema = z.core.$ZodType;

type Definition = z.core.$ZodTypes["_zod"]["def"];

/** The schema without `optional` and `nullable` around it. */
export function unwrap(schema: Schema): Schema {
  const def = definitionOf(schema);
  return def.type === "optional" || def.type === "nullable" ? unwrap(def.innerType) : schema;
}

/** The schemas one step below, under a key or in a list; several if there are alternatives. */
export function stepInto(schema: Schema, step: PropertyKey): readonly Schema[] {
  const def = definitionOf(unwrap(schema));
  switch (def.type) {
    case "object": {
      const below = (def.shape as Readonly<Record<string, Schema>>)[String(step)];
      return below === undefined ? [] : [below];
    }
    case "array":
      return [def.element];
    case "record":
      return [def.valueType];
    case "union":
      return def.options.flatMap((option) => stepInto(option, step));
    default:
      return [];
  }
}

export function schemaAt(schema: Schema, path: readonly PropertyKey[]): Schema | undefined {
  let here: Schema | undefined = schema;
  for (const step of path) {
    if (here === undefined) return undefined;
    here = stepInto(here, step)[0];
  }
  return here;
}

/** The keys that an object may have here; none if it is not an object. */
export function keysOf(schema: Schema): readonly string[] {
  const def = definitionOf(unwrap(schema));
  if (def.type === "object") return Object.keys(def.shape);
  if (def.type === "union") return def.options.flatMap(keysOf);
  return [];
}

/** The keys of the objects that a field holds, itself or in a list. */
export function keysWithin(schema: Schema): readonly string[] {
  const def = definitionOf(unwrap(schema));
  return def.type === "array" ? keysOf(def.element) : keysOf(schema);
}

export function typeOf(schema: Schema): Definition["type"] {
  return definitionOf(unwrap(schema)).type;
}

export function isAllowed(schema: Schema, value: unknown): boolean {
  return (unwrap(schema) as z.ZodType).safeParse(value).success;
}

/** What editors show about a text that does not fit its pattern; null if there is nothing. */
export function patternHint(schema: Schema): string | null {
  const { patternErrorMessage: hint } = (unwrap(schema) as z.ZodType).meta() ?? {};
  return typeof hint === "string" ? hint : null;
}

/** What editors show as examples. */
export function examplesOf(schema: Schema): readonly unknown[] {
  return [schema, unwrap(schema)].flatMap((one) => (one as z.ZodType).meta()?.examples ?? []);
}

export function exampleAt(root: Schema, path: readonly PropertyKey[]): unknown {
  const schema = schemaAt(root, path);
  return schema === undefined ? undefined : examplesOf(schema)[0];
}

function definitionOf(schema: Schema): Definition {
  return (schema as z.core.$ZodTypes)._zod.def;
}

export interface IssueMessage {
  readonly code: Code;
  readonly message: string;
  readonly hint: string;
}

/** What a message can say about a field beyond its name. */
export interface FieldNames {
  /** The code of the problem, where the field has its own. */
  readonly mistake?: Code | undefined;
  /** The code of the problem where the field is missing or empty, if it has its own. */
  readonly absent?: Code | undefined;
  /** What to write, where it is not what the schema shows. */
  readonly example?: string | undefined;
  /** Whose field it is: `GA`; null if it needs no saying. */
  readonly owner: string | null;
}

export interface Complaint extends FieldNames {
  readonly issue: z.core.$ZodIssue;
  readonly node: Located;
  readonly path: readonly PropertyKey[];
  /** What is expected at the path. */
  readonly schema: Schema;
}

/** `price` of 'GA'; an entry of a list is called by its number. */
export function fieldName({ path, owner }: Pick<Complaint, "path" | "owner">): string {
  const last = path.at(-1);
  if (typeof last === "number") return `Entry ${last + 1} of \`${String(path.at(-2) ?? "the list")}\``;
  return `\`${String(last)}\`${owner === null ? "" : ` of ${owner}`}`;
}

/** What the file says there, in a few words. */
export function shown(node: Located): string {
  if (node.type === "list") return "a list";
  if (node.type === "map") return node.entries.size === 0 ? "an empty map" : "a map";
  if (node.value === null) return "empty";
  if (typeof node.value === "string") return `the text "${cutValue(node.value)}"`;
  return node.raw === undefined || node.raw === "" ? String(node.value) : cutValue(node.raw);
}

function cutValue(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
