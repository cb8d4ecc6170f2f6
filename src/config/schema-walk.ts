// What a schema says about a place: which keys it knows, what it expects.
import type * as z from "zod";

export type Schema = z.core.$ZodType;

type Definition = z.core.$ZodTypes["_zod"]["def"];

/** The schema without `optional` and `nullable` around it. */
export function unwrap(schema: Schema): Schema {
  const def = definitionOf(schema);
  return def.type === "optional" || def.type === "nullable" ? unwrap(def.innerType) : schema;
}

/** The schemas one step below, under a key or in a list; several where there are alternatives. */
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

/** The keys that an object may have here; none where it is no object. */
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

function definitionOf(schema: Schema): Definition {
  return (schema as z.core.$ZodTypes)._zod.def;
}
