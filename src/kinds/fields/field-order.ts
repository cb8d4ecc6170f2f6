// The order in which files name the fields of an object.
import * as z from "zod";
import type { Kind } from "../define.ts";

/** All fields of the kind; what holds entries comes last. */
export function fieldOrder({ fields, writeFirst = [] }: Pick<Kind, "fields" | "writeFirst">): readonly string[] {
  const first = writeFirst.filter((field) => field in fields);
  const rest = Object.keys(fields).filter((field) => !writeFirst.includes(field));
  return [
    ...first,
    ...rest.filter((field) => !holdsEntries(fields, field)),
    ...rest.filter((field) => holdsEntries(fields, field)),
  ];
}

function holdsEntries(fields: Kind["fields"], field: string): boolean {
  const policy = fields[field];
  return policy?.role === "children" || (policy?.role === "compose" && policy.merge === "append");
}

/** The same schema with its fields in this order: whatever is made from it shows them so. */
export function inOrder(schema: z.ZodObject, order: readonly string[]): z.ZodObject {
  const rankOf = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length);
  const shape = Object.entries(schema.shape).sort(([one], [other]) => rankOf(one) - rankOf(other));
  const ordered = z.strictObject(Object.fromEntries(shape));
  const meta = schema.meta();
  return meta === undefined ? ordered : ordered.meta(meta);
}

export function withOrder(kind: Kind): Kind {
  return { ...kind, schema: inOrder(kind.schema, fieldOrder(kind)) };
}
