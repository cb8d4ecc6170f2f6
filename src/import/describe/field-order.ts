// In which order a person writes the fields, and which values a person would not write at all.
import type { Kind } from "../../kinds/define.ts";
import type { Value } from "../../model/value.ts";

/** All fields of the kind that are written, in the order of writing; lists come last. */
export function fieldOrder({ fields, writeFirst = [] }: Kind): readonly string[] {
  const isList = (field: string) => fields[field]?.role === "children";
  const rest = Object.entries(fields)
    .filter(([, policy]) => policy.role !== "value" || policy.imported !== "never")
    .map(([field]) => field)
    .filter((field) => !writeFirst.includes(field));
  return [...writeFirst, ...rest.filter((field) => !isList(field)), ...rest.filter(isList)];
}

/** The value that goes without saying; undefined where every value is said. */
export function usualValue(kind: Kind, field: string): Value | undefined {
  const policy = kind.fields[field];
  // Left out, nobody would know whether tickets are on sale, or whether a webhook is on.
  if (policy?.role !== "value" || policy.imported === "always") return undefined;
  return policy.standard ?? policy.plainest;
}
