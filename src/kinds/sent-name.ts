import type { Kind } from "./define.ts";

/** The name under which a field of the files is sent, shown and remembered: `performer` goes as `performerId`. */
export function sentName(kind: Kind, field: string): string {
  const policy = kind.fields[field];
  return policy?.role === "reference" ? policy.sentAs : field;
}
